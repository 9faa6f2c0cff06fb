//! How many solutions there are, and how much work it is to count them, from a sample.
//!
//! `all = mean over random descents of (choices met on the way * completions of the prefix reached)`
//!
//! D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975), stopped early: a descent places queens at random
//! on the lines that the method would fill, down to a prefix that can be finished exactly. A prefix reached with
//! probability p then counts 1/p times. That is unbiased however the lines are chosen, and the deeper the part that is
//! finished exactly, the smaller the error.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::board::{Board, MAX_N, bits};
use crate::error::{Error, Result};
use crate::method::Method;
use crate::prefix::Prefix;
use crate::search::Finished;

/// A mean of samples with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// One standard deviation of the mean.
    pub error: f64,
}

impl Mean {
    fn of(samples: impl ExactSizeIterator<Item = f64> + Clone) -> Self {
        let count = samples.len() as f64;
        let value = samples.clone().sum::<f64>() / count;
        let variance = samples.map(|sample| (sample - value).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Self { value, error: (variance / count).sqrt() }
    }
}

/// What a sample says about a count.
#[derive(Clone, Copy, Debug)]
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

/// One random descent.
#[derive(Clone, Copy, Default)]
struct Descent {
    solutions: f64,
    nodes: f64,
    tail_nodes: f64,
    seconds: f64,
}

/// A random prefix of a method, not only a canonical one, and how many prefixes it stands for: the choices met on the way,
/// multiplied. `None` for a way that came to a dead end.
pub fn random_prefix(method: Method, n: u32, free_rows: u32, random: &mut fastrand::Rng) -> Option<(Prefix, f64)> {
    let (mut board, mut weight, mut deciding) = (Board::empty(n), 1.0, Vec::new());
    while let Some((line, squares)) = method.next_line(&board)? {
        if board.free_row_mask.count_ones() <= free_rows {
            break;
        }
        let choices = squares.count_ones();
        if choices == 0 {
            return None;
        }
        weight *= f64::from(choices);
        let at = bits(squares).nth(random.usize(..choices as usize)).expect("one of the squares");
        board = board.place_on(line, at);
        if method.decides(n, line) {
            deciding.push(line.square(at));
        }
    }
    Some((method.prefix(board, deciding), weight))
}

/// The free rows of the prefixes that a sample finishes exactly: many enough that the search is as fast there as it is in
/// a whole count, few enough that ten thousand prefixes take seconds.
pub fn free_rows(method: Method, n: u32) -> u32 {
    let most = match method {
        Method::RowOrder => 11,
        Method::MostConstrained if n < 24 => 15,
        Method::MostConstrained => 16,
        // A prefix in one part, and few enough rows to be joined in no time.
        Method::HalfJoin => 10 + n % 2,
    };
    // The smallest boards are counted whole.
    if n <= 8 { n } else { most.min(n - 4) }
}

/// Estimates the count of a board from so many descents (at least 2) to prefixes with so many [`free_rows`], on all threads of
/// the pool this runs in.
///
/// `finisher` makes, for each thread, the function that finishes a prefix: of the method, as it would be counted.
///
/// The same seed gives the same solutions and nodes on any number of threads.
///
/// # Errors
/// If `n` is out of range.
pub fn estimate<F: FnMut(&Prefix) -> Finished>(
    method: Method,
    n: u32,
    free_rows: u32,
    samples: u64,
    seed: u64,
    finisher: impl Fn() -> F + Sync + Send,
) -> Result<Estimate> {
    if n > MAX_N {
        return Err(Error::BoardSize(n));
    }
    let start = Instant::now();
    let descents: Vec<Descent> = (0..samples.max(2))
        .into_par_iter()
        .map_init(finisher, |finish, index| {
            let mut random = fastrand::Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(index));
            let mut descent = Descent::default();
            if let Some((prefix, weight)) = random_prefix(method, n, free_rows, &mut random) {
                let start = Instant::now();
                let Finished { solutions, nodes, tail_nodes } = finish(&prefix);
                // The search visits one board of each class of symmetric ones.
                let searched = weight / f64::from(prefix.multiplicity);
                descent.seconds = searched * start.elapsed().as_secs_f64();
                descent.solutions = weight * solutions as f64;
                descent.nodes = searched * nodes as f64;
                descent.tail_nodes = searched * tail_nodes as f64;
            }
            descent
        })
        .collect();
    let mean = |value: fn(&Descent) -> f64| Mean::of(descents.iter().map(value));
    Ok(Estimate {
        solutions: mean(|d| d.solutions),
        nodes: mean(|d| d.nodes),
        tail_nodes: mean(|d| d.tail_nodes),
        thread_seconds: mean(|d| d.seconds),
        samples: samples.max(2),
        took: start.elapsed(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;
    use crate::plan::Plan;

    fn estimate(method: Method, n: u32, samples: u64, seed: u64) -> Result<Estimate> {
        super::estimate(method, n, free_rows(method, n), samples, seed, || {
            let mut finisher = method.finisher(true);
            move |prefix: &Prefix| finisher.finish(prefix)
        })
    }

    #[test]
    fn within_three_standard_errors_of_the_truth() {
        for method in Method::ALL {
            // Row order has a wider spread, so it is asked for smaller boards.
            for n in 12..=if method == Method::RowOrder { 16 } else { 20 } {
                let Mean { value, error } = estimate(method, n, 1000, 1).unwrap().solutions;
                let truth = known::solutions(n).unwrap() as f64;
                assert!((value - truth).abs() <= 3.0 * error, "{method} n={n}: {value} +- {error}, truly {truth}");
                assert!(error < 0.15 * truth, "{method} n={n}: {value} +- {error}");
            }
        }
    }

    #[test]
    fn nodes_are_estimated_too() {
        // A half join has none.
        for method in Method::ON_GPU {
            // The same depth as the sample's.
            let plan = Plan::new(12, method, Some(12 - free_rows(method, 12)), 0).unwrap();
            let mut finisher = method.finisher(true);
            let nodes: u64 = plan.iter().map(|prefix| finisher.finish(&prefix).nodes).sum();
            let Mean { value, error } = estimate(method, 12, 4000, 2).unwrap().nodes;
            assert!((value - nodes as f64).abs() < 3.0 * error, "{method}: {value} +- {error}, truly {nodes}");
        }
    }

    #[test]
    fn tiny_boards_are_exact() {
        for (n, count) in [(0, 1.0), (1, 1.0), (2, 0.0), (3, 0.0), (6, 4.0)] {
            let estimate = estimate(Method::MostConstrained, n, 10, 0).unwrap();
            assert!((estimate.solutions.value, estimate.solutions.error) == (count, 0.0), "n={n}");
        }
    }
}
