//! `nqueens run`

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use nqueens::job::{Checkpoint, ShardFiles, ShardPlan, ShardResult, move_aside};
use nqueens::report::{counted, duration, thousands};
use nqueens::{Error, JobError};

use super::args::{BackendArgs, MethodChoice, no_dash};
use super::exit::Failure;
use super::job::{self, Job, JobArgs, open_store, quick_selftest};
use super::json::{self, ShardReport};
use super::progress::{Progress, ProgressArgs};
use super::say;
use super::signals::Stop;

#[derive(Args)]
#[command(after_help = "Example: nqueens run plan.json --shard 3 --out results --checkpoint")]
pub struct RunArgs {
    /// The plan, as `nqueens plan` wrote it.
    plan: PathBuf,
    /// Which shard, from 0.
    #[arg(short, long, value_name = "I", allow_negative_numbers = true)]
    shard: usize,
    /// The folder of the results.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Save progress beside the result, and resume from it if it is there.
    #[arg(long, help_heading = "Safety")]
    checkpoint: bool,
    #[command(flatten)]
    job: JobArgs,
    #[command(flatten)]
    backend: BackendArgs,
    /// Also count how many queens are placed.
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    progress: ProgressArgs,
    /// Nothing but the sum.
    #[arg(short, long)]
    quiet: bool,
    /// One JSON object instead of the bare sum.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &RunArgs) -> Result<(), Failure> {
    if args.quiet {
        say::without_notes();
    }
    job::check_save_every(&args.job, args.checkpoint)?;
    let progress = Progress::new(args.progress.style(args.quiet), "reading the plan");
    let (shards, plan) = ShardPlan::read(&args.plan)?;
    let range = shards.range(args.shard)?;
    no_dash(&args.out)?;
    std::fs::create_dir_all(&args.out).map_err(|error| Failure::File { path: args.out.clone(), error })?;
    let result_path = ShardFiles::result(&args.out, args.shard);
    if let Some(result) = finished(&result_path, &shards, args)? {
        return print(&result, &shards, args);
    }
    // Before hours of work.
    ShardResult::check_writable(&result_path)?;
    let new = Checkpoint::new(shards.job.clone(), range.clone());
    let (store, stop, mut checkpoint) = if args.checkpoint {
        let path = ShardFiles::checkpoint(&args.out, args.shard);
        let stop = Stop::saving_to(&path, args.quiet)?;
        let (store, saved) = open_store(&path, args.quiet)?;
        // Another task may have finished it just before it gave the lock up.
        if let Some(result) = finished(&result_path, &shards, args)? {
            return print(&result, &shards, args);
        }
        let checkpoint = saved.unwrap_or(new);
        let difference = checkpoint.job.difference(&shards.job).or_else(|| {
            let [start, end] = checkpoint.range;
            let (here, there) = (&range, start..end);
            (*here != there)
                .then(|| format!("its prefixes are {start} to {end} there and {} to {} here", here.start, here.end))
        });
        if let Some(difference) = difference {
            return Err(Error::from(store.other_job(&difference)).into());
        }
        (Some(store), stop, checkpoint)
    } else {
        (None, Stop::default(), new)
    };
    if checkpoint.done.prefixes() > 0 && !args.quiet {
        let (done, all) = (checkpoint.done.prefixes(), range.end - range.start);
        say!("note: resuming: {} of {} done", thousands(done.into()), counted(all, "prefix", "prefixes"));
    }
    progress.begin("opening");
    let mut devices = args.backend.open_all(plan.n(), MethodChoice::Method(plan.method()), args.stats)?;
    progress.begin("self-test");
    quick_selftest(&mut devices, &mut args.backend.cpu()?, plan.method())?;
    let task = Job {
        plan: &plan,
        checkpoint: &mut checkpoint,
        store: store.as_ref(),
        devices,
        progress: &progress,
        stop: &stop,
    };
    job::run(task, &args.job, &args.backend)?;
    drop(progress);
    let result = ShardResult::new(&shards, args.shard, &checkpoint);
    if let Err(error) = result.write(&result_path) {
        // What was counted must not be lost with it.
        let line = String::from_utf8_lossy(&result.encoded()).into_owned();
        say!("warning: the result could not be saved; this line is the content of its file:\n{}", line.trim_end());
        print(&result, &shards, args)?;
        return Err(error.into());
    }
    // Only now, that the result is on the disk.
    if let Some(store) = store {
        store.remove();
    }
    if !args.quiet {
        let time = std::time::Duration::from_millis(result.milliseconds);
        say!("shard {} of {} in {}: '{}'", args.shard, shards.shards.len(), duration(time), result_path.display());
    }
    print(&result, &shards, args)
}

/// The result of the shard, if it is there. A damaged one is moved aside.
fn finished(path: &Path, shards: &ShardPlan, args: &RunArgs) -> Result<Option<ShardResult>, Failure> {
    let result = match ShardResult::read_if_there(path) {
        Ok(Some(result)) => result,
        Ok(None) => return Ok(None),
        Err(error @ Error::Job(JobError::Damaged { .. })) => {
            let aside = move_aside(path).map_err(Error::from)?;
            say!("note: {}; it is now '{}', and the shard is counted again", error.with_causes(), aside.display());
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let difference = match result.shard == args.shard {
        true => result.difference(shards),
        false => Some(format!("it is the result of shard {}", result.shard)),
    };
    if let Some(difference) = difference {
        return Err(Error::from(JobError::OtherJob { path: path.into(), difference }).into());
    }
    if !args.quiet {
        say!("note: the result is there already: '{}'", path.display());
    }
    Ok(Some(result))
}

fn print(result: &ShardResult, shards: &ShardPlan, args: &RunArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match args.json {
        true => json::line(&mut out, &ShardReport::new(shards, result))?,
        false => writeln!(out, "{}", result.tally.solutions.0)?,
    }
    Ok(out.flush()?)
}
