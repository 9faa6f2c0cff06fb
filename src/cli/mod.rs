//! The command line: one file a subcommand. Options are checked before any work starts.

mod args;
mod bench;
mod classes;
mod count;
mod devices;
mod estimate;
mod exit;
mod job;
mod ladder;
mod merge;
mod plan;
mod run;
mod selftest;
mod show;
mod signals;
mod solve;
mod status;

use clap::{Parser, Subcommand};

use exit::{Exit, Failure};

#[derive(Parser)]
#[command(name = "nqueens", version, about, arg_required_else_help = true)]
#[command(long_version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("NQUEENS_COMMIT"), ")"))]
#[command(after_help = "Exit codes: 0 done, 1 a count is wrong, 2 bad input, 3 no such device, 4 the device failed, \
                        5 a file could not be read or written, 6 out of range inside, 7 a checkpoint, plan or result is refused, 8 stopped by a \
                        signal with progress saved, 9 results are missing, 75 another process has the checkpoint.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count the solutions for a board of n rows and columns.
    Count(count::CountArgs),
    /// Write the solutions themselves, in lexicographic order.
    Solve(solve::SolveArgs),
    /// Check a placement of queens and draw it.
    Show(show::ShowArgs),
    /// Time the textbook solvers beside the methods of this program.
    Ladder(ladder::LadderArgs),
    /// Count the solutions of each kind of symmetry.
    Classes(classes::ClassesArgs),
    /// Estimate a count, and how long it would take, from a random sample.
    Estimate(estimate::EstimateArgs),
    /// Cut a count into shards for many machines.
    Plan(plan::PlanArgs),
    /// Count one shard of a plan.
    Run(run::RunArgs),
    /// Add the results of all shards up.
    Merge(merge::MergeArgs),
    /// Show which shards are done, running and missing.
    Status(status::StatusArgs),
    /// Check that this machine counts rightly and that faults would be noticed.
    Selftest(selftest::SelftestArgs),
    /// List the GPUs that can be used.
    Devices(devices::DevicesArgs),
    /// Time the CPU against the GPU on the same boards.
    Bench(bench::BenchArgs),
}

/// Parses the command line, runs the command and says how it ended.
pub fn run() -> Exit {
    quiet_vulkan();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error)
            if error.use_stderr()
                && error.kind() != clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            eprintln!("{}", one_line(&error));
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
            eprintln!("error: {failure}");
            failure.exit()
        }
    }
}

/// What clap has to say, without the advice and in one line.
fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or(&text);
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Mesa's device-select layer greets a machine without a desktop with an alarming line about XDG_RUNTIME_DIR.
fn quiet_vulkan() {
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: no other thread runs yet: this is the first thing that main does. wgpu has no other way to tell the
        // Vulkan loader's layers anything.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}
