//! The one way through the program: prefixes, a backend that finishes them, a checked sum.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::backend::{Backend, Cpu, Effort, Place};
use crate::error::{Error, Result};
use crate::known::{self, Agreement};
use crate::method::Method;
use crate::plan::Plan;
use crate::prefix::Prefix;

/// A finished count with what is worth knowing about it.
#[derive(Clone, Debug)]
pub struct Count {
    /// Rows and columns of the board.
    pub n: u32,
    /// The number of solutions, A000170.
    pub solutions: u128,
    /// How it was counted.
    pub method: Method,
    /// Where.
    pub place: Place,
    /// How many rows deep the prefixes were, and how many of them there were.
    pub prefix_rows: u32,
    /// How many prefixes there were.
    pub prefixes: u64,
    /// The time from the first prefix to the sum.
    pub time: Duration,
    /// What the device did.
    pub effort: Effort,
}

impl Count {
    /// How the count compares with the published one.
    pub fn agreement(&self) -> Agreement {
        known::compare(self.n, self.solutions)
    }

    /// Queens placed for each solution, where they were counted and there are solutions.
    pub fn nodes_per_solution(&self) -> Option<f64> {
        let nodes = self.effort.nodes.filter(|_| self.solutions > 0)?;
        Some(nodes as f64 / self.solutions as f64)
    }

    /// Solutions counted in a second.
    pub fn solutions_per_second(&self) -> f64 {
        self.solutions as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Counts by a plan on a backend that [is ready](Backend::prepare) for it. `done` is told which prefixes are finished,
/// by their places in the order of the plan.
///
/// # Errors
/// If the backend fails or the sum would pass 128 bits.
pub fn run(plan: &Plan, backend: &mut dyn Backend, done: &(dyn Fn(Range<u64>) + Sync)) -> Result<Count> {
    let start = Instant::now();
    let (mut solutions, mut finished) = (0u128, 0u64);
    std::thread::scope(|scope| {
        // The next batch is enumerated while this one is searched.
        let (sender, batches) = std::sync::mpsc::sync_channel::<Vec<Prefix>>(1);
        let (mut prefixes, size) = (plan.iter(), backend.batch());
        scope.spawn(move || {
            loop {
                let batch: Vec<Prefix> = prefixes.by_ref().take(size).collect();
                // Nobody takes it after an error.
                if batch.is_empty() || sender.send(batch).is_err() {
                    break;
                }
            }
        });
        for batch in batches {
            let place = |at: usize| finished + at as u64;
            let counts = backend.finish(plan, &batch, &|r: Range<usize>| done(place(r.start)..place(r.end)))?;
            solutions = add_batch(solutions, &batch, &counts)?;
            finished += batch.len() as u64;
        }
        Ok::<(), Error>(())
    })?;
    Ok(Count {
        n: plan.n,
        solutions,
        method: plan.method,
        place: backend.place(),
        prefix_rows: plan.prefix_rows,
        prefixes: finished,
        time: start.elapsed(),
        effort: backend.effort(),
    })
}

/// Plans for a backend, gets it ready, and counts. The time is that of the plan and of the count.
///
/// # Errors
/// If `n` is out of range, if the backend fails, or if the sum would pass 128 bits.
pub fn plan_and_run(n: u32, method: Method, backend: &mut dyn Backend) -> Result<Count> {
    let start = Instant::now();
    let plan = Plan::on(backend, n, method, None, backend.wanted_prefixes(method))?;
    let planned = start.elapsed();
    backend.prepare(&plan)?;
    let mut count = run(&plan, backend, &|_| ())?;
    count.time += planned;
    Ok(count)
}

/// `sum + multiplicity * count` over a batch, or an error where it would wrap.
fn add_batch(sum: u128, batch: &[Prefix], counts: &[u64]) -> Result<u128> {
    assert_eq!(batch.len(), counts.len(), "a backend gives one count for each prefix");
    batch.iter().zip(counts).try_fold(sum, |sum, (prefix, &count)| {
        u128::from(prefix.multiplicity)
            .checked_mul(u128::from(count))
            .and_then(|images| sum.checked_add(images))
            .ok_or(Error::Overflow)
    })
}

/// The number of ways to put `n` queens on a board of `n` rows and columns so that none attacks another (A000170),
/// counted on all cores.
///
/// ```
/// assert_eq!(nqueens::count(8)?, 92);
/// assert_eq!(nqueens::count(0)?, 1); // one way to put no queen on no board
/// # Ok::<(), nqueens::Error>(())
/// ```
///
/// # Errors
/// If `n` is greater than [`MAX_N`](crate::board::MAX_N).
pub fn count(n: u32) -> Result<u128> {
    let mut cpu = Cpu::new(None)?;
    Ok(plan_and_run(n, cpu.fastest(n), &mut cpu)?.solutions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_sum_that_would_wrap_is_an_error() {
        let prefix = Prefix::new(Board::empty(1), 2);
        let near = u128::MAX - 2 * u128::from(u64::MAX);
        assert_eq!(add_batch(near, &[prefix], &[u64::MAX]).unwrap(), u128::MAX);
        assert!(matches!(add_batch(near + 1, &[prefix], &[u64::MAX]), Err(Error::Overflow)));
    }
}
