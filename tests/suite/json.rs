//! What `--json` prints is what `docs/JSON.md` says: the same names and types everywhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::harness::*;
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../docs/JSON.md");

/// A row of the tables.
struct Field {
    name: &'static str,
    kind: &'static str,
    optional: bool,
}

/// The fields of each object, by the name of its command or of the field that holds it.
fn documented() -> BTreeMap<&'static str, Vec<Field>> {
    let mut objects: BTreeMap<&str, Vec<Field>> = BTreeMap::new();
    for row in DOCUMENT.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect();
        let name = cells[0].trim_matches('`');
        let (kind, optional) = cells[1].strip_suffix('?').map_or((cells[1], false), |kind| (kind, true));
        for object in cells[2].split(", ") {
            objects.entry(object).or_default().push(Field { name, kind, optional });
        }
    }
    objects
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Checks an object and those in it against the tables; notes which fields of which objects were seen.
fn check(object: &'static str, value: &Value, seen: &mut BTreeSet<(&'static str, &'static str)>) {
    let documented = documented();
    let fields = &documented[object];
    let members = value.as_object().unwrap();
    for (name, value) in members {
        let field = fields.iter().find(|field| field.name == name);
        let field = field.unwrap_or_else(|| panic!("`{name}` of `{object}` is not documented: {value}"));
        assert_eq!(kind(value), field.kind, "`{name}` of `{object}`: {value}");
        seen.insert((object, field.name));
        // Those that hold numbers by number, such as `orbits`, are no objects of their own.
        if documented.contains_key(field.name) {
            let inner = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            inner.iter().filter(|value| value.is_object()).for_each(|value| check(field.name, value, seen));
        }
    }
    for field in fields.iter().filter(|field| !field.optional) {
        assert!(members.contains_key(field.name), "`{}` of `{object}` is missing: {value}", field.name);
    }
}

#[test]
fn a_name_has_one_type() {
    let mut kinds = BTreeMap::new();
    for field in documented().values().flatten() {
        assert_eq!(*kinds.entry(field.name).or_insert(field.kind), field.kind, "{}", field.name);
    }
    assert!(kinds.len() > 50, "{kinds:?}");
}

#[test]
fn every_command_prints_what_is_documented() {
    let folder = folder();
    let mut seen = BTreeSet::new();
    let older = nqueens_in("bench 8 --repetitions 1 --backend gpu --export {}/old.json", folder.path());
    assert!(older.status.success(), "{}", stderr(&older));
    for (code, arguments) in [
        (0, "count 10 --backend cpu --stats --unique --double-check --verify 10%"),
        (0, "count 0"),
        (0, "count 12 --backend gpu"),
        (0, "plan 11 --shards 4 -o {}/plan.json"),
        (0, "run {}/plan.json --shard 0 --out {}/r --backend cpu --stats"),
        (0, "run {}/plan.json --shard 0 --out {}/r"),
        (0, "run {}/plan.json --shard 1 --out {}/r --stats --backend gpu"),
        (0, "status {}/plan.json {}/r"),
        (0, "run {}/plan.json --shard 2 --out {}/r --stats"),
        (0, "run {}/plan.json --shard 3 --out {}/r --stats"),
        (0, "status {}/plan.json {}/r"),
        (0, "merge {}/plan.json {}/r"),
        (0, "estimate 10 --samples 20 --backend cpu"),
        (0, "estimate 10 --samples 20 --backend gpu"),
        (0, "estimate 3 --samples 20"),
        (0, "classes 8"),
        (0, "classes 8 --backend gpu"),
        (0, "ladder 5"),
        (0, "bench 8 --repetitions 2 --backend gpu --slice-steps 100 --invocations 64 --compare {}/old.json"),
        (0, "solve 5"),
        (0, "show 1,3,0,2"),
        (2, "show 0,2,1,3"),
        (0, "devices"),
        (0, "selftest --full"),
    ] {
        let output = nqueens_in(&format!("{arguments} --json"), folder.path());
        assert_eq!(output.status.code(), Some(code), "{arguments}: {}", stderr(&output));
        let command = documented()
            .into_keys()
            .find(|object| arguments.starts_with(&format!("{object} ")) || arguments == *object)
            .unwrap();
        assert!(!stdout(&output).is_empty(), "{arguments}");
        for line in stdout(&output).lines() {
            assert!(line.starts_with("{\"schema\":2,"), "{line}");
            check(command, &serde_json::from_str(line).unwrap(), &mut seen);
        }
    }
    // What comes about only when somebody works on a shard, or gave up.
    let rare = [("verification", "given_up"), ("status", "seconds_left")];
    let elsewhere = ["running", "interrupted"];
    for (object, fields) in documented().into_iter().filter(|(object, _)| !elsewhere.contains(object)) {
        for field in fields.iter().filter(|field| field.name != "pci") {
            assert!(
                seen.contains(&(object, field.name)) || rare.contains(&(object, field.name)),
                "{object} {}",
                field.name
            );
        }
    }
}

/// A shard that was stopped is in the lists of `status` as documented.
#[test]
fn begun_shards_are_as_documented() {
    use nqueens::job::{Checkpoint, ShardFiles, ShardPlan, Store};

    let folder = folder();
    ended(&nqueens_in("plan 11 --shards 2 -o {}/plan.json", folder.path()), 0, "");
    let (plan, _) = ShardPlan::read(&file(&folder, "plan.json")).unwrap();
    let of = |shard| Checkpoint::new(plan.job.clone(), plan.range(shard).unwrap());
    let path = |shard| ShardFiles::checkpoint(folder.path(), shard);
    let (running, _) = Store::open(&path(0), &mut |_| ()).unwrap();
    running.save(&of(0)).unwrap();
    Store::open(&path(1), &mut |_| ()).unwrap().0.save(&of(1)).unwrap();
    let output = nqueens_in("status {}/plan.json {} --json", folder.path());
    let mut seen = BTreeSet::new();
    check("status", &serde_json::from_str(stdout(&output)).unwrap(), &mut seen);
    assert!(seen.contains(&("running", "share_done")) && seen.contains(&("interrupted", "share_done")), "{seen:?}");
    drop(running);
}

#[test]
fn the_commit_is_one_and_the_same_everywhere() {
    let folder = folder();
    let long = nqueens_in("--version", folder.path());
    let count: Value = serde_json::from_slice(&nqueens_in("count 8 --json", folder.path()).stdout).unwrap();
    let (program, commit) = (count["program"].as_str().unwrap(), count["commit"].as_str().unwrap());
    assert_eq!(stdout(&long), format!("nqueens {program} ({commit})\n"));
    assert_eq!(
        (&count["provenance"][0]["program"], &count["provenance"][0]["commit"]),
        (&program.into(), &commit.into())
    );
    assert!(commit == "unknown" || commit.len() == 12 && commit.chars().all(|c| c.is_ascii_hexdigit()), "{commit}");
    assert_eq!(stdout(&nqueens_in("-V", folder.path())), format!("nqueens {program}\n"));
}
