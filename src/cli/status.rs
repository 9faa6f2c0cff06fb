//! `nqueens status`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use nqueens::Method;
use nqueens::job::{Folder, Lock, ShardFiles, ShardPlan, compact, peek};
use nqueens::report::{duration, harmless};

use super::exit::{Failure, check_order};
use super::{json, say};

#[derive(Args)]
#[command(after_help = "Example: nqueens status plan.json results")]
pub struct StatusArgs {
    /// The plan, as `nqueens plan` wrote it.
    plan: PathBuf,
    /// The folder of the results and checkpoints.
    dir: PathBuf,
    /// Only the shards that nobody has done or is doing, as `0,3,7-9`: for `sbatch --array`.
    #[arg(long)]
    missing: bool,
    /// One JSON object instead of the table.
    #[arg(long, conflicts_with = "missing")]
    json: bool,
}

/// A shard that was begun.
#[derive(Serialize)]
struct Begun {
    shard: usize,
    /// The share of its prefixes that are done.
    share_done: f64,
    /// When it was saved last, in seconds since 1970.
    saved_at: u64,
    /// Shards a second, from its work so far.
    #[serde(skip)]
    rate: f64,
}

#[derive(Serialize)]
struct Status {
    n: u32,
    method: Method,
    prefix_rows: u32,
    shards: usize,
    done: usize,
    running: Vec<Begun>,
    /// Begun, but nobody works on them now.
    interrupted: Vec<Begun>,
    missing: Vec<usize>,
    unreadable: Vec<String>,
    /// Until all are done, if as many keep running as now; not known where none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<f64>,
}

pub fn run(args: &StatusArgs) -> Result<(), Failure> {
    check_order(&args.plan, &args.dir)?;
    let (plan, _) = ShardPlan::read(&args.plan)?;
    let folder = Folder::read(&plan, &args.plan, &args.dir)?;
    let status = status(&plan, folder, &args.dir);
    let mut out = std::io::stdout().lock();
    if args.json {
        json::line(&mut out, &status)?;
        return Ok(out.flush()?);
    }
    let interrupted = status.interrupted.iter().map(|begun| begun.shard);
    if args.missing {
        let mut open: Vec<usize> = status.missing.iter().copied().chain(interrupted).collect();
        open.sort_unstable();
        writeln!(out, "{}", compact(&open))?;
        return Ok(out.flush()?);
    }
    let list = |begun: &[Begun]| {
        let each = begun.iter().map(|b| format!("{} ({:.0} %)", b.shard, 100.0 * b.share_done));
        each.collect::<Vec<_>>().join(", ")
    };
    writeln!(out, "done         {} of {}", status.done, status.shards)?;
    for (name, number, which) in [
        ("running", status.running.len(), list(&status.running)),
        ("interrupted", status.interrupted.len(), list(&status.interrupted)),
        ("missing", status.missing.len(), compact(&status.missing)),
    ] {
        writeln!(out, "{}", format!("{name:<11}  {number}  {which}").trim_end())?;
    }
    if status.done == status.shards {
        writeln!(out, "all done: nqueens merge {} {}", args.plan.display(), args.dir.display())?;
    } else if let Some(left) = status.seconds_left.and_then(|left| Duration::try_from_secs_f64(left).ok()) {
        let text = format!("time left    about {}, with as many running as now", duration(left));
        writeln!(out, "{}", say::on_stdout(&text))?;
    }
    out.flush()?;
    for reason in &status.unreadable {
        say!("warning: {}", harmless(reason));
    }
    Ok(())
}

fn status(plan: &ShardPlan, folder: Folder, dir: &Path) -> Status {
    let mut status = Status {
        n: plan.job.n,
        method: plan.job.method,
        prefix_rows: plan.job.depth,
        shards: plan.shards.len(),
        done: 0,
        running: Vec::new(),
        interrupted: Vec::new(),
        missing: Vec::new(),
        unreadable: Vec::new(),
        seconds_left: None,
    };
    let mut left = 0.0;
    for shard in 0..plan.shards.len() {
        if folder.results[shard].is_some() {
            status.done += 1;
            continue;
        }
        let path = ShardFiles::checkpoint(dir, shard);
        let Some(checkpoint) = peek(&path).filter(|c| c.job == plan.job && Some(c.range()) == plan.range(shard).ok())
        else {
            status.missing.push(shard);
            left += 1.0;
            continue;
        };
        let range = checkpoint.range();
        let share_done = checkpoint.done.prefixes() as f64 / (range.end - range.start).max(1) as f64;
        let rate = share_done / (checkpoint.milliseconds as f64 / 1e3).max(1e-3);
        left += 1.0 - share_done;
        let begun = Begun { shard, share_done, saved_at: checkpoint.saved_at, rate };
        match Lock::is_held(&path) {
            true => status.running.push(begun),
            false => status.interrupted.push(begun),
        }
    }
    let rate: f64 = status.running.iter().map(|begun| begun.rate).sum();
    status.seconds_left = if status.done == status.shards { Some(0.0) } else { (rate > 0.0).then(|| left / rate) };
    status.unreadable = folder.unreadable;
    status
}
