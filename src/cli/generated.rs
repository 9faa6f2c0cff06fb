//! `nqueens completions` and `nqueens man`: what is made from the one definition of the command line. `scripts/generate.sh`
//! writes completions/ and man/ with them; a test says when those are out of date.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap_complete::aot::{Shell, generate};
use clap_mangen::Man;

use super::command;
use super::exit::Failure;

#[derive(Args)]
#[command(after_help = "Example: nqueens completions bash > ~/.local/share/bash-completion/completions/nqueens")]
pub struct CompletionsArgs {
    /// The shell: bash, elvish, fish, powershell or zsh.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Args)]
#[command(after_help = "Example: nqueens man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The folder that the pages are written to.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(&script(args.shell))?;
    Ok(out.flush()?)
}

pub fn man(args: &ManArgs) -> Result<(), Failure> {
    let failed = |path: &PathBuf| {
        let path = path.clone();
        |error| Failure::File { path, error }
    };
    fs::create_dir_all(&args.folder).map_err(failed(&args.folder))?;
    let pages = pages();
    for (name, text) in &pages {
        let path = args.folder.join(name);
        fs::write(&path, text).map_err(failed(&path))?;
    }
    say!("{} pages written to '{}'", pages.len(), args.folder.display());
    Ok(())
}

/// The completions for a shell.
fn script(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    generate(shell, &mut command(), "nqueens", &mut text);
    text
}

/// Every man page with its file's name.
fn pages() -> Vec<(String, Vec<u8>)> {
    // Without the commit, which would change the page with each.
    let mut command = command().disable_help_subcommand(true).long_version(env!("CARGO_PKG_VERSION"));
    // So that the subcommands know their full names and the global options.
    command.build();
    let page = |command: &clap::Command| {
        let page = Man::new(command.clone()).source(concat!("nqueens ", env!("CARGO_PKG_VERSION")));
        let mut text = Vec::new();
        page.render(&mut text).expect("memory can be written");
        (page.get_filename(), text)
    };
    std::iter::once(&command).chain(command.get_subcommands()).map(page).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap_complete::aot::Generator;

    use super::*;

    /// Set to write the files instead of comparing them.
    const WRITE: &str = "NQUEENS_WRITE_GENERATED";

    /// Every file with its text, by its path in the repository.
    fn files() -> Vec<(PathBuf, Vec<u8>)> {
        let shells = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell];
        let scripts =
            shells.map(|shell| (Path::new("completions").join(shell.file_name("nqueens")), script(shell))).into_iter();
        scripts.chain(pages().into_iter().map(|(name, text)| (Path::new("man").join(name), text))).collect()
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
}
