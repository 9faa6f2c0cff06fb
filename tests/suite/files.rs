//! What is not ours is never moved, followed or overwritten; what cannot be written is found out before the work.

use std::path::Path;

use crate::harness::*;

const COUNT: &str = "count 9 --backend cpu --quiet --checkpoint {}/c";

/// A folder with the plan of a small board.
fn planned(shards: usize) -> tempfile::TempDir {
    let folder = folder();
    ended(&nqueens_in(&format!("plan 9 --shards {shards} -o {{}}/plan.json"), folder.path()), 0, "");
    folder
}

const RUN: &str = "run {}/plan.json --shard 0 --out {}/r --backend cpu --quiet";

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn files_of_others_are_refused_and_left_alone() {
    for name in ["c", "c.new", "c.previous", "c.lock", "c.second.new"] {
        let folder = folder();
        std::fs::write(file(&folder, name), "my thesis\n").unwrap();
        let said = ended(&nqueens_in(&format!("{COUNT} --double-check"), folder.path()), 7, "");
        assert!(said.contains("is not a file of nqueens") && said.contains(name), "{said}");
        assert_eq!(text(&file(&folder, name)), "my thesis\n");
        assert!(!names(folder.path()).iter().any(|name| name.contains(".bad")));
    }
    let folder = planned(2);
    std::fs::create_dir(file(&folder, "r")).unwrap();
    std::fs::write(file(&folder, "r/shard-000000.json"), "my thesis\n").unwrap();
    ended(&nqueens_in(RUN, folder.path()), 7, "");
    assert_eq!(names(&file(&folder, "r")), ["shard-000000.json"]);
    std::fs::write(file(&folder, "thesis"), "my thesis\n").unwrap();
    ended(&nqueens_in("plan 9 --shards 2 -o {}/thesis", folder.path()), 7, "");
    ended(&nqueens_in("status {}/thesis {}/r", folder.path()), 7, "");
    assert_eq!(text(&file(&folder, "thesis")), "my thesis\n");
}

#[test]
fn an_empty_file_is_a_new_one() {
    let folder = planned(2);
    for name in ["c", "c.new", "c.previous", "c.lock", "p", "shard-000000.json"] {
        std::fs::write(file(&folder, name), "").unwrap();
    }
    ended(&nqueens_in(COUNT, folder.path()), 0, "352\n");
    ended(&nqueens_in("plan 9 --shards 2 -o {}/p", folder.path()), 0, "");
    assert_eq!(text(&file(&folder, "p")), text(&file(&folder, "plan.json")));
    let output = nqueens_in("run {}/plan.json --shard 0 --out {} --backend cpu --quiet", folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // An empty newest generation does not take the place of the one before it.
    std::fs::copy(file(&folder, "c"), file(&folder, "c.previous")).unwrap();
    std::fs::write(file(&folder, "c"), "").unwrap();
    let output = nqueens_in("count 9 --backend cpu --checkpoint {}/c", folder.path());
    assert!(ended(&output, 0, "352\n").contains("c.previous'"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn the_file_behind_a_link_is_the_checkpoint() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    std::fs::create_dir(file(&folder, "real")).unwrap();
    symlink("real/target", file(&folder, "link")).unwrap();
    symlink("link", file(&folder, "c")).unwrap();
    ended(&nqueens_in(COUNT, folder.path()), 0, "352\n");
    assert!(file(&folder, "c").is_symlink() && file(&folder, "link").is_symlink());
    assert_eq!(names(&file(&folder, "real")), ["target", "target.lock", "target.previous"]);
    assert_eq!(names(folder.path()), ["c", "link", "real"]);
    let _store = nqueens::job::Store::open(&file(&folder, "real/target"), &mut |_| ()).unwrap();
    ended(&nqueens_in(COUNT, folder.path()), 75, "");
}

#[cfg(unix)]
#[test]
fn links_beside_a_checkpoint_are_not_followed() {
    for name in ["c.lock", "c.new", "c.previous"] {
        for target in ["thesis", "none"] {
            let folder = folder();
            std::fs::write(file(&folder, "thesis"), "my thesis\n").unwrap();
            std::os::unix::fs::symlink(target, file(&folder, name)).unwrap();
            let said = ended(&nqueens_in(COUNT, folder.path()), 2, "");
            assert!(said.contains("not a regular file") && said.contains(name), "{said}");
            assert_eq!(text(&file(&folder, "thesis")), "my thesis\n");
            assert!(!file(&folder, "none").exists());
        }
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_do_not_block_and_are_not_renamed() {
    let pipe = |path: &Path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    for name in ["c", "c.new", "c.lock", "c.previous"] {
        let folder = folder();
        pipe(&file(&folder, name));
        let said = ended(&nqueens_in(COUNT, folder.path()), 2, "");
        assert!(said.contains("not a regular file"), "{said}");
    }
    for name in ["", ".new", ".lock", ".previous"] {
        let folder = planned(2);
        std::fs::create_dir(file(&folder, "r")).unwrap();
        pipe(&file(&folder, &format!("r/shard-000000.checkpoint{name}")));
        ended(&nqueens_in(&format!("{RUN} --checkpoint"), folder.path()), 2, "");
        assert_eq!(nqueens_in("status {}/plan.json {}/r", folder.path()).status.code(), Some(0));
    }
    for device in ["/dev/stdout", "/dev/null"] {
        ended(&nqueens(&format!("count 8 --quiet --checkpoint {device}")), 2, "");
        assert!(std::fs::symlink_metadata(device).is_ok());
    }
}

/// The count of n = 20 would take longer than the deadline.
#[cfg(unix)]
#[test]
fn a_result_that_cannot_be_written_is_noticed_before_the_count() {
    let folder = folder();
    ended(&nqueens_in("plan 20 --shards 1 -o {}/plan.json", folder.path()), 0, "");
    std::fs::create_dir(file(&folder, "r")).unwrap();
    std::os::unix::fs::symlink("no/such/folder", file(&folder, "r/shard-000000.json")).unwrap();
    ended(&nqueens_in(RUN, folder.path()), 5, "");
}

/// A disk that fills up in the meantime.
#[cfg(unix)]
#[test]
fn a_result_that_cannot_be_written_after_all_is_printed() {
    let folder = folder();
    ended(&nqueens_in("plan 15 --shards 1 --method row-order -o {}/plan.json", folder.path()), 0, "");
    let arguments = "run {}/plan.json --shard 0 --out {}/r --backend cpu --quiet --checkpoint --save-every 1ms";
    let mut command = command_in(arguments, folder.path());
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    wait_for(&file(&folder, "r/shard-000000.checkpoint"));
    // Nobody's file comes in the way.
    std::fs::write(file(&folder, "r/shard-000000.json"), "my thesis\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = ended(&output, 7, "2279184\n");
    let line = said.lines().find(|line| line.starts_with("{\"sha256\"")).unwrap_or_else(|| panic!("{said}"));
    std::fs::write(file(&folder, "r/shard-000000.json"), format!("{line}\n")).unwrap();
    ended(&nqueens_in("merge {}/plan.json {}/r", folder.path()), 0, "2279184\n");
}

#[test]
fn begin_again_names_the_files_that_are_there() {
    let folder = folder();
    ended(&nqueens_in(COUNT, folder.path()), 0, "352\n");
    let other = "count 10 --backend cpu --quiet --checkpoint {}/c";
    let said = ended(&nqueens_in(other, folder.path()), 7, "");
    assert!(said.contains("remove '") && said.contains("c' and '") && said.contains("c.previous'"), "{said}");
    assert!(!said.contains("c.new"), "{said}");
    std::fs::remove_file(file(&folder, "c")).unwrap();
    let said = ended(&nqueens_in(other, folder.path()), 7, "");
    assert!(said.contains("c.previous' belongs to another job") && !said.contains("c' "), "{said}");
}

/// It is the newest generation only where there is one before it.
#[test]
fn a_save_that_was_left_over_does_not_revive_a_removed_job() {
    let folder = folder();
    ended(&nqueens_in(COUNT, folder.path()), 0, "352\n");
    std::fs::rename(file(&folder, "c"), file(&folder, "c.new")).unwrap();
    let previous = text(&file(&folder, "c.previous"));
    std::fs::remove_file(file(&folder, "c.previous")).unwrap();
    let output = nqueens_in("count 10 --backend cpu --checkpoint {}/c", folder.path());
    assert!(ended(&output, 0, "724\n").contains("is not used"), "{}", stderr(&output));
    // Where both are there it has its name from then on.
    std::fs::remove_file(file(&folder, "c")).unwrap();
    ended(&nqueens_in("count 9 --backend cpu --checkpoint {}/d", folder.path()), 0, "352\n");
    std::fs::rename(file(&folder, "d"), file(&folder, "c.new")).unwrap();
    std::fs::write(file(&folder, "c.previous"), previous).unwrap();
    let said = ended(&nqueens_in("count 10 --backend cpu --checkpoint {}/c", folder.path()), 7, "");
    assert!(said.contains("c' belongs to another job") && file(&folder, "c").exists(), "{said}");
}

#[test]
fn of_two_plans_of_one_name_one_wins() {
    for empty in [false, true] {
        let folder = folder();
        for round in 0..10 {
            let path = file(&folder, &format!("p{round}"));
            if empty {
                std::fs::write(&path, "").unwrap();
            }
            let plan = |shards| command_in(&format!("plan 10 --shards {shards} -o {{}}/p{round}"), folder.path());
            let (mut a, mut b) = (Running::start(&mut plan(2)), Running::start(&mut plan(3)));
            let mut codes = [a.wait().code(), b.wait().code()];
            codes.sort_unstable();
            assert_eq!(codes, [Some(0), Some(7)]);
            nqueens::job::ShardPlan::read(&path).unwrap();
        }
        // Nothing is left of the one that lost.
        assert_eq!(names(folder.path()).len(), 10);
    }
}

#[cfg(nqueens_faults)]
#[test]
fn without_locks_a_checkpoint_is_refused_with_advice() {
    let folder = folder();
    let said = ended(&with_faults(COUNT, folder.path(), "no-locks"), 5, "");
    assert!(said.contains("could not be locked") && said.contains("local disk"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_an_error_that_leaves_nothing() {
    let folder = folder();
    let program = assert_cmd::cargo::cargo_bin!("nqueens");
    let line = format!(
        "ulimit -f 0; exec {} count 9 --backend cpu --checkpoint {}/c",
        program.display(),
        folder.path().display()
    );
    let said = ended(&output(std::process::Command::new("sh").args(["-c", &line])), 5, "");
    assert!(said.contains("c.new"), "{said}");
    assert_eq!(names(folder.path()), ["c.lock"]);
}

/// The system gives a program that is started without stdout the empty device in its place: it cannot tell.
#[cfg(unix)]
#[test]
fn a_count_is_not_lost_with_a_closed_stdout() {
    let program = assert_cmd::cargo::cargo_bin!("nqueens");
    let line = format!("exec {} count 12 --backend cpu >&-", program.display());
    let said = ended(&output(std::process::Command::new("sh").args(["-c", &line])), 0, "");
    assert!(said.contains("n = 12: 14,200"), "{said}");
}

#[test]
fn json_of_others_among_the_results_is_passed_over() {
    let folder = planned(1);
    assert_eq!(nqueens_in(RUN, folder.path()).status.code(), Some(0));
    let merged = nqueens_in("merge {}/plan.json {}/r --json", folder.path());
    std::fs::write(file(&folder, "r/merged.json"), &merged.stdout).unwrap();
    for command in ["merge", "status"] {
        let output = nqueens_in(&format!("{command} {{}}/plan.json {{}}/r"), folder.path());
        assert!(output.status.success() && !stderr(&output).contains("warning"), "{}", stderr(&output));
    }
}

#[test]
fn a_dash_is_no_file() {
    let folder = planned(1);
    for arguments in ["plan 8 --shards 1 -o -", "count 8 --checkpoint -", "run plan.json --shard 0 --out -"] {
        let said = ended(&output(command(arguments).current_dir(folder.path())), 2, "");
        assert!(said.contains("'-' is not a file"), "{said}");
        assert_eq!(names(folder.path()), ["plan.json"]);
    }
}

/// Changes a file of ours and gives it the checksum that it then has.
fn change(path: &Path, from: &str, to: &str) {
    use sha2::Digest;
    let text = text(path).replace(from, to);
    let body = &text["{\"sha256\":\"".len() + 64 + 2..];
    let sum: String = sha2::Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
    std::fs::write(path, format!("{{\"sha256\":\"{sum}\",{body}")).unwrap();
}

#[test]
fn a_result_for_another_board_is_refused() {
    let folder = planned(1);
    assert_eq!(nqueens_in(RUN, folder.path()).status.code(), Some(0));
    change(&file(&folder, "r/shard-000000.json"), "\"n\":9", "\"n\":10");
    let said = ended(&nqueens_in("merge {}/plan.json {}/r", folder.path()), 7, "");
    assert!(said.contains("for n = 10"), "{said}");
}

#[test]
fn a_plan_of_a_board_that_is_too_large_is_refused() {
    let folder = planned(1);
    change(&file(&folder, "plan.json"), "\"n\":9", "\"n\":33");
    ended(&nqueens_in("status {}/plan.json {}", folder.path()), 7, "");
}

#[test]
fn names_in_files_do_not_command_the_terminal() {
    let folder = folder();
    ended(&nqueens_in(COUNT, folder.path()), 0, "352\n");
    let device =
        text(&file(&folder, "c")).split("\"device\":\"").nth(1).unwrap().split('"').next().unwrap().to_string();
    let long = format!("\\u001b]0;title\\u0007\u{9b}2J\u{202e}{}", "x".repeat(1 << 20));
    change(&file(&folder, "c"), &format!("\"{device}\""), &format!("\"{long}\""));
    let commands = |text: &str| text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']);
    let said = ended(&nqueens_in("count 9 --backend cpu --checkpoint {}/c", folder.path()), 0, "352\n");
    assert!(said.len() < 1500 && !commands(&said), "{said:?}");
    let output = nqueens_in("count 9 --backend cpu --checkpoint {}/c --json", folder.path());
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!commands(stdout(&output)));
    assert!(value["provenance"][0]["device"].as_str().unwrap().contains("\u{9b}2J\u{202e}"));
    // Names of files are words of others too.
    #[cfg(unix)]
    {
        let folder = planned(1);
        std::fs::create_dir(file(&folder, "r")).unwrap();
        std::fs::write(file(&folder, "r/shard-\u{1b}[2J\nerror: \u{9b}.json"), "").unwrap();
        let said = stderr(&nqueens_in("status {}/plan.json {}/r", folder.path())).to_string();
        assert!(said.lines().count() == 1 && said.starts_with("warning") && !commands(&said), "{said:?}");
    }
}

#[test]
fn a_missing_folder_is_what_the_message_names() {
    let folder = folder();
    for command in ["count 9 --backend cpu --checkpoint {}/lost/c", "plan 9 --shards 2 -o {}/lost/plan.json"] {
        let said = ended(&nqueens_in(command, folder.path()), 5, "");
        assert!(said.contains("there is no folder") && said.contains("lost'"), "{said}");
    }
}
