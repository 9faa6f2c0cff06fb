//! `nqueens estimate`

use std::io::Write;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use nqueens::backend::{Capabilities, Device};
use nqueens::count::{Count, plan_and_run};
use nqueens::estimate::{Estimate, MIN_SAMPLES, Mean, Sampling, estimate};
use nqueens::job::Provenance;
use nqueens::known;
use nqueens::report::{counted, duration, thousands};
use nqueens::throughput::{expected_seconds, seconds_per_solution};
use nqueens::{Method, Problem};

use super::args::{BackendArgs, MethodChoice, board_size};
use super::count::check;
use super::exit::Failure;
use super::progress::{Progress, ProgressArgs};
use super::{json, say};

#[derive(Args)]
#[command(after_help = "Example: nqueens estimate 27")]
pub struct EstimateArgs {
    /// Rows and columns of the board, 0 to 32.
    #[arg(value_parser = board_size, allow_negative_numbers = true)]
    n: u32,
    /// How many random prefixes to count [default: as many as can be counted in a second; a small board is counted whole].
    #[arg(short, long, value_parser = clap::value_parser!(u64).range(MIN_SAMPLES..=10_000_000))]
    #[arg(allow_negative_numbers = true)]
    samples: Option<u64>,
    /// Another seed gives another sample.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    backend: BackendArgs,
    /// How it would be counted.
    #[arg(short, long, value_enum, default_value_t = MethodChoice::Auto)]
    method: MethodChoice,
    /// Also estimate how many queens would be placed.
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    progress: ProgressArgs,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct EstimateReport {
    n: u32,
    count: String,
    standard_error: f64,
    /// Whether all were counted, so that nothing is estimated.
    exact: bool,
    /// Of a count on this machine and backend.
    seconds: f64,
    seconds_standard_error: f64,
    #[serde(flatten)]
    by: Provenance,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_per_solution: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tail_nodes_per_solution: Option<f64>,
    samples: u64,
    sampling_seconds: f64,
}

/// A sample is taken for this long, where its size was not given; a board that can be counted in this time is.
const BUDGET: Duration = Duration::from_secs(1);

/// A GPU is measured for this long.
const DEVICE_BUDGET: Duration = Duration::from_millis(500);

/// More samples are of no use to anybody.
const MAX_SAMPLES: u64 = 1_000_000;

pub fn run(args: &EstimateArgs) -> Result<(), Failure> {
    let progress = Progress::new(args.progress.style(false), "opening");
    let mut device = args.backend.open(args.n, args.method, args.stats)?;
    let (problem, method) = (Problem::empty(args.n)?, args.method.resolve(args.n, &*device));
    if args.samples.is_none() && is_counted_in_time(args.n, method, &*device) {
        progress.begin("counting");
        let count = plan_and_run(&problem, method, &mut *device)?;
        drop(progress);
        check(&count)?;
        return tell_exact(args, &count);
    }
    let cpu = args.backend.cpu()?;
    // How many solutions there are does not depend on who counts them, and a search counts small prefixes sooner.
    let sampler = method.sampler();
    match args.samples {
        Some(samples) => progress.begin_steps("sampling", samples, "samples"),
        None => progress.begin("sampling"),
    }
    let sampling = Sampling {
        samples: args.samples.unwrap_or(MAX_SAMPLES),
        budget: args.samples.is_none().then_some(BUDGET),
        seed: args.seed,
        counts_nodes: args.stats || args.json,
        as_on_gpu: device.capabilities().is_gpu(),
        progress: &|| progress.step(),
        ..Sampling::default()
    };
    let found = cpu.install(|| estimate(&problem, sampler, &sampling))?;
    progress.begin("measuring the device");
    let time = time(&mut *device, &problem, method, args.seed, &found)?;
    drop(progress);
    tell(args, method, device.capabilities(), &found, time)
}

/// Whether counting takes no longer than a sample would.
fn is_counted_in_time(n: u32, method: Method, device: &dyn Device) -> bool {
    expected_seconds(n, method, device.capabilities(), 1).is_some_and(|seconds| seconds < BUDGET.as_secs_f64())
}

/// A board that was counted: the count is its own estimate.
fn tell_exact(args: &EstimateArgs, count: &Count) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    if args.json {
        let report = EstimateReport {
            n: args.n,
            count: count.solutions.to_string(),
            standard_error: 0.0,
            exact: true,
            seconds: count.time.as_secs_f64(),
            seconds_standard_error: 0.0,
            by: Provenance::new(count.method, &count.device),
            nodes_per_solution: count.nodes_per_solution(),
            tail_nodes_per_solution: None,
            samples: 0,
            sampling_seconds: 0.0,
        };
        json::line(&mut out, &report)?;
        return Ok(out.flush()?);
    }
    writeln!(out, "{}", count.solutions)?;
    out.flush()?;
    say!(
        "n = {}: exact, as it was counted by {} on {} in {}",
        args.n,
        count.method,
        count.device,
        duration(count.time)
    );
    if let (true, Some(nodes)) = (args.stats, count.nodes_per_solution()) {
        say!("{nodes:.3} nodes a solution");
    }
    Ok(())
}

/// What a sample says.
fn tell(
    args: &EstimateArgs,
    method: Method,
    place: &Capabilities,
    found: &Estimate,
    time: Mean,
) -> Result<(), Failure> {
    let has_solutions = found.solutions.value > 0.0;
    let per_solution =
        |mean: Mean| (method == method.sampler() && has_solutions).then(|| mean.value / found.solutions.value);
    let mut out = std::io::stdout().lock();
    if args.json {
        let report = EstimateReport {
            n: args.n,
            count: format!("{:.0}", found.solutions.value),
            standard_error: found.solutions.error,
            exact: false,
            seconds: time.value,
            seconds_standard_error: time.error,
            by: Provenance::new(method, place),
            nodes_per_solution: per_solution(found.nodes),
            tail_nodes_per_solution: per_solution(found.tail_nodes),
            samples: found.samples,
            sampling_seconds: found.took.as_secs_f64(),
        };
        json::line(&mut out, &report)?;
        return Ok(out.flush()?);
    }
    writeln!(out, "{}", say::on_stdout(&with_error(found.solutions)))?;
    out.flush()?;
    let seconds = Duration::try_from_secs_f64(time.value).unwrap_or(Duration::MAX);
    let error = match time.error > 0.0 {
        true => format!(" (± {:.1} %)", 100.0 * time.error / time.value),
        false => String::new(),
    };
    say!("n = {}: a count by {method} on {place} would take about {}{error}", args.n, duration(seconds));
    let relative = match has_solutions {
        true => format!(": an error of {:.2} %", 100.0 * found.solutions.error / found.solutions.value),
        false => String::new(),
    };
    say!("{} in {}{relative}", counted(found.samples, "sample", "samples"), duration(found.took));
    if let Some(known) = known::solutions(args.n) {
        let off = (found.solutions.value - known as f64) / found.solutions.error.max(f64::MIN_POSITIVE);
        if found.solutions.error > 0.0 {
            say!("the published count is {}: the estimate is {off:+.2} standard errors off", thousands(known));
        }
    }
    if let (true, Some(nodes), Some(tail)) = (args.stats, per_solution(found.nodes), per_solution(found.tail_nodes)) {
        say!("{nodes:.3} nodes a solution, {tail:.3} of them in the plain tail");
    }
    Ok(())
}

/// `2.3496e17 ± 1.2e15`
fn with_error(mean: Mean) -> String {
    if mean.value < 1e6 {
        return format!("{:.0} ± {:.0}", mean.value, mean.error);
    }
    format!("{:.4e} ± {:.1e}", mean.value, mean.error)
}

/// The time of a count: of a search on the CPU from the processor time of the sample, of a GPU from how fast it counts random
/// prefixes, and of large prefixes, which take too long to be tried, from the method's own cost model.
fn time(
    device: &mut dyn Device,
    problem: &Problem,
    method: Method,
    seed: u64,
    found: &Estimate,
) -> Result<Mean, Failure> {
    let capabilities = device.capabilities();
    let lanes = capabilities.lanes as f64;
    if method.properties().few_large_prefixes {
        let value = expected_seconds(problem.n(), method, capabilities, 1).unwrap_or_default();
        return Ok(Mean { value, error: 0.0 });
    }
    if !capabilities.is_gpu() {
        let Mean { value, error } = found.thread_seconds;
        return Ok(Mean { value: value / lanes, error: error / lanes });
    }
    if found.solutions.value == 0.0 {
        // Without solutions there is no time for each; such boards take none.
        return Ok(Mean::default());
    }
    let rate = seconds_per_solution(device, problem, method, seed, DEVICE_BUDGET)?;
    let Mean { value, error } = found.solutions;
    Ok(Mean { value: value * rate, error: error * rate })
}
