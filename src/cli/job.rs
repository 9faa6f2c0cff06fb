//! What `count` and `run` share: options of jobs, and running one.

use std::path::Path;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use nqueens::backend::{Cpu, Device};
use nqueens::job::{self, Checkpoint, Event, Options, Outcome, Store, Verify};
use nqueens::plan::Plan;
use nqueens::report::harmless;
use nqueens::throughput::expected_seconds;
use nqueens::{Error, Method};

use super::args::BackendArgs;
use super::exit::Failure;
use super::progress::Progress;
use super::signals::Stop;

/// What happens when the last device was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnLoss {
    /// The CPU takes over.
    Cpu,
    /// The job ends; a checkpoint keeps what is done.
    Stop,
}

/// Options of jobs.
#[derive(Args)]
pub struct JobArgs {
    /// Time between two saves of the checkpoint: 50ms, 60s, 5m, 1h [default: 60s].
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Safety")]
    pub save_every: Option<Duration>,
    /// Verify a part of the prefixes, such as 1%: count them once more by another method.
    ///
    /// A random part, and the first prefix of each batch, on the CPU. It finds a device that is often wrong; it proves
    /// nothing about one that is wrong once.
    #[arg(long, value_name = "PERCENT", value_parser = percent, help_heading = "Safety")]
    pub verify: Option<f64>,
    /// Stop after this time: save, and exit with code 8. The same command resumes.
    #[arg(long, value_name = "TIME", value_parser = time, requires = "checkpoint", help_heading = "Safety")]
    pub time_limit: Option<Duration>,
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
    pub devices: Vec<Box<dyn Device>>,
    pub progress: &'a Progress,
    pub stop: &'a Stop,
}

/// Runs a job to its end.
pub fn run(job: Job<'_>, args: &JobArgs, backend: &BackendArgs) -> Result<Outcome, Failure> {
    let Job { plan, checkpoint, store, devices, progress, stop } = job;
    let whole = checkpoint.range() == (0..plan.prefixes());
    let expected = seconds(plan, &*devices[0]).filter(|_| whole && devices.len() == 1);
    progress.begin_count(plan, checkpoint.range(), &checkpoint.done, expected);
    let options = Options {
        save_every: args.save_every.unwrap_or(Options::default().save_every),
        deadline: args.time_limit.and_then(|limit| Instant::now().checked_add(limit)),
        verify: args.verify.map(|share| Verify { share }),
        falls_back_to_cpu: args.on_device_loss == OnLoss::Cpu,
        open_cpu: &|| backend.cpu(),
        stop: &stop.flag,
        moment: &|moment| stop.moment(moment, store.map(Store::path)),
        progress: &|prefixes| progress.done(prefixes),
        part: &|prefix, share| progress.part(prefix, share),
        recounting: &|begins| progress.says(if begins { "verifying" } else { "counting" }),
        event: &|event: &Event| say!("warning: {event}"),
        ..Options::default()
    };
    job::run(plan, checkpoint, devices, store, &options).map_err(|error| match (error, store) {
        (Error::Cancelled, Some(store)) => Failure::Stopped(store.path().into()),
        (error, _) => error.into(),
    })
}

/// About how long a whole count by a plan takes, where that is known.
pub fn seconds(plan: &Plan, device: &dyn Device) -> Option<Duration> {
    let seconds = expected_seconds(plan.n(), plan.method(), device.capabilities(), plan.prefixes())?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// An interval of saves without anything that is saved is a mistake.
pub fn check_save_every(args: &JobArgs, saves: bool) -> Result<(), Failure> {
    match args.save_every {
        Some(_) if !saves => Err(Failure::BadInput(
            "--save-every is the time between two saves of a checkpoint, and there is none: add --checkpoint".into(),
        )),
        _ => Ok(()),
    }
}

/// The quick self-test of the devices that a job is about to be given to: under two seconds in all.
pub fn quick_selftest(devices: &mut [Box<dyn Device>], cpu: &mut Cpu, method: Method) -> Result<(), Failure> {
    for device in devices {
        // An emulated device compiles its shaders for each board, slowly.
        let boards: &[u32] = if device.capabilities().is_gpu() { &[8] } else { &[0, 1, 2, 5, 8, 10] };
        passed(job::selftest(&mut **device, method, boards)?)?;
    }
    passed(job::check_verify(cpu, method)?)?;
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

/// A checkpoint's file opened, with what there is to say about it said.
pub fn open_store(path: &Path, quiet: bool) -> Result<(Store, Option<Checkpoint>), Failure> {
    let mut note = |note: String| {
        if !quiet {
            say!("note: {}", harmless(&note));
        }
    };
    Ok(Store::open(path, &mut note)?)
}

/// `50ms`, `60s`, `1h 30min`: at most a year.
fn time(text: &str) -> Result<Duration, String> {
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    let help = || "a time is a number and a unit: 50ms, 60s, 5m, 1h or 2d, up to a year".to_string();
    humantime::parse_duration(text).ok().filter(|&time| time <= YEAR).ok_or_else(help)
}

/// `1%`: above 0 %, at most 100 %. Without the sign nobody can tell whether 0.5 is a half of all or a two-hundredth.
fn percent(text: &str) -> Result<f64, String> {
    let Some(number) = text.trim().strip_suffix('%') else {
        return Err("the part needs its sign: 1% is one prefix of a hundred, 0.5% one of two hundred".into());
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number <= 100.0 => Ok(number / 100.0),
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
        assert_eq!(time("1h 30min"), Ok(Duration::from_secs(5400)));
        for bad in ["", "5", "s", "-5s", "5 x", "5y", "99999999999999999999s", "400d"] {
            assert!(time(bad).is_err(), "{bad}");
        }
        assert_eq!(percent("1%"), Ok(0.01));
        assert_eq!(percent("0.5%"), Ok(0.005));
        assert_eq!(percent("100%"), Ok(1.0));
        for bad in ["", "0", "0%", "101%", "0.5", "1", "2", "%", "-1%", "NaN", "NaN%", "inf%"] {
            assert!(percent(bad).is_err(), "{bad}");
        }
    }
}
