//! Prefixes: the first queens, placed on the CPU, each with the number of boards it stands for.
//!
//! `count(n) = sum over prefixes of multiplicity * completions`

use crate::board::Board;

/// Some queens on a board and how many boards, by symmetry, they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The board with those queens on it.
    pub(crate) board: Board,
    /// How many symmetric images this prefix stands for, itself included.
    pub(crate) multiplicity: u32,
    /// What the method that made it has to know about its queens besides; nobody else reads it.
    pub(crate) tag: [u8; 4],
}

impl Prefix {
    /// A prefix with the queens of a board, which stands for this many boards.
    pub const fn new(board: Board, multiplicity: u32) -> Self {
        Self { board, multiplicity, tag: [0; 4] }
    }

    /// The board with its queens.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// How many symmetric images it stands for, itself included: 1 to 8.
    pub const fn multiplicity(&self) -> u32 {
        self.multiplicity
    }
}

/// The prefixes of a method, in their one fixed order.
pub type Prefixes = Box<dyn Iterator<Item = Prefix> + Send>;

/// An enumeration that can say where it is, so that it can be taken up there.
pub trait Search: Iterator<Item = Prefix> + Send {
    /// The choices that led to the prefix given last: of each line that was filled the number of its square.
    fn path(&self) -> Vec<u8>;
}

impl<S: Search + ?Sized> Search for Box<S> {
    fn path(&self) -> Vec<u8> {
        (**self).path()
    }
}

/// What counting the completions of a prefix, or of a whole board, found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completions {
    /// The solutions that complete it.
    pub solutions: u64,
    /// The queens placed on the way, those of the last row included; 0 where they were not counted.
    pub nodes: u64,
    /// Of those, the queens placed by the plain tail.
    pub tail_nodes: u64,
}
