//! Files that were made to do harm: one test for each way that was found.

#[path = "../untrusted/change.rs"]
#[allow(dead_code)] // this file reseals, the other one changes too
pub mod change;

use std::path::Path;

use crate::harness::*;
use change::reseal;
use nqueens::Method;
use nqueens::job::{ShardPlan, ShardResult};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with the plan of a small board and one result.
fn planned() -> TempDir {
    let folder = folder();
    ended(&nqueens_in("plan 9 --shards 2 -o {}/plan.json", folder.path()), 0, "");
    assert_eq!(nqueens_in("run {}/plan.json --shard 0 --out {}/r --quiet", folder.path()).status.code(), Some(0));
    folder
}

/// Changes what a file says, and seals it again.
fn change(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    change(&mut value);
    std::fs::write(path, reseal(&value)).unwrap();
}

/// A file of this many bytes, of which none but a few take space.
#[cfg(unix)]
fn sparse(path: &Path, start: &[u8], bytes: u64) {
    std::fs::write(path, start).unwrap();
    std::fs::File::options().write(true).open(path).unwrap().set_len(bytes).unwrap();
}

#[cfg(unix)]
#[test]
fn a_file_of_a_terabyte_is_not_read() {
    for (name, arguments, code) in [
        ("plan.json", "status {}/plan.json {}/r", 7),
        ("c", "count 9 --checkpoint {}/c", 7),
        ("r/shard-000000.json", "run {}/plan.json --shard 0 --out {}/r", 7),
        ("r/shard-000001.json", "merge {}/plan.json {}/r", 9),
    ] {
        let folder = planned();
        sparse(&folder.path().join(name), b"{\"sha256\":\"", 1 << 40);
        let said = ended(&nqueens_in(arguments, folder.path()), code, "");
        assert!(said.contains("has more than"), "{name}: {said}");
    }
}

/// The holder's name in a lock file was read to its end.
#[cfg(unix)]
#[test]
fn a_lock_file_without_end_is_not_read() {
    let folder = folder();
    let path = folder.path().join("c");
    let (store, _) = nqueens::job::Store::open(&path, &mut |_| ()).unwrap();
    sparse(&folder.path().join("c.lock"), b"process 1", 1 << 40);
    let said = ended(&nqueens_in("count 9 --checkpoint {}/c", folder.path()), 75, "");
    assert!(said.len() < 500 && said.contains("process 1"), "{said}");
    drop(store);
}

/// A depth at which there are billions of dead ends for each prefix, or more prefixes than can be listed.
#[test]
fn a_plan_that_takes_years_to_list_is_refused() {
    for (n, rows, prefixes) in [(32, 32, 1_000), (32, 20, 1 << 50), (32, 31, u64::MAX), (30, 16, 1 << 12)] {
        for method in Method::ALL {
            let folder = planned();
            change(&folder.path().join("plan.json"), |plan| {
                plan["job"]["n"] = n.into();
                plan["job"]["method"] = method.name().into();
                plan["job"]["prefix_rows"] = rows.into();
                plan["job"]["prefixes"] = prefixes.into();
            });
            let said = ended(&nqueens_in("merge {}/plan.json {}/r", folder.path()), 7, "");
            assert!(said.contains("prefixes of"), "{said}");
        }
    }
}

/// A checkpoint says how deep its prefixes are, and `count` resumes at that depth.
#[test]
fn a_checkpoint_whose_prefixes_take_years_to_list_is_refused() {
    let folder = folder();
    ended(&nqueens_in("count 9 --checkpoint {}/c --quiet", folder.path()), 0, "352\n");
    change(&folder.path().join("c"), |checkpoint| {
        let job = json!({"n": 32, "method": "row-order", "prefix_rows": 32, "prefixes": 1000, "digest": ""});
        checkpoint["job"] = job;
        (checkpoint["range"], checkpoint["done"]) = (json!([0, 1000]), json!([]));
        checkpoint["tally"] = json!({"prefixes": 0, "solutions": "0", "completions": {}, "residue": 0});
    });
    let said = ended(&nqueens_in("count 32 --checkpoint {}/c --backend cpu", folder.path()), 7, "");
    assert!(said.contains("no board with n = 32 has 1000 prefixes of 32 rows"), "{said}");
}

#[test]
fn what_a_file_says_does_not_command_the_terminal() {
    for member in ["/format", "/job/method"] {
        let folder = planned();
        change(&folder.path().join("plan.json"), |plan| {
            *plan.pointer_mut(member).unwrap() = "\u{1b}]0;title\u{7}\n".repeat(1000).into();
        });
        let said = ended(&nqueens_in("merge {}/plan.json {}/r", folder.path()), 7, "");
        assert!(said.len() < 1000 && !said.trim_end().contains(char::is_control), "{said:?}");
    }
}

#[test]
fn a_plan_of_more_shards_than_can_be_made_is_refused() {
    let plan = plan(9, Method::RowOrder, 2);
    let mut shards = ShardPlan::new(&plan, 2).unwrap();
    let end = plan.prefixes();
    shards.shards.extend(std::iter::repeat_n(nqueens::job::Shard { start: end, end }, 1_000_000));
    let folder = folder();
    let path = folder.path().join("plan.json");
    shards.write(&path).unwrap();
    assert!(ShardPlan::read(&path).unwrap_err().to_string().contains("do not follow each other"));
}

#[test]
fn a_result_by_more_devices_than_there_are_is_refused() {
    let folder = planned();
    let path = folder.path().join("r/shard-000000.json");
    change(&path, |result| {
        let one = result["provenance"][0].clone();
        let many = (0..5000).map(|i| {
            let mut by = one.clone();
            by["device"] = json!(format!("GPU {i}"));
            by
        });
        result["provenance"] = many.collect();
    });
    assert!(ShardResult::read(&path).unwrap_err().to_string().contains("more programs and devices"));
}

#[test]
fn a_long_word_is_shown_in_short() {
    let word = "x".repeat(100_000);
    let output = nqueens_in(&format!("show 1,{word},2"), Path::new("."));
    assert!(ended(&output, 2, "").len() < 200);
}
