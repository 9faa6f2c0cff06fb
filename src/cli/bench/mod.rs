//! `nqueens bench`

mod compare;
mod contestant;
mod export;
mod results;
mod tables;

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use comfy_table::presets;

use nqueens::backend::{Cpu, Device};
use nqueens::gpu::{DeviceChoice, DeviceInfo, SliceOptions};
use nqueens::{Error, Method};

use super::args::{BackendArgs, BackendChoice, MethodChoice, board_size};
use super::environment::Environment;
use super::exit::Failure;
use super::{json, say};
use compare::Older;
use contestant::{Contestant, Open, contestants, leave_out_the_late, leave_out_the_slow};
use results::{FORMAT, Results, VERSION, rows};

pub use results::median;

#[derive(Args)]
#[command(
    after_help = "Each method and backend runs once to warm up, and then REPETITIONS times in turn with the others. The \
                  ratio is the time of the CPU with all threads, by the first method that takes part, over that of the \
                  row: above 1 is faster. An emulated GPU takes part only with --backend gpu.\n\n\
                  Examples:\n  nqueens bench 12..=16 --export bench.md --export bench.svg\n  \
                  nqueens bench 14 --export old.json\n  nqueens bench 14 --compare old.json --max-slowdown 1.10"
)]
pub struct BenchArgs {
    /// The boards: `16`, or `12..=16` for a range.
    #[arg(value_name = "N | N..=M", value_parser = sizes, allow_negative_numbers = true)]
    sizes: RangeInclusive<u32>,
    #[command(flatten)]
    backend: BackendArgs,
    /// The GPU alone, without the CPU beside it.
    #[arg(long, help_heading = "Where")]
    gpu_only: bool,
    /// Also the GPU with slices of this many steps an invocation, instead of as many as make a slice last about 100 ms.
    #[arg(long, value_name = "STEPS,..", value_delimiter = ',', help_heading = "Where")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=50_000))]
    slice_steps: Vec<u32>,
    /// Also the GPU with slices of at most this many invocations, instead of as many as suit it.
    #[arg(long, value_name = "NUMBER,..", value_delimiter = ',', help_heading = "Where")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 22))]
    invocations: Vec<u32>,
    /// The method; once for each [default: all].
    #[arg(short, long = "method", value_enum, value_name = "METHOD")]
    methods: Vec<MethodChoice>,
    /// How often each is run; the median counts, the least and the greatest are given too.
    #[arg(short, long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000), allow_negative_numbers = true)]
    repetitions: u32,
    /// Leave out what would not end in this many seconds, all runs together: judged by the n before, so the first n always
    /// runs.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    time_limit: Option<u64>,
    /// One JSON object a row.
    #[arg(long)]
    json: bool,
    /// Also write the results to a file, as its name says: .md, .csv, .json or, as a chart, .svg. Once for each file;
    /// written anew after each n.
    #[arg(long = "export", value_name = "FILE", value_parser = export::export_path)]
    exports: Vec<PathBuf>,
    /// Also print the new times over those in a file that --export has written.
    #[arg(long, value_name = "OLD.json")]
    compare: Option<PathBuf>,
    /// End with code 10 if a median is more than this factor of the older one, as in 1.10.
    #[arg(long, value_name = "FACTOR", requires = "compare", value_parser = compare::factor, allow_negative_numbers = true)]
    max_slowdown: Option<f64>,
}

pub fn run(args: &BenchArgs) -> Result<(), Failure> {
    // What is wrong with a file is said before anybody waits.
    let older = args.compare.as_deref().map(Older::open).transpose()?;
    for path in &args.exports {
        export::check_writable(path).map_err(|error| Failure::File { path: path.clone(), error })?;
    }
    let start = Instant::now();
    let cpu = args.backend.cpu()?;
    let all_threads = cpu.capabilities().lanes;
    let gpu = open_gpu(args)?;
    let backends = backends(args, &cpu, gpu.as_ref())?;
    let devices: Vec<&DeviceInfo> = gpu.iter().collect();
    let mut results = Results {
        format: FORMAT.into(),
        version: VERSION,
        environment: Environment::here(&devices),
        warm_ups: 1,
        repetitions: args.repetitions,
        rows: Vec::new(),
    };
    for (word, value) in results.environment.lines() {
        say!("{word}: {value}");
    }
    let runs = 1 + args.repetitions;
    let mut before: Option<Vec<Contestant>> = None;
    let mut out = std::io::stdout().lock();
    // Of the columns of the table whose rows are printed as they come.
    let mut widths: Option<Vec<u16>> = None;
    for n in args.sizes.clone() {
        let mut contestants = contestants(&methods(args, n, &cpu), &backends);
        if contestants.is_empty() {
            // Only methods without shaders were chosen, and no CPU.
            let chosen = methods(args, n, &cpu).first().map_or("chosen", |method| method.name());
            return Err(Error::CpuOnly(chosen).into());
        }
        if args.methods.is_empty() {
            leave_out_the_slow(&mut contestants, n, runs, all_threads)?;
        }
        if let (Some(seconds), Some(before)) = (args.time_limit, &before) {
            let left = Duration::from_secs(seconds).saturating_sub(start.elapsed());
            leave_out_the_late(&mut contestants, before, n, runs, left);
        }
        if contestants.is_empty() {
            break;
        }
        measure(n, args.repetitions, &mut contestants)?;
        let mut new = rows(n, &contestants)?;
        if let Some(older) = &older {
            older.compare(&mut new)?;
        }
        if args.json {
            for row in &new {
                json::line(&mut out, row)?;
            }
        } else {
            let table = match &widths {
                None => tables::times(&new, presets::NOTHING),
                Some(widths) => tables::more_times(&new, presets::NOTHING, widths),
            };
            widths.get_or_insert_with(|| table.column_max_content_widths());
            writeln!(out, "{}", table.trim_fmt())?;
        }
        out.flush()?;
        results.rows.extend(new);
        for path in &args.exports {
            export::export(path, &results).map_err(|error| Failure::File { path: path.clone(), error })?;
        }
        before = Some(contestants);
    }
    if !args.json {
        write!(out, "{}", say::on_stdout(&more_tables(&results, older.as_ref())))?;
        out.flush()?;
    }
    if let Some(older) = &older {
        for note in older.notes(&results.environment, &results.rows) {
            say!("note: {note}");
        }
    }
    match (args.max_slowdown, &older) {
        (Some(factor), Some(older)) => compare::check(&results.rows, factor, &older.path),
        _ => Ok(()),
    }
}

/// A warm-up of each, and then all of them in turn, so that a machine that slows down slows all.
fn measure(n: u32, repetitions: u32, contestants: &mut [Contestant]) -> Result<(), Failure> {
    for contestant in &mut *contestants {
        say!("n = {n}, warm-up: {}", contestant.title());
        contestant.warm_up(n)?;
    }
    for repetition in 1..=repetitions {
        for contestant in &mut *contestants {
            say!("n = {n}, run {repetition} of {repetitions}: {}", contestant.title());
            contestant.repeat(n)?;
        }
    }
    Ok(())
}

/// The tables below that of the times, for a person.
fn more_tables(results: &Results, older: Option<&Older>) -> String {
    let (rows, mut text) = (&results.rows, String::new());
    if let Some(table) = tables::startups(rows, presets::NOTHING) {
        text += &format!("\nstart-up, until the first dispatch has come back:\n{}\n", table.trim_fmt());
    }
    if let Some(older) = older {
        let table = tables::comparison(rows, presets::NOTHING);
        text += &format!("\nbeside '{}':\n{}\n", older.path.display(), table.trim_fmt());
    }
    text
}

/// `auto` is what it is on the CPU.
fn methods(args: &BenchArgs, n: u32, cpu: &Cpu) -> Vec<Method> {
    let mut methods: Vec<Method> = args.methods.iter().map(|method| method.resolve(n, cpu)).collect();
    if methods.is_empty() {
        methods.extend_from_slice(Method::ALL);
    }
    distinct(methods)
}

/// Each thing once, in the order they came in.
fn distinct<T: PartialEq>(things: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for thing in things {
        if !distinct.contains(&thing) {
            distinct.push(thing);
        }
    }
    distinct
}

/// Who takes part: one thread, all threads, the GPU, and the GPU with slices of other sizes.
fn backends(args: &BenchArgs, cpu: &Cpu, gpu: Option<&DeviceInfo>) -> Result<Vec<(String, Open)>, Failure> {
    let mut backends = Vec::new();
    let (all_threads, memory) = (cpu.capabilities().lanes, cpu.capabilities().memory);
    if !args.gpu_only {
        backends.push(("CPU, 1 thread".to_string(), Open::Cpu { threads: 1, memory }));
        if all_threads > 1 {
            backends.push((format!("CPU, {all_threads} threads"), Open::Cpu { threads: all_threads, memory }));
        }
    }
    let sizes = args.slice_steps.len() + args.invocations.len();
    match gpu {
        None if args.gpu_only => return Err(Error::NoAdapter.into()),
        None if sizes > 0 => return Err(Failure::BadInput("--slice-steps and --invocations are for a GPU".into())),
        None => (),
        Some(gpu) => {
            let name = format!("{}{}", gpu.name, if gpu.emulated { " (emulated)" } else { "" });
            let device = DeviceChoice::Named(gpu.index.to_string());
            let steps = args.slice_steps.iter().map(|&steps| SliceOptions { steps: Some(steps), ..Default::default() });
            let invocations = args.invocations.iter();
            let invocations = invocations.map(|&most| SliceOptions { invocations: Some(most), ..Default::default() });
            for options in distinct(std::iter::once(SliceOptions::default()).chain(steps).chain(invocations)) {
                backends.push((name.clone(), Open::Gpu { device: device.clone(), options }));
            }
        }
    }
    Ok(backends)
}

/// The GPU that takes part, if one does.
fn open_gpu(args: &BenchArgs) -> Result<Option<DeviceInfo>, Failure> {
    args.backend.check_one_device()?;
    let otherwise = match args.backend.backend {
        BackendChoice::Cpu if args.backend.device.is_some() => {
            return Err(Failure::BadInput("--device names a GPU and cannot be used with --backend cpu".into()));
        }
        BackendChoice::Cpu if args.gpu_only => {
            return Err(Failure::BadInput("--gpu-only leaves nobody to run with --backend cpu".into()));
        }
        BackendChoice::Cpu => return Ok(None),
        BackendChoice::Gpu => DeviceChoice::Any,
        BackendChoice::Auto => DeviceChoice::Hardware,
    };
    match args.backend.open_gpu(otherwise) {
        Ok(gpu) => Ok(Some(gpu.info().clone())),
        Err(Error::NoAdapter | Error::BuiltWithoutGpu)
            if args.backend.backend == BackendChoice::Auto && args.backend.device.is_none() && !args.gpu_only =>
        {
            say!("note: no GPU was found, so the CPU runs alone");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// The size of a slice, as far as it was fixed.
pub fn slice_name(steps: Option<u32>, invocations: Option<u32>) -> String {
    let steps = steps.map(|steps| format!(", {steps} steps"));
    let invocations = invocations.map(|invocations| format!(", {invocations} invocations"));
    [steps, invocations].into_iter().flatten().collect()
}

/// `16` or `12..=16`.
fn sizes(text: &str) -> Result<RangeInclusive<u32>, String> {
    let Some((first, last)) = text.split_once("..=") else {
        return match text.trim_start().starts_with(|c: char| c.is_ascii_digit()) && text.contains(['-', ',', '.', ':'])
        {
            true => Err("write a range with ..=, as in 12..=16".into()),
            false => board_size(text).map(|n| n..=n),
        };
    };
    match (board_size(first)?, board_size(last)?) {
        (first, last) if first <= last => Ok(first..=last),
        _ => Err("a range goes from the smaller n to the larger, as in 12..=16".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_boards() {
        assert_eq!(sizes("8"), Ok(8..=8));
        assert_eq!(sizes("8..=12"), Ok(8..=12));
        for wrong in ["12..=8", "8..12", "8..=33", "-1", "", "..=", "a"] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }
}
