//! Holds the cost model of half join against the clock: of the shapes that it thinks fastest it counts a few random prefixes
//! each, on one thread.
//!
//! `cargo run --release --example half_join_shapes -- 24 4096 6 2` (n, memory in MiB, how many shapes, how many prefixes)

use std::time::Instant;

use nqueens::Problem;
use nqueens::board::MAX_N;
use nqueens::internals::half_join::{Counter, MiddlePrefixes, Weights, plan};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<usize>().ok());
    let mut next = |default| numbers.next().flatten().unwrap_or(default);
    let (n, memory, shapes, prefixes) = (next(18).min(MAX_N as usize) as u32, next(2048) << 20, next(6), next(1));
    let problem = Problem::empty(n).expect("n is in range");
    let mut plans = plan::plans(n, None);
    plans.retain(|plan| plan.memory <= memory as f64);
    plans.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    let mut random = fastrand::Rng::with_seed(1);
    println!("centre fixed   MiB  prefixes  expected s  a prefix s  measured s  ns a solution");
    for plan in plans.iter().take(shapes) {
        let shape = plan.shape;
        let most = plan::most_placements(shape, memory);
        let counter = Counter::new(shape, Weights::Symmetric, most, false);
        let (mut seconds, mut solutions, mut images) = (0.0, 0.0, 0.0);
        for _ in 0..prefixes.min(plan.prefixes as usize).max(1) {
            // Some prefix of the first ones: those further on take longer to list than to count.
            let at = random.usize(..(plan.prefixes as usize).clamp(1, 100_000));
            let Some(prefix) = MiddlePrefixes::new(&problem, shape.fixed).nth(at) else { continue };
            let start = Instant::now();
            let count = counter.count_prefix(&prefix);
            seconds += start.elapsed().as_secs_f64();
            solutions += f64::from(prefix.multiplicity()) * count as f64;
            images += 1.0;
        }
        println!(
            "{:6} {:5} {:5.0} {:9.3e} {:11.4e} {:11.3} {:11.4e} {:14.2}",
            shape.centre,
            shape.fixed,
            plan.memory / f64::from(1 << 20),
            plan.prefixes,
            plan.nanoseconds * 1e-9,
            seconds / images,
            seconds / images * plan.prefixes,
            1e9 * seconds / solutions
        );
    }
}
