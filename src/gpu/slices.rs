//! Runs a batch of prefixes through the pipelines, one bounded dispatch after the other.

use super::device::OpenDevice;
use super::pace::Pace;
use super::pipeline::{Pipeline, Pipelines, SENTINEL, Slice};
use crate::backend::{Control, Stats};
use crate::error::{Error, Result};
use crate::method::gpu_program::GpuProgram;
use crate::prefix::Prefix;

/// How fast each of the two pipelines goes.
#[derive(Clone, Debug)]
pub(super) struct Paces {
    pub search: Pace,
    pub tail: Pace,
}

/// Counts the completions of prefixes: dispatches until no prefix is left to take and no lane is busy, then reads the counts.
pub(super) fn run(
    device: &OpenDevice,
    (program, pipelines): (&GpuProgram, &Pipelines),
    prefixes: &[Prefix],
    paces: &mut Paces,
    stats: &mut Stats,
    control: &Control<'_>,
) -> Result<Vec<u64>> {
    let mut words = Vec::with_capacity(prefixes.len() * program.prefix_words);
    for prefix in prefixes {
        (program.pack)(prefix, &mut words);
    }
    pipelines.upload(device, &words, prefixes.len(), if program.accumulates { 0 } else { SENTINEL });
    let total = prefixes.len() as u32;
    let steps_before = stats.steps();
    let mut taken_before = 0;
    loop {
        control.check()?;
        let invocations = paces.search.invocations().min(total);
        let mut steps = paces.search.steps();
        if pipelines.tail.is_some() {
            // An invocation queues at most one survivor a step: this many always fit.
            steps = steps.min(pipelines.queue_room / invocations.next_multiple_of(pipelines.search.lanes).max(1));
        }
        let slice = pipelines.dispatch_search(device, total, steps, invocations)?;
        learn(&pipelines.search, &slice, &mut paces.search, stats);
        drain(device, pipelines, slice.counters.survivors, paces, stats)?;
        if crate::fault::destroys_device() {
            device.destroy();
        }
        let taken = slice.counters.prefixes.min(total);
        control.done(taken_before.into()..taken.into());
        taken_before = taken;
        if slice.lanes_busy == 0 && taken == total {
            break;
        }
    }
    if program.accumulates {
        written(device, pipelines.read_marks(device, prefixes.len())?, |&mark| mark == SENTINEL)?;
    }
    let words = written(device, pipelines.read_counts(device, prefixes.len())?, |&words| words == [SENTINEL; 2])?;
    let counts: Vec<u64> = words.into_iter().map(|[low, high]| u64::from(high) << 32 | u64::from(low)).collect();
    let nodes = program.nodes(stats.steps() - steps_before, prefixes, &counts);
    *stats.nodes.get_or_insert(0) += nodes;
    Ok(counts)
}

/// Lets the tail finish the survivors in the queue, if there is one, and empties it.
fn drain(
    device: &OpenDevice,
    pipelines: &Pipelines,
    survivors: u32,
    paces: &mut Paces,
    stats: &mut Stats,
) -> Result<()> {
    let Some(tail) = pipelines.tail.as_ref().filter(|_| survivors > 0) else { return Ok(()) };
    let mut finished = 0;
    loop {
        let invocations = paces.tail.invocations().min(survivors);
        let slice = pipelines.dispatch(device, tail, paces.tail.steps(), invocations)?;
        learn(tail, &slice, &mut paces.tail, stats);
        finished += slice.survivors_finished;
        if slice.lanes_busy == 0 && slice.counters.taken >= survivors {
            break;
        }
    }
    if finished != survivors {
        let lost = survivors.abs_diff(finished) as usize;
        return Err(Error::LostDispatch { device: device.info.name.clone(), lost });
    }
    pipelines.empty_queue(device);
    Ok(())
}

/// Notes what a slice did and how long it took.
fn learn(pipeline: &Pipeline, slice: &Slice, pace: &mut Pace, stats: &mut Stats) {
    if slice.lanes_busy == slice.invocations {
        pace.learn(slice.took);
    }
    stats.kernel(pipeline.name).add(slice.steps, slice.lane_slots, slice.took, slice.invocations);
}

/// The results, if each was written.
fn written<T>(device: &OpenDevice, results: Vec<T>, unwritten: impl Fn(&T) -> bool) -> Result<Vec<T>> {
    match results.iter().filter(|result| unwritten(result)).count() {
        0 => Ok(results),
        lost => Err(Error::LostDispatch { device: device.info.name.clone(), lost }),
    }
}
