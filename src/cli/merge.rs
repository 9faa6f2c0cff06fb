//! `nqueens merge`

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use nqueens::classes::Classes;
use nqueens::job::{Folder, ShardPlan, compact};
use nqueens::known;
use nqueens::report::{counted, duration, harmless, thousands};

use super::count::{agreement, check_known, unique};
use super::exit::{Failure, check_order};
use super::json::{self, MergeReport};

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

pub fn run(args: &MergeArgs) -> Result<(), Failure> {
    check_order(&args.plan, &args.dir)?;
    let (plan, _) = ShardPlan::read(&args.plan)?;
    let folder = Folder::read(&plan, &args.plan, &args.dir)?;
    for reason in &folder.unreadable {
        say!("warning: {}", harmless(reason));
    }
    let Some(merged) = folder.merge(&plan)? else {
        let missing = folder.missing();
        return Err(Failure::Incomplete(format!(
            "{} of {} no result: {}",
            missing.len(),
            match plan.shards.len() {
                1 => "1 shard has".to_string(),
                shards => format!("{shards} shards have"),
            },
            compact(&missing)
        )));
    };
    let (n, solutions) = (plan.job.n, merged.tally.solutions.0);
    check_known(n, solutions)?;
    // A count that cannot be split into classes is wrong, whether they are asked for or not.
    let unique = unique(&Classes::new(n, solutions))?;
    let took = duration(Duration::from_millis(merged.milliseconds));
    let mut out = std::io::stdout().lock();
    if args.json {
        json::line(&mut out, &MergeReport::new(&plan, merged, unique, folder.duplicates))?;
    } else {
        writeln!(out, "{}", if args.unique { unique } else { solutions })?;
    }
    out.flush()?;
    say!(
        "n = {n}: {} by {} from {} in {} of device time\n{}",
        thousands(solutions),
        plan.job.method,
        counted(plan.shards.len() as u64, "shard", "shards"),
        took,
        agreement(known::compare(n, solutions))
    );
    Ok(())
}
