//! One compiled shader with its own buffers, and the dispatching of it.

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};

use super::PATIENCE;
use super::device::Device;
use crate::error::{Error, Result};

/// What result buffers are filled with before a dispatch. No count and no report can have this value.
pub(super) const SENTINEL: u32 = u32::MAX;

/// `Limits` of the shaders.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Limits {
    prefixes: u32,
    steps: u32,
    stride: u32,
    padding: u32,
}

/// `Counters` of the shaders.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Counters {
    /// Prefixes taken: it can be a little more than there are.
    pub prefixes: u32,
    /// Survivors put into the queue.
    pub survivors: u32,
    /// Survivors taken from it: it can be a little more than there are.
    pub taken: u32,
}

/// `reports` of the shaders, one of each workgroup.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Report {
    lanes_busy: u32,
    steps_taken: u32,
    steps_longest: u32,
    survivors_finished: u32,
}

impl Report {
    const LOST: Self =
        Self { lanes_busy: SENTINEL, steps_taken: SENTINEL, steps_longest: SENTINEL, survivors_finished: SENTINEL };
}

/// What a dispatch did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub counters: Counters,
    pub invocations: u32,
    pub lanes_busy: u32,
    pub survivors_finished: u32,
    pub steps: u64,
    pub lane_slots: u64,
    pub took: Duration,
}

/// What a stage is made of.
pub(super) struct Recipe<'a> {
    /// The name of the shader.
    pub name: &'static str,
    pub source: &'static str,
    /// Its override constants, but for `LANES`.
    pub constants: &'a [(&'static str, u32)],
    /// Invocations of a workgroup.
    pub lanes: u32,
    /// Vectors of 16 bytes that an invocation saves between two dispatches.
    pub slots: u32,
    /// The most invocations, if there is memory for them.
    pub invocations: u32,
    /// The buffers it shares with others, by binding; 2 to 5 are filled in here.
    pub shared: &'a [(u32, &'a wgpu::Buffer)],
}

/// A compiled shader with the buffers that are its own.
pub(super) struct Stage {
    pub name: &'static str,
    pub lanes: u32,
    /// The most invocations there is memory for.
    pub stride: u32,
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    limits: wgpu::Buffer,
    reports: wgpu::Buffer,
    /// As many lost reports as there are reports, to fill the buffer with.
    lost_reports: wgpu::Buffer,
    /// Where the host reads the reports, and after them the counters.
    readback: wgpu::Buffer,
}

/// A buffer on the device that can be written from the host.
pub(super) fn buffer(device: &Device, label: &str, bytes: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

impl Stage {
    /// Compiles the shader and takes memory for it.
    pub fn new(device: &Device, recipe: &Recipe<'_>, counters: &wgpu::Buffer) -> Result<Self> {
        use wgpu::BufferUsages as Usage;
        let room = device.info.max_binding_bytes.min(256 << 20) / (u64::from(recipe.slots) * 16);
        let most_groups = device.info.max_workgroups.min(room as u32 / recipe.lanes).max(1);
        let groups = recipe.invocations.div_ceil(recipe.lanes).clamp(1, most_groups);
        let stride = groups * recipe.lanes;
        let report_bytes = u64::from(groups) * size_of::<Report>() as u64;
        let limits = buffer(device, "limits", size_of::<Limits>() as u64, Usage::UNIFORM);
        let saved = buffer(device, "saved", u64::from(recipe.slots) * 16 * u64::from(stride), Usage::STORAGE);
        let reports = buffer(device, "reports", report_bytes, Usage::STORAGE | Usage::COPY_SRC);
        let lost_reports = buffer(device, "lost reports", report_bytes, Usage::COPY_SRC);
        let readback = buffer(device, "report readback", report_bytes + size_of::<Counters>() as u64, Usage::MAP_READ);
        device.queue.write_buffer(&lost_reports, 0, bytemuck::cast_slice(&vec![Report::LOST; groups as usize]));

        let pipeline = compile(device, recipe);
        let own = [(2, &limits), (3, counters), (4, &saved), (5, &reports)];
        let entries: Vec<_> = own
            .iter()
            .chain(recipe.shared)
            .map(|&(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let bindings = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(recipe.name),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        device.check()?;
        let (name, lanes) = (recipe.name, recipe.lanes);
        Ok(Self { name, lanes, stride, pipeline, bindings, limits, reports, lost_reports, readback })
    }

    /// One slice: at most `steps` steps of at least `invocations` invocations.
    pub fn dispatch(
        &self,
        device: &Device,
        counters: &wgpu::Buffer,
        prefixes: u32,
        steps: u32,
        invocations: u32,
    ) -> Result<Slice> {
        let start = Instant::now();
        let groups = invocations.min(self.stride).div_ceil(self.lanes).max(1);
        let limits = Limits { prefixes, steps, stride: self.stride, padding: 0 };
        device.queue.write_buffer(&self.limits, 0, bytemuck::bytes_of(&limits));
        let bytes = u64::from(groups) * size_of::<Report>() as u64;
        let mut encoder = device.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&self.lost_reports, 0, &self.reports, 0, bytes);
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.bindings, &[]);
            pass.dispatch_workgroups(groups, 1, 1);
        }
        let counter_bytes = size_of::<Counters>() as u64;
        encoder.copy_buffer_to_buffer(&self.reports, 0, &self.readback, 0, bytes);
        encoder.copy_buffer_to_buffer(counters, 0, &self.readback, bytes, counter_bytes);
        let words: Vec<u32> = read_back(device, encoder, &self.readback, bytes + counter_bytes)?;
        let (reports, counters) = words.split_at((bytes / 4) as usize);
        let mut slice = Slice {
            counters: bytemuck::pod_read_unaligned(bytemuck::cast_slice(counters)),
            invocations: groups * self.lanes,
            lanes_busy: 0,
            survivors_finished: 0,
            steps: 0,
            lane_slots: 0,
            took: start.elapsed(),
        };
        for report in written_reports(&device.info.name, bytemuck::cast_slice(reports))? {
            slice.lanes_busy += report.lanes_busy;
            slice.survivors_finished += report.survivors_finished;
            slice.steps += u64::from(report.steps_taken);
            slice.lane_slots += u64::from(report.steps_longest) * u64::from(self.lanes);
        }
        Ok(slice)
    }
}

fn compile(device: &Device, recipe: &Recipe<'_>) -> wgpu::ComputePipeline {
    let source = wgpu::ShaderSource::Wgsl(recipe.source.into());
    let descriptor = wgpu::ShaderModuleDescriptor { label: Some(recipe.name), source };
    // SAFETY: without runtime checks a shader must keep its indices in bounds and its loops finite by itself. All main
    // loops end after `limits.steps` trips, the others after as many trips as the board has rows. Stack levels are bounded
    // by the rows below the prefix, which the host sizes the stacks by; indices of prefixes and survivors are compared
    // with their numbers before use; an invocation queues at most one survivor a step, and the host gives it no more steps
    // than the queue has room for; the number of an invocation is less than `limits.stride`, which `saved` is sized by.
    // `Gpu::finish` checks that there is room for the prefixes and that they are as deep as the plan says.
    let module =
        unsafe { device.device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) };
    let constants: Vec<(&str, f64)> = recipe
        .constants
        .iter()
        .chain(&[("LANES", recipe.lanes)])
        .map(|&(name, value)| (name, f64::from(value)))
        .collect();
    device.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(recipe.name),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &constants,
            // The shaders write what they read.
            zero_initialize_workgroup_memory: false,
        },
        cache: device.cache.as_ref().map(|cache| &cache.cache),
    })
}

/// Submits the commands, waits for them and reads the start of a buffer that they filled.
pub(super) fn read_back<T: Pod>(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_was_never_written_is_an_error() {
        let written = Report { lanes_busy: 0, steps_taken: 3, steps_longest: 2, survivors_finished: 1 };
        assert_eq!(written_reports("d", &[written; 2]).unwrap().len(), 2);
        let half = Report { survivors_finished: SENTINEL, ..written };
        for lost in [Report::LOST, half] {
            assert!(matches!(written_reports("d", &[written, lost]), Err(Error::LostDispatch { lost: 1, .. })));
        }
    }
}
