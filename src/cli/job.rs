//! What `count` and `run` share: options of jobs, and running one.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use nqueens::Method;
use nqueens::backend::{Effort, Place};
use nqueens::job::{self, Checkpoint, Ended, Event, Member, Options, Store, Verify};
use nqueens::plan::Plan;

use super::exit::Failure;
use super::progress::{Progress, Style};

/// What happens when the last device was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnLoss {
    /// The CPU goes on.
    Cpu,
    /// The job ends; a checkpoint keeps what is done.
    Stop,
}

/// Options of jobs.
#[derive(Args)]
pub struct JobArgs {
    /// Time between two saves of the checkpoint: 50ms, 60s, 5m, 1h.
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s", help_heading = "Safety")]
    pub save_every: Duration,
    /// Count a part of the prefixes, such as 1%, once more by another method.
    ///
    /// A random part, and the first prefix of each batch, on the CPU. It finds a device that is often wrong; it proves
    /// nothing about one that is wrong once. Recounts use all cores, whatever --threads says.
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Safety")]
    pub verify: Option<f64>,
    /// What to do when the last device was given up.
    ///
    /// A device is given up when it has failed three times in a row or counted wrongly twice.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = OnLoss::Cpu, help_heading = "Safety")]
    pub on_device_loss: OnLoss,
}

/// A job whose devices are open.
pub struct Job<'a> {
    pub plan: &'a Plan,
    pub checkpoint: &'a mut Checkpoint,
    pub store: Option<&'a Store>,
    pub crew: Vec<Member>,
    pub style: Style,
    pub stop: &'a AtomicBool,
}

/// Runs a job to its end. Gives what the devices did, and the time to get them ready.
pub fn run(job: Job<'_>, args: &JobArgs) -> Result<(Effort, Duration), Failure> {
    let Job { plan, checkpoint, store, mut crew, style, stop } = job;
    if checkpoint.is_complete() {
        return Ok((Effort { nodes: checkpoint.tally.nodes, ..Effort::default() }, Duration::ZERO));
    }
    let start = Instant::now();
    for member in &mut crew {
        member.backend.prepare(plan)?;
    }
    let startup = start.elapsed();
    let progress = Progress::resumed(plan, style, checkpoint.range(), &checkpoint.done);
    let progress = if store.is_none() { progress.suggesting_checkpoint() } else { progress };
    let options = Options {
        save_every: args.save_every,
        verify: args.verify.map(|share| Verify { share }),
        falls_back_to_cpu: args.on_device_loss == OnLoss::Cpu,
        stop,
        progress: &|prefixes| progress.done(prefixes),
        pause_after_loss: Duration::from_secs(1),
        event: &|event: &Event| say!("warning: {event}"),
    };
    match job::run(plan, checkpoint, crew, store, &options)? {
        Ended::Complete(effort) => Ok((effort, startup)),
        Ended::Stopped => Err(Failure::Stopped(store.map_or_else(Default::default, |store| store.path().into()))),
    }
}

/// The quick self-test of the devices that a job is about to be given to: under two seconds in all.
pub fn quick_selftest(crew: &mut [Member], plan_method: Method) -> Result<(), Failure> {
    for member in crew {
        // An emulated device compiles its shaders for each board, slowly.
        let boards: &[u32] = match member.backend.place() {
            Place::Cpu { .. } => &[0, 1, 2, 5, 8, 10],
            Place::Gpu { .. } => &[8],
        };
        passed(job::selftest(&mut *member.backend, plan_method, boards)?)?;
    }
    passed(job::check_verify(plan_method)?)?;
    passed(job::check_files()?)
}

/// A self-test that found something is an error.
pub fn passed(result: Result<(), String>) -> Result<(), Failure> {
    result.map_err(|wrong| {
        Failure::WrongCount(format!(
            "the self-test failed: {wrong}. Do not trust this machine's counts; see `nqueens selftest`"
        ))
    })
}

/// How many prefixes a job should have: enough for its devices, and so many that each is short beside the time between two
/// saves, but no more than can be listed in seconds.
pub fn wanted_prefixes(n: u32, method: Method, crew: &[Member]) -> u64 {
    const MOST: f64 = (1u64 << 24) as f64;
    // Solutions, about as many as nodes, of a prefix that one lane of a GPU, or a half join, finishes in a few seconds.
    let of_a_prefix = if method == Method::HalfJoin { 1e9 } else { 2e6 };
    // M. Simkin, "The number of n-queens configurations" (2021), with a factor that fits A000170 from n = 8 to 27.
    let solutions = 30.0 * (0.1434 * f64::from(n)).powi(n as i32);
    let by_work = (solutions / of_a_prefix).min(MOST) as u64;
    crew.iter().map(|member| member.backend.wanted_prefixes(method)).sum::<u64>().max(by_work)
}

/// A checkpoint's file opened, with what there is to say about it said.
pub fn open_store(path: &Path, quiet: bool) -> Result<(Store, Option<Checkpoint>), Failure> {
    let mut note = |note: String| {
        if !quiet {
            say!("note: {note}");
        }
    };
    Ok(Store::open(path, &mut note)?)
}

/// `50ms`, `60s`, `5m`, `1h`, `2d`.
fn time(text: &str) -> Result<Duration, String> {
    let help = || "a time is a whole number and a unit: 50ms, 60s, 5m, 1h or 2d".to_string();
    let digits = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(help)?;
    let number: u64 = text[..digits].parse().map_err(|_| help())?;
    let milliseconds = match &text[digits..] {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err(help()),
    };
    number.checked_mul(milliseconds).filter(|&ms| ms <= 365 * 86_400_000).map(Duration::from_millis).ok_or_else(help)
}

/// `1%` or `0.01`: above 0, at most 100 %.
fn percent(text: &str) -> Result<f64, String> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number <= unit => Ok(number / unit),
        _ => Err("give a part of the prefixes above 0 % and up to 100 %, such as 1%".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_percentages_are_read() {
        assert_eq!(time("50ms"), Ok(Duration::from_millis(50)));
        assert_eq!(time("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(time("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(time("0ms"), Ok(Duration::ZERO));
        for bad in ["", "5", "s", "-5s", "5 s", "5y", "1.5h", "99999999999999999999s", "400d"] {
            assert!(time(bad).is_err(), "{bad}");
        }
        assert_eq!(percent("1%"), Ok(0.01));
        assert_eq!(percent("0.5"), Ok(0.5));
        assert_eq!(percent("100%"), Ok(1.0));
        for bad in ["", "0", "0%", "101%", "2", "-1%", "NaN", "inf%"] {
            assert!(percent(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn larger_boards_have_more_prefixes_to_a_limit() {
        let wanted = |n| wanted_prefixes(n, Method::MostConstrained, &[]);
        assert!(wanted(16) < 100 && wanted(20) > 1_000 && wanted(22) > 100_000);
        assert_eq!(wanted(32), 1 << 24);
    }
}
