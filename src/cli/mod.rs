//! The command line: one file a subcommand. Options are checked before any work starts.

#[macro_use]
mod say;

mod args;
mod bench;
mod classes;
mod count;
mod devices;
mod environment;
mod estimate;
mod exit;
#[cfg(test)]
mod generated;
mod job;
mod json;
mod ladder;
mod merge;
mod plan;
mod progress;
mod run;
mod selftest;
mod show;
mod signals;
mod solve;
mod status;

use std::ffi::OsStr;

use clap::{ColorChoice, Parser, Subcommand};

use exit::{Exit, Failure};

/// With the git commit, for `--version`.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("NQUEENS_COMMIT"), ")");

/// As clap has it, but for the examples, which come first.
const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

#[derive(Parser)]
#[command(name = "nqueens", version, about, arg_required_else_help = true, max_term_width = 80)]
#[command(long_version = LONG_VERSION)]
#[command(help_template = TEMPLATE)]
#[command(before_help = "\
Examples:
  nqueens count 16          how many solutions: 14772512
  nqueens solve 8 --unique  the 12 boards, but for turns and mirror images
  nqueens estimate 27       about how many, and how long a count would take here")]
#[command(after_help = "More on each command: nqueens COMMAND -h, or --help for all of it")]
#[command(after_long_help = "\
Exit codes: 0 done, 1 a count is wrong, 2 bad input, 3 no such device, 4 the \
device failed, 5 a file could not be read or written, 6 integer \
overflow, 7 a checkpoint, plan or result is refused, 8 stopped with \
progress saved, 9 results are missing, 10 slower than allowed, 75 another process has the checkpoint.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Colours: always, never or auto, which obeys NO_COLOR [default: auto].
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 998)]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    color: ColorChoice,
}

#[derive(Subcommand)]
enum Command {
    /// Count the solutions for a board of n rows and columns
    ///
    /// The count goes to stdout, everything else to stderr. It is compared with the published count where there is one (n up
    /// to 27), never taken from it. From n = 18 a hardware GPU is used if there is one.
    Count(count::CountArgs),
    /// Write the solutions themselves, in lexicographic order
    ///
    /// The boards go to stdout in lexicographic order of the queens' columns, row by row from the top; how many there were
    /// goes to stderr.
    Solve(solve::SolveArgs),
    /// Check a placement of queens and draw it
    ///
    /// Says which rotations leave a solution unchanged, and lists its images. Two queens that attack each other are marked
    /// in the drawing; the exit code is then 2.
    Show(show::ShowArgs),
    /// Count the solutions of each kind of symmetry
    ///
    /// Solutions that a rotation or reflection turns into each other are one class, called an orbit.
    Classes(classes::ClassesArgs),
    /// Estimate a count, and how long it would take
    ///
    /// The completions of a random sample of prefixes are counted. The true count is within two standard errors 19 times out of 20.
    Estimate(estimate::EstimateArgs),
    /// Cut a count into shards for many machines
    ///
    /// Then, on each machine, `nqueens run FILE --shard I --out DIR` for I from 0 to K-1, and at the end `nqueens merge FILE
    /// DIR`.
    Plan(plan::PlanArgs),
    /// Count one shard of a plan
    ///
    /// The result is written to DIR/shard-NNNNNN.json; the sum of the shard's solutions goes to stdout. A shard that has its
    /// result already is not counted again.
    Run(run::RunArgs),
    /// Add the results of all shards up
    ///
    /// Writes nothing, so it can be run as often as one likes. Where results are missing it lists them and exits with code 9.
    Merge(merge::MergeArgs),
    /// Show which shards are done, running and missing
    ///
    /// A shard runs while somebody holds its checkpoint, on this machine or another that sees the folder; it is interrupted
    /// when it was begun and nobody does. The time left is guessed from the running ones.
    Status(status::StatusArgs),
    /// List the GPUs that can be used
    ///
    /// All that Vulkan, Metal and DX12 offer, with their indices, which --device takes. Counting works without one, on the
    /// CPU.
    Devices(devices::DevicesArgs),
    /// Check that this machine counts rightly
    ///
    /// And that wrong counts and damaged files would be noticed. The quick form also runs by itself before any job with a
    /// checkpoint or of a shard.
    Selftest(selftest::SelftestArgs),
    /// Time the CPU against the GPU on the same boards
    Bench(bench::BenchArgs),
    /// Time the textbook solvers beside the methods of this program
    ///
    /// Every rung runs on one thread and counts all solutions. The ratio is the time of the slowest rung over that of this
    /// one: above 1 is faster. Nodes are queens placed.
    Ladder(ladder::LadderArgs),
}

/// Parses the command line, runs the command and says how it ended.
pub fn run() -> Exit {
    quiet_vulkan();
    // Before anything else is looked at: help and errors have colours too.
    wanted_color(std::env::args_os()).unwrap_or_default().write_global();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error)
            if error.use_stderr()
                && error.kind() != clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            say!("{}", one_line(&error));
            return Exit::BadInput;
        }
        Err(help) => {
            // Nobody is left to read it if this fails.
            let _ = help.print();
            return if help.use_stderr() { Exit::BadInput } else { Exit::Done };
        }
    };
    let result = match cli.command {
        Command::Count(args) => count::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Ladder(args) => ladder::run(&args),
        Command::Classes(args) => classes::run(&args),
        Command::Estimate(args) => estimate::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Selftest(args) => selftest::run(&args),
        Command::Devices(args) => devices::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    match result {
        Ok(()) => Exit::Done,
        Err(Failure::ClosedPipe) => Exit::Done,
        Err(failure) => {
            say!("error: {failure}");
            failure.exit()
        }
    }
}

/// What `--color` says, wherever it stands; clap refuses other values later.
fn wanted_color(arguments: impl Iterator<Item = std::ffi::OsString>) -> Option<anstream::ColorChoice> {
    let mut arguments = arguments.take_while(|argument| argument != "--");
    let mut wanted = None;
    while let Some(argument) = arguments.next() {
        let value = match argument.to_str().and_then(|argument| argument.strip_prefix("--color")) {
            Some("") => arguments.next(),
            Some(value) => value.strip_prefix('=').map(Into::into),
            None => None,
        };
        wanted = match value.as_deref().and_then(OsStr::to_str) {
            Some("auto") => Some(anstream::ColorChoice::Auto),
            Some("always") => Some(anstream::ColorChoice::Always),
            Some("never") => Some(anstream::ColorChoice::Never),
            _ => wanted,
        };
    }
    wanted
}

/// What clap has to say in one line: what is wrong, what it takes for a slip of the pen, and where to read on.
fn one_line(error: &clap::Error) -> String {
    // What the standard library says of a number that is none.
    let text = error.to_string().replace("invalid digit found in string", "it must be a whole number");
    let mut paragraphs = text.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    let what = paragraphs.next().unwrap_or_default();
    let tip = paragraphs.find_map(|paragraph| paragraph.strip_prefix("tip: ").map(str::to_string));
    match tip {
        Some(tip) => format!("{what}; {tip}"),
        None => what,
    }
}

/// Mesa's device-select layer greets a machine without a desktop with an alarming line about XDG_RUNTIME_DIR.
fn quiet_vulkan() {
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: no other thread runs yet: this is the first thing that main does. wgpu has no other way to tell the
        // Vulkan loader's layers anything.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}
