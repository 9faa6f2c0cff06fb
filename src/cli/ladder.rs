//! `nqueens ladder`

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use nqueens::backend::{Control, Cpu, Device};
use nqueens::job::Decimal;
use nqueens::known;
use nqueens::plan::Plan;
use nqueens::reference::Reference;
use nqueens::report::svg::{Bar, bar_chart};
use nqueens::report::{axis_time, duration, si, thousands};
use nqueens::{Method, Problem};

use super::args::board_size;
use super::bench::median;
use super::exit::Failure;
use super::show::svg_path;
use super::{json, say};

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
enum Contestant {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Decimal>,
    median_seconds: f64,
    /// Time of the slowest over this time: above 1 is faster.
    ratio: f64,
}

pub fn run(args: &LadderArgs) -> Result<(), Failure> {
    let references = Reference::ALL.map(Contestant::Reference).into_iter();
    let methods = Method::ALL.iter().copied().map(Contestant::Method);
    let mut rungs: Vec<Rung> = Vec::new();
    for solver in references.chain(methods) {
        if let Contestant::Reference(reference) = solver
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
        writeln!(out, "{}", say::on_stdout(&table(&rungs).trim_fmt()))?;
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

impl Contestant {
    fn name(self) -> &'static str {
        match self {
            Self::Reference(reference) => reference.name(),
            Self::Method(method) => method.name(),
        }
    }

    /// The solutions, and the nodes where there are any to be compared.
    fn count(self, n: u32) -> nqueens::Result<(u128, Option<u64>)> {
        match self {
            Self::Reference(reference) => {
                let found = reference.solve(n, &mut |_| ())?;
                Ok((found.solutions.into(), Some(found.nodes)))
            }
            Self::Method(method) => count_by(method, n),
        }
    }

    /// Runs it once, and again while that costs next to nothing: short times are unsteady.
    fn time(self, n: u32) -> nqueens::Result<Rung> {
        let mut times = Vec::new();
        loop {
            let start = Instant::now();
            let (count, nodes) = self.count(n)?;
            times.push(start.elapsed());
            if times.len() == 101 || times.iter().sum::<Duration>() > Duration::from_millis(200) {
                return Ok(Rung {
                    n,
                    solver: self.name(),
                    reference: matches!(self, Self::Reference(_)),
                    count: count.to_string(),
                    nodes: nodes.map(|nodes| Decimal(nodes.into())),
                    median_seconds: median(&times),
                    ratio: 1.0,
                });
            }
        }
    }
}

/// Counts by a method on one thread, from prefixes of two rows: so few of them that placing them costs nothing, and
/// deep enough for the mirror symmetry. Nodes are those below the prefixes.
fn count_by(method: Method, n: u32) -> nqueens::Result<(u128, Option<u64>)> {
    // Large prefixes have their own symmetries, whatever the depth, and are fastest without any row.
    let depth = if method.properties().few_large_prefixes { 0 } else { n.min(2) };
    let plan = Plan::with_depth(&Problem::empty(n)?, method, depth)?;
    let prefixes: Vec<_> = plan.iter().collect();
    let mut session = Cpu::new(Some(1))?.counting_nodes(true).prepare(plan.workload())?;
    let counts = session.count(&prefixes, &Control::none())?;
    let images = |(prefix, count): (&nqueens::Prefix, u64)| u128::from(prefix.multiplicity()) * u128::from(count);
    Ok((prefixes.iter().zip(counts).map(images).sum(), session.stats().nodes))
}

fn table(rungs: &[Rung]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["solver", "solutions", "nodes", "time", "ratio to the slowest"]);
    for rung in rungs {
        table.add_row([
            rung.solver.to_string(),
            rung.count.clone(),
            rung.nodes.map_or_else(|| "-".into(), |nodes| nodes.0.to_string()),
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
                rung.nodes.map_or_else(String::new, |nodes| format!("{} nodes, ", si(nodes.0 as f64))),
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
