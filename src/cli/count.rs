//! `nqueens count`

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::Args;

use nqueens::backend::Place;
use nqueens::board::MAX_N;
use nqueens::classes::Classes;
use nqueens::count::Count;
use nqueens::known::{self, Agreement};
use nqueens::plan::Plan;
use nqueens::report::json::CountReport;
use nqueens::report::{Progress, Style, duration, si, thousands};
use nqueens::{Error, Method};

use super::args::{BackendArgs, MethodChoice, board_size};
use super::exit::Failure;

#[derive(Args)]
#[command(after_help = "The count goes to stdout, everything else to stderr.\n\nExample: nqueens count 16")]
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
    let style = match args.quiet {
        true => Style::Silent,
        false if std::io::stderr().is_terminal() => Style::Bar,
        false => Style::Lines,
    };
    let method = args.method.resolve(args.n);
    let (count, startup) = count(args.n, method, args.prefix_rows, &args.backend, args.stats, style)?;
    check(&count)?;
    let unique = if args.unique { Some(unique(&Classes::new(args.n, count.solutions))?) } else { None };

    let mut out = std::io::stdout().lock();
    if args.json {
        let report = CountReport::new(&count, unique, startup);
        writeln!(out, "{}", serde_json::to_string(&report).expect("a report is plain data"))?;
    } else {
        writeln!(out, "{}", unique.unwrap_or(count.solutions))?;
    }
    out.flush()?;
    if !args.quiet {
        eprintln!("{}", facts(&count, startup));
    }
    if args.stats {
        eprint!("{}", stats(&count));
    }
    Ok(())
}

/// Opens the backend, plans, and counts. Gives the time it took to get ready too.
pub fn count(
    n: u32,
    method: Method,
    prefix_rows: Option<u32>,
    backend: &BackendArgs,
    stats: bool,
    style: Style,
) -> Result<(Count, Duration), Failure> {
    let start = Instant::now();
    let mut backend = backend.open(n, stats)?;
    let opened = start.elapsed();

    let plan_start = Instant::now();
    let plan = Plan::new(n, method, prefix_rows, backend.wanted_prefixes())?;
    let planned = plan_start.elapsed();

    let prepare_start = Instant::now();
    backend.prepare(&plan)?;
    let startup = opened + prepare_start.elapsed();

    let progress = Progress::new(&plan, style);
    let mut count = nqueens::count::run(&plan, &mut *backend, &|prefixes| progress.done(prefixes))?;
    count.time += planned;
    Ok((count, startup))
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
fn facts(count: &Count, startup: Duration) -> String {
    let known = match count.agreement() {
        Agreement::Equal => "equal to the published count (OEIS A000170)",
        Agreement::Different => "NOT equal to the published count (OEIS A000170)",
        Agreement::Unknown => "no count has been published for this n",
    };
    let ready = match &count.place {
        Place::Gpu { .. } => format!(", after {} to get ready", duration(startup)),
        Place::Cpu { .. } => String::new(),
    };
    format!(
        "n = {}: {} by {} on {}\n{}{ready}; {} solutions/s; {} prefixes of {} rows\n{known}",
        count.n,
        thousands(count.solutions),
        count.method,
        count.place,
        duration(count.time),
        si(count.solutions_per_second()),
        thousands(u128::from(count.prefixes)),
        count.prefix_rows,
    )
}

/// A count that differs from the published one is an error, loudly.
pub fn check(count: &Count) -> Result<(), Failure> {
    match (count.agreement(), known::solutions(count.n)) {
        (Agreement::Different, Some(known)) => Err(Failure::WrongCount(format!(
            "the count {} for n = {} is wrong: {} is published. Please report this with your device and driver, and count \
             again with --backend cpu",
            count.solutions, count.n, known
        ))),
        _ => Ok(()),
    }
}

/// Whether it also fits n is checked once n is known.
fn prefix_rows(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(rows) if rows <= MAX_N => Ok(rows),
        _ => Err("the number of prefix rows must be from 0 to n".into()),
    }
}
