//! How a prefix is finished.

use std::fmt;

use crate::board::{Board, Line};
use crate::prefix::{CentrePrefixes, Prefix, RowPrefixes, centre_lines, orbit};
use crate::search::lanes::{Engine, InstructionSet};
use crate::search::most_constrained::Choice;
use crate::search::{Finished, most_constrained, row_order};

/// A way to enumerate prefixes and to finish them. Each has a CPU form in [`search`](crate::search) and, where it suits
/// a GPU, a shader of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Rows from the top down, the first row halved by the mirror symmetry.
    RowOrder,
    /// The row or column with the fewest free squares, once for each class of eight symmetric boards.
    MostConstrained,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 2] = [Self::RowOrder, Self::MostConstrained];

    /// The name, as it is written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RowOrder => "row-order",
            Self::MostConstrained => "most-constrained",
        }
    }

    /// The prefixes of this method with (at least) `rows` queens, in their one fixed order.
    ///
    /// # Panics
    /// If `rows` is greater than `n`.
    pub fn prefixes(self, n: u32, rows: u32) -> Box<dyn Iterator<Item = Prefix> + Send> {
        match self {
            Self::RowOrder => Box::new(RowPrefixes::new(n, rows)),
            Self::MostConstrained => Box::new(CentrePrefixes::new(n, n - rows)),
        }
    }

    /// The line that the enumeration of prefixes fills next, and its free squares: `Some(None)` on a full board, `None` at a
    /// dead end.
    pub fn next_line(self, board: &Board) -> Option<Option<(Line, u32)>> {
        if board.free_rows == 0 {
            return Some(None);
        }
        if self == Self::RowOrder {
            let row = board.queens();
            return Some(Some((Line::Row(row), board.free_squares(row))));
        }
        if let Some(line) = centre_lines(board.n).find(|&line| board.is_open(line)) {
            return Some(Some((line, board.free_squares_of(line))));
        }
        match most_constrained::choose(board) {
            Choice::Dead => None,
            Choice::Solved => Some(None),
            Choice::Line(line, squares) => Some(Some((line, squares))),
        }
    }

    /// Whether a line is one of those that decide which symmetric images a prefix has.
    pub fn is_centre(self, n: u32, line: Line) -> bool {
        self == Self::MostConstrained && centre_lines(n).any(|centre| centre == line)
    }

    /// How many symmetric images of a board with these queens on the deciding lines are counted by searching one of them.
    pub fn images(self, n: u32, queens: &[(u32, u32)]) -> u32 {
        match self {
            Self::RowOrder if n <= 1 => 1,
            Self::RowOrder => 2,
            Self::MostConstrained => orbit(n, queens).0,
        }
    }

    /// The fastest CPU form of this method, which counts nodes too or not.
    pub fn finisher(self, nodes: bool) -> Finisher {
        match self {
            Self::RowOrder => Finisher::RowOrder { nodes },
            Self::MostConstrained if nodes => Finisher::CountingLanes(Engine::new(InstructionSet::best())),
            Self::MostConstrained => Finisher::Lanes(Engine::new(InstructionSet::best())),
        }
    }

    /// A random, unbiased estimate of the nodes that finishing this prefix takes.
    pub fn probe(self, prefix: &Prefix, random: &mut fastrand::Rng) -> f64 {
        match self {
            Self::RowOrder => row_order::probe(prefix, random),
            Self::MostConstrained => most_constrained::probe(prefix, 6, random),
        }
    }
}

/// Finishes one prefix after the other on the CPU; one for each thread, as it keeps buffers.
pub enum Finisher {
    /// [`row_order`]
    RowOrder {
        /// Whether nodes are counted.
        nodes: bool,
    },
    /// [`lanes`](crate::search::lanes)
    Lanes(Engine<false>),
    /// The same, with nodes.
    CountingLanes(Engine<true>),
}

impl Finisher {
    /// The solutions that complete a prefix. Nodes are 0 where they are not counted.
    pub fn finish(&mut self, prefix: &Prefix) -> Finished {
        match self {
            Self::RowOrder { nodes: true } => row_order::finish(prefix),
            Self::RowOrder { nodes: false } => {
                Finished { solutions: row_order::solutions(prefix), ..Finished::default() }
            }
            Self::Lanes(engine) => engine.finish(&prefix.board),
            Self::CountingLanes(engine) => engine.finish(&prefix.board),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
