//! Progress is seen by the clock, in whatever the terminal can show.

use std::process::{Child, Stdio};

use crate::harness::{command, file, folder, nqueens, stderr, wait_until};

/// Ends when the test does.
struct Watched(Child);

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Nobody waits for this count to end.
const LONG: &str = "count 23 --backend cpu --threads 1 --method most-constrained --prefix-rows 2";

/// What a terminal of so many columns is sent until it has this.
#[cfg(target_os = "linux")]
fn on_a_terminal(columns: u32, term: &str, options: &str, until: &str) -> Option<String> {
    use std::io::Read;
    let program = assert_cmd::cargo::cargo_bin!("nqueens");
    let inner = format!("stty cols {columns} rows 24; exec timeout 100 '{}' {LONG} {options}", program.display());
    let mut command = std::process::Command::new("script");
    command.args(["-qec", &inner, "/dev/null"]).env("TERM", term).env("LC_ALL", "C");
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    // Without the program there is no terminal to be had here.
    let mut script = Watched(started.ok()?);
    let (mut text, mut buffer) = (String::new(), [0; 4096]);
    let mut out = script.0.stdout.take().unwrap();
    while !text.contains(until) {
        match out.read(&mut buffer).unwrap() {
            0 => break,
            length => text.push_str(&String::from_utf8_lossy(&buffer[..length])),
        }
    }
    assert!(text.contains(until), "{columns} {term}: {text:?}");
    Some(text)
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_fits_terminals_of_all_widths() {
    for columns in [80, 40] {
        let Some(text) = on_a_terminal(columns, "xterm", "", " left") else { return };
        let drawn: Vec<&str> = text.split(['\r', '\n']).filter(|line| line.starts_with("counting")).collect();
        assert!(!drawn.is_empty(), "{text:?}");
        for line in drawn {
            assert!(line.chars().count() < columns as usize, "{columns}: {line:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_that_cannot_draw_gets_lines() {
    let Some(text) = on_a_terminal(80, "dumb", "", "counting: ") else { return };
    assert!(!text.replace("\r\n", "\n").contains('\r'), "{text:?}");
}

#[test]
fn a_log_gets_lines() {
    let folder = folder();
    let path = file(&folder, "log");
    let log = std::fs::File::create(&path).unwrap();
    let _child = Watched(command(LONG).stdout(Stdio::null()).stderr(log).spawn().unwrap());
    let text = wait_until("a line of progress is there", || {
        std::fs::read_to_string(&path).ok().filter(|text| text.lines().any(|line| line.starts_with("counting: ")))
    });
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("n = 23: about ") && lines[0].contains("by most-constrained"), "{lines:?}");
    assert!(lines[1].contains("--checkpoint FILE"), "{lines:?}");
    assert!(lines[2].starts_with("counting: ") && !lines[2].contains('\r'), "{lines:?}");
}

#[test]
fn none_is_none() {
    for how in ["none", "lines", "bar", "auto"] {
        let output = nqueens(&format!("count 10 --backend cpu --progress {how}"));
        assert!(!stderr(&output).contains("counting"), "{how}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(0), "{how}");
    }
}
