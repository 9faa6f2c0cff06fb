//! Listing starts where it is needed: the marks of plans and checkpoints, and what becomes of wrong ones.

use std::path::Path;

use crate::harness::*;
use crate::hostile_files::change::reseal;
use nqueens::job::{Shard, ShardPlan};
use nqueens::plan::Plan;
use nqueens::{Mark, Method};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The smallest board with a plan that is marked.
fn marked() -> Plan {
    let plan = plan(16, Method::MostConstrained, 7);
    assert!(plan.marks().is_some(), "{} prefixes", plan.prefixes());
    plan
}

/// A plan whose last shards are small, so that they are counted at once.
fn planned() -> (TempDir, Plan) {
    let (folder, plan) = (folder(), marked());
    let mut shards = ShardPlan::new(&plan, 1).unwrap();
    let end = plan.prefixes();
    let cuts = [0, 1000, 1300, end - 500, end - 200, end];
    shards.shards = cuts.windows(2).map(|cut| Shard { start: cut[0], end: cut[1] }).collect();
    shards.write(&file(&folder, "plan.json")).unwrap();
    (folder, plan)
}

fn change(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    change(&mut value);
    std::fs::write(path, reseal(&value)).unwrap();
}

fn run(folder: &TempDir, shard: usize) -> std::process::Output {
    let arguments = format!("run {{}}/plan.json --shard {shard} --out {{}}/r --backend cpu --threads 1 --quiet");
    nqueens_in(&arguments, folder.path())
}

/// What the prefixes of a shard come to, all of them listed.
fn expected(plan: &Plan, from: u64, to: u64) -> String {
    let prefixes: Vec<_> = plan.iter().skip(from as usize).take((to - from) as usize).collect();
    let (counts, _) = on_cpu(plan, &prefixes);
    let sum: u64 = prefixes.iter().zip(counts).map(|(prefix, count)| u64::from(prefix.multiplicity()) * count).sum();
    format!("{sum}\n")
}

#[test]
fn shards_are_the_same_wherever_listing_starts() {
    let (folder, plan) = planned();
    let end = plan.prefixes();
    for (shard, from, to) in [(1, 1000, 1300), (3, end - 500, end - 200), (4, end - 200, end)] {
        ended(&run(&folder, shard), 0, &expected(&plan, from, to));
    }
}

#[test]
fn a_plan_without_marks_is_read_as_before() {
    let (folder, plan) = planned();
    change(&file(&folder, "plan.json"), |plan| drop(plan.as_object_mut().unwrap().remove("marks")));
    ended(&run(&folder, 4), 0, &expected(&plan, plan.prefixes() - 200, plan.prefixes()));
}

#[test]
fn a_plan_from_its_marks_is_the_plan() {
    let (folder, plan) = planned();
    let (shards, again) = ShardPlan::read(&file(&folder, "plan.json")).unwrap();
    assert_eq!(shards.job, nqueens::job::Identity::new(&plan));
    assert_eq!((again.prefixes(), again.marks()), (plan.prefixes(), plan.marks()));
}

#[test]
fn marks_that_are_not_those_of_the_plan_are_refused() {
    let spoil: [fn(&mut Vec<Value>); 8] = [
        |marks| drop(marks.pop()),
        |marks| marks.push(marks[0].clone()),
        |marks| marks.swap(1, 2),
        |marks| marks[1] = marks[2].clone(),
        |marks| marks[1] = "".into(),
        |marks| marks[1] = "vvvvvv".into(),
        |marks| marks[1] = json!(format!("{}0", marks[1].as_str().unwrap())),
        |marks| marks[1] = "-".into(),
    ];
    for (i, spoil) in spoil.into_iter().enumerate() {
        let (folder, _) = planned();
        std::fs::create_dir(folder.path().join("r")).unwrap();
        change(&file(&folder, "plan.json"), |plan| spoil(plan["marks"].as_array_mut().unwrap()));
        for output in [run(&folder, 1), nqueens_in("status {}/plan.json {}/r", folder.path())] {
            assert_eq!(output.status.code(), Some(7), "{i}: {}", stderr(&output));
        }
    }
}

/// Whoever forges the number of prefixes and the digest with it is found out when a shard comes to the end.
#[test]
fn a_forged_number_of_prefixes_is_found_out_by_listing() {
    let (folder, plan) = planned();
    let mut shards = ShardPlan::new(&plan, 1).unwrap();
    let marks: Vec<Mark> = plan.marks().unwrap().to_vec();
    // One more than there are: the marks still fit their number.
    shards.marks = Some(marks);
    shards.job.prefixes += 1;
    let end = shards.job.prefixes;
    shards.shards = [0, end - 10, end].windows(2).map(|cut| Shard { start: cut[0], end: cut[1] }).collect();
    // The digest of what the file now says, as its reader would compute it.
    shards.job.digest = nqueens::job::Identity::new(&shards.job.plan(shards.marks.as_deref()).unwrap()).digest;
    let path = file(&folder, "forged.json");
    shards.write(&path).unwrap();
    assert!(ShardPlan::read(&path).is_ok());
    let output = nqueens_in("run {}/forged.json -s 1 --out {}/r --backend cpu --threads 1 --quiet", folder.path());
    assert!(ended(&output, 7, "").contains("marks"));
    assert!(names(&folder.path().join("r")).is_empty());
}

#[test]
fn a_checkpoint_is_resumed_from_its_marks_or_without() {
    let folder = folder();
    let count = |more: &str| {
        let arguments =
            format!("count 12 -m row-order --prefix-rows 6 --backend cpu --threads 1 --checkpoint {{}}/c {more}");
        nqueens_in(&arguments, folder.path())
    };
    ended(&count("--quiet"), 0, "14200\n");
    let path = file(&folder, "c");
    let value: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    // Few prefixes are not worth a mark.
    assert!(value.get("marks").is_none());
    change(&path, |checkpoint| checkpoint["marks"] = json!(["0"]));
    assert!(ended(&count("--quiet"), 7, "").contains("marks"));
}
