//! `nqueens count`

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;

use nqueens::backend::Place;
use nqueens::board::MAX_N;
use nqueens::classes::Classes;
use nqueens::count::Count;
use nqueens::job::{Checkpoint, Decimal, Identity, JobError, beside};
use nqueens::known::{self, Agreement};
use nqueens::plan::Plan;
use nqueens::report::json::{self, CountReport, JobReport, SecondCount};
use nqueens::report::{duration, si, thousands};
use nqueens::{Error, Method};

use super::args::{BackendArgs, MethodChoice, board_size};
use super::exit::Failure;
use super::job::{self, Job, JobArgs, open_store, quick_selftest, wanted_prefixes};
use super::progress::Style;
use super::signals;

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
    #[arg(long, value_name = "ROWS", value_parser = prefix_rows, allow_negative_numbers = true)]
    prefix_rows: Option<u32>,
    /// Save progress in this file, and go on from it if it is there: for counts that take long.
    #[arg(long, value_name = "FILE", help_heading = "Safety")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    job: JobArgs,
    /// Count everything twice, by two methods, and demand the same count.
    ///
    /// The second time by another method and with prefixes of another depth.
    #[arg(long, help_heading = "Safety")]
    double_check: bool,
    /// Nothing but the count.
    #[arg(short, long)]
    quiet: bool,
    /// One JSON object instead of the bare count.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    if let Some(rows) = args.prefix_rows.filter(|&rows| rows > args.n) {
        return Err(Error::PrefixRows { rows, n: args.n }.into());
    }
    let style = Style::of_stderr(args.quiet);
    let stop = match args.checkpoint {
        Some(_) => signals::stop_flag()?,
        // Without a checkpoint there is nothing to save: signals end the program as they end any other.
        None => Arc::default(),
    };
    let pass = Pass {
        args,
        method: args.method,
        prefix_rows: args.prefix_rows,
        other_than: None,
        checkpoint: args.checkpoint.clone(),
        style,
        stop: &stop,
    };
    let (count, startup, mut report) = pass.count()?;
    check(&count)?;
    if args.double_check {
        report.double_check = Some(second_count(&pass, &count)?);
    }
    let unique = if args.unique { Some(unique(&Classes::new(args.n, count.solutions))?) } else { None };

    let mut devices: Vec<String> = report.provenance.iter().map(|by| by.device.clone()).collect();
    devices.dedup();
    if devices.is_empty() {
        // A board without prefixes is nobody's work.
        devices.push(count.place.to_string());
    }
    let devices = devices.join(" and ");

    let mut out = std::io::stdout().lock();
    if args.json {
        let report = CountReport::new(&count, unique, startup, report);
        json::line(&mut out, &report)?;
    } else {
        if !args.quiet {
            say!("{}", doubts(&report));
        }
        writeln!(out, "{}", unique.unwrap_or(count.solutions))?;
    }
    out.flush()?;
    if !args.quiet {
        say!("{}", facts(&count, startup, &devices));
    }
    if args.stats {
        say!("{}", stats(&count));
    }
    Ok(())
}

/// A half join of a large board in so few pieces says nothing for a while.
const FEW_PREFIXES: u64 = 8;

/// A board that takes long enough to wonder whether anything happens.
const LONG: u32 = 18;

/// One count of everything.
struct Pass<'a> {
    args: &'a CountArgs,
    method: MethodChoice,
    prefix_rows: Option<u32>,
    /// A depth that another count had: this one is to have another.
    other_than: Option<u32>,
    checkpoint: Option<PathBuf>,
    style: Style,
    stop: &'a AtomicBool,
}

impl Pass<'_> {
    /// Opens the devices, plans, goes on from the checkpoint if there is one, and counts.
    fn count(&self) -> Result<(Count, Duration, JobReport), Failure> {
        let Self { args, method, prefix_rows, style, stop, .. } = *self;
        let n = args.n;
        let (store, saved) = match &self.checkpoint {
            None => (None, None),
            Some(path) => {
                let (store, saved) = open_store(path, args.quiet)?;
                (Some(store), saved)
            }
        };
        let saved_job = saved.as_ref().map(|saved| &saved.job);
        // What was not asked for is as it was: a job goes on with its method and depth on any device.
        let method = match (method, saved_job) {
            (MethodChoice::Auto, Some(job)) => job.method.into(),
            _ => method,
        };
        let start = Instant::now();
        let mut crew = args.backend.open_crew(n, method, args.stats)?;
        let method = method.resolve(n, &*crew[0].backend);
        let rows =
            prefix_rows.or_else(|| saved_job.filter(|job| (job.n, job.method) == (n, method)).map(|j| j.prefix_rows));
        if store.is_some() && saved.as_ref().is_none_or(|saved| !saved.is_complete()) {
            quick_selftest(&mut crew, method)?;
        }
        let opened = start.elapsed();
        let start = Instant::now();
        let wanted = if store.is_some() {
            wanted_prefixes(n, method, &crew)
        } else {
            let each = crew.iter().map(|member| member.backend.wanted_prefixes(method)).sum();
            // So many that a share of them can be recounted.
            let shares = args.job.verify.filter(|_| method == Method::HalfJoin).map_or(1, |share| share.recip() as u64);
            u64::max(each, shares)
        };
        let mut plan = match saved_job.filter(|job| (job.n, job.method, Some(job.prefix_rows)) == (n, method, rows)) {
            Some(job) => job.plan()?,
            None => Plan::on(&*crew[0].backend, n, method, rows, wanted)?,
        };
        // The prefixes of a half join are others anyway.
        let alike = self.other_than == Some(plan.prefix_rows) && method != Method::HalfJoin;
        if rows.is_none() && alike && plan.prefix_rows < n {
            plan = Plan::new(n, method, Some(plan.prefix_rows + 1), wanted)?;
        }
        let planned = start.elapsed();
        let identity = Identity::of(&plan);
        let mut checkpoint = match (saved, &self.checkpoint) {
            (Some(saved), Some(path)) => {
                let difference = saved.job.difference(&identity).or_else(|| {
                    (saved.range() != (0..plan.prefixes)).then(|| "it is of one shard, not of the whole count".into())
                });
                match difference {
                    None => saved,
                    Some(difference) => {
                        return Err(Error::from(JobError::OtherJob { path: path.clone(), difference }).into());
                    }
                }
            }
            _ => Checkpoint::new(identity, 0..plan.prefixes),
        };
        if method == Method::HalfJoin && plan.prefixes <= FEW_PREFIXES && n >= LONG && !args.quiet {
            say!(
                "note: joined in {} {}: progress is seen after each",
                plan.prefixes,
                if plan.prefixes == 1 { "piece" } else { "pieces" }
            );
        }
        let resumed_prefixes = checkpoint.done.prefixes();
        if resumed_prefixes > 0 && !args.quiet {
            say!(
                "note: going on after {} of {} prefixes",
                thousands(resumed_prefixes.into()),
                thousands(plan.prefixes.into())
            );
        }
        let place = crew[0].backend.place();
        let before = Duration::from_millis(checkpoint.milliseconds);
        let start = Instant::now();
        let task = Job { plan: &plan, checkpoint: &mut checkpoint, store: store.as_ref(), crew, style, stop };
        let (effort, prepared) = job::run(task, &args.job)?;
        let count = Count {
            n,
            solutions: checkpoint.tally.solutions.0,
            method,
            place,
            prefix_rows: plan.prefix_rows,
            prefixes: plan.prefixes,
            time: before + planned + start.elapsed().saturating_sub(prepared),
            effort,
        };
        let (doubt, provenance) = (checkpoint.doubt, checkpoint.provenance);
        Ok((count, opened + prepared, JobReport { resumed_prefixes, doubt, provenance, double_check: None }))
    }
}

/// Counts once more in another way, and demands the same count.
fn second_count(first: &Pass<'_>, count: &Count) -> Result<SecondCount, Failure> {
    let method = match count.method {
        Method::MostConstrained if matches!(count.place, Place::Cpu { .. }) => MethodChoice::HalfJoin,
        Method::MostConstrained => MethodChoice::RowOrder,
        _ => MethodChoice::MostConstrained,
    };
    // As deep as the other method and its devices like, but not as deep as the first time.
    let second = Pass {
        method,
        prefix_rows: None,
        other_than: Some(count.prefix_rows),
        checkpoint: first.checkpoint.as_ref().map(|path| beside(path, ".second")),
        ..*first
    };
    let (again, _, _) = second.count()?;
    if again.solutions != count.solutions {
        return Err(Failure::WrongCount(format!(
            "two counts of n = {} are not equal: {} by {} and {} by {}. One of them is wrong: neither is given",
            count.n, count.solutions, count.method, again.solutions, again.method
        )));
    }
    if !first.args.quiet {
        say!("counted twice: the same by {} with prefixes of {} rows", again.method, again.prefix_rows);
    }
    Ok(SecondCount {
        method: again.method,
        prefix_rows: again.prefix_rows,
        count: Decimal(again.solutions),
        seconds: again.time.as_secs_f64(),
    })
}

/// What was recounted and what went wrong, for a person.
fn doubts(report: &JobReport) -> String {
    let doubt = &report.doubt;
    let mut text = String::new();
    if doubt.recounted > 0 {
        text += &format!("{} prefixes recounted on the CPU by another method, ", thousands(doubt.recounted.into()));
        text += &format!("{} of them wrong\n", doubt.mismatches);
    }
    if doubt.device_losses > 0 {
        text += &format!("{} failures of a device were made good\n", doubt.device_losses);
    }
    text
}

/// The number of classes, or an error if there cannot be so many solutions.
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
    if let (Some(nodes), Some(ratio)) = (count.effort.nodes, count.nodes_per_solution()) {
        text += &format!("{} nodes, {ratio:.3} a solution\n", thousands(nodes.into()));
    }
    for stage in &count.effort.stages {
        text += &format!(
            "{}: {} steps, {:.1} % of the lanes busy, {} slices of up to {}, {} invocations\n",
            stage.shader,
            thousands(stage.steps.into()),
            100.0 * stage.lane_occupancy,
            thousands(stage.slices.into()),
            duration(stage.longest_slice),
            thousands(stage.invocations.into()),
        );
    }
    text
}

/// What ran where and how long, for a person.
fn facts(count: &Count, startup: Duration, devices: &str) -> String {
    let known = agreement(count.agreement());
    let ready = match &count.place {
        Place::Gpu { .. } => format!(", after {} to get ready", duration(startup)),
        Place::Cpu { .. } => String::new(),
    };
    let rows = match count.prefix_rows {
        // Of the centre lines alone.
        0 => String::new(),
        rows => format!(" of {rows} rows"),
    };
    format!(
        "n = {}: {} by {} on {devices}\n{}{ready}; {} solutions/s; {} prefixes{rows}\n{known}",
        count.n,
        thousands(count.solutions),
        count.method,
        duration(count.time),
        si(count.solutions_per_second()),
        thousands(u128::from(count.prefixes)),
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

/// Whether it also fits n is checked once n is known.
pub fn prefix_rows(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(rows) if rows <= MAX_N => Ok(rows),
        _ => Err("the number of prefix rows must be from 0 to n".into()),
    }
}
