//! Prefixes of the middle rows, one of each orbit of the mirrors, in one fixed order.

use super::shape::Shape;
use super::symmetry::{MIRRORS, Mirror, orbit_if_smallest};
use crate::board::Board;
use crate::prefix::Prefix;

/// Queens on the prefix rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfPrefix {
    /// The board with the queens, and how many mirror images it stands for.
    pub prefix: Prefix,
    /// The queens' columns, from the top prefix row down.
    pub columns: Vec<u32>,
    /// The mirrors that leave the prefix as it is.
    pub unmoved: Vec<Mirror>,
}

/// All prefixes of a shape, in lexicographic order of their columns. Memory is one board a row.
#[derive(Clone, Debug)]
pub struct HalfPrefixes {
    shape: Shape,
    /// Of each row placed so far: the board before it and its squares not yet tried.
    levels: Vec<(Board, u32)>,
    columns: Vec<u32>,
    empty: bool,
}

impl HalfPrefixes {
    /// The prefixes of a shape.
    pub fn new(shape: Shape) -> Self {
        let mut prefixes = Self { shape, levels: Vec::new(), columns: Vec::new(), empty: shape.fixed == 0 };
        if shape.fixed > 0 {
            prefixes.enter(Board::empty(shape.n));
        }
        prefixes
    }

    fn enter(&mut self, board: Board) {
        let row = self.shape.prefix_rows().start + self.levels.len() as u32;
        self.levels.push((board, board.free_squares(row)));
    }
}

impl Iterator for HalfPrefixes {
    type Item = HalfPrefix;

    fn next(&mut self) -> Option<HalfPrefix> {
        let n = self.shape.n;
        if std::mem::take(&mut self.empty) {
            let prefix = Prefix { board: Board::empty(n), multiplicity: 1 };
            return Some(HalfPrefix { prefix, columns: Vec::new(), unmoved: MIRRORS.to_vec() });
        }
        while let Some((board, squares)) = self.levels.last_mut() {
            if *squares == 0 {
                self.levels.pop();
                self.columns.pop();
                continue;
            }
            let column = squares.trailing_zeros();
            *squares &= *squares - 1;
            let before = *board;
            let depth = self.levels.len();
            let next = before.place(self.shape.prefix_rows().start + depth as u32 - 1, column);
            self.columns.truncate(depth - 1);
            self.columns.push(column);
            if depth < self.shape.fixed as usize {
                self.enter(next);
            } else if let Some((multiplicity, unmoved)) = orbit_if_smallest(n, &self.columns, &MIRRORS) {
                let prefix = Prefix { board: next, multiplicity };
                return Some(HalfPrefix { prefix, columns: self.columns.clone(), unmoved });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::plain_tail;

    fn completions(board: &Board) -> u64 {
        plain_tail::complete(board).solutions
    }

    #[test]
    fn prefixes_with_multiplicities_make_all_solutions() {
        for n in 5..=9 {
            for fixed in (n % 2..=n - 2).step_by(2) {
                let shape = Shape::new(n, n - 2, fixed).unwrap();
                let sum: u64 = HalfPrefixes::new(shape)
                    .map(|p| u64::from(p.prefix.multiplicity) * completions(&p.prefix.board))
                    .sum();
                assert_eq!(sum, completions(&Board::empty(n)), "{shape:?}");
            }
        }
    }
}
