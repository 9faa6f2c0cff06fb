//! Counts a board with progress on stderr; the first line on stdin (Return) cancels it.
//!
//! `cargo run --release --example count_with_progress -- 17`

use std::io::{IsTerminal, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use nqueens::backend::{Control, Cpu, Device};
use nqueens::plan::{Plan, Wishes};
use nqueens::{Error, Method, Problem, count};

static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> nqueens::Result<()> {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(15);
    let mut cpu = Cpu::new(None)?;
    let method = Method::fastest(n, cpu.capabilities());
    let plan = Plan::new(&Problem::empty(n)?, method, &[cpu.capabilities().clone()], &Wishes::default())?;

    if std::io::stdin().is_terminal() {
        std::thread::spawn(|| {
            let _ = std::io::stdin().read(&mut [0]);
            STOP.store(true, Ordering::Relaxed);
        });
    }
    let done = AtomicU64::new(0);
    let progress = |prefixes: std::ops::Range<u64>| {
        let new = prefixes.end - prefixes.start;
        let done = done.fetch_add(new, Ordering::Relaxed) + new;
        if 10 * done / plan.prefixes() > 10 * (done - new) / plan.prefixes() {
            eprintln!("{:3} % of {} prefixes", 100 * done / plan.prefixes(), plan.prefixes());
        }
    };
    match count::run(&plan, &mut cpu, &Control::new(&STOP, &progress)) {
        Ok(count) => println!("{} solutions by {method} in {:.2?}", count.solutions, count.time),
        Err(Error::Cancelled) => println!("cancelled"),
        Err(error) => return Err(error),
    }
    Ok(())
}
