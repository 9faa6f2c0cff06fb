//! Where output goes and what becomes of it: closed pipes, full disks, numbers for programs on stdout and for people on
//! stderr.

use std::process::{Command, Output, Stdio};

use crate::harness::{command, output, redirected};

/// A call of each subcommand that writes to stdout and takes no time, in a folder with a finished plan of one shard.
const CALLS: [&str; 9] = [
    "count 8",
    "solve 8",
    "show 1,3,0,2",
    "classes 8",
    "estimate 8 --samples 10",
    "run plan.json --shard 0 --out results",
    "merge plan.json results",
    "status plan.json results",
    "ladder 4",
];

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for arguments in ["plan 8 --shards 1 -o plan.json", "run plan.json --shard 0 --out results --backend cpu"] {
            let output = output(&mut folder.command(arguments));
            assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        }
        folder
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = command(arguments);
        command.current_dir(self.0.path());
        command
    }

    fn output(&self, arguments: &str) -> Output {
        output(&mut self.command(arguments))
    }
}

/// The end of a pipe that nobody reads.
fn closed_pipe() -> Stdio {
    let (_, writer) = std::io::pipe().unwrap();
    writer.into()
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let folder = Folder::new();
    for arguments in CALLS {
        let output = redirected(folder.command(arguments).stdout(closed_pipe()).stderr(Stdio::piped()));
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {text}");
        assert!(!text.contains("panicked") && !text.contains("error"), "{arguments}: {text}");
    }
}

#[test]
fn an_answer_does_not_need_stderr() {
    let folder = Folder::new();
    for arguments in CALLS {
        let with = folder.output(arguments);
        let without = redirected(folder.command(arguments).stderr(closed_pipe()).stdout(Stdio::piped()));
        assert_eq!((with.status.code(), without.status.code()), (Some(0), Some(0)), "{arguments}");
        // Times differ.
        if !arguments.starts_with("ladder") {
            assert_eq!(without.stdout, with.stdout, "{arguments}");
        }
    }
    let refused = redirected(folder.command("count 33").stderr(closed_pipe()).stdout(Stdio::piped()));
    assert_eq!(refused.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new();
    for arguments in CALLS {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = redirected(folder.command(arguments).stdout(full).stderr(Stdio::piped()));
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{arguments}: {text}");
        assert!(text.contains("error: the answer could not be written"), "{arguments}: {text}");
    }
}

/// Programs read stdout: no commas in numbers, no colours, nothing but ASCII.
#[test]
fn stdout_is_plain() {
    let folder = Folder::new();
    let more = ["classes 12", "solve 6 --format json", "count 12 --json", "ladder 7", "ladder 7 --json"];
    for arguments in CALLS.into_iter().chain(more) {
        let output = output(folder.command(arguments).args(["--color", "always"]));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.is_ascii() && !text.contains('\u{1b}'), "{arguments}: {text}");
        let grouped = text
            .as_bytes()
            .windows(5)
            .any(|w| w[0].is_ascii_digit() && w[1] == b',' && w[2..].iter().all(u8::is_ascii_digit));
        assert!(!grouped || arguments.contains("json"), "{arguments}: {text}");
    }
}

#[test]
fn stderr_has_its_thousands_separated() {
    let folder = Folder::new();
    for (arguments, words) in [
        ("count 12", "n = 12: 14,200 by"),
        ("count 12 --stats --backend cpu", " nodes, "),
        (
            "solve 10 --limit 700 --skip 20 --format columns",
            "n = 10: 700 solutions after skipping 20, stopped at the limit of 700,",
        ),
        ("solve 12 --format columns", "n = 12: 14,200 solutions"),
        ("estimate 12 --samples 1000", "1,000 samples in"),
        ("estimate 12 --samples 1000", "the published count is 14,200"),
    ] {
        let output = folder.output(arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(words), "{arguments}: {text}");
    }
}
