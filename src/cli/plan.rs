//! `nqueens plan`

use std::path::PathBuf;

use clap::Args;

use nqueens::Error;
use nqueens::job::ShardPlan;
use nqueens::plan::Plan;
use nqueens::report::json::{self, CutReport};
use nqueens::report::{si, thousands};

use super::args::{MethodChoice, board_size};
use super::count::prefix_rows;
use super::exit::Failure;
use super::job::wanted_prefixes;

#[derive(Args)]
#[command(
    after_help = "Then, on each machine, `nqueens run FILE --shard I --out DIR` for I from 0 to K-1, and at the end \
                        `nqueens merge FILE DIR`.\n\nExample: nqueens plan 20 --shards 64 -o plan.json"
)]
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
    /// What was planned as one JSON object on stdout.
    #[arg(long)]
    json: bool,
}

/// Prefixes of a shard, at least: enough for a GPU's lanes.
const OF_A_SHARD: u64 = 1 << 17;

/// Prefixes of a plan, at most where nobody asked for more: each shard lists those before its own.
const MOST: u64 = 1 << 25;

pub fn run(args: &PlanArgs) -> Result<(), Failure> {
    if let Some(rows) = args.prefix_rows.filter(|&rows| rows > args.n) {
        return Err(Error::PrefixRows { rows, n: args.n }.into());
    }
    let wanted = OF_A_SHARD.saturating_mul(args.shards as u64).min(MOST).max(wanted_prefixes(args.n, &[]));
    // Small boards are for trying out: prefixes that are shorter than their enumeration help nobody.
    let wanted = if args.n < 16 { wanted.min(16 * args.shards as u64).max(1 << 10) } else { wanted };
    let plan = Plan::new(args.n, args.method.resolve(args.n), args.prefix_rows, wanted)?;
    let shards = ShardPlan::new(&plan, args.shards)?;
    shards.write(&args.output)?;
    eprintln!(
        "n = {}: {} shards of {} prefixes of {} rows by {}, about {}nodes in all; written to '{}'",
        plan.n,
        args.shards,
        thousands(plan.prefixes.into()),
        plan.prefix_rows,
        plan.method,
        si(shards.estimated_nodes) + " ",
        args.output.display()
    );
    if args.json {
        json::line(&mut std::io::stdout().lock(), &CutReport::new(&shards))?;
    }
    Ok(())
}
