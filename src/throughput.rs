//! How fast a device counts random prefixes of a board, as those of its plan would be: no count has to be made for it.

use std::time::Instant;

use crate::backend::{Control, Device};
use crate::error::Result;
use crate::estimate::{Mean, random_prefix};
use crate::method::Method;
use crate::plan::Workload;
use crate::prefix::Prefix;
use crate::problem::Problem;

/// The seconds that a device needs for each solution of a board, all of them counted, as it counts random prefixes of the
/// depth that it would be given.
///
/// # Errors
/// If the device fails.
pub fn seconds_per_solution(device: &mut dyn Device, problem: &Problem, method: Method, seed: u64) -> Result<Mean> {
    let random = fastrand::Rng::with_seed(seed);
    match method.properties().few_large_prefixes {
        true => of_large_prefixes(device, problem, method, random),
        false => of_batches(device, problem, method, random),
    }
}

/// Seconds to count some random prefixes, each with the number of those it stands for, and their weighted counts.
fn timed(device: &mut dyn Device, workload: Workload, prefixes: &[(Prefix, f64)]) -> Result<(f64, Vec<u64>)> {
    let mut session = device.prepare(&workload)?;
    let batch: Vec<Prefix> = prefixes.iter().map(|&(prefix, _)| prefix).collect();
    let start = Instant::now();
    let counts = session.count(&batch, &Control::none())?;
    Ok((start.elapsed().as_secs_f64(), counts))
}

/// Of one batch that keeps all lanes busy.
fn of_batches(device: &mut dyn Device, problem: &Problem, method: Method, mut random: fastrand::Rng) -> Result<Mean> {
    let (n, capabilities) = (problem.n(), device.capabilities());
    let wanted = method.prefixes_for([capabilities]).min(capabilities.max_batch as u64);
    // More and more free rows, until the device is busy for long enough to be measured.
    let mut rate = f64::INFINITY;
    for free_rows in 9.min(n)..=n {
        let tries = (0..4 * wanted).filter_map(|_| random_prefix(problem, method, free_rows, &mut random));
        let prefixes: Vec<_> = tries.take(wanted as usize).collect();
        let workload = Workload::new(*problem, method, n - free_rows, prefixes.len() as u64);
        let (seconds, counts) = timed(device, workload, &prefixes)?;
        let images = |((prefix, _), count): (&(Prefix, f64), &u64)| f64::from(prefix.multiplicity) * *count as f64;
        let completions: f64 = prefixes.iter().zip(&counts).map(images).sum();
        if completions > 0.0 {
            rate = seconds / completions;
        }
        if seconds > 1.0 {
            break;
        }
    }
    Ok(Mean { value: rate, error: 0.0 })
}

/// Of a few prefixes, as deep as they would be. Where one of those would take too long it is of deeper ones, and the method's
/// plan says how much faster the others are.
fn of_large_prefixes(
    device: &mut dyn Device,
    problem: &Problem,
    method: Method,
    mut random: fastrand::Rng,
) -> Result<Mean> {
    /// Seconds of a prefix that are too long to wait for two of them: the longer it is the less is left to the model.
    const TOO_LONG: f64 = 30.0;
    /// Seconds after which two prefixes are enough.
    const ENOUGH: f64 = 10.0;
    let (algorithm, capabilities) = (method.algorithm(), device.capabilities().clone());
    let forecast = |min_prefixes| algorithm.forecast(problem, &capabilities, min_prefixes);
    let best = forecast(1);
    let short = best.and_then(|best| forecast((best.nanoseconds * 1e-9 / TOO_LONG).ceil() as u64));
    let (depth, scale) = match (best, short) {
        (Some(best), Some(short)) => (short.depth, best.nanoseconds / short.nanoseconds),
        _ => (0, 1.0),
    };
    let n = problem.n();
    // As many at a time as a plan would have lanes.
    let at_a_time = if depth == 0 { 1 } else { capabilities.lanes };
    let start = Instant::now();
    // Of each prefix: time and solutions, each times the number of prefixes it stands for.
    let mut tried: Vec<(f64, f64)> = Vec::new();
    let is_enough =
        |tried: &[_]| depth == 0 || tried.len() >= 1000 || tried.len() >= 2 && start.elapsed().as_secs_f64() > ENOUGH;
    while tried.is_empty() || !is_enough(&tried) {
        let prefixes: Vec<_> =
            (0..at_a_time).filter_map(|_| random_prefix(problem, method, n - depth, &mut random)).collect();
        let workload = Workload::new(*problem, method, depth, prefixes.len() as u64);
        let (seconds, counts) = timed(device, workload, &prefixes)?;
        let seconds = seconds / prefixes.len().max(1) as f64;
        tried.extend(prefixes.iter().zip(counts).map(|(&(prefix, weight), count)| {
            (seconds * weight / f64::from(prefix.multiplicity), weight * count as f64)
        }));
    }
    let (seconds, solutions) = tried.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    if solutions == 0.0 {
        return Ok(Mean::default());
    }
    let rate = seconds / solutions;
    // Of a ratio of two means: what is left of each time when the solutions' share is taken out.
    let squares: f64 = tried.iter().map(|&(seconds, solutions)| (seconds - rate * solutions).powi(2)).sum();
    Ok(Mean { value: scale * rate, error: scale * squares.sqrt() / solutions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Cpu;

    #[test]
    fn a_rate_is_measured_for_every_board() {
        let mut cpu = Cpu::new(Some(2)).unwrap().with_memory(Some(64 << 20));
        let mut rate = |n| seconds_per_solution(&mut cpu, &Problem::empty(n).unwrap(), Method::HalfJoin, 1).unwrap();
        for n in [0, 1, 4, 9, 13] {
            let rate = rate(n);
            assert!(rate.value > 0.0 && rate.value.is_finite() && rate.error.is_finite(), "n={n}: {rate:?}");
        }
        assert_eq!(rate(3).value, 0.0);
    }
}
