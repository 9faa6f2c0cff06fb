//! Runs a batch of prefixes through a kernel, one bounded dispatch after the other.

use super::device::Device;
use super::kernel::Kernel;
use super::pace::Pace;
use super::stage::{Counters, SENTINEL, Slice, Stage, read_back};
use crate::backend::{Effort, OnDone};
use crate::error::{Error, Result};
use crate::prefix::Prefix;

/// How fast each of the two stages goes.
#[derive(Clone, Debug)]
pub(super) struct Paces {
    pub search: Pace,
    pub tail: Pace,
}

/// Finishes the prefixes: dispatches until no prefix is left to take and no lane is busy, then reads the counts.
pub(super) fn run(
    device: &Device,
    kernel: &Kernel,
    prefixes: &[Prefix],
    paces: &mut Paces,
    effort: &mut Effort,
    done: OnDone<'_>,
) -> Result<Vec<u64>> {
    let unwritten = if kernel.accumulates() { 0 } else { SENTINEL };
    let counters = Counters { prefixes: 0, survivors: 0, taken: 0 };
    device.queue.write_buffer(&kernel.prefixes, 0, bytemuck::cast_slice(&kernel.pack(prefixes)));
    device.queue.write_buffer(&kernel.counts, 0, bytemuck::cast_slice(&vec![[unwritten; 2]; prefixes.len()]));
    device.queue.write_buffer(&kernel.searched, 0, bytemuck::cast_slice(&vec![SENTINEL; prefixes.len()]));
    device.queue.write_buffer(&kernel.counters, 0, bytemuck::bytes_of(&counters));
    let total = prefixes.len() as u32;
    let steps_before = effort.steps();
    let mut taken_before = 0;
    loop {
        let invocations = paces.search.invocations().min(total);
        let mut steps = paces.search.steps();
        if let Some(tail) = &kernel.tail {
            // An invocation queues at most one survivor a step: this many always fit.
            steps = steps.min(tail.room / invocations.next_multiple_of(kernel.search.lanes).max(1));
        }
        let slice = dispatch(device, kernel, &kernel.search, (total, steps, invocations), &mut paces.search, effort)?;
        if kernel.tail.is_some() {
            drain(device, kernel, slice.counters.survivors, paces, effort)?;
        }
        if crate::fault::destroys_device() {
            device.device.destroy();
        }
        let taken = slice.counters.prefixes.min(total) as usize;
        done(taken_before..taken);
        taken_before = taken;
        if slice.lanes_busy == 0 && taken == prefixes.len() {
            break;
        }
    }
    if kernel.accumulates() {
        written(device, read::<u32>(device, kernel, &kernel.searched, prefixes.len())?, |&mark| mark == SENTINEL)?;
    }
    let words = read::<[u32; 2]>(device, kernel, &kernel.counts, prefixes.len())?;
    let words = written(device, words, |&words| words == [SENTINEL; 2])?;
    let counts: Vec<u64> = words.into_iter().map(|[low, high]| u64::from(high) << 32 | u64::from(low)).collect();
    let nodes = kernel.nodes(effort.steps() - steps_before, prefixes, &counts);
    *effort.nodes.get_or_insert(0) += nodes;
    Ok(counts)
}

/// Lets the second stage finish the survivors in the queue, and empties it.
fn drain(device: &Device, kernel: &Kernel, survivors: u32, paces: &mut Paces, effort: &mut Effort) -> Result<()> {
    let Some(tail) = &kernel.tail else { return Ok(()) };
    if survivors == 0 {
        return Ok(());
    }
    let mut finished = 0;
    loop {
        let size = (0, paces.tail.steps(), paces.tail.invocations().min(survivors));
        let slice = dispatch(device, kernel, &tail.stage, size, &mut paces.tail, effort)?;
        finished += slice.survivors_finished;
        if slice.lanes_busy == 0 && slice.counters.taken >= survivors {
            break;
        }
    }
    if finished != survivors {
        let lost = survivors.abs_diff(finished) as usize;
        return Err(Error::LostDispatch { device: device.info.name.clone(), lost });
    }
    device.queue.write_buffer(&kernel.counters, 4, bytemuck::cast_slice(&[0u32; 2]));
    Ok(())
}

/// One slice of a stage, of so many prefixes, steps and invocations.
fn dispatch(
    device: &Device,
    kernel: &Kernel,
    stage: &Stage,
    (prefixes, steps, invocations): (u32, u32, u32),
    pace: &mut Pace,
    effort: &mut Effort,
) -> Result<Slice> {
    let slice = stage.dispatch(device, &kernel.counters, prefixes, steps, invocations)?;
    if slice.lanes_busy == slice.invocations {
        pace.learn(slice.took);
    }
    effort.stage(stage.name).add(slice.steps, slice.lane_slots, slice.took, slice.invocations);
    Ok(slice)
}

/// Reads a buffer that has one element for each prefix.
fn read<T: bytemuck::Pod>(device: &Device, kernel: &Kernel, from: &wgpu::Buffer, prefixes: usize) -> Result<Vec<T>> {
    if prefixes == 0 {
        return Ok(Vec::new());
    }
    let bytes = (prefixes * size_of::<T>()) as u64;
    let mut encoder = device.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(from, 0, &kernel.readback, 0, bytes);
    read_back(device, encoder, &kernel.readback, bytes)
}

/// The results, if each was written.
fn written<T>(device: &Device, results: Vec<T>, unwritten: impl Fn(&T) -> bool) -> Result<Vec<T>> {
    match results.iter().filter(|result| unwritten(result)).count() {
        0 => Ok(results),
        lost => Err(Error::LostDispatch { device: device.info.name.clone(), lost }),
    }
}
