//! How many solutions there are, and how much work it is to count them, from a sample.
//!
//! `all = mean over random descents of (choices met on the way * completions of the prefix reached)`
//!
//! D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975), stopped early: a descent places queens at random
//! on the lines that the method would fill, down to a prefix whose completions can be counted exactly. A prefix reached with
//! probability p then counts 1/p times. That is unbiased however the lines are chosen, and the deeper the part that is
//! counted exactly, the smaller the error.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::capabilities::Capabilities;
use crate::error::{Error, Result};
use crate::method::Method;
use crate::method::algorithm::{Solver, Watch};
use crate::method::descent::{Choice, Descent};
use crate::prefix::{Completions, Prefix};
use crate::problem::Problem;

/// A mean of samples with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// One standard deviation of the mean.
    pub error: f64,
}

impl Mean {
    fn from_samples(samples: impl ExactSizeIterator<Item = f64> + Clone) -> Self {
        let count = samples.len() as f64;
        let value = samples.clone().sum::<f64>() / count;
        let variance = samples.map(|sample| (sample - value).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Self { value, error: (variance / count).sqrt() }
    }
}

/// What a sample says about a count.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Estimate {
    /// The number of solutions.
    pub solutions: Mean,
    /// Queens that the method would place below its prefixes, on one board for each class of symmetric ones: a random one,
    /// where the method takes the canonical one.
    pub nodes: Mean,
    /// Of those, queens placed by the plain tail.
    pub tail_nodes: Mean,
    /// The processor time that the method would take, on one thread as busy as those of the sample were.
    pub thread_seconds: Mean,
    /// How many descents were made.
    pub samples: u64,
    /// How long that took.
    pub took: Duration,
}

/// The fewest descents that tell an error.
pub const MIN_SAMPLES: u64 = 2;

/// How a sample is taken.
#[derive(Clone, Copy)]
pub struct Sampling<'a> {
    /// How many descents are made at most, at least [`MIN_SAMPLES`].
    pub samples: u64,
    /// The time after which no more of them are begun; with fewer than [`MIN_SAMPLES`] the sample goes on all the same.
    pub budget: Option<Duration>,
    /// Set from outside to end it.
    pub stop: &'a AtomicBool,
    /// The same seed and number of samples give the same solutions and nodes on any number of threads.
    pub seed: u64,
    /// Whether nodes are counted too.
    pub counts_nodes: bool,
    /// Whether to take the steps of the method's shaders, where these are not those of its CPU form: slower, so with smaller
    /// prefixes.
    pub as_on_gpu: bool,
    /// Told of each descent, from any thread.
    pub progress: &'a (dyn Fn() + Sync),
}

impl Default for Sampling<'_> {
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self {
            samples: 10_000,
            budget: None,
            stop: &NEVER,
            seed: 1,
            counts_nodes: false,
            as_on_gpu: false,
            progress: &|| (),
        }
    }
}

impl std::fmt::Debug for Sampling<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { samples, seed, counts_nodes, .. } = self;
        write!(f, "Sampling({samples} from seed {seed}, nodes: {counts_nodes})")
    }
}

/// What one descent found, times what it stands for.
#[derive(Clone, Copy, Default)]
struct Sample {
    solutions: f64,
    nodes: f64,
    tail_nodes: f64,
    seconds: f64,
}

/// A random prefix of a method, not only a canonical one, and how many prefixes it stands for. `None` for a way that came to
/// a dead end.
#[doc(hidden)]
pub fn random_prefix(
    problem: &Problem,
    method: Method,
    free_rows: u32,
    random: &mut fastrand::Rng,
) -> Option<(Prefix, f64)> {
    let algorithm = method.algorithm();
    let (mut descent, mut queens) = (Descent::from(*problem.board()), Vec::new());
    loop {
        match algorithm.next_line(&descent.board) {
            Choice::Dead => return None,
            Choice::Solved => break,
            Choice::Line(..) if descent.board.free_rows() <= free_rows => break,
            Choice::Line(line, squares) => queens.push(line.square(descent.step(line, squares, random)?)),
        }
    }
    Some((algorithm.prefix(problem, descent.board, &queens), descent.weight))
}

/// Estimates a count from random prefixes of a method, on all threads of the pool this runs in.
///
/// # Errors
/// [`Error::Cancelled`] if it was stopped.
pub fn estimate(problem: &Problem, method: Method, sampling: &Sampling<'_>) -> Result<Estimate> {
    let (start, algorithm, samples) = (Instant::now(), method.algorithm(), sampling.samples.max(MIN_SAMPLES));
    let twin = || sampling.as_on_gpu.then(|| algorithm.twin()).flatten();
    let free_rows = algorithm.sample_free_rows(problem.n()).saturating_sub(if twin().is_some() { 3 } else { 0 });
    let cpu = Capabilities { counts_nodes: sampling.counts_nodes, ..Capabilities::cpu(1) };
    let program = algorithm.cpu_program(problem, problem.n().saturating_sub(free_rows), &cpu);
    let is_late = || sampling.budget.is_some_and(|budget| start.elapsed() >= budget);
    // Each thread takes the next descent when it is done with one. All that were begun count, however long they took: else
    // short ones would count for more.
    let next = AtomicU64::new(0);
    let take = || -> Result<Vec<(u64, Sample)>> {
        let mut solver = twin().unwrap_or_else(|| program.solver());
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= samples || index >= MIN_SAMPLES && is_late() {
                return Ok(found);
            }
            if sampling.stop.load(Ordering::Relaxed) {
                return Err(Error::Cancelled);
            }
            let seed = sampling.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(index);
            let mut random = fastrand::Rng::with_seed(seed);
            found.push((index, sample(problem, method, free_rows, &mut *solver, &mut random, sampling.stop)?));
            (sampling.progress)();
        }
    };
    let found: Vec<Vec<(u64, Sample)>> = rayon::broadcast(|_| take()).into_iter().collect::<Result<_>>()?;
    let mut found = found.concat();
    // Sums of the same numbers in another order are not quite the same.
    found.sort_unstable_by_key(|&(index, _)| index);
    let found: Vec<Sample> = found.into_iter().map(|(_, sample)| sample).collect();
    let mean = |value: fn(&Sample) -> f64| Mean::from_samples(found.iter().map(value));
    Ok(Estimate {
        solutions: mean(|d| d.solutions),
        nodes: mean(|d| d.nodes),
        tail_nodes: mean(|d| d.tail_nodes),
        thread_seconds: mean(|d| d.seconds),
        samples: found.len() as u64,
        took: start.elapsed(),
    })
}

/// One descent, and what it found.
fn sample(
    problem: &Problem,
    method: Method,
    free_rows: u32,
    solver: &mut dyn Solver,
    random: &mut fastrand::Rng,
    stop: &AtomicBool,
) -> Result<Sample> {
    let Some((prefix, weight)) = random_prefix(problem, method, free_rows, random) else {
        return Ok(Sample::default());
    };
    let start = Instant::now();
    let found = solver.count_completions(&prefix, Watch::until(stop)).ok_or(Error::Cancelled)?;
    let seconds = start.elapsed().as_secs_f64();
    let Completions { solutions, nodes, tail_nodes } = found;
    // The search visits one board of each class of symmetric ones.
    let searched = weight / f64::from(prefix.multiplicity);
    Ok(Sample {
        solutions: weight * solutions as f64,
        nodes: searched * nodes as f64,
        tail_nodes: searched * tail_nodes as f64,
        seconds: searched * seconds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;
    use crate::plan::Plan;

    fn estimate(method: Method, n: u32, samples: u64, seed: u64) -> Estimate {
        let sampling = Sampling { samples, seed, counts_nodes: true, ..Sampling::default() };
        super::estimate(&Problem::empty(n).unwrap(), method, &sampling).unwrap()
    }

    #[test]
    fn within_three_standard_errors_of_the_truth() {
        for &method in Method::ALL {
            // Row order has a wider spread, so it is asked for smaller boards.
            for n in 12..=if method == Method::RowOrder { 16 } else { 20 } {
                let Mean { value, error } = estimate(method, n, 1000, 1).solutions;
                let truth = known::solutions(n).unwrap() as f64;
                assert!((value - truth).abs() <= 3.0 * error, "{method} n={n}: {value} +- {error}, truly {truth}");
                assert!(error < 0.15 * truth, "{method} n={n}: {value} +- {error}");
            }
        }
    }

    #[test]
    fn nodes_are_estimated_too() {
        let problem = Problem::empty(12).unwrap();
        for &method in Method::ALL.iter().filter(|method| method.properties().counts_nodes) {
            // The same depth as the sample's.
            let depth = 12 - method.algorithm().sample_free_rows(12);
            let cpu = Capabilities { counts_nodes: true, ..Capabilities::cpu(1) };
            let program = method.algorithm().cpu_program(&problem, depth, &cpu);
            let (mut solver, never) = (program.solver(), AtomicBool::new(false));
            let plan = Plan::with_depth(&problem, method, depth).unwrap();
            let nodes: u64 =
                plan.iter().map(|prefix| solver.count_completions(&prefix, Watch::until(&never)).unwrap().nodes).sum();
            let Mean { value, error } = estimate(method, 12, 4000, 2).nodes;
            assert!((value - nodes as f64).abs() < 3.0 * error, "{method}: {value} +- {error}, truly {nodes}");
        }
    }

    #[test]
    fn a_budget_that_is_used_up_ends_the_sample_with_an_error_of_its_own() {
        let sampling = Sampling { budget: Some(Duration::ZERO), ..Sampling::default() };
        let found = super::estimate(&Problem::empty(20).unwrap(), Method::MostConstrained, &sampling).unwrap();
        assert_eq!(found.samples, MIN_SAMPLES);
        assert!(found.solutions.error > 0.0, "{found:?}");
        let stopped = Sampling { stop: &AtomicBool::new(true), ..Sampling::default() };
        let stopped = super::estimate(&Problem::empty(20).unwrap(), Method::MostConstrained, &stopped);
        assert!(matches!(stopped, Err(Error::Cancelled)), "{stopped:?}");
    }

    #[test]
    fn tiny_boards_are_exact() {
        for (n, count) in [(0, 1.0), (1, 1.0), (2, 0.0), (3, 0.0), (6, 4.0)] {
            let estimate = estimate(Method::MostConstrained, n, 10, 0);
            assert!((estimate.solutions.value, estimate.solutions.error) == (count, 0.0), "n={n}");
        }
    }
}
