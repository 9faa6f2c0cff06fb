//! Meet in the middle: with the centre rows filled, a placement of the rows above them with the columns `S` completes every
//! placement of the rows below with all other columns that shares no diagonal with it.
//!
//! ```text
//! count = sum over fillings of the centre rows, sum over column sets S, pairs (a, b) of list_above(S) x list_below(not S)
//!         with a & b = 0
//! list(S) after row j = concatenation over c in S of { key | add(j, c) : key in list(S without c) after row j - 1,
//!                                                      key & test(j, c) = 0 }
//! ```
//!
//! A placement is nothing but its key: the diagonals that later rows, or the other block, ask for (`layout.rs`). The lists of
//! a block are grown row by row from the edge of the board inwards (`lists.rs`): each is born in its place, nothing is sorted,
//! and nothing branches for each placement. The last row of each block is never stored: for one `S` after the other both
//! lists are made and joined at once (`join.rs`), their disjoint pairs counted by comparing each with each, by tables, or split
//! by common diagonals first ([`kernels`]).
//!
//! Of the fillings only one of each orbit of the mirrors is counted, and of the solutions only those that transposition
//! leaves, see `mirrors.rs`: for that, each list is kept in two runs. How many rows the centre has is
//! up to the cost model, see [`plan`].

pub mod algorithm;
mod columns;
mod counter;
mod filling;
mod join;
pub mod kernels;
mod layout;
mod lists;
mod mirrors;
pub mod plan;
mod prefixes;
mod shape;
mod watch;

use std::sync::atomic::AtomicBool;

pub use crate::method::algorithm::Watch;
pub use algorithm::MeetInTheMiddle;
pub use counter::{Counter, Sharing};
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

/// With this many prefixes, or fillings, a thread it does not matter much if the last ones are not shared evenly.
const PER_THREAD: f64 = 16.0;

/// Several threads, each with its own part of the memory, may be so much slower than one after the other.
const WORTH_SHARING: f64 = 1.1;

impl HalfJoin {
    /// The fastest way to count prefixes of so many middle rows with so many bytes and threads.
    pub fn new(n: u32, rows: u32, memory: usize, threads: usize) -> Self {
        let plans: Vec<Plan> = plan::plans(n).into_iter().filter(|plan| plan.shape.fixed == rows).collect();
        let counter = choose(&plans, memory, threads, 0.0).map(|(plan, each)| {
            let enough = PER_THREAD * threads as f64;
            let sharing = if threads <= 1 {
                (Sharing::Alone, false)
            } else if !each {
                (Sharing::Lists, false)
            } else if plan.prefixes >= enough {
                (Sharing::Alone, true)
            } else {
                (Sharing::Fillings(threads), false)
            };
            let share = if each { memory / threads.max(1) } else { memory };
            (Counter::new(plan.shape, plan::list_bytes(plan.shape, share), sharing.0), sharing.1)
        });
        let many_at_a_time = counter.as_ref().is_some_and(|(_, many)| *many);
        Self { n, rows, many_at_a_time, counter: counter.map(|(counter, _)| counter) }
    }

    /// The weighted count of one prefix: times the multiplicities, those of all prefixes make all solutions.
    pub fn count_prefix(&self, prefix: &Prefix) -> u64 {
        let watch = Watch { done: &|_| (), stop: &AtomicBool::new(false) };
        self.count_prefix_with(prefix, watch).unwrap_or_else(|| unreachable!("nobody stops it"))
    }

    /// The same, while somebody looks on. None if it was stopped.
    pub fn count_prefix_with(&self, prefix: &Prefix, watch: Watch) -> Option<u64> {
        match &self.counter {
            Some(counter) => counter.count_prefix(prefix, watch),
            None => Some(plain_tail::count_completions(&prefix.board).solutions),
        }
    }
}

/// The fastest plan for a board of `n` that has at least so many prefixes, with so many bytes and threads; none for the
/// smallest boards.
pub fn fastest(n: u32, memory: usize, threads: usize, prefixes: u64) -> Option<Plan> {
    Some(choose(&plan::plans(n), memory, threads, prefixes as f64)?.0)
}

/// The fastest of some plans, and whether each thread is to have a prefix, or a filling, of its own.
fn choose(plans: &[Plan], memory: usize, threads: usize, prefixes: f64) -> Option<(Plan, bool)> {
    let alone = plan::choose(plans, memory, prefixes)?;
    if threads <= 1 {
        return Some((alone, false));
    }
    let share = memory / threads;
    let enough = PER_THREAD * threads as f64;
    let each = plan::choose(plans, share, prefixes).filter(|each| {
        each.memory <= share as f64
            && each.prefixes.max(each.fillings) >= enough
            && each.nanoseconds <= WORTH_SHARING * alone.nanoseconds
    });
    Some(each.map_or((alone, false), |each| (each, true)))
}

#[cfg(test)]
mod tests;
