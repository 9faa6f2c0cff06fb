//! `nqueens estimate`

use std::io::Write;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use nqueens::backend::Device;
use nqueens::estimate::{Estimate, Mean, Sampling, estimate};
use nqueens::job::Provenance;
use nqueens::known;
use nqueens::report::{duration, thousands};
use nqueens::throughput::seconds_per_solution;
use nqueens::{Method, Problem};

use super::args::{BackendArgs, MethodChoice, board_size};
use super::exit::Failure;
use super::json;
use super::progress::Steps;

#[derive(Args)]
#[command(after_help = "Example: nqueens estimate 27")]
pub struct EstimateArgs {
    /// Rows and columns of the board, 0 to 32.
    #[arg(value_parser = board_size, allow_negative_numbers = true)]
    n: u32,
    /// How many random prefixes to count.
    #[arg(short, long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    #[arg(allow_negative_numbers = true)]
    samples: u64,
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
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct EstimateReport {
    n: u32,
    count: String,
    standard_error: f64,
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

pub fn run(args: &EstimateArgs) -> Result<(), Failure> {
    let mut device = args.backend.open(args.n, args.method, args.stats)?;
    let (problem, method) = (Problem::empty(args.n)?, args.method.resolve(args.n, &*device));
    let cpu = args.backend.cpu()?;
    // How many solutions there are does not depend on who counts them, and a search counts small prefixes sooner.
    let sampler = method.sampler();
    let progress = Steps::new(args.samples, "samples");
    let sampling = Sampling {
        samples: args.samples,
        seed: args.seed,
        counts_nodes: args.stats || args.json,
        as_on_gpu: device.capabilities().is_gpu(),
        progress: &|| progress.done(),
    };
    let found = cpu.install(|| estimate(&problem, sampler, &sampling))?;
    drop(progress);
    let time = time(&mut *device, &problem, method, args.seed, &found)?;
    let place = device.capabilities();
    let has_solutions = found.solutions.value > 0.0;
    let per_solution = |mean: Mean| (method == sampler && has_solutions).then(|| mean.value / found.solutions.value);

    let mut out = std::io::stdout().lock();
    if args.json {
        let report = EstimateReport {
            n: args.n,
            count: format!("{:.0}", found.solutions.value),
            standard_error: found.solutions.error,
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
    writeln!(out, "{}", with_error(found.solutions))?;
    out.flush()?;
    let seconds = Duration::try_from_secs_f64(time.value).unwrap_or(Duration::MAX);
    say!(
        "n = {}: a count by {method} on {place} would take about {} (+- {:.1} %)",
        args.n,
        duration(seconds),
        100.0 * time.error / time.value.max(f64::MIN_POSITIVE)
    );
    say!("{} samples in {}", thousands(found.samples.into()), duration(found.took));
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

/// `2.3496e17 +- 1.2e15`
fn with_error(mean: Mean) -> String {
    if mean.value < 1e6 {
        return format!("{:.0} +- {:.0}", mean.value, mean.error);
    }
    format!("{:.4e} +- {:.1e}", mean.value, mean.error)
}

/// The time of a count: of a search on the CPU from the processor time of the sample, else from how fast the device counts
/// random prefixes.
fn time(
    device: &mut dyn Device,
    problem: &Problem,
    method: Method,
    seed: u64,
    found: &Estimate,
) -> Result<Mean, Failure> {
    let lanes = device.capabilities().lanes as f64;
    if !device.capabilities().is_gpu() && method.sampler() == method {
        let Mean { value, error } = found.thread_seconds;
        return Ok(Mean { value: value / lanes, error: error / lanes });
    }
    let rate = seconds_per_solution(device, problem, method, seed)?;
    let value = found.solutions.value * rate.value;
    let relative = |mean: Mean| mean.error / mean.value.max(f64::MIN_POSITIVE);
    Ok(Mean { value, error: value * relative(rate).hypot(relative(found.solutions)) })
}
