//! The shader and its CPU twin agree prefix by prefix and step by step.

mod common;

use common::{KNOWN, emulated_or_real_gpu};
use nqueens::Method;
use nqueens::backend::{Backend, Cpu};
use nqueens::gpu::SliceOptions;
use nqueens::plan::Plan;
use nqueens::prefix::Prefix;
use nqueens::search::{most_constrained, row_order};

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
fn most_constrained_agrees_prefix_by_prefix() {
    let mut random = fastrand::Rng::with_seed(0xC0DE);
    for tail_rows in [2, 4, 6, 7] {
        let options = SliceOptions { invocations: Some(512), tail_rows: Some(tail_rows), ..Default::default() };
        let mut gpu = emulated_or_real_gpu(options);
        for _ in 0..4 {
            let n = random.u32(12..=32);
            // Deep enough that what is left takes thousands of steps, not millions.
            let free_rows = random.u32(8..=11.min(n - 4));
            let start = random.usize(0..300);
            let rows = n - free_rows;
            let prefixes: Vec<Prefix> = Method::MostConstrained.prefixes(n, rows).skip(start).take(200).collect();
            let (method, length) = (Method::MostConstrained, prefixes.len() as u64);
            let plan = Plan { n, method, prefix_rows: rows, prefixes: length, sample: vec![] };
            gpu.prepare(&plan).unwrap();
            let on_gpu = gpu.finish(&plan, &prefixes, &|_| ()).unwrap();
            let twin: Vec<_> = prefixes.iter().map(|prefix| most_constrained::finish(prefix, tail_rows)).collect();
            let case = format!("n={n} free_rows={free_rows} start={start} tail_rows={tail_rows}");
            assert_eq!(on_gpu, twin.iter().map(|found| found.solutions).collect::<Vec<_>>(), "{case}");
            assert_eq!(gpu.effort().nodes, Some(twin.iter().map(|found| found.nodes).sum()), "{case}");
            let stages = gpu.effort().stages;
            // The last row's queens take no step of their own; the search examines the prefixes themselves too.
            let tail: u64 = twin.iter().map(|found| found.tail_nodes - found.solutions).sum();
            let search: u64 = twin.iter().map(|found| found.nodes - found.tail_nodes).sum();
            let steps =
                |shader: &str| stages.iter().find(|stage| stage.shader == shader).map_or(0, |stage| stage.steps);
            assert_eq!((steps("most_constrained"), steps("plain_tail")), (search + length, tail), "{case}");
        }
    }
}

#[test]
fn nodes_on_the_gpu_are_those_of_the_cpu() {
    let mut gpu = emulated_or_real_gpu(SliceOptions::default());
    for method in Method::ON_GPU {
        for n in [0, 1, 5, 8, 10, 12] {
            for rows in [0, 1.min(n), n / 2, n] {
                let plan = Plan::new(n, method, Some(rows), 0).unwrap();
                gpu.prepare(&plan).unwrap();
                let prefixes: Vec<Prefix> = plan.iter().collect();
                if prefixes.is_empty() {
                    continue;
                }
                gpu.finish(&plan, &prefixes, &|_| ()).unwrap();
                let tail_rows = if method == Method::RowOrder { 0 } else { gpu.tail_rows().unwrap_or(0) };
                let nodes: u64 = prefixes
                    .iter()
                    .map(|prefix| match method {
                        Method::RowOrder => row_order::finish(prefix).nodes,
                        _ => most_constrained::finish(prefix, tail_rows).nodes,
                    })
                    .sum();
                assert_eq!(gpu.effort().nodes, Some(nodes), "{method} n={n} rows={rows}");
            }
        }
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

/// A plan that comes again keeps its pipelines and buffers: nothing of the count before may be left in them.
#[test]
fn a_plan_that_is_prepared_again_counts_the_same() {
    let mut gpu = emulated_or_real_gpu(SliceOptions::default());
    for method in Method::ON_GPU {
        for n in [9, 9, 8, 9, 4] {
            let found = nqueens::count::plan_and_run(n, method, &mut gpu).unwrap();
            assert_eq!(found.solutions, KNOWN[n as usize], "n = {n} by {method}");
        }
    }
}
