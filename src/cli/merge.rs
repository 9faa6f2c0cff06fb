//! `nqueens merge`

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use nqueens::classes::Classes;
use nqueens::job::{Doubt, Folder, Provenance, ShardPlan, Tally, compact};
use nqueens::known::{self, Agreement};
use nqueens::report::{duration, thousands};
use nqueens::{Error, Method};

use super::count::{agreement, check_known, unique};
use super::exit::Failure;

#[derive(Args)]
#[command(after_help = "Example: nqueens merge plan.json results")]
pub struct MergeArgs {
    /// The plan, as `nqueens plan` wrote it.
    plan: PathBuf,
    /// The folder of the results.
    dir: PathBuf,
    /// Solutions up to rotation and reflection (OEIS A002562) instead of all.
    #[arg(short, long)]
    unique: bool,
    /// One JSON object instead of the bare count.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct MergeReport {
    n: u32,
    count: String,
    unique: String,
    method: Method,
    prefix_rows: u32,
    shards: usize,
    duplicates: usize,
    /// The exact sums that the count was checked by.
    tally: Tally,
    /// Of all shards together.
    device_seconds: f64,
    doubt: Doubt,
    provenance: Vec<Provenance>,
    known: Agreement,
}

pub fn run(args: &MergeArgs) -> Result<(), Failure> {
    let (plan, _) = ShardPlan::read(&args.plan)?;
    let folder = Folder::read(&plan, &args.plan, &args.dir)?;
    for reason in &folder.unreadable {
        say!("warning: {reason}");
    }
    let Some(merged) = folder.merge(&plan)? else {
        let missing = folder.missing();
        return Err(Failure::Incomplete(format!(
            "{} of {} shards have no result: {}",
            missing.len(),
            plan.shards.len(),
            compact(&missing)
        )));
    };
    let (n, solutions) = (plan.job.n, merged.tally.solutions.0);
    check_known(n, solutions)?;
    // A count that cannot be split into classes is wrong, whether they are asked for or not.
    let unique = unique(&Classes::new(n, solutions))?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let report = MergeReport {
            n,
            count: solutions.to_string(),
            unique: unique.to_string(),
            method: plan.job.method,
            prefix_rows: plan.job.prefix_rows,
            shards: plan.shards.len(),
            duplicates: folder.duplicates,
            tally: merged.tally,
            device_seconds: merged.milliseconds as f64 / 1e3,
            doubt: merged.doubt,
            provenance: merged.provenance,
            known: known::compare(n, solutions),
        };
        writeln!(out, "{}", serde_json::to_string(&report).map_err(|_| Error::Overflow)?)?;
    } else {
        writeln!(out, "{}", if args.unique { unique } else { solutions })?;
    }
    out.flush()?;
    say!(
        "n = {n}: {} by {} from {} shards in {} of device time\n{}",
        thousands(solutions),
        plan.job.method,
        thousands(plan.shards.len() as u128),
        duration(Duration::from_millis(merged.milliseconds)),
        agreement(known::compare(n, solutions))
    );
    Ok(())
}
