//! Which diagonals a placement in a block has to remember, and where: the layout of its key.
//!
//! A diagonal matters to a block if it crosses the block, has no queen of the prefix on it, and goes on into the other
//! block (a *join* diagonal, the same bit in both blocks' keys) or into a filter row. The low part of a key, 32 bits, is
//! what pairs are compared by; the high part, 16 bits, is only looked at when queens in the filter rows are tested.

use super::kernels::Test;
use super::shape::Shape;
use crate::board::Board;

/// Bits of the low part of a key.
pub const LOW_BITS: u32 = 32;
const BITS: u32 = 48;

/// The places of the low part, those last that the kernels' tables are slower with.
fn low_place(i: u32) -> u32 {
    match i {
        0..15 => i,
        15..30 => i + 1,
        30 => 15,
        _ => i,
    }
}

/// One block seen as the block above: the block below is turned upside down first.
#[derive(Clone, Debug)]
pub struct Side {
    /// The prefix's board, upside down for the block below.
    pub board: Board,
    /// Of each antidiagonal and diagonal: its bit of the key, or 0.
    bits: [[u64; 64]; 2],
}

impl Side {
    /// The bits of the key for the diagonals through a square: set by a queen of the block, needed clear by a queen in a
    /// filter row.
    pub fn key(&self, row: u32, column: u32) -> u64 {
        let n = self.board.n;
        self.bits[0][(row + column) as usize] | self.bits[1][(column + n - 1 - row) as usize]
    }

    /// What queens in filter rows, as this side sees them, ask of a placement.
    pub fn test(&self, queens: impl Iterator<Item = (u32, u32)>) -> Test {
        let key = queens.fold(0, |key, (row, column)| key | self.key(row, column));
        Test { low: key as u32, high: (key >> LOW_BITS) as u16, rotate: 0 }
    }

    /// Whether a key can have bits in its high part.
    pub fn is_wide(&self) -> bool {
        self.bits.iter().flatten().any(|&bits| bits >> LOW_BITS != 0)
    }
}

/// The keys' layout in both blocks.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The block above and the block below.
    pub sides: [Side; 2],
    /// Whether the placements below are those above upside down, so that exchanging the halves of the low part makes the
    /// key of the one from the key of the other.
    pub mirrored: bool,
    /// Join diagonals that found no room in the low part: bits of the high part.
    pub extra: Vec<u16>,
}

/// The prefix leaves more free diagonals than a key has bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooWide;

impl Layout {
    /// The layout for a prefix of a shape, with at most so many bits of the low part, [`LOW_BITS`] but for tests.
    pub fn new(shape: Shape, board: &Board, low_bits: u32) -> Result<Self, TooWide> {
        let (n, block) = (shape.n, shape.block());
        let last = n - 1;
        let all = 0..=2 * last;
        // An antidiagonal crosses rows from max(0, d - last) to min(d, last); a diagonal those of its mirror image. In both
        // directions the same numbers cross both blocks.
        let rows = |direction: usize, d: u32| {
            let d = if direction == 0 { d } else { 2 * last - d };
            d.saturating_sub(last)..=d.min(last)
        };
        let crosses_both = |d: &u32| rows(0, *d).start() < &block && rows(0, *d).end() >= &(n - block);
        let is_free = |board: &Board, direction: usize, d: u32| {
            ([board.antidiagonal_mask, board.diagonal_mask][direction] >> d) & 1 == 0
        };

        let mut sides = [*board, upside_down(board)].map(|board| Side { board, bits: [[0; 64]; 2] });
        let mirrored = shape.fixed == 0 && low_bits == LOW_BITS && all.clone().filter(crosses_both).count() <= 16;
        let mut extra = Vec::new();
        let mut next = 0;
        for direction in 0..2 {
            if mirrored {
                next = 16 * direction as u32;
            }
            for d in all.clone().filter(crosses_both).filter(|&d| is_free(board, direction, d)) {
                // Those past the low part from the top down: the filter rows' come from below.
                let bit = 1u64
                    << if mirrored {
                        next
                    } else if next < low_bits {
                        low_place(next)
                    } else {
                        BITS - 1 - (next - low_bits)
                    };
                if next >= low_bits {
                    extra.push((bit >> LOW_BITS) as u16);
                }
                next += 1;
                // Upside down, an antidiagonal is the diagonal of the same number.
                sides[0].bits[direction][d as usize] = bit;
                sides[1].bits[1 - direction][d as usize] = bit;
            }
        }
        // The filter rows' bits differ from side to side, so in the low part they have nothing in common and pairs are not
        // affected: half of what is left there for each side, unless the halves are to be exchanged.
        let top = BITS - extra.len() as u32;
        let spare = if mirrored { 0 } else { low_bits.saturating_sub(next) };
        for (i, side) in sides.iter_mut().enumerate() {
            let low = if i == 0 { next..next + spare / 2 } else { next + spare / 2..next + spare };
            let mut places = low.map(low_place).chain(LOW_BITS..top);
            for direction in 0..2 {
                for d in all.clone().filter(|d| !crosses_both(d)) {
                    let rows = rows(direction, d);
                    let reaches = *rows.start() < block && shape.filter_rows().any(|row| rows.contains(&row));
                    if reaches && is_free(&side.board, direction, d) {
                        side.bits[direction][d as usize] = 1 << places.next().ok_or(TooWide)?;
                    }
                }
            }
        }
        Ok(Self { sides, mirrored, extra })
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
    fn without_filter_rows_every_prefix_fits() {
        for (n, centre) in [(12, 2), (17, 3), (20, 4), (26, 2), (32, 8)] {
            let shape = Shape::new(n, centre, centre).unwrap();
            for prefix in MiddlePrefixes::new(&Problem::empty(shape.n).unwrap(), shape.fixed).take(1000) {
                Layout::new(shape, &prefix.board, LOW_BITS).unwrap();
            }
        }
    }

    #[test]
    fn keys_tell_what_attacks_what() {
        let shape = Shape::new(14, 6, 2).unwrap();
        for prefix in MiddlePrefixes::new(&Problem::empty(shape.n).unwrap(), shape.fixed) {
            let board = prefix.board;
            let layout = Layout::new(shape, &board, LOW_BITS).unwrap();
            let [above, below] = &layout.sides;
            for (row, column) in (0..4 * 14).map(|i| (i / 14, i % 14)).filter(|&(r, c)| board.is_free(r, c)) {
                let next = board.place(row, column);
                let shares = |r: u32, c: u32| board.is_free(r, c) && c != column && !next.is_free(r, c);
                for (r, c) in (0..14 * 14).map(|i| (i / 14, i % 14)) {
                    if shape.filter_rows().any(|row| row == r) && board.is_free(r, c) && c != column {
                        assert_eq!(above.key(row, column) & above.key(r, c) != 0, shares(r, c));
                    }
                    if r >= 10 && board.is_free(r, c) && c != column {
                        let low = above.key(row, column) & below.key(13 - r, c) & u64::from(u32::MAX);
                        assert_eq!(low != 0, shares(r, c));
                    }
                }
            }
        }
    }
}
