//! Joining half boards: count what two far-apart blocks of rows have to do with each other instead of searching.
//!
//! ```text
//! block above        every placement, enumerated on its own
//! filter rows        every filling, tested against both blocks at once
//! prefix rows        the prefix
//! filter rows
//! block below        every placement, enumerated on its own
//! ```
//!
//! With the rows of the prefix placed, the placements of each block are enumerated once, sorted by the set of columns they
//! use, and kept as nothing but the diagonals they share with other rows. Each filling of the filter rows then picks, 16
//! placements at a time, those that leave its diagonals free; and what is left above and below is joined: a placement
//! above with the columns `S` completes every placement below with all other columns that shares no diagonal with it.
//!
//! Enumeration, one branch and one cache line a placement, is so done once for many fillings. Rows of the prefix and of
//! the fillings are counted up to the mirror symmetries, and of the pairs only those that transposition leaves, see
//! [`symmetry`]. How many rows go where is up to the cost model, see [`plan`].

mod block;
mod counter;
mod diagonals;
mod filling;
mod groups;
mod half_prefix;
mod join;
pub mod kernels;
pub mod plan;
mod shape;
mod subsets;
pub mod symmetry;

pub use counter::Counter;
pub use filling::Weights;
pub use half_prefix::{HalfPrefix, HalfPrefixes};
pub use shape::Shape;

use rayon::prelude::*;

use crate::board::Board;
use crate::search::plain_tail;

/// The count of one board, prefix by prefix: a shape and a counter for it.
#[derive(Debug)]
pub struct HalfJoin {
    /// Counts one prefix.
    pub counter: Counter,
    /// Whether several prefixes are to be counted at a time, one a thread, rather than one by all threads.
    pub many_at_a_time: bool,
}

/// With this many prefixes a thread it does not matter much if the last ones are not shared evenly.
const PREFIXES_PER_THREAD: f64 = 32.0;

impl HalfJoin {
    /// The fastest way to count a board of `n` with so many bytes and threads; none for the smallest boards, of fewer
    /// than three rows.
    pub fn new(n: u32, memory: usize, threads: usize) -> Option<Self> {
        let share = memory / threads.max(1);
        let alone = plan::choose(n, memory)?;
        let shared = if threads > 1 { plan::choose(n, share)? } else { alone };
        let many_at_a_time = threads > 1
            && shared.prefixes >= PREFIXES_PER_THREAD * threads as f64
            && shared.nanoseconds <= 1.1 * alone.nanoseconds;
        let (shape, memory) = if many_at_a_time { (shared.shape, share) } else { (alone.shape, memory) };
        let most = plan::most_placements(shape, memory);
        let counter = Counter::new(shape, Weights::Symmetric, most, threads > 1 && !many_at_a_time);
        Some(Self { counter, many_at_a_time })
    }

    /// The prefixes, in a fixed order: `count = sum of multiplicity * count_prefix`.
    pub fn prefixes(&self) -> HalfPrefixes {
        HalfPrefixes::new(self.counter.shape)
    }

    /// The weighted count of one prefix.
    pub fn count_prefix(&self, prefix: &HalfPrefix) -> u64 {
        self.counter.count_prefix(prefix)
    }

    /// All solutions of the board, on the current threads.
    pub fn count(&self) -> u128 {
        let add = |a: u128, b: u128| a.checked_add(b).expect("fewer solutions than squares of 64 bits");
        let count =
            |prefix: HalfPrefix| u128::from(prefix.prefix.multiplicity) * u128::from(self.count_prefix(&prefix));
        if self.many_at_a_time {
            self.prefixes().par_bridge().map(count).reduce(|| 0, add)
        } else {
            self.prefixes().map(count).fold(0, add)
        }
    }
}

/// All solutions of the board of `n`, with at most about so many bytes, on so many threads.
///
/// # Panics
/// If `n` is greater than [`MAX_N`](crate::board::MAX_N), or no threads can be started.
pub fn count(n: u32, memory: usize, threads: usize) -> u128 {
    match HalfJoin::new(n, memory, threads) {
        None => u128::from(plain_tail::complete(&Board::empty(n)).solutions),
        Some(method) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
            pool.install(|| method.count())
        }
    }
}

#[cfg(test)]
mod tests;
