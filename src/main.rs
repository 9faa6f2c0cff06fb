//! The program: parse, run, exit code.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::run().into()
}
