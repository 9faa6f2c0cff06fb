//! Solutions that a rotation leaves unchanged, by a search that places whole orbits.
//!
//! A queen brings its images under the rotations with it, so a board of n is filled in n/2 steps for the half turn and in
//! n/4 for the quarter turn, and most squares fall out at once. Each step fills the first free row: all rows above it
//! are settled, so trying its columns from the left gives the solutions in lexicographic order.

use crate::board::{Board, MAX_N};
use crate::error::Result;
use crate::placement::Placement;
use crate::problem::Problem;
use crate::symmetry::Class;

/// The iterator behind [`symmetric`](super::symmetric).
#[derive(Clone, Debug)]
pub struct SymmetricSolutions {
    class: Class,
    /// For each orbit placed so far: the board before it, the row it fills, and the squares of that row not yet tried.
    levels: Vec<(Board, u32, u32)>,
    /// The queens placed so far, and what is left of earlier ones below them.
    columns: [u8; MAX_N as usize],
    /// The solution of a board that is full before the search starts.
    full: Option<Placement>,
}

impl SymmetricSolutions {
    pub(super) fn new(n: u32, class: Class) -> Result<Self> {
        let mut board = *Problem::empty(n)?.board();
        let mut search = Self { class, levels: Vec::new(), columns: [0; MAX_N as usize], full: None };
        // The queen of the middle row can only be its own image: on the middle square. All other orbits are as large as
        // the group of rotations.
        let orbit = class.rotations().len() as u32;
        if orbit > 1 && n % 2 == 1 {
            board = board.place(n / 2, n / 2);
            search.columns[n as usize / 2] = (n / 2) as u8;
        }
        if board.free_row_mask == 0 {
            search.full = Some(search.placement(n));
        } else if board.free_rows().is_multiple_of(orbit) {
            search.descend(board);
        }
        Ok(search)
    }

    fn placement(&self, n: u32) -> Placement {
        Placement::found(&self.columns[..n as usize])
    }

    /// Goes on with the first free row, if there is one.
    fn descend(&mut self, board: Board) {
        let row = board.free_row_mask.trailing_zeros();
        self.levels.push((board, row, board.free_squares(row)));
    }

    /// The board with a queen and all its images, where none attacks another.
    fn place_orbit(&mut self, board: Board, row: u32, column: u32) -> Option<Board> {
        let board = board.place_all(self.class.images(board.n, row, column))?;
        for (row, column) in self.class.images(board.n, row, column) {
            self.columns[row as usize] = column as u8;
        }
        Some(board)
    }
}

impl Iterator for SymmetricSolutions {
    type Item = Placement;

    fn next(&mut self) -> Option<Placement> {
        while let Some((board, row, squares)) = self.levels.last_mut() {
            if *squares == 0 {
                self.levels.pop();
                continue;
            }
            let (board, row, column) = (*board, *row, squares.trailing_zeros());
            *squares &= *squares - 1;
            match self.place_orbit(board, row, column) {
                Some(full) if full.free_row_mask == 0 => return Some(self.placement(full.n)),
                Some(next) => self.descend(next),
                None => {}
            }
        }
        self.full.take()
    }
}

impl std::iter::FusedIterator for SymmetricSolutions {}
