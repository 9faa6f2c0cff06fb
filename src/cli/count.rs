//! `nqueens count`

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use nqueens::backend::Device;
use nqueens::board::MAX_N;
use nqueens::classes::Classes;
use nqueens::count::Count;
use nqueens::job::{Checkpoint, Decimal, Identity, Store, beside};
use nqueens::known::{self, Agreement};
use nqueens::plan::{Plan, Purpose, Wishes};
use nqueens::report::{counted, duration, shown, si, thousands};
use nqueens::{Error, Method, Problem};

use super::args::{BackendArgs, MethodChoice, board_size, no_dash};
use super::exit::Failure;
use super::job::{self, Job, JobArgs, open_store, quick_selftest};
use super::json::{self, CountReport, JobReport, SecondCount};
use super::progress::{Progress, ProgressArgs, Style};
use super::signals::Stop;
use super::{notes, say};

#[derive(Args)]
#[command(after_help = "Example: nqueens count 16 --unique")]
#[command(after_long_help = "\
Examples:
  nqueens count 16
  nqueens count 18 --unique --threads 4
  nqueens count 20 --device all --checkpoint n20.checkpoint --verify 1%")]
pub struct CountArgs {
    /// Rows and columns of the board, 0 to 32.
    #[arg(value_parser = board_size, allow_negative_numbers = true)]
    n: u32,
    #[command(flatten)]
    backend: BackendArgs,
    /// How to count.
    #[arg(short, long, value_enum, default_value_t = MethodChoice::Auto)]
    method: MethodChoice,
    /// Count solutions up to rotation and reflection (OEIS A002562) instead of all.
    #[arg(short, long)]
    unique: bool,
    /// Also say how many queens were placed, and on a GPU how busy its lanes were.
    #[arg(long)]
    stats: bool,
    /// How many rows the CPU places before the search [default: chosen from n and the device].
    #[arg(long, value_name = "ROWS", value_parser = depth(), allow_negative_numbers = true)]
    prefix_rows: Option<u32>,
    /// Save progress in this file, and resume from it if it is there: for counts that take long.
    #[arg(long, value_name = "FILE", help_heading = "Safety")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    job: JobArgs,
    /// Count everything twice, by two methods, and demand the same count.
    ///
    /// The second time by another method and with prefixes of another depth.
    #[arg(long, help_heading = "Safety")]
    double_check: bool,
    #[command(flatten)]
    progress: ProgressArgs,
    /// Nothing but the count.
    #[arg(short, long)]
    quiet: bool,
    /// One JSON object instead of the bare count.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    if args.quiet {
        say::without_notes();
    }
    check_depth(args.n, args.prefix_rows)?;
    job::check_save_every(&args.job, args.checkpoint.is_some())?;
    if let Some(path) = &args.checkpoint {
        no_dash(path)?;
    }
    let stop = match &args.checkpoint {
        Some(path) => Stop::saving_to(path, args.quiet)?,
        None => Stop::default(),
    };
    let pass = Pass {
        args,
        method: args.method,
        depth: args.prefix_rows,
        other_than: None,
        checkpoint: args.checkpoint.clone(),
        style: args.progress.style(args.quiet),
        stop: &stop,
    };
    let (count, mut report) = pass.count_or_stop()?;
    check(&count)?;
    if args.double_check {
        report.double_check = Some(second_count(&pass, &count)?);
    }
    let unique = if args.unique { Some(unique(&Classes::new(args.n, count.solutions))?) } else { None };

    let mut devices: Vec<String> = report.provenance.iter().map(|by| by.device.clone()).collect();
    devices.dedup();
    if devices.is_empty() {
        // A board without prefixes is nobody's work.
        devices.push(count.device.to_string());
    }
    // A checkpoint can name any number of them, by any name.
    let devices = shown(&devices.join(" and "));

    let mut out = std::io::stdout().lock();
    if args.json {
        json::line(&mut out, &CountReport::new(&count, unique, report))?;
    } else {
        if !args.quiet {
            say!("{}", incidents(&report));
        }
        writeln!(out, "{}", unique.unwrap_or(count.solutions))?;
    }
    out.flush()?;
    if !args.quiet {
        say!("{}", facts(&count, unique, &devices));
    }
    if args.stats {
        say!("{}", stats(&count));
    }
    Ok(())
}

/// A share of the prefixes that is verified asks for no more of them than this one: small shares are not to make the count
/// slower than this.
const MIN_VERIFY_SHARE: f64 = 0.01;

/// One count of everything.
struct Pass<'a> {
    args: &'a CountArgs,
    method: MethodChoice,
    depth: Option<u32>,
    /// A depth that another count had: this one is to have another.
    other_than: Option<u32>,
    checkpoint: Option<PathBuf>,
    style: Style,
    stop: &'a Stop,
}

impl Pass<'_> {
    /// The same; with a checkpoint whatever is stopped has its progress saved, the planning too.
    fn count_or_stop(&self) -> Result<(Count, JobReport), Failure> {
        self.count().map_err(|failure| match (failure, &self.checkpoint) {
            (Failure::Library(Error::Cancelled), Some(path)) => Failure::Stopped(path.clone()),
            (failure, _) => failure,
        })
    }

    /// Opens the devices, plans, resumes from the checkpoint if there is one, and counts.
    fn count(&self) -> Result<(Count, JobReport), Failure> {
        let Self { args, style, stop, .. } = *self;
        let n = args.n;
        let progress = Progress::new(style, "opening");
        let (store, saved) = match &self.checkpoint {
            None => (None, None),
            Some(path) => {
                let (store, saved) = open_store(path, args.quiet)?;
                (Some(store), saved)
            }
        };
        let start = Instant::now();
        // What was not asked for is as it was: a job is resumed with its method and depth on any device.
        let choice = match (self.method, &saved) {
            (MethodChoice::Auto, Some(saved)) => MethodChoice::Method(saved.job.method),
            (method, _) => method,
        };
        let mut devices = args.backend.open_all(n, choice, args.stats)?;
        let method = choice.resolve_for(n, &*devices[0], self.purpose());
        if store.is_some() && saved.as_ref().is_none_or(|saved| !saved.is_complete()) {
            progress.begin("self-test");
            quick_selftest(&mut devices, &mut args.backend.cpu()?, method)?;
        }
        let opened = start.elapsed();
        let start = Instant::now();
        progress.begin("planning");
        let plan = self.plan(method, &devices, saved.as_ref())?;
        let planned = start.elapsed();
        let mut checkpoint = checkpoint(&plan, saved, store.as_ref())?;
        if !args.quiet {
            notes::start(&plan, &checkpoint, store.is_some());
            if checkpoint.done.prefixes() == 0 {
                notes::time(&plan, &devices, choice == MethodChoice::Auto, store.is_some());
            }
        }
        let resumed_prefixes = checkpoint.done.prefixes();
        let device = devices[0].capabilities().clone();
        let before = Duration::from_millis(checkpoint.milliseconds);
        let task =
            Job { plan: &plan, checkpoint: &mut checkpoint, store: store.as_ref(), devices, progress: &progress, stop };
        let outcome = job::run(task, &args.job, &args.backend)?;
        let mut count = Count::new(&plan, &checkpoint, device, outcome);
        count.time += before + planned;
        count.startup += opened;
        let Checkpoint { verification, provenance, .. } = checkpoint;
        Ok((count, JobReport { resumed_prefixes, verification, provenance, double_check: None }))
    }

    fn purpose(&self) -> Purpose {
        if self.checkpoint.is_some() { Purpose::Job } else { Purpose::Count }
    }

    /// The plan of the job that was saved, or one for these devices.
    fn plan(&self, method: Method, devices: &[Box<dyn Device>], saved: Option<&Checkpoint>) -> Result<Plan, Failure> {
        let Self { args, stop, .. } = *self;
        let job = saved.map(|saved| &saved.job).filter(|job| (job.n, job.method) == (args.n, method));
        if let Some(job) = job.filter(|job| self.depth.is_none_or(|depth| depth == job.depth)) {
            return Ok(job.plan(saved.and_then(|saved| saved.marks.as_deref()))?);
        }
        let purpose = self.purpose();
        // Enough that a share of them can be recounted.
        let share = args.job.verify.filter(|_| method.properties().few_large_prefixes);
        let min_prefixes = share.map_or(1, |share| share.max(MIN_VERIFY_SHARE).recip() as u64);
        let problem = Problem::empty(args.n)?;
        let capabilities: Vec<_> = devices.iter().map(|device| device.capabilities().clone()).collect();
        let wishes = Wishes { depth: self.depth, purpose, min_prefixes, stop: Some(&stop.flag) };
        let plan = Plan::new(&problem, method, &capabilities, &wishes)?;
        let alike = self.other_than == Some(plan.depth()) && !method.properties().few_large_prefixes;
        if self.depth.is_none() && alike && plan.depth() < args.n {
            let wishes = Wishes { depth: Some(plan.depth() + 1), ..wishes };
            return Ok(Plan::new(&problem, method, &capabilities, &wishes)?);
        }
        Ok(plan)
    }
}

/// The checkpoint that was saved, if it is of this plan, or a new one.
fn checkpoint(plan: &Plan, saved: Option<Checkpoint>, store: Option<&Store>) -> Result<Checkpoint, Failure> {
    let (identity, all) = (Identity::new(plan), 0..plan.prefixes());
    let marks = || plan.marks().map(<[_]>::to_vec);
    let (Some(saved), Some(store)) = (saved, store) else {
        return Ok(Checkpoint { marks: marks(), ..Checkpoint::new(identity, all) });
    };
    let is_whole = || (saved.range() != all).then(|| "it is of one shard, not of the whole count".to_string());
    match saved.job.difference(&identity).or_else(is_whole) {
        // A file of an older version has none yet.
        None => Ok(Checkpoint { marks: marks(), ..saved }),
        Some(difference) => Err(Error::from(store.other_job(&difference)).into()),
    }
}

/// Counts once more in another way, and demands the same count.
fn second_count(first: &Pass<'_>, count: &Count) -> Result<SecondCount, Failure> {
    // As deep as the other method and its devices like, but not as deep as the first time.
    let second = Pass {
        method: MethodChoice::Method(count.method.other(count.n, &count.device)),
        depth: None,
        other_than: Some(count.depth),
        checkpoint: first.checkpoint.as_ref().map(|path| beside(path, ".second")),
        ..*first
    };
    let (again, _) = second.count_or_stop()?;
    if again.solutions != count.solutions {
        return Err(Failure::WrongCount(format!(
            "two counts of n = {} are not equal: {} by {} and {} by {}. One of them is wrong: neither is given",
            count.n, count.solutions, count.method, again.solutions, again.method
        )));
    }
    if !first.args.quiet {
        say!("counted twice: the same by {} with prefixes of {}", again.method, counted(again.depth, "row", "rows"));
    }
    Ok(SecondCount {
        method: again.method,
        depth: again.depth,
        count: Decimal(again.solutions),
        seconds: again.time.as_secs_f64(),
    })
}

/// What was recounted and what went wrong, for a person.
fn incidents(report: &JobReport) -> String {
    let verification = &report.verification;
    let mut text = String::new();
    if verification.recounted > 0 {
        let recounted = counted(verification.recounted, "prefix", "prefixes");
        text +=
            &format!("{recounted} recounted on the CPU by another method, {} of them wrong\n", verification.mismatches);
    }
    if verification.device_losses > 0 {
        text += match verification.device_losses {
            1 => "1 device failure was recovered from\n".to_string(),
            losses => format!("{losses} device failures were recovered from\n"),
        }
        .as_str();
    }
    text
}

/// The number of classes, or an error if there cannot be this many solutions.
pub fn unique(classes: &Classes) -> Result<u128, Failure> {
    classes.unique().ok_or_else(|| {
        Failure::WrongCount(format!(
            "the count {} is wrong: the classes of symmetric solutions do not add up to it",
            classes.all
        ))
    })
}

/// What the search did, line by line.
fn stats(count: &Count) -> String {
    let mut text = String::new();
    if let (Some(nodes), Some(ratio)) = (count.stats.nodes, count.nodes_per_solution()) {
        text += &format!("{}, {ratio:.3} a solution\n", counted(nodes, "node", "nodes"));
    }
    for kernel in &count.stats.kernels {
        text += &format!(
            "{}: {}, {:.1} % of the lanes busy, {} of up to {}, {}\n",
            kernel.shader,
            counted(kernel.steps, "step", "steps"),
            100.0 * kernel.lane_occupancy,
            counted(kernel.slices, "slice", "slices"),
            duration(kernel.longest_slice),
            counted(kernel.invocations, "invocation", "invocations"),
        );
    }
    text
}

/// What ran where and how long, for a person.
fn facts(count: &Count, unique: Option<u128>, devices: &str) -> String {
    let known = agreement(count.agreement());
    let ready = match count.device.is_gpu() {
        true => format!(", after {} to get ready", duration(count.startup)),
        false => String::new(),
    };
    let rows = match count.depth {
        // Of the centre lines alone.
        0 => String::new(),
        rows => format!(" of {}", counted(rows, "row", "rows")),
    };
    let solutions = match unique {
        None => thousands(count.solutions),
        Some(unique) => format!(
            "{} up to rotation and reflection, {} in all,",
            counted(unique, "solution", "solutions"),
            thousands(count.solutions)
        ),
    };
    format!(
        "n = {}: {solutions} by {} on {devices}\n{}{ready}; {} solutions/s; {}{rows}\n{known}",
        count.n,
        count.method,
        duration(count.time),
        si(count.solutions_per_second()),
        counted(count.prefixes, "prefix", "prefixes"),
    )
}

/// How a count compares with the published one, for a person.
pub const fn agreement(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Equal => "equal to the published count (OEIS A000170)",
        Agreement::Different => "NOT equal to the published count (OEIS A000170)",
        Agreement::Unknown => "no count has been published for this n",
    }
}

/// A count that differs from the published one is an error, loudly.
pub fn check(count: &Count) -> Result<(), Failure> {
    check_known(count.n, count.solutions)
}

/// The same, for a count from anywhere.
pub fn check_known(n: u32, solutions: u128) -> Result<(), Failure> {
    match (known::compare(n, solutions), known::solutions(n)) {
        (Agreement::Different, Some(known)) => Err(Failure::WrongCount(format!(
            "the count {solutions} for n = {n} is wrong: {known} is published. Please report this with your device and driver, \
             and count again with --backend cpu"
        ))),
        _ => Ok(()),
    }
}

/// A depth of prefixes; whether it also fits n is checked once n is known.
pub fn depth() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=i64::from(MAX_N))
}

/// Prefixes cannot be deeper than the board.
pub fn check_depth(n: u32, depth: Option<u32>) -> Result<(), Failure> {
    match depth {
        Some(depth) if depth > n => Err(Error::Depth { depth, n }.into()),
        _ => Ok(()),
    }
}
