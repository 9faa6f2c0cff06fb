//! Counts by joining half boards and says how long it took:
//! `cargo run --release --example half_join -- 18 2048 1` (n, memory in MiB, threads)

use std::time::Instant;

use nqueens::board::MAX_N;
use nqueens::search::half_join::{HalfJoin, count};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<usize>().ok());
    let mut next = |default| numbers.next().flatten().unwrap_or(default);
    let (n, memory, threads) = (next(16).min(MAX_N as usize) as u32, next(2048) << 20, next(1).max(1));
    if let Some(plan) = HalfJoin::new(n, memory, threads) {
        eprintln!("{:?}", plan.counter.shape);
    }
    let start = Instant::now();
    println!("{}", count(n, memory, threads));
    eprintln!("{:.3} s", start.elapsed().as_secs_f64());
}
