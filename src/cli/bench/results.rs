//! What was measured, in the form that is exported and read again.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use nqueens::backend::Startup;

use super::contestant::Contestant;
use super::slice_name;
use crate::cli::environment::Environment;
use crate::cli::exit::Failure;

/// What the file says it is, and the version of its form.
pub const FORMAT: &str = "nqueens bench";
pub const VERSION: u32 = 1;

/// All results of one `nqueens bench`.
#[derive(Serialize, Deserialize)]
pub struct Results {
    pub format: String,
    pub version: u32,
    pub environment: Environment,
    /// Runs of each contestant before the ones that count.
    pub warm_ups: u32,
    pub repetitions: u32,
    pub rows: Vec<Row>,
}

/// One line of the table: a method and a backend at one n.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub n: u32,
    pub method: String,
    /// `cpu` or `gpu`.
    pub backend: String,
    /// `CPU, 8 threads`, or the name of the GPU.
    pub device: String,
    /// Of a GPU, where they were fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice_steps: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocations: Option<u32>,
    /// Whether the times are those of opening the device, compiling and counting together.
    #[serde(default)]
    pub with_startup: bool,
    /// Of all repetitions, as are the least and the greatest.
    pub median_seconds: f64,
    pub min_seconds: f64,
    pub max_seconds: f64,
    pub solutions_per_second: f64,
    /// Time of the CPU with all threads, by the first method, over this time: above 1 is faster. Without a
    /// CPU it is the first row's time.
    pub ratio: f64,
    pub count: String,
    pub repetitions: u32,
    /// Each repetition, in the order they ran in.
    #[serde(default)]
    pub run_seconds: Vec<f64>,
    /// Of a GPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup: Option<StartupTimes>,
    /// What `--compare` found: the median in the older file, and the new one over it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_median_seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowdown: Option<f64>,
}

impl Row {
    /// Where it was measured, in one text.
    pub fn place(&self) -> String {
        let startup = if self.with_startup { ", with start-up" } else { "" };
        format!("{}{}{startup}", self.device, slice_name(self.slice_steps, self.invocations))
    }

    /// Whether it is of the same n, method and place.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.n, &self.method) == (other.n, &other.method) && self.place() == other.place()
    }
}

/// The time until the first dispatch of a GPU has come back: medians, each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartupTimes {
    pub open_seconds: f64,
    pub compile_seconds: f64,
    pub first_dispatch_seconds: f64,
    pub total_seconds: f64,
    /// The total of the warm-up run: nothing of this n and method was compiled in this process before.
    pub first_total_seconds: f64,
}

/// The rows of one n. All contestants must have found the same count.
pub fn rows(n: u32, contestants: &[Contestant]) -> Result<Vec<Row>, Failure> {
    let finished = || contestants.iter().filter_map(|c| Some((c, c.count.as_ref()?)));
    for ((_, a), (_, b)) in finished().zip(finished().skip(1)) {
        if a.solutions != b.solutions {
            let text = format!("n = {n}: {} on {}, {} on {}", a.solutions, a.device, b.solutions, b.device);
            return Err(Failure::WrongCount(format!("the counts differ: {text}. Please report this")));
        }
    }
    let Some((first, _)) = finished().next() else { return Ok(Vec::new()) };
    // Of the first method that takes part: the CPU with all threads comes after the CPU with one.
    let cpu = contestants.iter().rfind(|c| !c.is_gpu() && c.method == first.method).unwrap_or(first);
    let baseline = median(&cpu.counting);
    let mut rows = Vec::new();
    for (contestant, count) in finished() {
        let options = contestant.slice_options();
        let mut row = |times: &[Duration], startup: Option<StartupTimes>, with_startup| {
            let seconds: Vec<f64> = times.iter().map(|time| at_least_a_tick(*time)).collect();
            let median_seconds = median(times);
            rows.push(Row {
                n,
                method: contestant.method.to_string(),
                backend: if contestant.is_gpu() { "gpu".into() } else { "cpu".into() },
                device: contestant.device.clone(),
                slice_steps: options.steps,
                invocations: options.invocations,
                with_startup,
                median_seconds,
                min_seconds: seconds.iter().copied().fold(f64::INFINITY, f64::min),
                max_seconds: seconds.iter().copied().fold(0.0, f64::max),
                solutions_per_second: count.solutions as f64 / median_seconds,
                ratio: baseline / median_seconds,
                count: count.solutions.to_string(),
                repetitions: seconds.len() as u32,
                run_seconds: seconds,
                startup,
                old_median_seconds: None,
                slowdown: None,
            });
        };
        row(&contestant.counting, startup(contestant), false);
        if contestant.is_gpu() {
            row(&contestant.in_all, None, true);
        }
    }
    Ok(rows)
}

fn startup(contestant: &Contestant) -> Option<StartupTimes> {
    // The first is the warm-up's.
    let (first, counted) = contestant.startups.split_first()?;
    let median_of = |part: fn(&Startup) -> Duration| median(&counted.iter().map(part).collect::<Vec<_>>());
    Some(StartupTimes {
        open_seconds: median_of(|startup| startup.open),
        compile_seconds: median_of(|startup| startup.compile),
        first_dispatch_seconds: median_of(|startup| startup.first_dispatch),
        total_seconds: median_of(Startup::total),
        first_total_seconds: first.total().as_secs_f64(),
    })
}

/// No clock shows a count that takes no time: ratios stay finite.
fn at_least_a_tick(time: Duration) -> f64 {
    time.as_secs_f64().max(1e-9)
}

/// In seconds, of at least one time.
pub fn median(times: &[Duration]) -> f64 {
    let mut seconds: Vec<f64> = times.iter().map(|time| at_least_a_tick(*time)).collect();
    seconds.sort_by(f64::total_cmp);
    let middle = seconds.len() / 2;
    if seconds.len() % 2 == 1 { seconds[middle] } else { (seconds[middle - 1] + seconds[middle]) / 2.0 }
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
}
