//! `--method half-join`: through jobs and shards like the other methods, in bounded memory, on the CPU only.

#[path = "common/job.rs"]
mod job_tests;

use job_tests::*;
use nqueens::Method;
use nqueens::backend::{Backend, Cpu};
use nqueens::count::plan_and_run;
use nqueens::estimate::random_prefix;
use nqueens::job::{peek, recount};
use nqueens::search::half_join::{fastest, plan};
use nqueens::search::lanes::InstructionSet;
use serde_json::Value;

#[test]
fn every_depth_and_bound_of_memory_gives_the_same_count() {
    let folder = folder();
    for options in
        ["", "--prefix-rows 2", "--prefix-rows 3", "--prefix-rows 4", "--memory 64M", "--threads 1 --memory 1G"]
    {
        let arguments = format!("count 13 --method half-join --quiet {options}");
        ended(&nqueens(&arguments, folder.path()), 0, "73712\n");
    }
    ended(&nqueens("count 14 --double-check --backend cpu --quiet", folder.path()), 0, "365596\n");
}

/// The weights of a recount are worked out from the queens in the middle columns, those of the method pair by pair.
#[test]
fn random_prefixes_are_recounted_the_same() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut finisher = Method::HalfJoin.finisher(false);
    let mut weighed = 0;
    for n in 10..=20u32 {
        for rows in [n.saturating_sub(12), n - 10].map(|rows| Method::HalfJoin.whole_rows(n, rows)) {
            for _ in 0..4 {
                let Some((prefix, _)) = random_prefix(Method::HalfJoin, n, n - rows, &mut random) else { continue };
                let count = finisher.finish(&prefix).solutions;
                assert_eq!(count, recount(Method::HalfJoin, &prefix), "n={n} rows={rows} {prefix:?}");
                weighed += u64::from(count > 0);
            }
        }
    }
    assert!(weighed > 30, "{weighed} prefixes have solutions");
}

#[test]
fn a_job_goes_on_with_other_memory_and_threads() {
    let folder = folder();
    let count =
        "count 14 --method half-join --prefix-rows 4 --memory 64M --threads 1 --checkpoint {}/c --save-every 1ms";
    let mut child = start(count, folder.path());
    // Until some of it is done and saved.
    while peek(&file(&folder, "c")).is_none_or(|checkpoint| checkpoint.done.prefixes() < 10) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Whoever goes on need not say by which method it was begun.
    let going_on = "count 14 --checkpoint {}/c --memory 128M --threads 2 --json --quiet";
    let report: Value = serde_json::from_slice(&nqueens(going_on, folder.path()).stdout).unwrap();
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
        let said = ended(&nqueens(arguments, folder().path()), 2, "");
        assert!(said.contains(words), "{arguments}: {said}");
    }
}

#[test]
fn small_boards_have_no_halves_and_are_counted_all_the_same() {
    for (n, count) in [(0, 1), (1, 1), (2, 0), (3, 0), (4, 2)] {
        let mut cpu = Cpu::new(Some(2)).unwrap();
        assert_eq!(plan_and_run(n, Method::HalfJoin, &mut cpu).unwrap().solutions, count, "n={n}");
    }
}

#[test]
fn plans_keep_to_the_memory_and_can_be_listed() {
    for n in 3..=32 {
        for memory in [64 << 20, 1 << 30, 8 << 30] {
            let plan = fastest(n, memory, 2, 1).unwrap();
            assert!(plan.memory <= memory as f64 || n > 28, "n={n} memory={memory}: {plan:?}");
            assert!(plan.prefixes < f64::from(1 << 29), "n={n} memory={memory}: {plan:?}");
            assert!(plan::most_placements(plan.shape, memory) > 0, "n={n} memory={memory}: {plan:?}");
        }
    }
}

#[test]
fn auto_joins_only_where_there_is_room() {
    let with = |memory: usize, n| Cpu::new(Some(1)).unwrap().with_memory(memory).fastest(n);
    for n in 0..=32 {
        assert_eq!(with(64 << 20, n), Method::MostConstrained, "n={n}");
        let joins = n >= 19 && InstructionSet::best().name() == "avx2";
        assert_eq!(with(8 << 30, n) == Method::HalfJoin, joins, "n={n}");
    }
}

#[test]
fn estimates_know_the_time_of_a_half_join() {
    let output = nqueens("estimate 14 --method half-join --samples 200 --json", folder().path());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["method"], report.get("nodes_per_solution")), (&"half-join".into(), None));
    let number = |name: &str| report[name].as_f64().unwrap();
    assert!(number("seconds") > 0.0 && number("seconds_standard_error").is_finite(), "{report}");
    // 365596 boards.
    let count: f64 = report["count"].as_str().unwrap().parse().unwrap();
    assert!((count - 365_596.0).abs() < 4.0 * number("standard_error"), "{report}");
}

#[cfg(feature = "fault-injection")]
#[test]
fn wrong_counts_of_a_half_join_are_noticed() {
    for kind in ["add-one", "drop", "flip"] {
        let verified = "count 12 --method half-join --prefix-rows 4 --verify 100% --json --quiet";
        let output = with_faults(verified, folder().path(), &format!("counts={kind}:1"));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&report["count"], &report["doubt"]["batches_redone"]), (&"14200".into(), &1.into()), "{kind}");
    }
}
