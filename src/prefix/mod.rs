//! Prefixes: the first queens, placed on the CPU, each with the number of boards it stands for.
//!
//! `count(n) = sum over prefixes of multiplicity * completions`

mod centre;
mod rows;

pub use centre::{CentrePrefixes, centre_lines, orbit};
pub use rows::RowPrefixes;

use crate::board::Board;

/// Some queens on a board and how many boards, by symmetry, they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The board with those queens on it.
    pub board: Board,
    /// How many symmetric images this prefix stands for, itself included.
    pub multiplicity: u32,
}
