//! Every device gives the published counts (A000170).

use nqueens::Method;
use nqueens::backend::{Control, Cpu, Device, Stats};
use nqueens::gpu::SliceOptions;
use nqueens::plan::{Plan, Wishes};
use nqueens::{count, known};

use crate::harness::{KNOWN, gpu, problem};

fn count_on(device: &mut dyn Device, method: Method, n: u32, depth: Option<u32>) -> (u128, Stats) {
    let wishes = Wishes { depth, ..Wishes::default() };
    let plan = Plan::new(&problem(n), method, &[device.capabilities().clone()], &wishes).unwrap();
    let count = count::run(&plan, device, &Control::none()).unwrap();
    (count.solutions, count.stats)
}

#[test]
fn cpu_counts_0_to_16() {
    let mut cpu = Cpu::new(None).unwrap();
    for &method in Method::ALL {
        for n in 0..=16 {
            assert_eq!(count_on(&mut cpu, method, n, None).0, KNOWN[n as usize], "{method} n={n}");
        }
    }
}

#[test]
fn gpu_counts_0_to_14() {
    let mut gpu = gpu(SliceOptions::default());
    for method in Method::on_gpu() {
        for n in 0..=14 {
            assert_eq!(count_on(&mut gpu, method, n, None).0, KNOWN[n as usize], "{method} n={n}");
        }
    }
}

#[test]
fn every_prefix_depth_of_small_boards_on_both_backends() {
    let mut cpu = Cpu::new(Some(2)).unwrap();
    let mut gpu = gpu(SliceOptions::default());
    for &method in Method::ALL {
        for n in 0..=9 {
            for rows in 0..=n {
                let known = KNOWN[n as usize];
                assert_eq!(count_on(&mut cpu, method, n, Some(rows)).0, known, "cpu {method} n={n} rows={rows}");
                if method.runs_on_gpu() {
                    assert_eq!(count_on(&mut gpu, method, n, Some(rows)).0, known, "gpu {method} n={n} rows={rows}");
                }
            }
        }
    }
}

#[test]
fn slices_of_every_size_give_the_same_count() {
    for method in Method::on_gpu() {
        for steps in [1, 7, 100] {
            let options = SliceOptions { steps: Some(steps), invocations: Some(256), tail_rows: None };
            let mut gpu = gpu(options);
            let (mut slices, mut kernels) = (0, 0);
            for (n, rows) in [(6, None), (8, Some(2)), (9, Some(4)), (if steps == 1 { 7 } else { 11 }, Some(3))] {
                let (count, stats) = count_on(&mut gpu, method, n, rows);
                assert_eq!(count, KNOWN[n as usize], "{method} steps={steps} n={n} rows={rows:?}");
                slices += stats.kernels.iter().map(|kernel| kernel.slices).sum::<u64>();
                kernels += stats.kernels.len() as u64;
            }
            // A tail takes 8 steps at the least; some of these take more. In 100 steps all may be done.
            assert!(steps == 100 || slices > kernels, "{method} steps={steps}: the work was not cut");
        }
    }
}

#[test]
fn a_tail_of_any_length_gives_the_same_count() {
    for tail_rows in 0..=10 {
        let options = SliceOptions { tail_rows: Some(tail_rows), ..Default::default() };
        let mut gpu = gpu(options);
        for n in [5, 8, 11, 12] {
            let (count, _) = count_on(&mut gpu, Method::MostConstrained, n, None);
            assert_eq!(count, KNOWN[n as usize], "tail_rows={tail_rows} n={n}");
        }
    }
}

#[test]
fn the_library_knows_the_published_values() {
    for (n, &known) in (0..).zip(&KNOWN) {
        assert_eq!(known::solutions(n), Some(known), "n={n}");
    }
}
