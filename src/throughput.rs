//! How fast a backend finishes random prefixes of a board, as those of its plan would be: no count has to be made for it.

use std::time::Instant;

use crate::backend::{Backend, Cpu};
use crate::error::Result;
use crate::estimate::{Mean, random_prefix};
use crate::method::Method;
use crate::plan::Plan;
use crate::search::half_join;

/// The seconds that a backend needs for each solution of a board, all of them counted, as it finishes random prefixes of
/// the depth that it would be given.
///
/// # Errors
/// If `n` is out of range or the backend fails.
pub fn per_solution(backend: &mut dyn Backend, method: Method, n: u32, seed: u64) -> Result<f64> {
    let wanted = backend.wanted_prefixes(method);
    let mut random = fastrand::Rng::with_seed(seed);
    // More and more free rows, until the backend is busy for long enough to be measured.
    let mut rate = f64::INFINITY;
    for rows in 9.min(n)..=n {
        let mut prefixes = Vec::new();
        let most_tries = 4 * wanted.min(backend.batch() as u64);
        for _ in 0..most_tries {
            prefixes.extend(random_prefix(method, n, rows, &mut random).map(|(prefix, _)| prefix));
            if prefixes.len() as u64 >= most_tries / 4 {
                break;
            }
        }
        let plan = Plan { n, method, prefix_rows: n - rows, prefixes: prefixes.len() as u64, sample: Vec::new() };
        backend.prepare(&plan)?;
        let start = Instant::now();
        let counts = backend.finish(&plan, &prefixes, &|_| ())?;
        let seconds = start.elapsed().as_secs_f64();
        let completions: f64 =
            prefixes.iter().zip(&counts).map(|(prefix, &count)| f64::from(prefix.multiplicity) * count as f64).sum();
        if completions > 0.0 {
            rate = seconds / completions;
        }
        if seconds > 1.0 {
            break;
        }
    }
    Ok(rate)
}

/// The seconds that [`Method::HalfJoin`] needs for each solution of a board, all of them counted, with these threads and
/// this memory: of a few random prefixes, as deep as they would be. Where one of those would take too long it is of deeper
/// ones, and the cost model says how much faster the others are.
///
/// # Errors
/// If `n` is out of range or a count would pass its integer.
pub fn half_join(cpu: &mut Cpu, n: u32, seed: u64) -> Result<Mean> {
    /// Seconds of a prefix that are too long to wait for two of them: the longer it is the less is left to the model.
    const TOO_LONG: f64 = 30.0;
    /// Seconds after which two prefixes are enough.
    const ENOUGH: f64 = 10.0;
    let method = Method::HalfJoin;
    let plan = |prefixes| half_join::fastest(n, cpu.memory(), cpu.threads(), prefixes);
    let best = plan(1);
    let short = best.and_then(|best| plan((best.nanoseconds * 1e-9 / TOO_LONG).ceil() as u64));
    let (rows, scale) = match (best, short) {
        (Some(best), Some(short)) => (short.shape.fixed, best.nanoseconds / short.nanoseconds),
        _ => (0, 1.0),
    };
    // As many at a time as a plan would have threads.
    let at_a_time = if rows == 0 { 1 } else { cpu.threads() };
    let mut random = fastrand::Rng::with_seed(seed);
    let start = Instant::now();
    // Of each prefix: time and solutions, each times the number of prefixes it stands for.
    let mut tried: Vec<(f64, f64)> = Vec::new();
    while tried.is_empty()
        || rows > 0 && (tried.len() < 2 || start.elapsed().as_secs_f64() < ENOUGH && tried.len() < 1000)
    {
        let random: Vec<_> = (0..at_a_time).filter_map(|_| random_prefix(method, n, n - rows, &mut random)).collect();
        let prefixes: Vec<_> = random.iter().map(|&(prefix, _)| prefix).collect();
        let plan = Plan { n, method, prefix_rows: rows, prefixes: prefixes.len() as u64, sample: Vec::new() };
        cpu.prepare(&plan)?;
        let start = Instant::now();
        let counts = cpu.finish(&plan, &prefixes, &|_| ())?;
        let seconds = start.elapsed().as_secs_f64() / prefixes.len().max(1) as f64;
        tried.extend(random.iter().zip(counts).map(|(&(prefix, weight), count)| {
            (seconds * weight / f64::from(prefix.multiplicity), weight * count as f64)
        }));
    }
    let (seconds, solutions) = tried.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    if solutions == 0.0 {
        return Ok(Mean { value: 0.0, error: 0.0 });
    }
    let rate = seconds / solutions;
    // Of a ratio of two means: what is left of each time when the solutions' share is taken out.
    let squares: f64 = tried.iter().map(|&(seconds, solutions)| (seconds - rate * solutions).powi(2)).sum();
    Ok(Mean { value: scale * rate, error: scale * squares.sqrt() / solutions })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_measured_for_every_board() {
        let mut cpu = Cpu::new(Some(2)).unwrap().with_memory(64 << 20);
        for n in [0, 1, 4, 9, 13] {
            let rate = half_join(&mut cpu, n, 1).unwrap();
            assert!(rate.value > 0.0 && rate.value.is_finite() && rate.error.is_finite(), "n={n}: {rate:?}");
        }
        assert_eq!(half_join(&mut cpu, 3, 1).unwrap().value, 0.0);
    }
}
