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
//! [`mirrors`](super::mirrors). How many rows go where is up to the cost model, see [`plan`].

pub mod algorithm;
mod block;
mod counter;
mod diagonals;
mod filling;
mod groups;
mod join;
pub mod kernels;
mod mirrors;
pub mod plan;
mod prefixes;
mod shape;
mod subsets;

pub use algorithm::MeetInTheMiddle;
pub use counter::Counter;
pub use filling::Weights;
pub use plan::Plan;
pub use prefixes::{MiddlePrefixes, middle_rows, whole_middle};
pub use shape::Shape;

use crate::method::most_constrained::plain_tail;
use crate::prefix::Prefix;

/// Counts the prefixes of one board and depth.
#[derive(Debug)]
pub struct HalfJoin {
    /// Rows and columns of the board.
    pub n: u32,
    /// How many middle rows the prefixes fill.
    pub rows: u32,
    /// Whether several prefixes are to be counted at a time, one a thread, rather than one by all threads.
    pub many_at_a_time: bool,
    /// None for the smallest boards, of fewer than three rows: they have no halves.
    counter: Option<Counter>,
}

/// With this many prefixes a thread it does not matter much if the last ones are not shared evenly.
const PREFIXES_PER_THREAD: f64 = 32.0;

/// Several threads, each with its own part of the memory, may be so much slower than one after the other.
const WORTH_SHARING: f64 = 1.1;

impl HalfJoin {
    /// The fastest way to count prefixes of so many middle rows with so many bytes and threads.
    pub fn new(n: u32, rows: u32, memory: usize, threads: usize) -> Self {
        let (counter, many_at_a_time) = match choose(&plan::plans(n, Some(rows)), memory, threads, 0.0) {
            None => (None, false),
            Some((plan, many_at_a_time)) => {
                let memory = if many_at_a_time {
                    memory / threads
                } else {
                    // Each thread has buckets of its own.
                    memory.saturating_sub((threads - 1) * plan::unfinished_pieces(plan.shape))
                };
                let most = plan::most_placements(plan.shape, memory);
                let parallel = threads > 1 && !many_at_a_time;
                (Some(Counter::new(plan.shape, Weights::Symmetric, most, parallel)), many_at_a_time)
            }
        };
        Self { n, rows, many_at_a_time, counter }
    }

    /// The weighted count of one prefix: times the multiplicities, those of all prefixes make all solutions.
    pub fn count_prefix(&self, prefix: &Prefix) -> u64 {
        match &self.counter {
            Some(counter) => counter.count_prefix(prefix),
            None => plain_tail::count_completions(&prefix.board).solutions,
        }
    }
}

/// The fastest plan for a board of `n` that has at least so many prefixes, with so many bytes and threads; none for the
/// smallest boards.
pub fn fastest(n: u32, memory: usize, threads: usize, prefixes: u64) -> Option<Plan> {
    Some(choose(&plan::plans(n, None), memory, threads, prefixes as f64)?.0)
}

/// The fastest of some plans, and whether each thread is to have a prefix of its own.
fn choose(plans: &[Plan], memory: usize, threads: usize, prefixes: f64) -> Option<(Plan, bool)> {
    let alone = plan::choose(plans, memory, prefixes)?;
    let (share, enough) = (memory / threads.max(1), prefixes.max(PREFIXES_PER_THREAD * threads as f64));
    let shared = plan::choose(plans, share, enough).filter(|shared| {
        threads > 1
            && shared.memory <= share as f64
            && shared.prefixes >= enough
            && shared.nanoseconds <= WORTH_SHARING * alone.nanoseconds
    });
    Some(shared.map_or((alone, false), |shared| (shared, true)))
}

#[cfg(test)]
mod tests;
