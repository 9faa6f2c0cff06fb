//! What is to be counted: the board at the start, and the symmetries that map it to itself.

use crate::board::{Board, MAX_N};
use crate::error::{Error, Result};
use crate::symmetry::SymmetryGroup;

/// A board to be completed. Today's are empty: [`Problem::empty`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    board: Board,
    symmetries: SymmetryGroup,
}

impl Problem {
    /// The n-queens problem: an empty board of `n` rows and columns, which all eight symmetries map to itself.
    ///
    /// # Errors
    /// [`Error::BoardSize`] if `n` is greater than [`MAX_N`].
    pub const fn empty(n: u32) -> Result<Self> {
        if n > MAX_N {
            return Err(Error::BoardSize(n));
        }
        Ok(Self { board: Board::empty(n), symmetries: SymmetryGroup::ALL })
    }

    /// A board with queens on it and no symmetry to be used.
    #[cfg(test)]
    pub(crate) const fn given(board: Board) -> Self {
        Self { board, symmetries: SymmetryGroup::IDENTITY }
    }

    /// Rows and columns of the board.
    pub const fn n(&self) -> u32 {
        self.board.n()
    }

    /// The board at the start.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The symmetries that map the board at the start to itself.
    pub const fn symmetries(&self) -> SymmetryGroup {
        self.symmetries
    }
}
