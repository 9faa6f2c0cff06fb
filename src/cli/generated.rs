//! Completions and man pages, made from the one definition of the command line: `scripts/generate.sh` writes them, this
//! test says when they are out of date.

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_complete::aot::{Generator, Shell, generate};
use clap_mangen::Man;

use super::Cli;

/// Set to write the files instead of comparing them.
const WRITE: &str = "NQUEENS_WRITE_GENERATED";

/// Every file with its text, by its path in the repository.
fn files() -> Vec<(PathBuf, Vec<u8>)> {
    let mut command = Cli::command();
    let mut files = Vec::new();
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        let mut text = Vec::new();
        generate(shell, &mut command, "nqueens", &mut text);
        files.push((Path::new("completions").join(shell.file_name("nqueens")), text));
    }
    // Without the commit, which would change the page with each.
    let mut command = Cli::command().disable_help_subcommand(true).long_version(env!("CARGO_PKG_VERSION"));
    // So that the subcommands know their full names and the global options.
    command.build();
    for command in std::iter::once(&command).chain(command.get_subcommands()) {
        let page = Man::new(command.clone()).source(concat!("nqueens ", env!("CARGO_PKG_VERSION")));
        let mut text = Vec::new();
        page.render(&mut text).expect("memory can be written");
        files.push((Path::new("man").join(page.get_filename()), text));
    }
    files
}

#[test]
fn completions_and_man_pages_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let write = std::env::var_os(WRITE).is_some();
    for (path, text) in files() {
        let file = root.join(&path);
        if write {
            fs::create_dir_all(file.parent().expect("a folder is named")).unwrap();
            fs::write(&file, &text).unwrap();
        }
        // Git may write line ends as the system has them.
        let found = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
        assert!(found.as_bytes() == text, "'{}' is out of date: run scripts/generate.sh", path.display());
    }
    let wanted = files().len();
    let there = ["completions", "man"].map(|folder| fs::read_dir(root.join(folder)).unwrap().count());
    assert_eq!(there.iter().sum::<usize>(), wanted, "a file of a subcommand that is gone: delete it");
}
