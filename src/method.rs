//! How a prefix is finished.

use std::fmt;

use crate::board::{Board, Line};
use crate::prefix::{CentrePrefixes, Prefix, RowPrefixes, centre_lines, orbit};
use crate::search::most_constrained::Choice;
use crate::search::{Finished, most_constrained, row_order};

/// A way to enumerate prefixes and to finish them. Each has a CPU form in [`search`](crate::search) and, where it suits
/// a GPU, a shader of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Rows from the top down, the first row halved by the mirror symmetry.
    RowOrder,
    /// The row or column with the fewest free squares, once for each class of eight symmetric boards.
    MostConstrained,
}

/// The rows that [`Method::MostConstrained`] leaves to the plain tail.
const TAIL_ROWS: u32 = 6;

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

    /// The CPU form of this method: the solutions that complete a prefix.
    pub fn finish(self) -> fn(&Prefix) -> Finished {
        match self {
            Self::RowOrder => row_order::finish,
            Self::MostConstrained => |prefix| most_constrained::finish(prefix, TAIL_ROWS),
        }
    }

    /// A random, unbiased estimate of the nodes that finishing this prefix takes.
    pub fn probe(self, prefix: &Prefix, random: &mut fastrand::Rng) -> f64 {
        match self {
            Self::RowOrder => row_order::probe(prefix, random),
            Self::MostConstrained => most_constrained::probe(prefix, TAIL_ROWS, random),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
