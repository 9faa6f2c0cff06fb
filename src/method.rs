//! How a prefix is finished.

use std::fmt;

use crate::prefix::{CentrePrefixes, Prefix, RowPrefixes};
use crate::search::{Finished, most_constrained, row_order};

/// A way to enumerate prefixes and to finish them. Each has a CPU form in [`search`](crate::search) and, where it suits
/// a GPU, a shader of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
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
