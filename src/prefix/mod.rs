//! Prefixes: the first queens, placed on the CPU, each with the number of boards it stands for.
//!
//! `count(n) = sum over prefixes of multiplicity * completions`

mod centre;
mod middle;
pub mod mirrors;
mod rows;

pub use centre::{CentrePrefixes, centre_lines, orbit};
pub use middle::{Middle, MiddlePrefixes, from_the_middle, middle_rows, whole_middle};
pub use rows::RowPrefixes;

use crate::board::Board;

/// Some queens on a board and how many boards, by symmetry, they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The board with those queens on it.
    pub board: Board,
    /// How many symmetric images this prefix stands for, itself included.
    pub multiplicity: u32,
    /// What the symmetries leave to do below it, if it is one of the [`MiddlePrefixes`]; nothing else looks at it.
    pub middle: Middle,
}

impl Prefix {
    /// A prefix of other lines than the middle rows.
    pub fn new(board: Board, multiplicity: u32) -> Self {
        Self { board, multiplicity, middle: Middle::default() }
    }
}
