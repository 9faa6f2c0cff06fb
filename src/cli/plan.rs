//! `nqueens plan`

use std::path::PathBuf;

use clap::Args;

use nqueens::backend::{Cpu, Device};
use nqueens::job::ShardPlan;
use nqueens::plan::{Plan, Purpose, Wishes};
use nqueens::report::{counted, si};
use nqueens::{Method, Problem};

use super::args::{MethodChoice, board_size, memory, no_dash};
use super::count::{check_depth, depth};
use super::exit::Failure;
use super::json::{self, CutReport};
use super::progress::{Progress, ProgressArgs};

#[derive(Args)]
#[command(after_help = "Example: nqueens plan 20 --shards 64 -o plan.json")]
pub struct PlanArgs {
    /// Rows and columns of the board, 0 to 32.
    #[arg(value_parser = board_size, allow_negative_numbers = true)]
    n: u32,
    /// How many shards, of about equal work.
    #[arg(short, long, value_name = "K", allow_negative_numbers = true)]
    shards: usize,
    /// Where the plan is written.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// How to count.
    #[arg(short, long, value_enum, default_value_t = MethodChoice::Auto)]
    method: MethodChoice,
    /// How many rows the CPU places before the search [default: enough for every shard to keep a device busy].
    #[arg(long, value_name = "ROWS", value_parser = depth(), allow_negative_numbers = true)]
    prefix_rows: Option<u32>,
    /// Memory that half-join will have on each machine, such as 512M or 16G [default: a quarter of what is free here].
    #[arg(long, value_name = "BYTES", value_parser = memory, allow_negative_numbers = true)]
    memory: Option<usize>,
    /// What was planned as one JSON object on stdout.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &PlanArgs) -> Result<(), Failure> {
    check_depth(args.n, args.prefix_rows)?;
    no_dash(&args.output)?;
    let cpu = Cpu::new(None)?.with_memory(args.memory);
    let method = match args.method {
        // On whatever the shards will run.
        MethodChoice::Auto => Method::MostConstrained,
        MethodChoice::Method(method) => method,
    };
    let progress = Progress::new(ProgressArgs::AUTO.style(false), "planning");
    let wishes = Wishes { depth: args.prefix_rows, purpose: Purpose::Shards(args.shards), ..Wishes::default() };
    let problem = Problem::empty(args.n)?;
    let (plan, shards) = cpu.install(|| {
        let plan = Plan::new(&problem, method, &[cpu.capabilities().clone()], &wishes)?;
        let shards = ShardPlan::new(&plan, args.shards)?;
        Ok::<_, nqueens::Error>((plan, shards))
    })?;
    drop(progress);
    shards.write(&args.output)?;
    let nodes = match plan.method().properties().counts_nodes {
        true => format!(", about {} nodes in all", si(shards.estimated_nodes)),
        false => String::new(),
    };
    say!(
        "n = {}: {} of {} of {} by {}{nodes}; written to '{}'",
        plan.n(),
        counted(args.shards as u64, "shard", "shards"),
        counted(plan.prefixes(), "prefix", "prefixes"),
        counted(plan.depth(), "row", "rows"),
        plan.method(),
        args.output.display()
    );
    if args.json {
        json::line(&mut std::io::stdout().lock(), &CutReport::new(&shards))?;
    }
    Ok(())
}
