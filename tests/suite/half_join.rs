//! `--method half-join`: through jobs and shards like the other methods, in bounded memory, on the CPU only.

use crate::harness::*;
use nqueens::Method;
use nqueens::backend::{Control, Cpu, Device};
use nqueens::count::plan_and_run;
use nqueens::internals::half_join::{fastest, plan};
use nqueens::internals::random_prefix;
use nqueens::job::peek;
use nqueens::plan::Workload;
use serde_json::Value;

#[test]
fn every_depth_and_bound_of_memory_gives_the_same_count() {
    let folder = folder();
    for options in
        ["", "--prefix-rows 2", "--prefix-rows 3", "--prefix-rows 4", "--memory 64M", "--threads 1 --memory 1G"]
    {
        let arguments = format!("count 13 --method half-join --quiet {options}");
        ended(&nqueens_in(&arguments, folder.path()), 0, "73712\n");
    }
    ended(&nqueens_in("count 14 --double-check --backend cpu --quiet", folder.path()), 0, "365596\n");
}

/// The weights of a recount are worked out from the queens in the middle columns, those of the method pair by pair.
#[test]
fn random_prefixes_are_recounted_the_same() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut cpu = Cpu::new(Some(1)).unwrap();
    let (method, mut weighed) = (Method::HalfJoin, 0);
    for n in 10..=20u32 {
        for depth in [n.saturating_sub(12), n - 10].map(|depth| method.algorithm().round_depth(n, depth)) {
            let mut session = cpu.prepare(&Workload::new(problem(n), method, depth, 4)).unwrap();
            for _ in 0..4 {
                let Some((prefix, _)) = random_prefix(&problem(n), method, n - depth, &mut random) else { continue };
                let count = session.count(&[prefix], &Control::none()).unwrap()[0];
                assert_eq!(count, method.algorithm().recount(&prefix), "n={n} depth={depth} {prefix:?}");
                weighed += u64::from(count > 0);
            }
        }
    }
    assert!(weighed > 30, "{weighed} prefixes have solutions");
}

#[test]
fn a_job_is_resumed_with_other_memory_and_threads() {
    let folder = folder();
    let count =
        "count 14 --method half-join --prefix-rows 4 --memory 64M --threads 1 --checkpoint {}/c --save-every 1ms";
    let mut child = Running::start(&mut command_in(count, folder.path()));
    let is_begun = || peek(&file(&folder, "c")).filter(|checkpoint| checkpoint.done.prefixes() >= 10);
    wait_until("some of it is done and saved", is_begun);
    child.kill();
    // Whoever resumes it need not say by which method it was begun.
    let resumed = "count 14 --checkpoint {}/c --memory 128M --threads 2 --json --quiet";
    let report: Value = serde_json::from_slice(&nqueens_in(resumed, folder.path()).stdout).unwrap();
    assert_eq!((&report["count"], &report["method"]), (&"365596".into(), &"half-join".into()));
    let number = |name: &str| report[name].as_u64().unwrap();
    assert!((10..number("prefixes")).contains(&number("resumed_prefixes")), "{report}");
}

#[test]
fn it_runs_on_the_cpu_only_and_says_so() {
    for (arguments, words) in [
        ("count 12 --method half-join --backend gpu", "half-join runs on the CPU only"),
        ("count 12 --method half-join --device 0", "half-join runs on the CPU only"),
        ("estimate 12 --method half-join --backend gpu", "half-join runs on the CPU only"),
        ("count 12 --memory 1G --backend gpu", "--memory is for half-join on the CPU"),
        ("count 12 --memory 12", "memory is a whole number and a unit"),
        ("count 12 --memory 1M", "at least 64M"),
        ("count 12 --memory=-1G", "memory is a whole number and a unit"),
        ("plan 12 --shards 2 -o {}/p --memory 99999999999T", "memory is a whole number and a unit"),
    ] {
        let said = ended(&nqueens_in(arguments, folder().path()), 2, "");
        assert!(said.contains(words), "{arguments}: {said}");
    }
}

#[test]
fn small_boards_have_no_halves_and_are_counted_all_the_same() {
    for (n, count) in [(0, 1), (1, 1), (2, 0), (3, 0), (4, 2)] {
        let mut cpu = Cpu::new(Some(2)).unwrap();
        assert_eq!(plan_and_run(&problem(n), Method::HalfJoin, &mut cpu).unwrap().solutions, count, "n={n}");
    }
}

#[test]
fn plans_keep_to_the_memory_and_can_be_listed() {
    for n in 3..=32 {
        for memory in [64 << 20, 1 << 30, 8 << 30] {
            let plan = fastest(n, memory, 2, 1).unwrap();
            assert!(plan.memory <= memory as f64 || n > 28, "n={n} memory={memory}: {plan:?}");
            assert!(plan.prefixes < f64::from(1 << 29), "n={n} memory={memory}: {plan:?}");
            assert!(plan::list_bytes(plan.shape, memory) > 0, "n={n} memory={memory}: {plan:?}");
        }
    }
}

#[test]
fn estimates_know_the_time_of_a_half_join() {
    let output = nqueens_in("estimate 14 --method half-join --samples 200 --json", folder().path());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["method"], report.get("nodes_per_solution")), (&"half-join".into(), None));
    let number = |name: &str| report[name].as_f64().unwrap();
    assert!(number("seconds") > 0.0 && number("seconds_standard_error").is_finite(), "{report}");
    // 365596 boards.
    let count: f64 = report["count"].as_str().unwrap().parse().unwrap();
    assert!((count - 365_596.0).abs() < 4.0 * number("standard_error"), "{report}");
}

#[cfg(nqueens_faults)]
#[test]
fn wrong_counts_of_a_half_join_are_noticed() {
    for kind in ["add-one", "drop", "flip"] {
        let verified = "count 12 --method half-join --prefix-rows 4 --verify 100% --json --quiet";
        let output = with_faults(verified, folder().path(), &format!("counts={kind}:1"));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&report["count"], &report["verification"]["batches_redone"]),
            (&"14200".into(), &1.into()),
            "{kind}"
        );
    }
}
