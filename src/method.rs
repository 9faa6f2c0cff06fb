//! How a prefix is finished.

use std::fmt;

use crate::board::{Board, Line};
use crate::prefix::mirrors::Mirrors;
use crate::prefix::{
    CentrePrefixes, Middle, MiddlePrefixes, Prefix, RowPrefixes, centre_lines, from_the_middle, orbit, whole_middle,
};
use crate::search::half_join::HalfJoin;
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
    /// Two halves of the board, enumerated on their own and joined over the rows between them; on the CPU only.
    HalfJoin,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 3] = [Self::RowOrder, Self::MostConstrained, Self::HalfJoin];
    /// Those with a shader, which run on GPUs too.
    pub const ON_GPU: [Self; 2] = [Self::RowOrder, Self::MostConstrained];

    /// The name, as it is written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RowOrder => "row-order",
            Self::MostConstrained => "most-constrained",
            Self::HalfJoin => "half-join",
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
            Self::HalfJoin => Box::new(MiddlePrefixes::new(n, rows)),
        }
    }

    /// How many rows deep this method's prefixes are if they are to have so many rows at least.
    pub fn whole_rows(self, n: u32, rows: u32) -> u32 {
        if self == Self::HalfJoin { whole_middle(n, rows) } else { rows }
    }

    /// The line that the enumeration of prefixes fills next, and its free squares: `Some(None)` on a full board, `None` at a
    /// dead end.
    pub fn next_line(self, board: &Board) -> Option<Option<(Line, u32)>> {
        if board.free_row_mask == 0 {
            return Some(None);
        }
        let row = match self {
            Self::RowOrder => Some(board.queens()),
            Self::HalfJoin => from_the_middle(board.n).find(|&row| board.is_open(Line::Row(row))),
            Self::MostConstrained => None,
        };
        if let Some(row) = row {
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
    pub fn decides(self, n: u32, line: Line) -> bool {
        match self {
            Self::RowOrder => false,
            Self::MostConstrained => centre_lines(n).any(|centre| centre == line),
            Self::HalfJoin => true,
        }
    }

    /// A board as a prefix of this method, be it the one of its orbit that is searched or another: with these queens,
    /// `(row, column)`, on the [deciding](Self::decides) lines.
    pub fn prefix(self, board: Board, mut deciding: Vec<(u32, u32)>) -> Prefix {
        let n = board.n;
        match self {
            Self::RowOrder => Prefix::new(board, if n <= 1 { 1 } else { 2 }),
            Self::MostConstrained => Prefix::new(board, orbit(n, &deciding).0),
            Self::HalfJoin => {
                deciding.sort_unstable();
                let columns: Vec<u32> = deciding.iter().map(|&(_, column)| column).collect();
                let (multiplicity, unmoved) = Mirrors::ALL.orbit_of(n, &columns);
                Prefix { board, multiplicity, middle: Middle::EMPTY.with(n, deciding, unmoved) }
            }
        }
    }

    /// The fastest CPU form of this method, which counts nodes too or not.
    pub fn finisher(self, nodes: bool) -> Finisher {
        match self {
            Self::RowOrder => Finisher::RowOrder { nodes },
            Self::MostConstrained if nodes => Finisher::CountingLanes(Engine::new(InstructionSet::best())),
            Self::MostConstrained => Finisher::Lanes(Engine::new(InstructionSet::best())),
            Self::HalfJoin => Finisher::HalfJoin(None),
        }
    }

    /// A random, unbiased estimate of the nodes that finishing this prefix takes.
    pub fn probe(self, prefix: &Prefix, random: &mut fastrand::Rng) -> f64 {
        match self {
            Self::RowOrder => row_order::probe(prefix, random),
            Self::MostConstrained => most_constrained::probe(prefix, 6, random),
            // No nodes; all prefixes of a board take about as long.
            Self::HalfJoin => 1.0,
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
    /// [`HalfJoin`], on one thread; for the prefixes of one board and depth, as long as they do not change. It has no
    /// nodes to count.
    HalfJoin(Option<Box<HalfJoin>>),
}

/// Bytes that a [`Finisher`] by half join takes.
const FINISHER_MEMORY: usize = 256 << 20;

impl Finisher {
    /// The solutions that complete a prefix; by half join, [weighted](crate::search::half_join). Nodes are 0 where they are not counted.
    pub fn finish(&mut self, prefix: &Prefix) -> Finished {
        match self {
            Self::RowOrder { nodes: true } => row_order::finish(prefix),
            Self::RowOrder { nodes: false } => {
                Finished { solutions: row_order::solutions(prefix), ..Finished::default() }
            }
            Self::Lanes(engine) => engine.finish(&prefix.board),
            Self::CountingLanes(engine) => engine.finish(&prefix.board),
            Self::HalfJoin(join) => {
                let (n, rows) = (prefix.board.n, prefix.board.queens());
                if join.as_ref().is_none_or(|join| (join.n, join.rows) != (n, rows)) {
                    *join = Some(Box::new(HalfJoin::new(n, rows, FINISHER_MEMORY, 1)));
                }
                let join = join.as_ref().expect("made above");
                Finished { solutions: join.count_prefix(prefix), ..Finished::default() }
            }
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
