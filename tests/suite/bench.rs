//! `nqueens bench`: its table, its files, the comparison with older ones, and the script that reports on a GPU.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

use crate::harness::{command, file, folder, names, nqueens_in, output, stderr, stdout};

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_table_is_printed_and_exported_in_every_form() {
    let folder = folder();
    let output = nqueens_in(
        "bench 8..=9 --repetitions 2 --backend gpu --threads 2 --export {}/b.md --export {}/b.csv --export {}/b.json \
         --export {}/b.svg",
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for word in ["min..max", "ratio", "with start-up", "first dispatch"] {
        assert!(stdout(&output).contains(word), "{word}: {}", stdout(&output));
    }
    assert!(stderr(&output).contains("CPU: ") && stderr(&output).contains("warm-up"), "{}", stderr(&output));

    let text = |name| fs::read_to_string(file(&folder, name)).unwrap();
    assert!(text("b.md").contains("| CPU, 1 thread") && text("b.md").contains("- memory: "));
    // Two n; two methods on one thread, two threads, the GPU, and the GPU with start-up, and one on the CPU only.
    assert_eq!(text("b.csv").lines().count(), 1 + 2 * (2 * 4 + 2));
    let svg = text("b.svg");
    let chart = roxmltree::Document::parse(&svg).unwrap();
    let lines = chart.descendants().filter(|node| node.attribute("class") == Some("line")).count();
    assert_eq!(lines, 2 * 3 + 2, "one for each method and backend");

    let results = read_json(&file(&folder, "b.json"));
    assert_eq!((&results["format"], &results["version"]), (&"nqueens bench".into(), &1.into()));
    let environment = &results["environment"];
    assert!(environment["threads"].as_u64().unwrap() >= 1 && environment["gpus"][0]["driver"].is_string());
    for row in results["rows"].as_array().unwrap() {
        assert_eq!(row["count"], if row["n"] == 8 { "92" } else { "352" });
        let [low, middle, high] =
            ["min_seconds", "median_seconds", "max_seconds"].map(|name| row[name].as_f64().unwrap());
        assert!(0.0 < low && low <= middle && middle <= high, "{row}");
        assert_eq!(row["run_seconds"].as_array().unwrap().len(), 2, "the warm-up is not counted: {row}");
        let is_gpu = row["backend"] == "gpu" && row["with_startup"] == false;
        assert_eq!(row["startup"].is_object(), is_gpu, "{row}");
        if is_gpu {
            let part = |name: &str| row["startup"][name].as_f64().unwrap();
            assert!(part("open_seconds") > 0.0 && part("compile_seconds") > 0.0, "{row}");
            assert!(part("first_dispatch_seconds") > 0.0 && part("total_seconds") > part("open_seconds"), "{row}");
        }
    }
}

#[test]
fn rows_as_json_have_the_count_as_text() {
    let output = nqueens_in("bench 7 --backend cpu --json", Path::new("."));
    assert!(stdout(&output).lines().count() >= 2);
    for line in stdout(&output).lines() {
        assert_eq!(serde_json::from_str::<Value>(line).unwrap()["count"], "40");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let output = nqueens_in("bench 7 --backend cpu -r 1 --export /no/such/folder/table.md", Path::new("."));
    assert_eq!((output.status.code(), stdout(&output)), (Some(5), ""), "{}", stderr(&output));
    assert!(!stderr(&output).contains("warm-up"), "it is said before anything is measured: {}", stderr(&output));
}

#[test]
fn slices_of_other_sizes_count_the_same() {
    let folder = folder();
    let output = nqueens_in(
        "bench 8 --backend gpu --gpu-only --repetitions 1 --slice-steps 10 --invocations 64,128 --export {}/b.json",
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let results = read_json(&file(&folder, "b.json"));
    let rows = results["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 4 * 2, "two methods, four sizes, with start-up and without");
    for (field, size) in [("slice_steps", 10), ("invocations", 64), ("invocations", 128)] {
        assert_eq!(rows.iter().filter(|row| row[field] == size).count(), 4, "{field} {size}");
    }
    assert!(rows.iter().all(|row| row["backend"] == "gpu" && row["count"] == "92"));
}

/// The times in the older file are set far off, so that the ratios do not hang on this machine's mood.
#[test]
fn what_is_slower_than_allowed_ends_with_its_own_code() {
    let folder = folder();
    let old = file(&folder, "old.json");
    let bench = "bench 8 --backend cpu --threads 1 --repetitions 1 --method row-order";
    let output = nqueens_in(&format!("{bench} --export {{}}/old.json"), folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let compare = |seconds: f64| {
        let mut results = read_json(&old);
        results["rows"][0]["median_seconds"] = seconds.into();
        fs::write(&old, results.to_string()).unwrap();
        nqueens_in(&format!("{bench} --compare {{}}/old.json --max-slowdown 1.10"), folder.path())
    };
    let faster = compare(1000.0);
    assert_eq!(faster.status.code(), Some(0), "{}", stderr(&faster));
    assert!(stdout(&faster).contains("new/old") && stdout(&faster).contains("1000.0000"), "{}", stdout(&faster));
    let slower = compare(1e-9);
    assert_eq!(slower.status.code(), Some(10), "{}", stderr(&slower));
    assert!(stderr(&slower).contains("n = 8, row-order on CPU, 1 thread ("), "{}", stderr(&slower));
    // Without a limit it is only told.
    let told = nqueens_in(&format!("{bench} --json --compare {{}}/old.json"), folder.path());
    assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
    let row: Value = serde_json::from_str(stdout(&told)).unwrap();
    assert!(row["slowdown"].as_f64().unwrap() > 1.1 && row["old_median_seconds"] == 1e-9, "{row}");
    // Rows of one side only.
    let other = bench.replace("row-order", "most-constrained");
    let other = nqueens_in(&format!("{other} --compare {{}}/old.json --max-slowdown 1"), folder.path());
    assert_eq!((other.status.code(), stdout(&other).is_empty()), (Some(2), false), "{}", stderr(&other));
    assert!(stderr(&other).contains("nothing to compare"), "a gate that compared nothing: {}", stderr(&other));
    for note in ["not in the older results: n = 8, most-constrained", "only in the older results: n = 8, row-order"] {
        assert!(stderr(&other).contains(note), "{}", stderr(&other));
    }
}

#[test]
fn an_older_file_of_another_form_is_refused() {
    let folder = folder();
    for (text, word) in [
        ("[]", "measure anew"),
        ("n,method\n", "measure anew with --export FILE.json"),
        ("{", "damaged"),
        ("{\"format\":\"x\",\"version\":7}", "version 7"),
    ] {
        fs::write(file(&folder, "old.json"), text).unwrap();
        let output = nqueens_in("bench 8 --backend cpu --compare {}/old.json", folder.path());
        assert_eq!((output.status.code(), stdout(&output)), (Some(7), ""), "{text}: {}", stderr(&output));
        assert!(stderr(&output).contains(word) && stderr(&output).contains("old.json"), "{}", stderr(&output));
    }
    let output = nqueens_in("bench 8 --backend cpu --compare {}", folder.path());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

/// The first n always runs; nobody is done with 32 rows within a second.
#[test]
fn a_time_limit_ends_a_range() {
    let output = nqueens_in("bench 6..=32 --backend cpu --threads 1 -r 1 --time-limit 1 --json", Path::new("."));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("\"n\":6,"), "{}", stdout(&output));
    assert!(stderr(&output).contains("time limit"), "{}", stderr(&output));
}

/// A cache of pipelines is a file like any other: it may be damaged, or there may be no place for it.
#[cfg(target_os = "linux")]
#[test]
fn a_cache_that_cannot_be_used_costs_no_count() {
    let folder = folder();
    let count = |cache: &Path| {
        let output = output(command("count 8 --backend gpu").env("XDG_CACHE_HOME", cache));
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), "92\n"), "{}", stderr(&output));
    };
    count(folder.path());
    let caches =
        || fs::read_dir(folder.path().join("nqueens")).into_iter().flatten().map(|entry| entry.unwrap().path());
    assert!(caches().count() > 0, "Vulkan has pipeline caches");
    for cache in caches() {
        let sound = fs::read(&cache).unwrap();
        for damaged in [&sound[..sound.len() / 2], b"", &[b"x", &sound[1..]].concat()] {
            fs::write(&cache, damaged).unwrap();
            count(folder.path());
            assert_ne!(fs::read(&cache).unwrap(), damaged, "it is written anew");
        }
    }
    let nowhere = folder.path().join("file");
    fs::write(&nowhere, "").unwrap();
    count(&nowhere);
}

/// On a machine without Rust and with little time.
#[cfg(unix)]
#[test]
fn the_script_reports_on_a_gpu_in_time() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/gpu_report.sh");
    assert!(Command::new("bash").args(["-n", script]).status().unwrap().success());
    let folder = folder();
    let program = cargo_bin!("nqueens");
    let report = ["-p", program.to_str().unwrap(), "-s", "10", "-o", folder.path().to_str().unwrap()];
    let output = output(Command::new("bash").arg(script).args(report));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let [markdown, json] = [".md", ".json"].map(|ending| {
        let mut names = names(folder.path());
        names.retain(|name| name.ends_with(ending));
        assert!(names.len() == 1 && !names[0].contains("-device."), "it has the device's name: {names:?}");
        fs::read_to_string(file(&folder, &names[0])).unwrap()
    });
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&report["format"], &report["failures"]), (&"nqueens gpu report".into(), &0.into()), "{json}");
    for count in report["agreement"].as_array().unwrap() {
        assert_eq!((&count["known"], &count["verification"]["mismatches"]), (&"equal".into(), &0.into()), "{count}");
    }
    for title in ["## Devices", "## Self-test", "## Agreement", "## Speed", "## Occupancy", "## Size of a slice"] {
        assert!(markdown.contains(title), "{title}: {markdown}");
    }

    let wrong = crate::harness::output(Command::new("bash").args([script, "-p", "/no/such/program"]));
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}
