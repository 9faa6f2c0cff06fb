//! `nqueens merge`

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use nqueens::classes::Classes;
use nqueens::job::{Folder, ShardPlan, compact};
use nqueens::report::json::{self, MergeReport};

use super::count::{check_known, unique};
use super::exit::Failure;

#[derive(Args)]
#[command(
    after_help = "Writes nothing, so it can be run as often as one likes. Where results are missing it lists them and \
                        exits with code 9.\n\nExample: nqueens merge plan.json results"
)]
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
    let (plan, _) = ShardPlan::read(&args.plan)?;
    let folder = Folder::read(&plan, &args.plan, &args.dir)?;
    for reason in &folder.unreadable {
        eprintln!("warning: {reason}");
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
        json::line(&mut out, &MergeReport::new(&plan, merged, unique, folder.duplicates))?;
    } else {
        writeln!(out, "{}", if args.unique { unique } else { solutions })?;
    }
    Ok(out.flush()?)
}
