//! `nqueens ladder` puts the textbook solvers beside the methods: the same count, fewer nodes.

use std::path::Path;
use std::process::Output;

use crate::harness::{command, output};

fn ladder(arguments: &[&str]) -> Output {
    output(command("ladder").args(arguments))
}

fn rungs(n: &str) -> Vec<serde_json::Value> {
    let output = ladder(&[n, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn one_object_a_rung() {
    for (n, count, nodes, fewest) in
        [("0", "1", "0", "0"), ("1", "1", "1", "0"), ("4", "2", "16", "3"), ("8", "92", "2056", "1003")]
    {
        let rungs = rungs(n);
        let solvers: Vec<&str> = rungs.iter().map(|rung| rung["solver"].as_str().unwrap()).collect();
        assert_eq!(solvers[..5], ["brute-force", "attack-counts", "hash-sets", "boolean-arrays", "bit-sets"]);
        assert!(solvers.contains(&"row-order"));
        assert!(rungs.iter().all(|rung| rung["count"] == count && rung["ratio"].as_f64().unwrap() >= 1.0), "n={n}");
        assert!(rungs[1..5].iter().all(|rung| rung["nodes"] == nodes), "n={n} {rungs:?}");
        let row_order = rungs.iter().find(|rung| rung["solver"] == "row-order").unwrap();
        assert_eq!(row_order["nodes"], fewest, "n={n}");
        assert_eq!(rungs.iter().filter(|rung| rung["reference"] == true).count(), 5);
    }
}

#[test]
fn a_table_and_a_chart_with_a_bar_for_each_rung() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ladder-ladder.svg");
    let output = ladder(&["6", "--export", file.to_str().unwrap()]);
    let table = String::from_utf8(output.stdout).unwrap();
    let header: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(header.join(" "), "solver solutions nodes time ratio to the slowest");
    let svg = std::fs::read_to_string(file).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let bars = document.descendants().filter(|node| node.attribute("class") == Some("bar")).count();
    assert_eq!(bars, table.lines().count() - 1);
}

#[test]
fn brute_force_is_left_out_where_it_would_not_end() {
    // The note comes before any work, and the unwritable file ends the run after the first rung.
    let output = ladder(&["13", "--export", "/no/such/folder/ladder.svg"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("note: brute-force is left out: it would take too long for n above 12"), "{stderr}");
    assert!(stderr.contains("error: '/no/such/folder/ladder.svg' could not be written"), "{stderr}");
    assert_eq!(output.status.code(), Some(5));
}

#[test]
fn bad_input() {
    for (arguments, expected) in [
        (&["33"][..], "n must be a whole number from 0 to 32"),
        (&["-1"], "n must be a whole number from 0 to 32"),
        (&[], "required"),
        (&["6", "--export", "ladder.png"], "the file's name must end in .svg"),
    ] {
        let output = ladder(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(expected), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
