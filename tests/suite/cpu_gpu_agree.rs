//! A shader and its CPU twin agree prefix by prefix and step by step.

use nqueens::backend::{Control, Device, Session};
use nqueens::gpu::SliceOptions;
use nqueens::internals::{most_constrained, row_order};
use nqueens::plan::{Plan, Workload};
use nqueens::{Completions, Method, Prefix};

use crate::harness::{KNOWN, gpu, plan, problem};

/// A fixed stretch of the prefixes of a plan: all of them would take minutes for the larger boards.
fn stretch(plan: &Plan, start: usize, length: usize) -> Vec<Prefix> {
    plan.iter().skip(start).take(length).collect()
}

/// The first prefixes of some depth, from a place on: a plan would list all of them.
fn some_prefixes(method: Method, n: u32, depth: u32, start: usize, length: usize) -> (Workload, Vec<Prefix>) {
    let prefixes: Vec<Prefix> = match method {
        Method::RowOrder => row_order::RowPrefixes::new(&problem(n), depth).skip(start).take(length).collect(),
        _ => most_constrained::CentrePrefixes::new(&problem(n), n - depth).skip(start).take(length).collect(),
    };
    (Workload::new(problem(n), method, depth, prefixes.len() as u64), prefixes)
}

/// What the twin finds, with this many rows left to the plain tail if it has one.
fn twin(method: Method, prefix: &Prefix, tail_rows: u32) -> Completions {
    match method {
        Method::RowOrder => row_order::count_completions(prefix),
        _ => most_constrained::count_completions(prefix, tail_rows),
    }
}

fn steps(session: &dyn Session, shader: &str) -> u64 {
    session.stats().kernels.iter().find(|kernel| kernel.shader == shader).map_or(0, |kernel| kernel.steps)
}

#[test]
fn row_order_agrees_prefix_by_prefix() {
    let mut random = fastrand::Rng::with_seed(0x5EED);
    let mut gpu = gpu(SliceOptions { invocations: Some(512), ..Default::default() });
    for _ in 0..12 {
        let n = random.u32(5..=32);
        // Deep enough that what is left takes thousands of steps, not millions.
        let depth = random.u32(n.saturating_sub(11)..=n.saturating_sub(4));
        let start = random.usize(0..300);
        let (workload, prefixes) = some_prefixes(Method::RowOrder, n, depth, start, 400);
        let mut session = gpu.prepare(&workload).unwrap();
        let on_gpu = session.count(&prefixes, &Control::none()).unwrap();
        let twin: Vec<_> = prefixes.iter().map(row_order::count_completions).collect();
        let case = format!("n={n} depth={depth} start={start}");
        assert_eq!(on_gpu, twin.iter().map(|found| found.solutions).collect::<Vec<_>>(), "{case}");
        // The last row's queen takes no step of its own; a prefix without squares takes one.
        let expected: u64 = twin.iter().map(|found| (found.nodes - found.solutions).max(1)).sum();
        assert_eq!(steps(&*session, "row_order"), expected, "{case}");
    }
}

#[test]
fn most_constrained_agrees_prefix_by_prefix() {
    let mut random = fastrand::Rng::with_seed(0xC0DE);
    for tail_rows in [2, 4, 6, 7] {
        let options = SliceOptions { invocations: Some(512), tail_rows: Some(tail_rows), ..Default::default() };
        let mut gpu = gpu(options);
        for _ in 0..4 {
            let n = random.u32(12..=32);
            // Deep enough that what is left takes thousands of steps, not millions.
            let free_rows = random.u32(8..=11.min(n - 4));
            let start = random.usize(0..300);
            let (workload, prefixes) = some_prefixes(Method::MostConstrained, n, n - free_rows, start, 200);
            let mut session = gpu.prepare(&workload).unwrap();
            let on_gpu = session.count(&prefixes, &Control::none()).unwrap();
            let twin: Vec<_> =
                prefixes.iter().map(|prefix| most_constrained::count_completions(prefix, tail_rows)).collect();
            let case = format!("n={n} free_rows={free_rows} start={start} tail_rows={tail_rows}");
            assert_eq!(on_gpu, twin.iter().map(|found| found.solutions).collect::<Vec<_>>(), "{case}");
            assert_eq!(session.stats().nodes, Some(twin.iter().map(|found| found.nodes).sum()), "{case}");
            // The last row's queens take no step of their own; the search examines the prefixes themselves too.
            let tail: u64 = twin.iter().map(|found| found.tail_nodes - found.solutions).sum();
            let search: u64 = twin.iter().map(|found| found.nodes - found.tail_nodes).sum();
            let taken = (steps(&*session, "most_constrained"), steps(&*session, "plain_tail"));
            assert_eq!(taken, (search + workload.prefixes(), tail), "{case}");
        }
    }
}

#[test]
fn nodes_on_the_gpu_are_those_of_the_cpu() {
    let mut gpu = gpu(SliceOptions::default());
    for method in Method::on_gpu() {
        for n in [0, 1, 5, 8, 10, 12] {
            for depth in [0, 1.min(n), n / 2, n] {
                let plan = plan(n, method, depth);
                let prefixes: Vec<Prefix> = plan.iter().collect();
                if prefixes.is_empty() {
                    continue;
                }
                let mut session = gpu.prepare(plan.workload()).unwrap();
                session.count(&prefixes, &Control::none()).unwrap();
                // No prefix may have fewer rows than are left to the tail.
                let centre = most_constrained::CentrePrefixes::min_free_rows(n);
                let tail_rows = most_constrained::TAIL_ROWS.min(n - depth).min(centre);
                let nodes: u64 = prefixes.iter().map(|prefix| twin(method, prefix, tail_rows).nodes).sum();
                assert_eq!(session.stats().nodes, Some(nodes), "{method} n={n} depth={depth}");
            }
        }
    }
}

#[test]
fn a_second_batch_starts_clean() {
    let mut gpu = gpu(SliceOptions { steps: Some(50), invocations: Some(64), tail_rows: None });
    for method in Method::on_gpu() {
        let plan = plan(10, method, 3);
        let mut session = gpu.prepare(plan.workload()).unwrap();
        for (start, length) in [(0, 100), (100, 1), (101, 90), (7, 64)] {
            let batch = stretch(&plan, start, length);
            let expected: Vec<u64> = batch.iter().map(|prefix| twin(method, prefix, 4).solutions).collect();
            assert!(!batch.is_empty());
            assert_eq!(session.count(&batch, &Control::none()).unwrap(), expected, "{method} batch at {start}");
        }
    }
}

#[test]
fn a_device_that_is_prepared_again_counts_the_same() {
    let mut gpu = gpu(SliceOptions::default());
    for method in Method::on_gpu() {
        for n in [9, 9, 8, 9, 4] {
            let found = nqueens::count::plan_and_run(&problem(n), method, &mut gpu).unwrap();
            assert_eq!(found.solutions, KNOWN[n as usize], "n = {n} by {method}");
        }
    }
}

#[test]
fn a_cancelled_batch_says_so() {
    use std::sync::atomic::AtomicBool;
    let mut gpu = gpu(SliceOptions { steps: Some(10), invocations: Some(64), tail_rows: None });
    let plan = plan(10, Method::RowOrder, 3);
    let mut session = gpu.prepare(plan.workload()).unwrap();
    let stopped = session.count(&stretch(&plan, 0, 100), &Control::new(&AtomicBool::new(true), &|_| ()));
    assert!(matches!(stopped, Err(nqueens::Error::Cancelled)), "{stopped:?}");
}
