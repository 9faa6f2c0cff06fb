//! `nqueens selftest`

use std::io::Write;

use clap::Args;
use serde::Serialize;

use nqueens::Method;
use nqueens::backend::{Cpu, Device};
use nqueens::gpu::{self, DeviceChoice, Gpu, SliceOptions};
use nqueens::job::{Provenance, check_files, check_verify, selftest};

use super::exit::Failure;
use super::job::passed;
use super::json;

#[derive(Args)]
#[command(after_help = "Example: nqueens selftest --full")]
pub struct SelftestArgs {
    /// Every board from 0 to 14 by each method on the CPU, and from 0 to 12 on each device, emulated ones included; else a few
    /// small ones on the CPU and on each hardware GPU.
    #[arg(long)]
    full: bool,
    /// One JSON object a check.
    #[arg(long)]
    json: bool,
}

/// A check that was passed.
#[derive(Serialize)]
struct Passed {
    check: &'static str,
    #[serde(flatten)]
    counts: Option<Counts>,
}

/// Counts that were right.
#[derive(Serialize)]
struct Counts {
    #[serde(flatten)]
    by: Provenance,
    /// How many boards, and the least and the greatest n of them.
    boards: usize,
    smallest_n: u32,
    largest_n: u32,
}

pub fn run(args: &SelftestArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let mut say = |passed: Passed, text: &str| match args.json {
        true => json::line(&mut out, &passed),
        false => writeln!(out, "ok  {text}"),
    };
    let (on_cpu, on_gpu): (Vec<u32>, Vec<u32>) =
        if args.full { ((0..=14).collect(), (0..=12).collect()) } else { (vec![0, 1, 2, 3, 5, 8, 10, 11], vec![1, 8]) };
    let mut devices: Vec<(Box<dyn Device>, &[u32])> = vec![(Box::new(Cpu::new(None)?), &on_cpu)];
    for device in gpu::list().into_iter().filter(|device| args.full || !device.emulated) {
        let gpu = Gpu::open(&DeviceChoice::Named(device.index.to_string()), SliceOptions::default())?;
        devices.push((Box::new(gpu), &on_gpu));
    }
    for (device, boards) in &mut devices {
        let place = device.capabilities().clone();
        for &method in Method::ALL.iter().filter(|method| method.runs_on(&place)) {
            passed(selftest(&mut **device, method, boards)?)?;
            let (first, last) = (boards[0], boards[boards.len() - 1]);
            let text = format!("{place} by {method}: {} boards from n = {first} to {last}", boards.len());
            let by = Provenance::new(method, &place);
            let counts = Counts { by, boards: boards.len(), smallest_n: first, largest_n: last };
            say(Passed { check: "counts", counts: Some(counts) }, &text)?;
        }
    }
    let mut cpu = Cpu::new(None)?;
    for &method in Method::ALL {
        passed(check_verify(&mut cpu, method)?)?;
    }
    let text = "wrong counts are noticed by a recount: one more, a dropped prefix, a flipped bit";
    say(Passed { check: "recounts", counts: None }, text)?;
    passed(check_files()?)?;
    say(Passed { check: "files", counts: None }, "damage to a checkpoint is noticed at each byte and each length")?;
    Ok(std::io::stdout().flush()?)
}
