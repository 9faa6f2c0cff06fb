//! Which diagonals a placement in a block has to remember, and where: the layout of its key.
//!
//! A diagonal matters to a placement of the rows `0..j` of a block if it has no queen of the centre rows on it and goes on
//! into the other block (a *join* diagonal, the same bit in both blocks' keys) or into a later row of the same block. The
//! join diagonals come first, then those that the last row of the block asks for: where both fit 32 bits, the longest
//! lists are half as long in memory. The diagonals that only earlier rows ask for have the bits from 32 on.

use std::cmp::Ordering;

use super::columns::MAX_COLUMNS;
use super::shape::Shape;
use crate::board::{Board, bits};
use crate::method::half_join::mirrors::distance;

/// What a queen on a square of a block does to the keys of the placements it is added to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Square {
    /// The diagonals through it that queens of earlier rows can be on: all of them must be free.
    pub test: u64,
    /// The diagonals through it that are asked for later on.
    pub add: u64,
}

/// A block's row. All that is in neither mask is barred: attacked from the centre rows, or so near to the middle that the
/// whole would not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// The squares, by free column.
    pub squares: [Square; MAX_COLUMNS],
    /// Free columns in which a queen leaves a placement among the far or the equal ones, as it was.
    pub plain_mask: u32,
    /// Free columns in which a queen makes a placement an equal one.
    pub equal_mask: u32,
}

/// The keys' layout in both blocks.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The rows of the block above from the top down, and those of the block below from the bottom up.
    pub rows: [Vec<Row>; 2],
    /// How many join diagonals there are: the lowest bits of a key.
    pub join_bits: u32,
    /// Whether the lists that the last row is added to need no more than 32 bits a key.
    pub is_narrow: bool,
}

/// The bits of a key.
pub const KEY_BITS: u32 = u64::BITS;

/// More diagonals matter than a key has bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooWide;

/// No bit.
const NONE: u32 = u32::MAX;

/// One block as the block above: the block below is turned upside down first.
struct Side {
    board: Board,
    /// Of each antidiagonal and diagonal: its bit.
    places: [[u32; 64]; 2],
    next: u32,
}

impl Side {
    /// The antidiagonal and the diagonal through a square.
    fn lines(&self, row: u32, column: u32) -> [usize; 2] {
        [row + column, column + self.board.n - 1 - row].map(|line| line as usize)
    }

    /// Whether queens in the rows above a square can be on its antidiagonal and on its diagonal.
    fn reached(&self, row: u32, column: u32) -> [bool; 2] {
        [row > 0 && column + 1 < self.board.n, row > 0 && column > 0]
    }

    /// Finds places for the diagonals that a row asks for.
    fn ask(&mut self, row: u32) {
        for column in bits(self.board.free_squares(row)) {
            let (lines, reached) = (self.lines(row, column), self.reached(row, column));
            for direction in 0..2 {
                let place = &mut self.places[direction][lines[direction]];
                if reached[direction] && *place == NONE {
                    *place = self.next;
                    self.next += 1;
                }
            }
        }
    }

    /// The squares of a row. `keep` are the bits that matter once it has a queen.
    fn row(&self, row: u32, limit: u32, keep: u64) -> Row {
        let n = self.board.n;
        let mut found = Row::default();
        for (x, column) in bits(self.board.free_column_mask).enumerate() {
            if self.board.free_squares(row) >> column & 1 == 0 {
                continue;
            }
            let is_middle = [(n - 1) / 2, n / 2].contains(&column);
            match distance(n, row).cmp(&limit) {
                Ordering::Less if is_middle => continue,
                Ordering::Equal if is_middle => found.equal_mask |= 1 << x,
                _ => found.plain_mask |= 1 << x,
            }
            let (lines, reached) = (self.lines(row, column), self.reached(row, column));
            for direction in 0..2 {
                let place = self.places[direction][lines[direction]];
                if place != NONE {
                    let bit = 1 << place;
                    found.squares[x].test |= if reached[direction] { bit } else { 0 };
                    found.squares[x].add |= bit & keep;
                }
            }
        }
        found
    }
}

impl Layout {
    /// The layout for a board with all centre rows of a shape filled. Queens nearer to the middle rows than `limit` are barred
    /// from the middle columns. A key has so many bits: [`KEY_BITS`], but for tests.
    pub fn new(shape: Shape, board: &Board, limit: u32, key_bits: u32) -> Result<Self, TooWide> {
        let (n, block) = (shape.n, shape.block());
        let mut sides = [*board, upside_down(board)].map(|board| Side { board, places: [[NONE; 64]; 2], next: 0 });
        // Those that cross both blocks. The longest first: those without room in 32 bits are then the rarest.
        let mut join: Vec<(u32, usize)> = (n - block..n + block - 1)
            .flat_map(|line| [(line, 0), (line, 1)])
            .filter(|&(line, direction)| [board.antidiagonal_mask, board.diagonal_mask][direction] >> line & 1 == 0)
            .collect();
        join.sort_by_key(|&(line, _)| line.abs_diff(n - 1));
        let join_bits = join.len() as u32;
        for (place, (line, direction)) in (0..).zip(join) {
            sides[0].places[direction][line as usize] = place;
            // Upside down, an antidiagonal is the diagonal of the same number.
            sides[1].places[1 - direction][line as usize] = place;
        }
        for side in &mut sides {
            side.next = join_bits;
            side.ask(block - 1);
        }
        let is_narrow = sides.iter().all(|side| side.next <= u32::BITS);
        for side in &mut sides {
            if is_narrow {
                side.next = u32::BITS;
            }
            (0..block - 1).for_each(|row| side.ask(row));
            if side.next > key_bits {
                return Err(TooWide);
            }
        }
        let join_mask = (1 << join_bits) - 1;
        let rows = sides.map(|side| {
            (0..block).map(|row| side.row(row, limit, if row + 1 == block { join_mask } else { u64::MAX })).collect()
        });
        Ok(Self { rows, join_bits, is_narrow })
    }
}

fn upside_down(board: &Board) -> Board {
    let free_row_mask = if board.n == 0 { 0 } else { board.free_row_mask.reverse_bits() >> (u32::BITS - board.n) };
    Board { free_row_mask, antidiagonal_mask: board.diagonal_mask, diagonal_mask: board.antidiagonal_mask, ..*board }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::half_join::prefixes::MiddlePrefixes;
    use crate::problem::Problem;

    #[test]
    fn keys_tell_what_attacks_what() {
        for (n, centre) in [(14, 4), (13, 1), (12, 2)] {
            let shape = Shape::new(n, centre, centre).unwrap();
            let block = shape.block();
            for prefix in MiddlePrefixes::new(&Problem::empty(n).unwrap(), centre).take(40) {
                let board = prefix.board;
                let layout = Layout::new(shape, &board, 0, KEY_BITS).unwrap();
                let columns: Vec<u32> = bits(board.free_column_mask).collect();
                let all = (0..block).flat_map(|row| (0..columns.len()).map(move |x| (row, x)));
                let free = |row: &Row, x: usize| (row.plain_mask | row.equal_mask) >> x & 1 == 1;
                for (row, x) in all.clone() {
                    let column = columns[x];
                    let own = &layout.rows[0][row as usize];
                    assert_eq!(free(own, x), board.is_free(row, column));
                    if !free(own, x) {
                        continue;
                    }
                    let next = board.place(row, column);
                    for (other, y) in all.clone().filter(|&(_, y)| y != x) {
                        let [above, below] = [0, 1].map(|side| &layout.rows[side][other as usize]);
                        if other > row && free(above, y) {
                            let shared = own.squares[x].add & above.squares[y].test;
                            assert_eq!(shared != 0, !next.is_free(other, columns[y]));
                        }
                        if free(below, y) {
                            let join_mask = (1 << layout.join_bits) - 1;
                            let shared = own.squares[x].add & below.squares[y].add & join_mask;
                            assert_eq!(shared != 0, !next.is_free(n - 1 - other, columns[y]));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn there_are_wide_and_narrow_ones() {
        let join_bits = |n, centre: u32| {
            let shape = Shape::new(n, centre, centre).unwrap();
            MiddlePrefixes::new(&Problem::empty(n).unwrap(), centre)
                .take(2000)
                .map(move |prefix| Layout::new(shape, &prefix.board, 0, KEY_BITS).map(|layout| layout.join_bits))
        };
        assert!(join_bits(18, 2).all(|bits| bits.unwrap() <= 32));
        assert!(join_bits(20, 2).any(|bits| bits.unwrap() > 32));
        assert!(join_bits(24, 2).all(|bits| bits.is_err() || bits.unwrap() > 32));
    }
}
