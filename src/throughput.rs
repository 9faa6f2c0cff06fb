//! How fast a device counts random prefixes of a board, as those of its plan would be: no count has to be made for it.

use std::time::{Duration, Instant};

use crate::backend::{Capabilities, Control, Device};
use crate::error::Result;
use crate::estimate::random_prefix;
use crate::known::about_solutions;
use crate::method::Method;
use crate::plan::Workload;
use crate::prefix::Prefix;
use crate::problem::Problem;

/// Seconds of a whole count of an empty board on the CPU, in about, from what was measured elsewhere: nothing is counted. `None`
/// for a GPU, and where nothing was measured.
pub fn expected_seconds(n: u32, method: Method, cpu: &Capabilities, min_prefixes: u64) -> Option<f64> {
    let (problem, algorithm) = (Problem::empty(n).ok()?, method.algorithm());
    if cpu.is_gpu() {
        return None;
    }
    let whole = about_solutions(n) * algorithm.nanoseconds_per_solution(n, cpu)?;
    // How much longer it takes in so many pieces, by the method's own model.
    let forecast = |prefixes| algorithm.forecast(&problem, cpu, prefixes).map(|forecast| forecast.nanoseconds);
    let slowdown = forecast(min_prefixes).zip(forecast(1)).map_or(1.0, |(pieces, whole)| pieces / whole);
    Some(slowdown * whole * 1e-9)
}

/// The seconds that a device needs for each solution of a board, all of them counted, as it counts random prefixes that keep
/// all its lanes busy: no more of them than can be counted in this time, in about. Not for large prefixes:
/// [`expected_seconds`] tells of those.
///
/// # Errors
/// If the device fails.
pub fn seconds_per_solution(
    device: &mut dyn Device,
    problem: &Problem,
    method: Method,
    seed: u64,
    budget: Duration,
) -> Result<f64> {
    /// Prefixes of one row more take up to about so many times as long.
    const GROWTH: f64 = 8.0;
    let start = Instant::now();
    let mut random = fastrand::Rng::with_seed(seed);
    let (n, capabilities) = (problem.n(), device.capabilities());
    let wanted = method.prefixes_for([capabilities]).min(capabilities.max_batch as u64);
    // More and more free rows, until the device is busy for long enough to be measured.
    let mut rate = 0.0;
    for free_rows in 9.min(n)..=n {
        let begun = Instant::now();
        let tries = (0..4 * wanted).filter_map(|_| random_prefix(problem, method, free_rows, &mut random));
        let prefixes: Vec<_> = tries.take(wanted as usize).collect();
        let workload = Workload::new(*problem, method, n - free_rows, prefixes.len() as u64);
        let (seconds, counts) = timed(device, workload, &prefixes)?;
        let images = |((prefix, _), count): (&(Prefix, f64), &u64)| f64::from(prefix.multiplicity) * *count as f64;
        let completions: f64 = prefixes.iter().zip(&counts).map(images).sum();
        if completions > 0.0 {
            rate = seconds / completions;
        }
        let next = begun.elapsed() + Duration::from_secs_f64((GROWTH - 1.0) * seconds);
        if start.elapsed() + next > budget {
            break;
        }
    }
    Ok(rate)
}

/// Seconds to count some random prefixes, each with the number of those it stands for, and their weighted counts.
fn timed(device: &mut dyn Device, workload: Workload, prefixes: &[(Prefix, f64)]) -> Result<(f64, Vec<u64>)> {
    let mut session = device.prepare(&workload)?;
    let batch: Vec<Prefix> = prefixes.iter().map(|&(prefix, _)| prefix).collect();
    let start = Instant::now();
    let counts = session.count(&batch, &Control::none())?;
    Ok((start.elapsed().as_secs_f64(), counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Cpu;

    #[test]
    fn a_rate_is_measured_for_every_board() {
        let mut cpu = Cpu::new(Some(2)).unwrap();
        let mut rate = |n, budget| {
            let problem = Problem::empty(n).unwrap();
            seconds_per_solution(&mut cpu, &problem, Method::MostConstrained, 1, budget).unwrap()
        };
        for n in [0, 1, 4, 9, 13] {
            for budget in [Duration::ZERO, Duration::from_millis(100)] {
                let rate = rate(n, budget);
                assert!(rate > 0.0 && rate.is_finite(), "n={n}: {rate}");
            }
        }
        assert_eq!(rate(3, Duration::from_secs(1)), 0.0);
    }

    #[test]
    fn something_is_expected_of_every_count_on_the_cpu() {
        for &method in Method::ALL {
            for n in 6..=30 {
                // Two rows more, for half joins have one or two middle rows.
                let [seconds, later] =
                    [n, n + 2].map(|n| expected_seconds(n, method, &Capabilities::cpu(2), 1).unwrap());
                assert!(later.is_finite() && later > seconds, "{method}, n={n}: {seconds}, then {later}");
            }
            assert_eq!(expected_seconds(20, method, &Capabilities::gpu("a GPU", 1 << 16), 1), None);
            assert!(expected_seconds(0, method, &Capabilities::cpu(2), 1).is_none_or(f64::is_finite), "{method}");
        }
    }
}
