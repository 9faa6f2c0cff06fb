//! Runs a batch of prefixes through a kernel, one bounded dispatch after the other.

use std::time::Instant;

use super::PATIENCE;
use super::device::Device;
use super::kernel::{Kernel, Limits, Report, SENTINEL};
use super::pace::Pace;
use crate::backend::{Effort, OnDone};
use crate::error::{Error, Result};
use crate::prefix::Prefix;

/// Finishes the prefixes: dispatches until no prefix is left to take and no lane is busy, then reads the counts.
pub(super) fn run(
    device: &Device,
    kernel: &mut Kernel,
    prefixes: &[Prefix],
    pace: &mut Pace,
    effort: &mut Effort,
    done: OnDone<'_>,
) -> Result<Vec<u64>> {
    device.queue.write_buffer(&kernel.prefixes, 0, bytemuck::cast_slice(&kernel.pack(prefixes)));
    device.queue.write_buffer(&kernel.counts, 0, bytemuck::cast_slice(&vec![[SENTINEL; 2]; prefixes.len()]));
    device.queue.write_buffer(&kernel.taken, 0, &0u32.to_ne_bytes());
    let mut taken_before = 0;
    loop {
        let groups = pace.invocations().min(prefixes.len() as u32).div_ceil(kernel.lanes()).max(1);
        let start = Instant::now();
        let (reports, taken) = dispatch(device, kernel, prefixes.len() as u32, pace.steps(), groups)?;
        let took = start.elapsed();

        let invocations = groups * kernel.lanes();
        effort.slices += 1;
        effort.longest_slice = effort.longest_slice.max(took);
        effort.invocations = effort.invocations.max(invocations);
        let mut busy = 0;
        for report in &reports {
            busy += report.lanes_busy;
            effort.steps += u64::from(report.steps_taken);
            effort.lane_slots += u64::from(report.steps_longest) * u64::from(kernel.lanes());
        }
        let taken = (taken as usize).min(prefixes.len());
        done(taken_before..taken);
        taken_before = taken;
        if busy == 0 && taken == prefixes.len() {
            break;
        }
        if busy == invocations {
            pace.learn(took);
        }
    }
    read_counts(device, kernel, prefixes.len())
}

/// One slice: the report of each workgroup, and how many prefixes have been asked for so far.
fn dispatch(device: &Device, kernel: &Kernel, prefixes: u32, steps: u32, groups: u32) -> Result<(Vec<Report>, u32)> {
    let limits = Limits { prefixes, steps, stride: kernel.stride(), padding: 0 };
    device.queue.write_buffer(&kernel.limits, 0, bytemuck::bytes_of(&limits));
    let bytes = u64::from(groups) * size_of::<Report>() as u64;
    let mut encoder = device.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(&kernel.lost_reports, 0, &kernel.reports, 0, bytes);
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &kernel.bindings, &[]);
        pass.dispatch_workgroups(groups, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&kernel.reports, 0, &kernel.report_readback, 0, bytes);
    encoder.copy_buffer_to_buffer(&kernel.taken, 0, &kernel.report_readback, bytes, 4);
    let words: Vec<u32> = read_back(device, encoder, &kernel.report_readback, bytes + 4)?;
    let (taken, reports) = words.split_last().expect("there is at least the number of prefixes taken");
    Ok((written_reports(&device.info.name, bytemuck::cast_slice(reports))?.to_vec(), *taken))
}

fn read_counts(device: &Device, kernel: &Kernel, prefixes: usize) -> Result<Vec<u64>> {
    if prefixes == 0 {
        return Ok(Vec::new());
    }
    let bytes = prefixes as u64 * 8;
    let mut encoder = device.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(&kernel.counts, 0, &kernel.count_readback, 0, bytes);
    let words: Vec<[u32; 2]> = read_back(device, encoder, &kernel.count_readback, bytes)?;
    written_counts(&device.info.name, &words)
}

/// Submits the commands, waits for them and reads the start of a buffer that they filled.
fn read_back<T: bytemuck::Pod>(
    device: &Device,
    encoder: wgpu::CommandEncoder,
    buffer: &wgpu::Buffer,
    bytes: u64,
) -> Result<Vec<T>> {
    let submission = device.queue.submit([encoder.finish()]);
    let slice = buffer.slice(..bytes);
    let (sender, receiver) = std::sync::mpsc::channel();
    slice.map_async(wgpu::MapMode::Read, move |result| {
        // The receiver is gone only if this call has already failed.
        let _ = sender.send(result);
    });
    let waited =
        device.device.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(PATIENCE) });
    device.check()?;
    waited.map_err(|e| device.error(e))?;
    match receiver.try_recv() {
        Ok(Ok(())) => (),
        Ok(Err(e)) => return Err(device.error(e)),
        Err(_) => return Err(device.error("the results could not be read although the work was done")),
    }
    let words = bytemuck::pod_collect_to_vec(&slice.get_mapped_range().map_err(|e| device.error(e))?);
    buffer.unmap();
    Ok(words)
}

/// The reports, if each was written by its workgroup.
fn written_reports<'a>(device: &str, reports: &'a [Report]) -> Result<&'a [Report]> {
    match reports.iter().filter(|report| bytemuck::cast::<_, [u32; 4]>(**report).contains(&SENTINEL)).count() {
        0 => Ok(reports),
        lost => Err(Error::LostDispatch { device: device.into(), lost }),
    }
}

/// The counts from their low and high words, if each was written by an invocation.
fn written_counts(device: &str, words: &[[u32; 2]]) -> Result<Vec<u64>> {
    match words.iter().filter(|words| **words == [SENTINEL; 2]).count() {
        0 => Ok(words.iter().map(|&[low, high]| u64::from(high) << 32 | u64::from(low)).collect()),
        lost => Err(Error::LostDispatch { device: device.into(), lost }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_was_never_written_is_an_error_not_a_zero() {
        let counts = written_counts("d", &[[0, 0], [5, 1], [SENTINEL, 0]]).unwrap();
        assert_eq!(counts, [0, (1 << 32) + 5, u64::from(u32::MAX)]);
        let lost = written_counts("d", &[[0, 0], [SENTINEL; 2], [SENTINEL; 2]]);
        assert!(matches!(lost, Err(Error::LostDispatch { lost: 2, .. })), "{lost:?}");

        let written = Report { lanes_busy: 0, steps_taken: 3, steps_longest: 2, zero: 0 };
        assert_eq!(written_reports("d", &[written; 2]).unwrap().len(), 2);
        let half = Report { zero: SENTINEL, ..written };
        for lost in [Report::LOST, half] {
            assert!(matches!(written_reports("d", &[written, lost]), Err(Error::LostDispatch { lost: 1, .. })));
        }
    }
}
