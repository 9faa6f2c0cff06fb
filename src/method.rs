//! How a prefix is finished.

use std::fmt;

use crate::prefix::{Prefix, RowPrefixes};
use crate::search::{Finished, row_order};

/// A way to enumerate prefixes and to finish them. Each has a CPU form in [`search`](crate::search) and, where it suits
/// a GPU, a shader of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Rows from the top down, the first row halved by the mirror symmetry.
    RowOrder,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 1] = [Self::RowOrder];

    /// The name, as it is written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RowOrder => "row-order",
        }
    }

    /// The prefixes of this method that are `rows` rows deep, in their one fixed order.
    ///
    /// # Panics
    /// If `rows` is greater than `n`.
    pub fn prefixes(self, n: u32, rows: u32) -> impl Iterator<Item = Prefix> + Send + use<> {
        match self {
            Self::RowOrder => RowPrefixes::new(n, rows),
        }
    }

    /// The CPU form of this method: the solutions that complete a prefix.
    pub fn finish(self) -> fn(&Prefix) -> Finished {
        match self {
            Self::RowOrder => row_order::finish,
        }
    }

    /// A random, unbiased estimate of the nodes that finishing this prefix takes.
    pub fn probe(self, prefix: &Prefix, random: &mut fastrand::Rng) -> f64 {
        match self {
            Self::RowOrder => row_order::probe(prefix, random),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
