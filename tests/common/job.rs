//! What the tests of jobs share: running the program, and waiting for what it does.
#![allow(dead_code)] // each test file uses a part of it

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

/// The program with these arguments, `{}` standing for a folder.
pub fn command(arguments: &str, folder: &Path) -> Command {
    let mut command = Command::new(cargo_bin!("nqueens"));
    command.args(arguments.split_whitespace().map(|a| a.replace("{}", folder.to_str().unwrap())));
    command
}

pub fn nqueens(arguments: &str, folder: &Path) -> Output {
    command(arguments, folder).output().unwrap()
}

/// The program with faults that it brings about itself.
pub fn with_faults(arguments: &str, folder: &Path, faults: &str) -> Output {
    command(arguments, folder).env("NQUEENS_FAULTS", faults).output().unwrap()
}

pub fn start(arguments: &str, folder: &Path) -> Child {
    command(arguments, folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Asserts how a run ended, and gives what it said on stderr.
#[track_caller]
pub fn ended(output: &Output, code: i32, answer: &str) -> String {
    assert_eq!((output.status.code(), stdout(output)), (Some(code), answer), "{}", stderr(output));
    stderr(output).to_string()
}

pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Waits until a file is there: the process that writes it has come so far.
pub fn wait_for(path: &Path) {
    while !path.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(unix)]
pub fn signal(process: &Child, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &process.id().to_string()]).status().unwrap().success());
}

/// The names in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub fn file(folder: &TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}
