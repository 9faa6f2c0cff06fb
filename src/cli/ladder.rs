//! `nqueens ladder`

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use nqueens::Method;
use nqueens::known;
use nqueens::report::svg::{Bar, bar_chart};
use nqueens::report::{axis_time, duration, json, si, thousands};
use nqueens::search::Finished;
use nqueens::search::reference::Reference;

use super::args::board_size;
use super::bench::median;
use super::exit::Failure;
use super::show::svg_path;

#[derive(Args)]
#[command(after_help = "Example: nqueens ladder 10 --export ladder.svg")]
pub struct LadderArgs {
    /// Rows and columns of the board, 0 to 32.
    ///
    /// The slow solvers take part only as far as they finish in about a minute.
    #[arg(value_parser = board_size, allow_negative_numbers = true)]
    n: u32,
    /// Also draw the times as a bar chart. Drawn anew after each rung.
    #[arg(long, value_name = "FILE.svg", value_parser = svg_path)]
    export: Option<PathBuf>,
    /// One JSON object a rung.
    #[arg(long)]
    json: bool,
}

/// A solver on the ladder.
#[derive(Clone, Copy)]
enum Solver {
    /// From the textbook.
    Reference(Reference),
    /// One of the methods of `count`, on one thread.
    Method(Method),
}

/// What became of it.
#[derive(Serialize)]
struct Rung {
    n: u32,
    solver: &'static str,
    /// A textbook solver, not a method of `count`.
    reference: bool,
    count: String,
    /// Queens placed; none where the solver places none that could be compared.
    #[serde(serialize_with = "json::some_decimal", skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    median_seconds: f64,
    /// Time of the slowest over this time: above 1 is faster.
    ratio: f64,
}

pub fn run(args: &LadderArgs) -> Result<(), Failure> {
    let references = Reference::ALL.map(Solver::Reference).into_iter();
    let methods = Method::ALL.map(Solver::Method);
    let mut rungs: Vec<Rung> = Vec::new();
    for solver in references.chain(methods) {
        if let Solver::Reference(reference) = solver
            && args.n > reference.largest_n()
        {
            say!("note: {reference} is left out: it would take too long for n above {}", reference.largest_n());
            continue;
        }
        say!("n = {}: {}", args.n, solver.name());
        let rung = solver.time(args.n)?;
        if let Some(before) = rungs.last().filter(|before| before.count != rung.count) {
            return Err(Failure::WrongCount(format!(
                "the counts for n = {} differ: {} by {}, {} by {}. Please report this",
                args.n, before.count, before.solver, rung.count, rung.solver
            )));
        }
        rungs.push(rung);
        let slowest = rungs.iter().map(|rung| rung.median_seconds).fold(0.0, f64::max);
        for rung in &mut rungs {
            rung.ratio = slowest / rung.median_seconds;
        }
        if let Some(path) = &args.export {
            std::fs::write(path, chart(args.n, &rungs)).map_err(|error| Failure::File { path: path.clone(), error })?;
        }
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        for rung in &rungs {
            json::line(&mut out, rung)?;
        }
    } else {
        writeln!(out, "{}", table(&rungs).trim_fmt())?;
    }
    out.flush()?;
    check(args.n, &rungs)
}

/// A count that differs from the published one is an error, loudly.
fn check(n: u32, rungs: &[Rung]) -> Result<(), Failure> {
    match (rungs.last(), known::solutions(n)) {
        (Some(rung), Some(known)) if rung.count != known.to_string() => Err(Failure::WrongCount(format!(
            "all found {} solutions for n = {n}, but {known} is published. Please report this",
            rung.count
        ))),
        _ => Ok(()),
    }
}

impl Solver {
    const fn name(self) -> &'static str {
        match self {
            Self::Reference(reference) => reference.name(),
            Self::Method(method) => method.name(),
        }
    }

    fn count(self, n: u32) -> nqueens::Result<Finished> {
        match self {
            Self::Reference(reference) => reference.solve(n, &mut |_| ()),
            Self::Method(method) => Ok(count_by(method, n)),
        }
    }

    /// Runs it once, and again while that costs next to nothing: short times are unsteady.
    fn time(self, n: u32) -> nqueens::Result<Rung> {
        let mut times = Vec::new();
        loop {
            let start = Instant::now();
            let finished = self.count(n)?;
            times.push(start.elapsed());
            if times.len() == 101 || times.iter().sum::<Duration>() > Duration::from_millis(200) {
                return Ok(Rung {
                    n,
                    solver: self.name(),
                    reference: matches!(self, Self::Reference(_)),
                    count: finished.solutions.to_string(),
                    nodes: (!matches!(self, Self::Method(Method::HalfJoin))).then_some(finished.nodes),
                    median_seconds: median(&times),
                    ratio: 1.0,
                });
            }
        }
    }
}

/// Counts by a method on this thread, from prefixes of two rows: so few of them that placing them costs nothing, and
/// deep enough for the mirror symmetry. Nodes are those below the prefixes.
fn count_by(method: Method, n: u32) -> Finished {
    let mut finisher = method.finisher(true);
    let mut sum = Finished::default();
    // A half join has its own symmetries, whatever the depth, and is fastest without prefixes.
    let rows = if method == Method::HalfJoin { 0 } else { n.min(2) };
    for prefix in method.prefixes(n, rows) {
        let finished = finisher.finish(&prefix);
        sum.solutions += u64::from(prefix.multiplicity) * finished.solutions;
        sum.nodes += finished.nodes;
    }
    sum
}

fn table(rungs: &[Rung]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["solver", "solutions", "nodes", "time", "ratio to the slowest"]);
    for rung in rungs {
        table.add_row([
            rung.solver.to_string(),
            rung.count.clone(),
            rung.nodes.map_or_else(|| "-".into(), |nodes| nodes.to_string()),
            duration(Duration::from_secs_f64(rung.median_seconds)),
            format!("{:.2}", rung.ratio),
        ]);
    }
    for column in 1..=4 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn chart(n: u32, rungs: &[Rung]) -> String {
    let bars: Vec<Bar> = rungs
        .iter()
        .map(|rung| Bar {
            label: rung.solver.to_string(),
            value: rung.median_seconds,
            note: format!(
                "{}, {}{}x",
                duration(Duration::from_secs_f64(rung.median_seconds)),
                rung.nodes.map_or_else(String::new, |nodes| format!("{} nodes, ", si(nodes as f64))),
                if rung.ratio < 99.5 { format!("{:.1}", rung.ratio) } else { thousands(rung.ratio.round() as u128) }
            ),
            highlight: !rung.reference,
        })
        .collect();
    let title = format!("{n} queens, up the ladder");
    bar_chart(
        &title,
        "time on one thread, logarithmic; nodes are queens placed; x is the speed over the slowest",
        &bars,
        axis_time,
    )
}
