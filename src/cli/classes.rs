//! `nqueens classes`

use std::collections::BTreeMap;
use std::io::Write;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use nqueens::backend::Control;
use nqueens::classes::Classes;
use nqueens::job::{Decimal, Provenance, Ranges};
use nqueens::plan::{Plan, Wishes};
use nqueens::{Problem, count};

use super::args::{BackendArgs, MethodChoice, board_size};
use super::count::{check, unique};
use super::exit::Failure;
use super::progress::{Progress, ProgressArgs};
use super::{job, json};

#[derive(Args)]
#[command(after_help = "Example: nqueens classes 12")]
pub struct ClassesArgs {
    /// Rows and columns of the board, 0 to 32.
    #[arg(value_parser = board_size, allow_negative_numbers = true)]
    n: u32,
    #[command(flatten)]
    backend: BackendArgs,
    /// How to count all solutions.
    #[arg(short, long, value_enum, default_value_t = MethodChoice::Auto)]
    method: MethodChoice,
    #[command(flatten)]
    progress: ProgressArgs,
    /// One JSON object instead of the table.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ClassesReport {
    n: u32,
    count: Decimal,
    unique: Decimal,
    half_turn: Decimal,
    quarter_turn: Decimal,
    /// How many orbits there are of each size.
    orbits: BTreeMap<u32, Decimal>,
    #[serde(flatten)]
    by: Provenance,
    /// Of the count.
    seconds: f64,
}

pub fn run(args: &ClassesArgs) -> Result<(), Failure> {
    let progress = Progress::new(args.progress.style(false), "opening");
    let mut device = args.backend.open(args.n, args.method, false)?;
    let method = args.method.resolve(args.n, &*device);
    let capabilities = device.capabilities().clone();
    progress.begin("planning");
    let plan = Plan::new(&Problem::empty(args.n)?, method, &[capabilities], &Wishes::default())?;
    progress.begin_count(&plan, 0..plan.prefixes(), &Ranges::default(), job::seconds(&plan, &*device));
    let watch = |prefixes| progress.done(prefixes);
    let count = count::run(&plan, &mut *device, &Control::new(Control::none().stop(), &watch))?;
    check(&count)?;
    progress.begin("counting symmetric solutions");
    let classes = Classes::new(args.n, count.solutions);
    let unique = unique(&classes)?;
    drop(progress);
    let mut rows = vec![
        ("all".to_string(), "A000170", classes.all),
        ("unique".to_string(), "A002562", unique),
        ("unchanged by a half turn".to_string(), "A032522", classes.half_turn),
        ("unchanged by a quarter turn".to_string(), "A033148", classes.quarter_turn),
    ];
    rows.extend(classes.orbits().map(|(size, number)| (format!("orbits of {size}"), "", number)));

    let mut out = std::io::stdout().lock();
    if args.json {
        let report = ClassesReport {
            n: args.n,
            count: Decimal(classes.all),
            unique: Decimal(unique),
            half_turn: Decimal(classes.half_turn),
            quarter_turn: Decimal(classes.quarter_turn),
            orbits: classes.orbits().into_iter().map(|(size, number)| (size, Decimal(number))).collect(),
            by: Provenance::new(count.method, &count.device),
            seconds: count.time.as_secs_f64(),
        };
        json::line(&mut out, &report)?;
    } else {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        for (name, sequence, number) in &rows {
            table.add_row([name, &number.to_string(), *sequence]);
        }
        if let Some(column) = table.column_mut(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out, "{}", table.trim_fmt())?;
    }
    Ok(out.flush()?)
}
