//! What users see: stdout, stderr and exit codes.

use serde_json::{Value, json};

use crate::harness::{Running, command, folder, names, nqueens, nqueens_in, output, stderr, stdout};

#[test]
fn the_count_alone_goes_to_stdout() {
    for (arguments, count) in [
        ("count 0", "1\n"),
        ("count 1", "1\n"),
        ("count 2", "0\n"),
        ("count 12", "14200\n"),
        ("count 12 --threads 1 --prefix-rows 3", "14200\n"),
        ("count 10 --backend gpu", "724\n"),
        ("count 9 --device 0", "352\n"),
        ("count 11 --method row-order", "2680\n"),
        ("count 11 --method most-constrained --backend gpu", "2680\n"),
        ("count 12 --unique", "1787\n"),
        ("count 1 --unique --stats", "1\n"),
    ] {
        let output = nqueens(arguments);
        assert_eq!((stdout(&output), output.status.code()), (count, Some(0)), "{arguments}: {}", stderr(&output));
        assert!(stderr(&output).contains("equal to the published count"), "{arguments}: {}", stderr(&output));
        assert!(!stderr(&output).contains("error"), "{arguments}: {}", stderr(&output));
    }
}

#[test]
fn a_board_without_prefixes_names_its_device() {
    let output = nqueens("count 2 --backend cpu --threads 1");
    assert!(stderr(&output).contains("on CPU, 1 thread"), "{}", stderr(&output));
}

/// The Vulkan loader tells of its work if it is asked to: a count that the CPU finishes in milliseconds must not wait for it.
#[cfg(target_os = "linux")]
#[test]
fn a_small_count_opens_no_gpu() {
    let loader = |arguments: &str| {
        let output = output(command(arguments).env("VK_LOADER_DEBUG", "all"));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output).to_lowercase().contains("vulkan")
    };
    assert!(loader("devices"), "the Vulkan loader has another way to tell now");
    assert!(!loader("count 15 --json"));
    assert!(!loader("count 8") && !loader("classes 8") && !loader("estimate 8 --samples 10"));
}

#[test]
fn an_estimate_of_no_solutions_has_no_ratio() {
    let output = nqueens("estimate 3 --samples 10 --stats");
    assert_eq!((stdout(&output), output.status.code()), ("0 +- 0\n", Some(0)), "{}", stderr(&output));
    assert!(!stderr(&output).contains("NaN") && !stderr(&output).contains("inf"), "{}", stderr(&output));
}

/// An emulated device is the only thing there is to note about so small a board.
#[test]
fn quiet_is_quiet() {
    for arguments in ["count 10 --quiet --backend cpu", "count 10 --quiet --backend gpu"] {
        let output = nqueens(arguments);
        assert_eq!((stdout(&output), stderr(&output)), ("724\n", ""), "{arguments}");
    }
}

#[test]
fn a_small_board_is_its_own_estimate() {
    for (n, count) in [(0, "1"), (2, "0"), (3, "0"), (8, "92"), (12, "14200")] {
        let output = nqueens(&format!("estimate {n} --backend cpu --stats"));
        assert_eq!((stdout(&output), output.status.code()), (format!("{count}\n").as_str(), Some(0)), "n={n}");
        assert!(stderr(&output).contains("exact, as it was counted"), "{}", stderr(&output));
        for backend in ["cpu", "gpu"] {
            let output = nqueens(&format!("estimate {n} --backend {backend} --json"));
            let report: Value = serde_json::from_str(stdout(&output)).unwrap();
            assert!(report["exact"] == (backend == "cpu") && report["seconds"].is_number(), "{report}");
            assert!(report["seconds_standard_error"].is_number() && report["standard_error"].is_number(), "{report}");
        }
    }
    for arguments in ["estimate 2 --backend gpu", "estimate 3 --samples 10"] {
        let text = stderr(&nqueens(arguments)).to_string();
        assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains("years"), "{arguments}: {text}");
    }
}

#[test]
fn a_large_board_is_estimated_with_the_error_reached() {
    let output = nqueens("estimate 32");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for words in ["would take about", "samples in", "an error of"] {
        assert!(stderr(&output).contains(words), "{words}: {}", stderr(&output));
    }
}

#[test]
fn the_number_of_classes_is_told_with_the_number_of_all() {
    let output = nqueens("count 12 --unique");
    assert_eq!(stdout(&output), "1787\n");
    let words = "n = 12: 1,787 solutions up to rotation and reflection, 14,200 in all, by";
    assert!(stderr(&output).contains(words), "{}", stderr(&output));
}

#[test]
fn one_of_a_thing_is_in_the_singular() {
    let output = nqueens("count 2 --prefix-rows 0 --method row-order --backend cpu --verify 100%");
    for words in [" 1 prefixes", " 1 rows", " 1 shards"] {
        assert!(!stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert!(stderr(&output).contains("1 prefix recounted on the CPU"), "{}", stderr(&output));
}

/// A share so small that no prefix is chosen asks for no more prefixes than a hundredth does.
#[test]
fn a_tiny_share_to_verify_cuts_no_finer_than_a_hundredth() {
    let prefixes = |share: &str| -> u64 {
        let output = nqueens(&format!("count 13 --method half-join --json --verify {share}"));
        let report: Value = serde_json::from_str(stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        report["prefixes"].as_u64().unwrap()
    };
    assert_eq!(prefixes("0.00001%"), prefixes("1%"));
}

#[test]
fn completions_and_man_pages_are_those_of_the_repository() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &std::path::Path| std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    for (shell, file) in [("bash", "nqueens.bash"), ("fish", "nqueens.fish"), ("zsh", "_nqueens")] {
        let output = nqueens(&format!("completions {shell}"));
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{shell}");
        assert_eq!(stdout(&output), read(&root.join("completions").join(file)), "{shell}");
    }
    let folder = folder();
    assert_eq!(nqueens_in("man {}/man1", folder.path()).status.code(), Some(0));
    let pages = folder.path().join("man1");
    assert_eq!(names(&pages), names(&root.join("man")));
    assert_eq!(read(&pages.join("nqueens-count.1")), read(&root.join("man/nqueens-count.1")));
    let refused = nqueens("man /dev/null/man");
    assert_eq!(refused.status.code(), Some(5), "{}", stderr(&refused));
}

#[test]
fn an_emulated_device_is_named_as_such() {
    let devices = nqueens("devices --json");
    let emulated = |line: &str| serde_json::from_str::<Value>(line).unwrap()["emulated"] == true;
    assert!(!stdout(&devices).is_empty(), "GPU tests need a Vulkan device: run ./scripts/test.sh");
    for (index, line) in stdout(&devices).lines().enumerate() {
        let output = nqueens(&format!("count 8 --device {index}"));
        assert_eq!(stderr(&output).contains("is emulated on the CPU"), emulated(line), "{}", stderr(&output));
    }
}

#[test]
fn a_count_as_json() {
    for backend in ["cpu", "gpu"] {
        let output = nqueens(&format!("count 11 --json --quiet --backend {backend}"));
        let report: Value = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!(report["count"], "2680");
        assert_eq!(report["n"], 11);
        assert_eq!(report["backend"], backend);
        assert_eq!(report["known"], "equal");
        assert_eq!(stdout(&output).lines().count(), 1);
    }
}

#[test]
fn stats_count_nodes_and_lanes() {
    let report = |arguments: &str| -> Value {
        let output = nqueens(arguments);
        serde_json::from_str(stdout(&output)).unwrap_or_else(|e| panic!("{arguments}: {e}: {}", stderr(&output)))
    };
    let cpu = report("count 10 --stats --json --backend cpu --method row-order");
    assert!(
        cpu["nodes"].as_str().unwrap().parse::<u64>().unwrap() > 724
            && cpu["nodes_per_solution"].as_f64().unwrap() > 1.0,
        "{cpu}"
    );
    assert!(report("count 10 --json --backend cpu")["nodes"].is_null());
    let gpu = report("count 12 --stats --json --backend gpu");
    for (stage, shader) in ["most_constrained", "plain_tail"].into_iter().enumerate() {
        let stage = &gpu["stages"][stage];
        assert_eq!(stage["shader"], shader, "{gpu}");
        let occupancy = stage["lane_occupancy"].as_f64().unwrap();
        assert!(occupancy > 0.0 && occupancy <= 1.0 && stage["slices"].as_u64().unwrap() > 0, "{gpu}");
    }
}

#[test]
fn classes_sum_up() {
    let output = nqueens("classes 12 --json");
    let classes: Value = serde_json::from_str(stdout(&output)).unwrap();
    for (field, number) in [("count", "14200"), ("unique", "1787"), ("half_turn", "80"), ("quarter_turn", "8")] {
        assert_eq!(classes[field], number, "{field}: {classes}");
    }
    assert_eq!(classes["orbits"], json!({"8": "1765", "4": "18", "2": "4", "1": "0"}), "{classes}");
    assert!(stdout(&nqueens("classes 8 --backend gpu")).contains("orbits of 8"));
}

#[test]
fn an_estimate_is_near_the_truth_and_repeatable() {
    let arguments = "estimate 14 --samples 500 --json";
    let read = |arguments: &str| -> Value { serde_json::from_str(stdout(&nqueens(arguments))).unwrap() };
    let first = read(arguments);
    let count: f64 = first["count"].as_str().unwrap().parse().unwrap();
    assert!((count - 365_596.0).abs() < 4.0 * first["standard_error"].as_f64().unwrap(), "{first}");
    assert!(first["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(read(&format!("{arguments} --threads 1"))["count"], first["count"]);
    assert_ne!(read(&format!("{arguments} --seed 2"))["count"], first["count"]);
    let text = nqueens("estimate 10 --samples 50 --stats --backend gpu");
    assert!(stdout(&text).contains("+-") && stderr(&text).contains("nodes a solution"), "{}", stderr(&text));
}

#[test]
fn devices_are_listed() {
    let output = nqueens("devices");
    assert!(stdout(&output).starts_with("0  ") && stdout(&output).contains("driver"), "{}", stdout(&output));
    for line in stdout(&nqueens("devices --json")).lines() {
        let device: Value = serde_json::from_str(line).unwrap();
        assert!(device["device"].is_string() && device["emulated"].is_boolean(), "{line}");
    }
}

#[test]
fn bad_input_is_one_helpful_line() {
    for (arguments, code, words) in [
        ("count 33", 2, "from 0 to 32"),
        ("count -1", 2, "from 0 to 32"),
        ("count abc", 2, "from 0 to 32"),
        ("count 8.5", 2, "from 0 to 32"),
        ("count 99999999999999999999", 2, "from 0 to 32"),
        ("count", 2, "<N>"),
        ("count 8 --threads 0", 2, "1..=1024"),
        ("count 8 --threads -3", 2, "1..=1024|whole number"),
        ("count 8 --prefix-rows 9", 2, "takes 0 to 8"),
        ("count 8 --prefix-rows 40", 2, "0..=32"),
        ("count 8 --prefix-rows -1", 2, "0..=32"),
        ("count 8 --prefix-rows x", 2, "whole number"),
        ("count 8 --backend tpu", 2, "auto, gpu, cpu"),
        ("count 8 --backend cpu --device 0", 2, "cannot be used"),
        ("count 8 --device 0 --threads 2", 2, "cannot be used"),
        ("count 8 --device no-such-device", 3, "no-such-device"),
        ("count 8 --device 99", 3, "`nqueens devices`"),
        ("count 8 --frobnicate", 2, "--frobnicate"),
        ("bench 12..=8", 2, "12..=16"),
        ("bench 8..9", 2, "12..=16"),
        ("bench 12-13", 2, "12..=16"),
        ("bench 8,9", 2, "12..=16"),
        ("bench 8 --device all", 2, "for count and run"),
        ("estimate 8 --device all", 2, "for count and run"),
        ("classes 8 --device all", 2, "for count and run"),
        ("count 8 --device 0,0", 2, "twice"),
        ("count 8 --device ,", 2, "empty list"),
        ("8", 2, "`nqueens count 8` or `nqueens solve 8`"),
        ("count 12 --cpu", 2, "`--backend cpu`"),
        ("count 12 --gpu", 2, "`--backend gpu`"),
        ("count 8 --verify 0.5", 2, "needs its sign"),
        ("count 8 --verify 1", 2, "needs its sign"),
        ("count 8 --save-every 5s", 2, "add --checkpoint"),
        ("run plan.json --shard 0 --save-every 5s", 2, "add --checkpoint"),
        ("count 8 --progress sometimes", 2, "auto, bar, lines, none"),
        ("plan 5 --shards 1000 -o /no/such/folder/plan.json", 2, "n = 5 is cut into"),
        ("classes 33", 2, "from 0 to 32"),
        ("estimate 27 --samples 1", 2, "2..=10000000"),
        ("count 8 --method fastest", 2, "row-order, most-constrained"),
        ("bench 8 --backend cpu --device 0", 2, "cannot be used"),
        ("bench 8 --repetitions 0", 2, "1..=1000"),
        ("bench 8 --export table.xls", 2, ".md, .csv, .json or .svg"),
        ("bench 8 --max-slowdown 1.1", 2, "--compare"),
        ("bench 8 --compare old.json --max-slowdown 0.9", 2, "from 1 to 1000"),
        ("bench 8 --compare /no/such/old.json", 5, "could not be read"),
        ("bench 8 --backend cpu --gpu-only", 2, "leaves nobody"),
        ("bench 8 --backend cpu --slice-steps 100", 2, "for a GPU"),
        ("bench 8 --backend gpu --invocations 0", 2, "1..=4194304"),
    ] {
        let output = nqueens(arguments);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {text}");
        assert_eq!((stdout(&output), text.lines().count()), ("", 1), "{arguments}: {text}");
        assert!(text.starts_with("error: ") && words.split('|').any(|w| text.contains(w)), "{arguments}: {text}");
    }
}

#[test]
fn a_gpu_that_is_not_there() {
    let mut command = command("count 8 --backend gpu");
    command
        // The Vulkan loader then finds no driver, and wgpu no other interface.
        .env("VK_ICD_FILENAMES", "/no/such/driver.json")
        .env("VK_DRIVER_FILES", "/no/such/driver.json")
        .env("WGPU_BACKEND", "vulkan");
    let output = output(&mut command);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("--backend cpu"), "{}", stderr(&output));
}

#[test]
fn help_and_version_go_to_stdout() {
    for arguments in
        ["--help", "--version", "count --help", "bench --help", "devices --help", "classes --help", "estimate --help"]
    {
        let output = nqueens(arguments);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{arguments}");
        assert!(!stdout(&output).is_empty());
    }
}

/// Whether whoever started the tests has turned SIGINT off, as shells do for jobs in the background: children inherit it.
#[cfg(unix)]
fn sigint_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 0b10 != 0)
}

/// Nothing but the process's own end may be waited for: a count of n = 22 would take days here.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_long_count() {
    use std::os::unix::process::ExitStatusExt;
    let (name, number) = if sigint_is_ignored() { ("TERM", 15) } else { ("INT", 2) };
    for backend in ["cpu", "gpu"] {
        let mut child = Running::start(&mut command(&format!("count 22 --backend {backend}")));
        std::thread::sleep(std::time::Duration::from_secs(2));
        child.signal(name);
        assert_eq!(child.wait().signal(), Some(number), "{backend}");
    }
}
