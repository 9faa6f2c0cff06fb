//! The shader and its CPU twin agree prefix by prefix and step by step.

mod common;

use common::emulated_or_real_gpu;
use nqueens::Method;
use nqueens::backend::{Backend, Cpu};
use nqueens::gpu::SliceOptions;
use nqueens::plan::Plan;
use nqueens::prefix::Prefix;
use nqueens::search::row_order;

/// A fixed stretch of the prefixes of a plan: all of them would take minutes for the larger boards.
fn stretch(plan: &Plan, start: usize, length: usize) -> Vec<Prefix> {
    plan.iter().skip(start).take(length).collect()
}

#[test]
fn row_order_agrees_prefix_by_prefix() {
    let mut random = fastrand::Rng::with_seed(0x5EED);
    let mut cpu = Cpu::new(None).unwrap();
    let mut gpu = emulated_or_real_gpu(SliceOptions { invocations: Some(512), ..Default::default() });
    for _ in 0..12 {
        let n = random.u32(5..=32);
        // Deep enough that what is left takes thousands of steps, not millions.
        let rows = random.u32(n.saturating_sub(11)..=n.saturating_sub(4));
        let start = random.usize(0..300);
        let prefixes: Vec<Prefix> = Method::RowOrder.prefixes(n, rows).skip(start).take(400).collect();
        let plan =
            Plan { n, method: Method::RowOrder, prefix_rows: rows, prefixes: prefixes.len() as u64, sample: vec![] };
        gpu.prepare(&plan).unwrap();
        let on_gpu = gpu.finish(&plan, &prefixes, &|_| ()).unwrap();
        let on_cpu = cpu.finish(&plan, &prefixes, &|_| ()).unwrap();
        assert_eq!(on_gpu, on_cpu, "n={n} rows={rows} start={start}");
        let steps: u64 = prefixes
            .iter()
            .map(|prefix| {
                let found = row_order::finish(prefix);
                // The last row's queen takes no step of its own; a prefix without squares takes one.
                (found.nodes - found.solutions).max(1)
            })
            .sum();
        assert_eq!(gpu.effort().stages[0].steps, steps, "n={n} rows={rows} start={start}");
    }
}

#[test]
fn a_second_batch_starts_clean() {
    let mut gpu = emulated_or_real_gpu(SliceOptions { steps: Some(50), invocations: Some(64), tail_rows: None });
    let plan = Plan::new(10, Method::RowOrder, Some(3), 0).unwrap();
    gpu.prepare(&plan).unwrap();
    for (start, length) in [(0, 100), (100, 1), (101, 90), (7, 64)] {
        let batch = stretch(&plan, start, length);
        let expected: Vec<u64> = batch.iter().map(|prefix| row_order::finish(prefix).solutions).collect();
        assert_eq!(gpu.finish(&plan, &batch, &|_| ()).unwrap(), expected, "batch at {start}");
    }
}
