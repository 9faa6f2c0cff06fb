//! `nqueens estimate`

use std::io::Write;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use nqueens::Method;
use nqueens::backend::{Backend, Cpu, Place};
use nqueens::estimate::{Estimate, Mean, estimate, free_rows};
use nqueens::gpu::TAIL_ROWS;
use nqueens::job::Provenance;
use nqueens::known;
use nqueens::prefix::Prefix;
use nqueens::report::{duration, json, thousands};
use nqueens::search::most_constrained;
use nqueens::throughput;

use super::args::{BackendArgs, MethodChoice, board_size};
use super::exit::Failure;
use super::progress::Steps;

#[derive(Args)]
#[command(after_help = "Example: nqueens estimate 27")]
pub struct EstimateArgs {
    /// Rows and columns of the board, 0 to 32.
    #[arg(value_parser = board_size, allow_negative_numbers = true)]
    n: u32,
    /// How many random prefixes to finish.
    #[arg(short, long, default_value_t = 10_000, value_parser = samples, allow_negative_numbers = true)]
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
    let mut backend = args.backend.open(args.n, args.method, args.stats)?;
    let method = args.method.resolve(args.n, &*backend);
    let mut cpu = args.backend.cpu()?;
    let on_gpu = matches!(backend.place(), Place::Gpu { .. });
    // How many solutions there are does not depend on who counts them, and a search finishes small prefixes sooner.
    let sampler = if method == Method::HalfJoin { Method::MostConstrained } else { method };
    // The twin is slower than the lanes, and of a GPU's time it says nothing: smaller prefixes will do.
    let depth = free_rows(sampler, args.n).saturating_sub(if on_gpu { 3 } else { 0 });
    let progress = Steps::new(args.samples, "samples");
    let found = cpu.install(|| {
        estimate(sampler, args.n, depth, args.samples, args.seed, || {
            let mut finisher = sampler.finisher(args.stats || args.json);
            let progress = &progress;
            move |prefix: &Prefix| {
                progress.done();
                match sampler {
                    // The CPU twin of the shaders takes the same steps as they do.
                    Method::MostConstrained if on_gpu => most_constrained::finish(prefix, TAIL_ROWS),
                    _ => finisher.finish(prefix),
                }
            }
        })
    })?;
    drop(progress);
    let time = match method {
        Method::HalfJoin => half_join_time(&mut cpu, args, &found)?,
        _ => time(&mut *backend, method, args, &found, cpu.threads())?,
    };
    let place = backend.place();
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
            by: Provenance::of(method, &place),
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

/// A number of samples.
fn samples(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(samples @ 2..=10_000_000) => Ok(samples),
        _ => Err("the number of samples must be from 2 to 10,000,000".into()),
    }
}

/// `2.3496e17 +- 1.2e15`
fn with_error(mean: Mean) -> String {
    if mean.value < 1e6 {
        return format!("{:.0} +- {:.0}", mean.value, mean.error);
    }
    format!("{:.4e} +- {:.1e}", mean.value, mean.error)
}

/// The time of a count: on the CPU from the processor time of the sample, on a GPU from how fast it finishes a batch of
/// random prefixes.
fn time(
    backend: &mut dyn Backend,
    method: Method,
    args: &EstimateArgs,
    found: &Estimate,
    threads: usize,
) -> Result<Mean, Failure> {
    let scale = match backend.place() {
        Place::Cpu { .. } => 1.0 / threads as f64,
        Place::Gpu { .. } => {
            let seconds_a_solution = throughput::per_solution(backend, method, args.n, args.seed)?;
            found.solutions.value * seconds_a_solution / found.thread_seconds.value.max(f64::MIN_POSITIVE)
        }
    };
    Ok(Mean { value: found.thread_seconds.value * scale, error: found.thread_seconds.error * scale })
}

/// The time of a count by half join: of a few prefixes, for as many solutions as there are.
fn half_join_time(cpu: &mut Cpu, args: &EstimateArgs, found: &Estimate) -> Result<Mean, Failure> {
    let rate = throughput::half_join(cpu, args.n, args.seed)?;
    let value = found.solutions.value * rate.value;
    let relative = |mean: Mean| mean.error / mean.value.max(f64::MIN_POSITIVE);
    Ok(Mean { value, error: value * relative(rate).hypot(relative(found.solutions)) })
}
