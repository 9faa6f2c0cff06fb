//! `nqueens plan`

use std::path::PathBuf;

use clap::Args;

use nqueens::backend::Cpu;
use nqueens::job::ShardPlan;
use nqueens::plan::Plan;
use nqueens::report::json::{self, CutReport};
use nqueens::report::{si, thousands};
use nqueens::{Error, Method};

use super::args::{MethodChoice, board_size, memory};
use super::count::prefix_rows;
use super::exit::Failure;
use super::job::wanted_prefixes;

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
    #[arg(long, value_name = "ROWS", value_parser = prefix_rows, allow_negative_numbers = true)]
    prefix_rows: Option<u32>,
    /// Memory that half-join will have on each machine, such as 512M or 16G [default: a quarter of what is free here].
    #[arg(long, value_name = "BYTES", value_parser = memory, allow_negative_numbers = true)]
    memory: Option<usize>,
    /// What was planned as one JSON object on stdout.
    #[arg(long)]
    json: bool,
}

/// Prefixes of a shard, at least: enough for a GPU's lanes.
const OF_A_SHARD: u64 = 1 << 17;

/// The same for half-join: enough for a CPU's threads.
const OF_A_JOIN: u64 = 1 << 6;

/// Prefixes of a plan, at most where nobody asked for more: each shard lists those before its own.
const MOST: u64 = 1 << 25;

pub fn run(args: &PlanArgs) -> Result<(), Failure> {
    if let Some(rows) = args.prefix_rows.filter(|&rows| rows > args.n) {
        return Err(Error::PrefixRows { rows, n: args.n }.into());
    }
    let cpu = Cpu::new(None)?.with_memory(args.memory);
    let method = match args.method {
        // On whatever the shards will run.
        MethodChoice::Auto => Method::MostConstrained,
        method => method.resolve(args.n, &cpu),
    };
    let of_a_shard = if method == Method::HalfJoin { OF_A_JOIN } else { OF_A_SHARD };
    let wanted = of_a_shard.saturating_mul(args.shards as u64).min(MOST).max(wanted_prefixes(args.n, method, &[]));
    // Small boards are for trying out: prefixes that are shorter than their enumeration help nobody.
    let wanted = if args.n < 16 { wanted.min(16u64.saturating_mul(args.shards as u64)).max(1 << 10) } else { wanted };
    let plan = Plan::on(&cpu, args.n, method, args.prefix_rows, wanted)?;
    let shards = ShardPlan::new(&plan, args.shards)?;
    shards.write(&args.output)?;
    // A half join has no nodes; its prefixes are alike.
    let nodes = match plan.method {
        Method::HalfJoin => String::new(),
        _ => format!(", about {} nodes in all", si(shards.estimated_nodes)),
    };
    say!(
        "n = {}: {} shards of {} prefixes of {} rows by {}{nodes}; written to '{}'",
        plan.n,
        args.shards,
        thousands(plan.prefixes.into()),
        plan.prefix_rows,
        plan.method,
        args.output.display()
    );
    if args.json {
        json::line(&mut std::io::stdout().lock(), &CutReport::new(&shards))?;
    }
    Ok(())
}
