//! Holds the cost model of half join against the clock: counts random prefixes of some shapes on one thread, and says what
//! the model expects.
//!
//! `cargo run --release --example half_join_shapes -- 24 2` (n, prefixes a shape, optionally centre rows and, of the kinds of
//! instructions from plain Rust on, which one; without centre rows the six fastest shapes by the model)
//!
//! `cargo run --release --example half_join_shapes -- 18 0 2 1 2` (no samples: counts the whole board by this shape; and how
//! many threads)

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use nqueens::internals::half_join::kernels::Simd;
use nqueens::internals::half_join::{Counter, MiddlePrefixes, Shape, Sharing, Watch, plan};
use nqueens::internals::random_prefix;
use nqueens::{Method, Problem};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|number| number.parse().ok()).collect();
    let number = |i: usize, default| numbers.get(i).copied().unwrap_or(default);
    let (n, samples) = (number(0, 18) as u32, number(1, 2));
    let problem = Problem::empty(n).expect("n is at most 32");
    let mut plans = plan::plans(n);
    // With all centre rows in the prefix, so that one prefix does not take too long.
    plans.retain(|plan| plan.shape.fixed == plan.shape.centre && plan.memory < 8e9);
    plans.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    match numbers.get(2) {
        Some(&centre) => plans.retain(|plan| plan.shape.centre == centre as u32),
        None => plans.truncate(6),
    }
    if samples == 0 {
        let shape = Shape::new(n, number(2, 2 - n as usize % 2) as u32, 0).expect("a shape");
        let threads = number(4, 1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let sharing = if threads > 1 { Sharing::Fillings(threads) } else { Sharing::Alone };
        let mut counter = Counter::new(shape, usize::MAX, sharing);
        if let Some(&simd) = Simd::all().get(number(3, usize::MAX)) {
            counter.simd = simd;
        }
        let start = Instant::now();
        let watch = Watch { done: &|_| (), stop: &AtomicBool::new(false) };
        let empty = MiddlePrefixes::new(&problem, 0).next().expect("one");
        let count = pool.install(|| counter.count_prefix(&empty, watch)).expect("nobody stops it");
        println!("{count} in {:.3} s, {:?}, {threads} threads", start.elapsed().as_secs_f64(), counter.simd);
        return;
    }
    println!("centre    MiB  prefixes  expected s  measured s  ratio  ns a solution");
    for plan in plans {
        let mut counter = Counter::new(plan.shape, usize::MAX, Sharing::Alone);
        if let Some(&simd) = Simd::all().get(number(3, usize::MAX)) {
            counter.simd = simd;
        }
        let watch = Watch { done: &|_| (), stop: &AtomicBool::new(false) };
        let mut random = fastrand::Rng::with_seed(1);
        let (mut seconds, mut solutions) = (0.0, 0.0);
        // The first one is not counted: it only makes the buffers.
        for sample in 0..=samples {
            let Some((prefix, weight)) = random_prefix(&problem, Method::HalfJoin, n - plan.shape.fixed, &mut random)
            else {
                continue;
            };
            let start = Instant::now();
            let count = counter.count_prefix(&prefix, watch).expect("nobody stops it");
            if sample > 0 {
                seconds += start.elapsed().as_secs_f64() * weight / f64::from(prefix.multiplicity()) / samples as f64;
                solutions += weight * count as f64 / samples as f64;
            }
        }
        println!(
            "{:6} {:6.0} {:9.3e} {:11.4e} {:11.4e} {:6.2} {:14.3}",
            plan.shape.centre,
            plan.memory / f64::from(1 << 20),
            plan.prefixes,
            plan.nanoseconds * 1e-9,
            seconds,
            seconds * 1e9 / plan.nanoseconds,
            1e9 * seconds / solutions
        );
    }
}
