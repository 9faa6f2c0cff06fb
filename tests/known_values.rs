//! Every backend gives the published counts (A000170).

mod common;

use common::{KNOWN, emulated_or_real_gpu};
use nqueens::backend::{Backend, Cpu};
use nqueens::gpu::SliceOptions;
use nqueens::plan::Plan;
use nqueens::{Method, count};

fn count_on(backend: &mut dyn Backend, n: u32, prefix_rows: Option<u32>) -> u128 {
    let plan = Plan::new(n, Method::RowOrder, prefix_rows, backend.wanted_prefixes()).unwrap();
    backend.prepare(&plan).unwrap();
    count::run(&plan, backend, &|_| ()).unwrap().solutions
}

#[test]
fn cpu_counts_0_to_16() {
    let mut cpu = Cpu::new(None).unwrap();
    for n in 0..=16 {
        assert_eq!(count_on(&mut cpu, n, None), KNOWN[n as usize], "n={n}");
    }
}

#[test]
fn gpu_counts_0_to_14() {
    let mut gpu = emulated_or_real_gpu(SliceOptions::default());
    for n in 0..=14 {
        assert_eq!(count_on(&mut gpu, n, None), KNOWN[n as usize], "n={n}");
    }
}

#[test]
fn every_prefix_depth_of_small_boards_on_both_backends() {
    let mut cpu = Cpu::new(Some(2)).unwrap();
    let mut gpu = emulated_or_real_gpu(SliceOptions::default());
    for n in 0..=9 {
        for rows in 0..=n {
            assert_eq!(count_on(&mut cpu, n, Some(rows)), KNOWN[n as usize], "cpu n={n} rows={rows}");
            assert_eq!(count_on(&mut gpu, n, Some(rows)), KNOWN[n as usize], "gpu n={n} rows={rows}");
        }
    }
}

#[test]
fn slices_of_every_size_give_the_same_count() {
    for steps in [1, 7, 100] {
        let mut gpu = emulated_or_real_gpu(SliceOptions { steps: Some(steps), invocations: Some(256) });
        for (n, rows) in [(6, None), (8, Some(2)), (9, Some(4)), (if steps == 1 { 7 } else { 10 }, Some(3))] {
            assert_eq!(count_on(&mut gpu, n, rows), KNOWN[n as usize], "steps={steps} n={n} rows={rows:?}");
        }
        assert!(gpu.effort().slices > 1, "the work was not cut");
    }
}

#[test]
fn the_library_knows_the_published_values() {
    for (n, &known) in (0..).zip(&KNOWN) {
        assert_eq!(nqueens::known::solutions(n), Some(known), "n={n}");
    }
}
