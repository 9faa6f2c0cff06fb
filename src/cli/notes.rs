//! What `count` says before it starts.

use std::time::Duration;

use nqueens::Method;
use nqueens::backend::{Capabilities, Device};
use nqueens::job::Checkpoint;
use nqueens::plan::Plan;
use nqueens::report::{counted, duration, thousands};

use super::job::seconds;

/// From this time on a count is long enough to say beforehand how long it will take, and how it is done.
const WORTH_TELLING: Duration = Duration::from_secs(1);

/// From this time on it is a pity to lose one.
const WORTH_SAVING: Duration = Duration::from_secs(60);

/// Says what is worth knowing before a count starts.
pub fn start(plan: &Plan, checkpoint: &Checkpoint, saves: bool) {
    let (resumed, all) = (checkpoint.done.prefixes(), plan.prefixes());
    if checkpoint.is_complete() && saves {
        say!("note: already finished: this is the saved count");
    } else if resumed > 0 {
        say!("note: resuming: {} of {} done", thousands(resumed.into()), counted(all, "prefix", "prefixes"));
    }
}

/// Says how a count that takes a while is made, why so, how long it will take, and what would become of it.
pub fn time(plan: &Plan, devices: &[Box<dyn Device>], chosen: bool, saves: bool) {
    let [device] = devices else { return };
    let Some(time) = seconds(plan, &**device).filter(|&time| time >= WORTH_TELLING) else { return };
    let (method, capabilities) = (plan.method(), device.capabilities());
    let why = if chosen { reason(plan.n(), method, capabilities) } else { String::new() };
    say!("n = {}: about {} by {method}{why}", plan.n(), duration(time));
    if !saves && time >= WORTH_SAVING {
        say!("note: Ctrl-C loses this count; with --checkpoint FILE it could be interrupted and resumed");
    }
}

/// Why a method was chosen, in a phrase.
fn reason(n: u32, method: Method, cpu: &Capabilities) -> String {
    let mut cpu = cpu.clone();
    let with = if cpu.instruction_set.is_empty() { "this CPU" } else { cpu.instruction_set };
    let memory = gibibytes(cpu.memory);
    cpu.memory = usize::MAX;
    match Method::fastest(n, &cpu) {
        other if other != method => {
            format!(", the fastest with {with} and {memory} of memory; with more it would be {other}")
        }
        _ => format!(", the fastest with {with} and {memory} of memory"),
    }
}

/// `5.7 GiB`
fn gibibytes(bytes: usize) -> String {
    format!("{:.1} GiB", bytes as f64 / (1_u64 << 30) as f64)
}
