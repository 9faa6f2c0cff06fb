//! A whole count: a plan's prefixes, their completions, a checked sum.

use std::time::{Duration, Instant};

use crate::backend::{Capabilities, Control, Cpu, Device, Startup, Stats};
use crate::error::Result;
use crate::job::{self, Checkpoint, Identity, Options, Outcome};
use crate::known::{self, Agreement};
use crate::method::Method;
use crate::plan::{Plan, Wishes};
use crate::problem::Problem;

/// A finished count with what is worth knowing about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Count {
    /// Rows and columns of the board.
    pub n: u32,
    /// The number of solutions, A000170.
    pub solutions: u128,
    /// How it was counted.
    pub method: Method,
    /// Where; the first of several devices.
    pub device: Capabilities,
    /// How many rows deep the prefixes were.
    pub depth: u32,
    /// How many prefixes there were.
    pub prefixes: u64,
    /// The time from the first prefix to the sum.
    pub time: Duration,
    /// The time to get the device ready.
    pub startup: Duration,
    /// The same for each device, as far as it tells.
    pub startups: Vec<Startup>,
    /// What the device did.
    pub stats: Stats,
}

impl Count {
    /// What a job came to that is complete.
    pub fn new(plan: &Plan, checkpoint: &Checkpoint, device: Capabilities, outcome: Outcome) -> Self {
        Self {
            n: plan.n(),
            solutions: checkpoint.tally.solutions.0,
            method: plan.method(),
            device,
            depth: plan.depth(),
            prefixes: plan.prefixes(),
            time: outcome.time,
            startup: outcome.startup,
            startups: outcome.startups,
            stats: outcome.stats,
        }
    }

    /// How the count compares with the published one.
    pub fn agreement(&self) -> Agreement {
        known::compare(self.n, self.solutions)
    }

    /// Queens placed for each solution, where they were counted and there are solutions.
    pub fn nodes_per_solution(&self) -> Option<f64> {
        let nodes = self.stats.nodes.filter(|_| self.solutions > 0)?;
        Some(nodes as f64 / self.solutions as f64)
    }

    /// Solutions counted in a second.
    pub fn solutions_per_second(&self) -> f64 {
        self.solutions as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Counts by a plan on a device. `control` is told which prefixes are finished, by their places in the order of the plan, and
/// can stop it.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled) if it was stopped; others if the device fails or the sum would pass 128 bits.
pub fn run(plan: &Plan, device: &mut dyn Device, control: &Control<'_>) -> Result<Count> {
    let capabilities = device.capabilities().clone();
    let mut checkpoint = Checkpoint::new(Identity::new(plan), 0..plan.prefixes());
    let progress = |prefixes| control.done(prefixes);
    let options = Options { stop: control.stop(), progress: &progress, falls_back_to_cpu: false, ..Options::default() };
    let outcome = job::run(plan, &mut checkpoint, vec![Box::new(device)], None, &options)?;
    Ok(Count::new(plan, &checkpoint, capabilities, outcome))
}

/// Plans for a device and counts on it. The time is that of the plan and of the count.
///
/// # Errors
/// As those of [`run`], and if the method does not run there.
pub fn plan_and_run(problem: &Problem, method: Method, device: &mut dyn Device) -> Result<Count> {
    let start = Instant::now();
    let plan = Plan::new(problem, method, &[device.capabilities().clone()], &Wishes::default())?;
    let planned = start.elapsed();
    let mut count = run(&plan, device, &Control::none())?;
    count.time += planned;
    Ok(count)
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
    let (problem, mut cpu) = (Problem::empty(n)?, Cpu::new(None)?);
    let method = Method::fastest(n, cpu.capabilities());
    Ok(plan_and_run(&problem, method, &mut cpu)?.solutions)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use super::*;
    use crate::error::Error;

    #[test]
    fn a_count_is_watched_and_can_be_cancelled_without_a_store() {
        let mut cpu = Cpu::new(Some(2)).unwrap();
        let plan = Plan::with_depth(&Problem::empty(12).unwrap(), Method::RowOrder, 3).unwrap();
        let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
        let add = |prefixes: std::ops::Range<u64>| {
            done.fetch_add(prefixes.end - prefixes.start, Ordering::Relaxed);
        };
        assert_eq!(run(&plan, &mut cpu, &Control::new(&stop, &add)).unwrap().solutions, 14_200);
        assert_eq!(done.load(Ordering::Relaxed), plan.prefixes());

        // From within: after some prefixes, long before the last.
        done.store(0, Ordering::Relaxed);
        let stop_after_ten = |prefixes: std::ops::Range<u64>| {
            add(prefixes);
            stop.store(done.load(Ordering::Relaxed) >= 10, Ordering::Relaxed);
        };
        let cancelled = run(&plan, &mut cpu, &Control::new(&stop, &stop_after_ten));
        assert!(matches!(cancelled, Err(Error::Cancelled)), "{cancelled:?}");
        assert!(done.load(Ordering::Relaxed) < plan.prefixes() / 2);
    }
}
