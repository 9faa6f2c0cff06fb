//! Shards: cut, counted anywhere in any order, merged to the same count or refused.

use std::path::Path;

use crate::harness::*;
use nqueens::Method;
use nqueens::job::{Decimal, ShardPlan, ShardResult, Tally, peek};
use nqueens::plan::Plan;
use serde_json::Value;
use tempfile::TempDir;

const CPU: &str = "--backend cpu --threads 1 --quiet";

/// A plan of n = 11 in some shards, and the results of some of them.
fn planned(shards: usize, done: impl Iterator<Item = usize>) -> TempDir {
    let folder = folder();
    ended(&nqueens_in(&format!("plan 11 --shards {shards} -o {{}}/plan.json"), folder.path()), 0, "");
    for shard in done {
        let output = nqueens_in(&format!("run {{}}/plan.json --shard {shard} --out {{}}/r {CPU}"), folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    folder
}

fn merge(folder: &TempDir) -> std::process::Output {
    nqueens_in("merge {}/plan.json {}/r", folder.path())
}

#[test]
fn shards_cover_every_prefix_once() {
    for &method in Method::ALL {
        for n in [0, 1, 4, 9, 12] {
            let plan = Plan::with_prefixes(&problem(n), method, 500).unwrap();
            for shards in [1, 2, 7, 100].into_iter().filter(|&shards| shards as u64 <= plan.prefixes()) {
                let cut = ShardPlan::new(&plan, shards).unwrap();
                let mut at = 0;
                for shard in &cut.shards {
                    assert!(shard.start == at && shard.end >= at);
                    at = shard.end;
                }
                assert_eq!((at, cut.shards.len()), (plan.prefixes(), shards), "{method} n={n}");
                assert_eq!(cut, ShardPlan::new(&plan, shards).unwrap(), "everybody cuts alike");
            }
        }
    }
}

#[test]
fn shards_have_about_equal_work() {
    let plan = Plan::with_prefixes(&problem(13), Method::MostConstrained, 4000).unwrap();
    let cut = ShardPlan::new(&plan, 8).unwrap();
    let nodes: Vec<u64> = plan.iter().map(|prefix| on_cpu(&plan, &[prefix]).1.unwrap()).collect();
    let work: Vec<u64> =
        cut.shards.iter().map(|shard| nodes[shard.start as usize..shard.end as usize].iter().sum()).collect();
    let (most, mean) = (*work.iter().max().unwrap() as f64, work.iter().sum::<u64>() as f64 / 8.0);
    assert!(most / mean < 1.15, "{work:?}");
}

#[test]
fn merged_shards_are_the_count_in_any_number_and_order() {
    for (shards, order) in [(1, vec![0]), (3, vec![2, 0, 1]), (5, vec![4, 3, 2, 1, 0])] {
        let folder = planned(shards, order.into_iter());
        for _ in 0..2 {
            // It changes nothing, so it can be asked again.
            let before = names(&file(&folder, "r"));
            ended(&merge(&folder), 0, "2680\n");
            assert_eq!(names(&file(&folder, "r")), before);
        }
        let output = nqueens_in("merge {}/plan.json {}/r --unique", folder.path());
        ended(&output, 0, "341\n");
        let output = nqueens_in("merge {}/plan.json {}/r --json", folder.path());
        let report: Value = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!(
            (&report["count"], &report["unique"], &report["known"]),
            (&"2680".into(), &"341".into(), &"equal".into())
        );
    }
}

#[test]
fn shards_of_every_method_and_backend() {
    for method in ["row-order", "most-constrained", "half-join"] {
        let folder = folder();
        ended(&nqueens_in(&format!("plan 10 --shards 3 --method {method} -o {{}}/plan.json"), folder.path()), 0, "");
        let other = if method == "half-join" { "cpu" } else { "gpu" };
        for (shard, backend) in ["cpu", other, other].iter().enumerate() {
            let arguments = format!("run {{}}/plan.json --shard {shard} --out {{}}/r --backend {backend} --checkpoint");
            assert_eq!(nqueens_in(&arguments, folder.path()).status.code(), Some(0));
        }
        ended(&merge(&folder), 0, "724\n");
        assert!(names(&file(&folder, "r")).iter().all(|name| !name.ends_with(".checkpoint")));
    }
}

#[test]
fn before_the_first_run_no_shard_is_done() {
    let folder = folder();
    ended(&nqueens_in("plan 10 --shards 3 -o {}/plan.json", folder.path()), 0, "");
    let status = nqueens_in("status {}/plan.json {}/r", folder.path());
    assert_eq!(status.status.code(), Some(0), "{}", stderr(&status));
    assert!(stdout(&status).starts_with("done         0 of 3\n"), "{}", stdout(&status));
    let text = ended(&nqueens_in("merge {}/plan.json {}/r", folder.path()), 9, "");
    assert!(text.contains("3 of 3 shards have no result: 0-2"), "{text}");
    // The wrong way round.
    std::fs::create_dir(file(&folder, "r")).unwrap();
    for command in ["status", "merge"] {
        let text = ended(&nqueens_in(&format!("{command} {{}}/r {{}}/plan.json"), folder.path()), 2, "");
        assert!(text.contains("is a folder: the order is PLAN FOLDER"), "{text}");
    }
}

#[test]
fn missing_shards_are_listed() {
    let folder = planned(6, [1, 4].into_iter());
    let said = ended(&merge(&folder), 9, "");
    assert!(said.contains("4 of 6 shards have no result: 0,2-3,5"), "{said}");
    ended(&nqueens_in("status {}/plan.json {}/r --missing", folder.path()), 0, "0,2-3,5\n");
    let output = nqueens_in("status {}/plan.json {}/r --json", folder.path());
    let status: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((&status["done"], &status["missing"]), (&2.into(), &serde_json::json!([0, 2, 3, 5])));
}

#[test]
fn duplicates_are_harmless() {
    let folder = planned(2, 0..2);
    let result = file(&folder, "r/shard-000001.json");
    std::fs::copy(&result, file(&folder, "r/shard-000001 (copy).json")).unwrap();
    // The same counts from elsewhere: time and device differ.
    let mut other = ShardResult::read(&result).unwrap();
    other.milliseconds += 1000;
    other.provenance[0].device = "another".into();
    other.write(&file(&folder, "r/other.json")).unwrap();
    ended(&merge(&folder), 0, "2680\n");
}

#[test]
fn a_shard_that_is_done_is_not_done_again() {
    let folder = planned(2, 0..2);
    let path = file(&folder, "r/shard-000000.json");
    let before = std::fs::read(&path).unwrap();
    let output = nqueens_in("run {}/plan.json --shard 0 --out {}/r --backend cpu", folder.path());
    assert!(stderr(&output).contains("is there already") && output.status.success(), "{}", stderr(&output));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn conflicts_name_both_files() {
    let folder = planned(2, 0..2);
    let mut other = ShardResult::read(&file(&folder, "r/shard-000001.json")).unwrap();
    // Consistent in itself, but not the same.
    let tally = &mut other.tally;
    tally.solutions.0 += 8;
    tally.residue += 8;
    tally.completions.entry(8).or_insert(Decimal(0)).0 += 1;
    assert!(tally.is_consistent());
    other.write(&file(&folder, "r/wrong.json")).unwrap();
    let said = ended(&merge(&folder), 1, "");
    assert!(said.contains("shard-000001.json") && said.contains("wrong.json"), "{said}");
    // Alone it adds up to a count that is not the published one.
    std::fs::rename(file(&folder, "r/wrong.json"), file(&folder, "r/shard-000001.json")).unwrap();
    let said = ended(&merge(&folder), 1, "");
    assert!(said.contains("2680 is published"), "{said}");
}

#[test]
fn foreign_results_are_refused() {
    let (folder, other) = (planned(2, 0..2), planned(3, 0..1));
    std::fs::copy(file(&other, "r/shard-000000.json"), file(&folder, "r/foreign.json")).unwrap();
    let said = ended(&merge(&folder), 7, "");
    assert!(said.contains("foreign.json") && said.contains("another plan"), "{said}");
    // In the place of the shard's own result too.
    std::fs::rename(file(&folder, "r/foreign.json"), file(&folder, "r/shard-000000.json")).unwrap();
    let output = nqueens_in(&format!("run {{}}/plan.json --shard 0 --out {{}}/r {CPU}"), folder.path());
    assert!(ended(&output, 7, "").contains("another plan"));
    // A result under the name of another shard.
    std::fs::copy(file(&folder, "r/shard-000001.json"), file(&folder, "r/shard-000000.json")).unwrap();
    let output = nqueens_in(&format!("run {{}}/plan.json --shard 0 --out {{}}/r {CPU}"), folder.path());
    assert!(ended(&output, 7, "").contains("the result of shard 1"));
}

#[test]
fn overlapping_shards_are_refused() {
    let folder = planned(2, 0..2);
    let path = file(&folder, "r/shard-000001.json");
    let right = ShardResult::read(&path).unwrap();
    for range in [[right.range[0] - 1, right.range[1]], [right.range[0] + 1, right.range[1]], [0, right.range[1]]] {
        let mut overlapping = right.clone();
        overlapping.range = range;
        overlapping.tally.prefixes = range[1] - range[0];
        overlapping.write(&path).unwrap();
        let said = ended(&merge(&folder), 7, "");
        assert!(said.contains("shard 1 has"), "{said}");
    }
}

#[test]
fn damaged_results_are_missing() {
    let folder = planned(2, 0..2);
    let path = file(&folder, "r/shard-000001.json");
    let sound = std::fs::read(&path).unwrap();
    for at in (11..sound.len()).step_by(37) {
        let mut damaged = sound.clone();
        damaged[at] ^= 4;
        std::fs::write(&path, damaged).unwrap();
        let said = ended(&merge(&folder), 9, "");
        assert!(said.contains("shard-000001.json' is damaged") && said.contains("no result: 1"), "{said}");
    }
    // Counted again; the damaged one is kept for whoever wants to know why.
    let output = nqueens_in("run {}/plan.json --shard 1 --out {}/r --backend cpu", folder.path());
    assert!(output.status.success() && stderr(&output).contains("counted again"), "{}", stderr(&output));
    ended(&merge(&folder), 0, "2680\n");
}

#[test]
fn overflow_when_shards_are_added_is_an_error() {
    let folder = planned(2, 0..2);
    let huge = |tally: &Tally| Tally {
        solutions: Decimal(u128::MAX / 2 + 1),
        completions: [(1, Decimal(u128::MAX / 2 + 1))].into(),
        residue: ((u128::MAX / 2 + 1) % u128::from(nqueens::job::PRIME)) as u64,
        ..tally.clone()
    };
    for shard in 0..2 {
        let path = file(&folder, &format!("r/shard-{shard:06}.json"));
        let mut result = ShardResult::read(&path).unwrap();
        result.tally = huge(&result.tally);
        assert!(result.tally.is_consistent());
        result.write(&path).unwrap();
    }
    let said = ended(&merge(&folder), 6, "");
    assert!(said.contains("integer overflow"), "{said}");
}

#[test]
fn a_plan_is_checked_when_it_is_read() {
    let folder = planned(2, 0..0);
    // The same again is no harm; another one under its name would be.
    ended(&nqueens_in("plan 11 --shards 2 -o {}/plan.json", folder.path()), 0, "");
    let said = ended(&nqueens_in("plan 11 --shards 3 -o {}/plan.json", folder.path()), 7, "");
    assert!(said.contains("there is another plan"), "{said}");
    let path = file(&folder, "plan.json");
    let sound = std::fs::read(&path).unwrap();
    for at in (11..sound.len()).step_by(11) {
        let mut damaged = sound.clone();
        damaged[at] ^= 2;
        std::fs::write(&path, damaged).unwrap();
        assert!(ended(&merge(&folder), 7, "").contains("damaged"));
    }
    for (arguments, code, words) in [
        ("plan 11 --shards 0 -o {}/x", 2, "at least one shard"),
        ("plan 3 --shards 100000 -o {}/x", 2, "at most one for each prefix"),
        ("plan 11 --shards -1 -o {}/x", 2, "invalid"),
        ("plan 33 --shards 2 -o {}/x", 2, "from 0 to 32"),
        ("plan 11 --shards 2 -o {}/no/such/x", 5, "could not be"),
        ("run {}/none.json --shard 0", 5, "none.json"),
        ("merge {}/none.json {}", 5, "none.json"),
    ] {
        let said = ended(&nqueens_in(arguments, folder.path()), code, "");
        assert!(said.contains(words), "{arguments}: {said}");
    }
    std::fs::write(&path, sound).unwrap();
    let said = ended(&nqueens_in("run {}/plan.json --shard 2", folder.path()), 2, "");
    assert!(said.contains("numbered 0 to 1"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_killed_shard_is_resumed_and_its_status_is_shown() {
    let folder = folder();
    ended(&nqueens_in("plan 18 --shards 2 -o {}/plan.json", folder.path()), 0, "");
    let arguments = "run {}/plan.json --shard 1 --out {}/r --checkpoint --save-every 20ms --backend cpu --threads 1";
    let status = || -> Value {
        let output = nqueens_in("status {}/plan.json {}/r --json", folder.path());
        serde_json::from_str(stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)))
    };
    let mut child = Running::start(&mut command_in(arguments, folder.path()));
    let checkpoint = file(&folder, "r/shard-000001.checkpoint");
    wait_for(&previous(&checkpoint));
    assert_eq!(status()["running"][0]["shard"], 1);
    // Nobody else may work on it meanwhile.
    assert_eq!(nqueens_in(arguments, folder.path()).status.code(), Some(75));
    child.kill();
    assert_eq!((&status()["interrupted"][0]["shard"], &status()["running"]), (&1.into(), &serde_json::json!([])));
    ended(&nqueens_in("status {}/plan.json {}/r --missing", folder.path()), 0, "0-1\n");
    let done = peek(&checkpoint).unwrap().done.prefixes();
    let mut child = Running::start(&mut command_in(arguments, folder.path()));
    wait_until("more is done", || (peek(&checkpoint)?.done.prefixes() > done).then_some(()));
    child.signal("TERM");
    assert_eq!(child.wait().code(), Some(8));
}

#[cfg(unix)]
fn previous(checkpoint: &Path) -> std::path::PathBuf {
    nqueens::job::beside(checkpoint, ".previous")
}
