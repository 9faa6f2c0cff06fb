//! `nqueens bench`

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use comfy_table::{CellAlignment, Table, TableStyle, presets};
use serde::Serialize;

use nqueens::backend::{Backend, Cpu};
use nqueens::count::{Count, plan_and_run};
use nqueens::estimate::{estimate, free_rows};
use nqueens::gpu::{DeviceChoice, Gpu, SliceOptions};
use nqueens::prefix::Prefix;
use nqueens::report::{duration, si};
use nqueens::{Error, Method};

use super::args::{BackendArgs, BackendChoice, MethodChoice, board_size};
use super::count::check;
use super::exit::Failure;

#[derive(Args)]
#[command(
    after_help = "An emulated GPU takes part only with --backend gpu.\n\nExample: nqueens bench 12..=16 --export bench.md"
)]
pub struct BenchArgs {
    /// The boards: `16`, or `12..=16` for a range.
    #[arg(value_name = "N | N..=M", value_parser = sizes, allow_negative_numbers = true)]
    sizes: RangeInclusive<u32>,
    #[command(flatten)]
    backend: BackendArgs,
    /// The method; once for each [default: all].
    #[arg(short, long = "method", value_enum, value_name = "METHOD")]
    methods: Vec<MethodChoice>,
    /// How often each is run; the median counts.
    #[arg(short, long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000), allow_negative_numbers = true)]
    repetitions: u32,
    /// One JSON object a row.
    #[arg(long)]
    json: bool,
    /// Also write the table to a file, as its name says: .md, .csv or .json. Written anew after each n.
    #[arg(long, value_name = "FILE", value_parser = export_path)]
    export: Option<PathBuf>,
}

/// One line of the table.
#[derive(Serialize)]
struct Row {
    n: u32,
    backend: String,
    method: Method,
    /// Of all repetitions.
    median_seconds: f64,
    solutions_per_second: f64,
    /// Time of the CPU with all threads, by the first method, over this time: above 1 is faster.
    ratio: f64,
    count: String,
    repetitions: u32,
}

type Open = Box<dyn Fn() -> nqueens::Result<Box<dyn Backend>>>;

/// Somebody who counts, and how long it took each time: the count alone, and with getting ready.
struct Contestant {
    name: String,
    method: Method,
    /// Of the CPU; of an emulated GPU too.
    threads: usize,
    open: Open,
    count: Option<Count>,
    counting: Vec<Duration>,
    in_all: Vec<Duration>,
    has_startup: bool,
}

pub fn run(args: &BenchArgs) -> Result<(), Failure> {
    let all_threads = Cpu::new(args.backend.threads)?.threads();
    let gpu = open_gpu(args)?;
    let mut rows = Vec::new();
    let mut out = std::io::stdout().lock();
    for n in args.sizes.clone() {
        let mut contestants = contestants(&methods(args, n)?, all_threads, args.backend.memory, gpu.as_ref());
        if args.methods.is_empty() {
            leave_out_the_slow(&mut contestants, n)?;
        }
        for repetition in 0..args.repetitions {
            // In turn, so that a machine that slows down slows all of them.
            for contestant in &mut contestants {
                eprintln!("n = {n}, run {} of {}: {}", repetition + 1, args.repetitions, contestant.title());
                contestant.run(n)?;
            }
        }
        let new = table_rows(n, args.repetitions, &contestants)?;
        if args.json {
            for row in &new {
                writeln!(out, "{}", serde_json::to_string(row).expect("a row is plain data"))?;
            }
            out.flush()?;
        }
        rows.extend(new);
        if let Some(path) = &args.export {
            export(path, &rows).map_err(|error| Failure::File { path: path.clone(), error })?;
        }
    }
    if !args.json {
        writeln!(out, "{}", table(&rows, presets::NOTHING).trim_fmt())?;
        out.flush()?;
    }
    Ok(())
}

fn methods(args: &BenchArgs, n: u32) -> Result<Vec<Method>, Failure> {
    // `auto` is the CPU's: it takes part whatever else does.
    let cpu = args.backend.cpu()?;
    let mut methods: Vec<Method> = args.methods.iter().map(|method| method.resolve(n, &cpu)).collect();
    if methods.is_empty() {
        methods.extend(Method::ALL);
    }
    Ok(methods)
}

/// Nobody who runs `bench 18` wants to wait for an hour: what would take too long is left out, but for the fastest method.
fn leave_out_the_slow(contestants: &mut Vec<Contestant>, n: u32) -> Result<(), Failure> {
    const TOO_LONG: Duration = Duration::from_secs(120);
    const SAMPLES: u64 = 200;
    // The others are the fast ones.
    for method in [Method::RowOrder] {
        let found = estimate(method, n, free_rows(method, n), SAMPLES, 1, || {
            let mut finisher = method.finisher(false);
            move |prefix: &Prefix| finisher.finish(prefix)
        })?;
        let time = |threads: usize| {
            Duration::try_from_secs_f64(found.thread_seconds.value / threads as f64).unwrap_or(Duration::MAX)
        };
        contestants.retain(|contestant| {
            // An emulated GPU is slower than all threads; of a real one nothing is known here.
            let too_long = contestant.method == method && time(contestant.threads) > TOO_LONG;
            if too_long {
                let (title, time) = (contestant.title(), duration(time(contestant.threads)));
                eprintln!("n = {n}: {title} is left out: a run would take about {time}; --method {method} runs it all the same");
            }
            !too_long
        });
    }
    Ok(())
}

/// The name and the choice of the GPU that takes part, if one does.
fn open_gpu(args: &BenchArgs) -> Result<Option<(String, DeviceChoice)>, Failure> {
    let otherwise = match args.backend.backend {
        BackendChoice::Cpu if args.backend.device.is_some() => {
            return Err(Failure::BadInput("--device names a GPU and cannot be used with --backend cpu".into()));
        }
        BackendChoice::Cpu => return Ok(None),
        BackendChoice::Gpu => DeviceChoice::Any,
        BackendChoice::Auto => DeviceChoice::Hardware,
    };
    match args.backend.open_gpu(otherwise) {
        Ok(gpu) => Ok(Some((gpu.place().to_string(), DeviceChoice::Named(gpu.device().index.to_string())))),
        Err(Error::NoAdapter) if args.backend.backend == BackendChoice::Auto && args.backend.device.is_none() => {
            eprintln!("note: no GPU was found, so the CPU runs alone");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn contestants(
    methods: &[Method],
    all_threads: usize,
    memory: Option<usize>,
    gpu: Option<&(String, DeviceChoice)>,
) -> Vec<Contestant> {
    let cpu = |threads: usize| -> Open {
        Box::new(move || {
            let cpu = Cpu::new(Some(threads))?;
            Ok(Box::new(if let Some(bytes) = memory { cpu.with_memory(bytes) } else { cpu }))
        })
    };
    let mut all = Vec::new();
    for &method in methods {
        let mut add = |name: String, threads, has_startup, open| {
            let (count, counting, in_all) = (None, Vec::new(), Vec::new());
            all.push(Contestant { name, method, threads, open, count, counting, in_all, has_startup });
        };
        add("CPU, 1 thread".into(), 1, false, cpu(1));
        if all_threads > 1 {
            add(format!("CPU, {all_threads} threads"), all_threads, false, cpu(all_threads));
        }
        if let Some((name, choice)) = gpu.filter(|_| Method::ON_GPU.contains(&method)) {
            let choice = choice.clone();
            let open: Open = Box::new(move || Ok(Box::new(Gpu::open(&choice, SliceOptions::default())?)));
            add(name.clone(), all_threads, true, open);
        }
    }
    all
}

impl Contestant {
    fn title(&self) -> String {
        format!("{} on {}", self.method, self.name)
    }

    fn run(&mut self, n: u32) -> Result<(), Failure> {
        let start = Instant::now();
        let mut backend = (self.open)()?;
        let count = plan_and_run(n, self.method, &mut *backend)?;
        self.in_all.push(start.elapsed());
        self.counting.push(count.time);
        check(&count)?;
        self.count = Some(count);
        Ok(())
    }
}

/// The rows of one n. All contestants must have found the same count.
fn table_rows(n: u32, repetitions: u32, contestants: &[Contestant]) -> Result<Vec<Row>, Failure> {
    let counts: Vec<&Count> = contestants.iter().filter_map(|c| c.count.as_ref()).collect();
    for (a, b) in counts.iter().zip(&counts[1..]) {
        if a.solutions != b.solutions {
            let text = format!("n = {n}: {} on {}, {} on {}", a.solutions, a.place, b.solutions, b.place);
            return Err(Failure::WrongCount(format!("the counts differ: {text}. Please report this")));
        }
    }
    // Of the first method that takes part: the CPU with all threads comes after the CPU with one.
    let first = contestants[0].method;
    let cpu = contestants.iter().rfind(|c| !c.has_startup && c.method == first).unwrap_or(&contestants[0]);
    let baseline = median(&cpu.counting);
    let mut rows = Vec::new();
    for (contestant, count) in contestants.iter().zip(counts) {
        let mut times = vec![(contestant.name.clone(), median(&contestant.counting))];
        if contestant.has_startup {
            times.push((format!("{}, with start-up", contestant.name), median(&contestant.in_all)));
        }
        rows.extend(times.into_iter().map(|(backend, seconds)| Row {
            n,
            backend,
            method: count.method,
            median_seconds: seconds,
            solutions_per_second: count.solutions as f64 / seconds,
            ratio: baseline / seconds,
            count: count.solutions.to_string(),
            repetitions,
        }));
    }
    Ok(rows)
}

/// In seconds, of at least one time.
pub fn median(times: &[Duration]) -> f64 {
    let mut seconds: Vec<f64> = times.iter().map(|time| time.as_secs_f64().max(1e-9)).collect();
    seconds.sort_by(f64::total_cmp);
    let middle = seconds.len() / 2;
    if seconds.len() % 2 == 1 { seconds[middle] } else { (seconds[middle - 1] + seconds[middle]) / 2.0 }
}

const HEADER: [&str; 6] = ["n", "backend", "method", "median seconds", "solutions/s", "ratio"];

impl Row {
    fn cells(&self) -> [String; 6] {
        [
            self.n.to_string(),
            self.backend.clone(),
            self.method.to_string(),
            format!("{:.4}", self.median_seconds),
            si(self.solutions_per_second),
            format!("{:.3}", self.ratio),
        ]
    }
}

fn table(rows: &[Row], style: TableStyle) -> Table {
    let mut table = Table::new();
    table.load_style(style);
    table.set_header(HEADER);
    table.add_rows(rows.iter().map(Row::cells));
    for column in [0, 3, 4, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn export(path: &PathBuf, rows: &[Row]) -> std::io::Result<()> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let text = match extension {
        "json" => serde_json::to_string_pretty(rows)? + "\n",
        "csv" => {
            std::iter::once("n,backend,method,median_seconds,solutions_per_second,ratio,count,repetitions\n".into())
                .chain(rows.iter().map(|r| {
                    format!(
                        "{},\"{}\",{},{:.6},{:.0},{:.4},{},{}\n",
                        r.n,
                        r.backend.replace('"', "\"\""),
                        r.method,
                        r.median_seconds,
                        r.solutions_per_second,
                        r.ratio,
                        r.count,
                        r.repetitions
                    )
                }))
                .collect()
        }
        _ => format!("{}\n", table(rows, presets::ASCII_MARKDOWN)),
    };
    std::fs::write(path, text)
}

/// A file whose name ends in a known format.
fn export_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|e| e.to_str()) {
        Some("md" | "csv" | "json") => Ok(path),
        _ => Err("the file's name must end in .md, .csv or .json".into()),
    }
}

/// `16` or `12..=16`.
fn sizes(text: &str) -> Result<RangeInclusive<u32>, String> {
    let Some((first, last)) = text.split_once("..=") else { return board_size(text).map(|n| n..=n) };
    match (board_size(first)?, board_size(last)?) {
        (first, last) if first <= last => Ok(first..=last),
        _ => Err("a range goes from the smaller n to the larger, as in 12..=16".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_and_even_numbers() {
        let seconds = |times: &[u64]| median(&times.iter().map(|&s| Duration::from_secs(s)).collect::<Vec<_>>());
        assert_eq!(seconds(&[3, 1, 2]), 2.0);
        assert_eq!(seconds(&[4, 1, 3, 2]), 2.5);
    }

    #[test]
    fn ranges_of_boards() {
        assert_eq!(sizes("8"), Ok(8..=8));
        assert_eq!(sizes("8..=12"), Ok(8..=12));
        for wrong in ["12..=8", "8..12", "8..=33", "-1", "", "..=", "a"] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }
}
