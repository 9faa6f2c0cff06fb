//! The pipelines and buffers of a [`GpuProgram`], and the dispatching of them.

use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};

use super::device::OpenDevice;
use crate::error::{Error, Result};
use crate::method::gpu_program::{Buffer, GpuProgram, Kernel};

/// How long the host waits for a dispatch before it gives the device up.
const PATIENCE: Duration = Duration::from_secs(120);

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

/// The most survivors in the queue.
const MAX_SURVIVORS: u64 = 1 << 22;

/// The most bytes of saved state.
const MAX_SAVED_BYTES: u64 = 256 << 20;

/// The pipelines of a program with the buffers that they share.
pub(super) struct Pipelines {
    pub search: Pipeline,
    pub tail: Option<Pipeline>,
    /// Survivors that the queue has room for.
    pub queue_room: u32,
    buffers: Buffers,
}

/// What the pipelines of a program share.
struct Buffers {
    prefixes: wgpu::Buffer,
    counts: wgpu::Buffer,
    searched: wgpu::Buffer,
    survivors: wgpu::Buffer,
    counters: wgpu::Buffer,
    readback: wgpu::Buffer,
}

impl Pipelines {
    /// Compiles the shaders of a program and takes memory for batches of at most this many prefixes and at most this many
    /// invocations of each shader.
    pub fn new(device: &OpenDevice, program: &GpuProgram, batch: u64, invocations: u32) -> Result<Self> {
        use wgpu::BufferUsages as Usage;
        let survivor_bytes = program.tail.as_ref().map_or(0, |tail| tail.survivor_bytes);
        let queue_room = match survivor_bytes {
            0 => 0,
            bytes => MAX_SURVIVORS.min(device.info.max_binding_bytes / bytes),
        };
        // A buffer of no bytes cannot be bound.
        let queue_bytes = (queue_room * survivor_bytes).max(16);
        let buffers = Buffers {
            prefixes: buffer(device, "prefixes", batch * 4 * program.prefix_words as u64, Usage::STORAGE),
            counts: buffer(device, "counts", batch * 8, Usage::STORAGE | Usage::COPY_SRC),
            searched: buffer(device, "searched", batch * 4, Usage::STORAGE | Usage::COPY_SRC),
            survivors: buffer(device, "survivors", queue_bytes, Usage::STORAGE),
            counters: buffer(device, "counters", size_of::<Counters>() as u64, Usage::STORAGE | Usage::COPY_SRC),
            readback: buffer(device, "readback", batch * 8, Usage::MAP_READ),
        };
        let search = Pipeline::new(device, &program.search, &buffers, invocations)?;
        let tail = program.tail.as_ref().map(|tail| Pipeline::new(device, &tail.kernel, &buffers, invocations));
        Ok(Self { search, tail: tail.transpose()?, queue_room: queue_room as u32, buffers })
    }

    /// The most prefixes that its buffers have room for.
    pub fn max_prefixes(&self) -> usize {
        (self.buffers.counts.size() / 8) as usize
    }

    /// Writes the prefixes of a batch, what marks their results as unwritten, and counters of 0.
    pub fn upload(&self, device: &OpenDevice, words: &[u32], prefixes: usize, unwritten: u32) {
        let Buffers { counts, searched, counters, .. } = &self.buffers;
        let zero = Counters { prefixes: 0, survivors: 0, taken: 0 };
        device.queue.write_buffer(&self.buffers.prefixes, 0, bytemuck::cast_slice(words));
        device.queue.write_buffer(counts, 0, bytemuck::cast_slice(&vec![[unwritten; 2]; prefixes]));
        device.queue.write_buffer(searched, 0, bytemuck::cast_slice(&vec![SENTINEL; prefixes]));
        device.queue.write_buffer(counters, 0, bytemuck::bytes_of(&zero));
    }

    /// Empties the queue.
    pub fn empty_queue(&self, device: &OpenDevice) {
        device.queue.write_buffer(&self.buffers.counters, 4, bytemuck::cast_slice(&[0u32; 2]));
    }

    /// One [slice](Pipeline::dispatch) of the search.
    pub fn dispatch_search(&self, device: &OpenDevice, prefixes: u32, steps: u32, invocations: u32) -> Result<Slice> {
        self.search.dispatch(device, &self.buffers.counters, prefixes, steps, invocations)
    }

    /// One [slice](Pipeline::dispatch) of a pipeline that takes no prefixes.
    pub fn dispatch(&self, device: &OpenDevice, pipeline: &Pipeline, steps: u32, invocations: u32) -> Result<Slice> {
        pipeline.dispatch(device, &self.buffers.counters, 0, steps, invocations)
    }

    /// The mark of each prefix of the batch.
    pub fn read_marks(&self, device: &OpenDevice, prefixes: usize) -> Result<Vec<u32>> {
        self.read(device, &self.buffers.searched, prefixes)
    }

    /// The counts of each prefix of the batch, low and high word.
    pub fn read_counts(&self, device: &OpenDevice, prefixes: usize) -> Result<Vec<[u32; 2]>> {
        self.read(device, &self.buffers.counts, prefixes)
    }

    /// Reads a buffer that has one element for each prefix.
    fn read<T: Pod>(&self, device: &OpenDevice, from: &wgpu::Buffer, prefixes: usize) -> Result<Vec<T>> {
        if prefixes == 0 {
            return Ok(Vec::new());
        }
        let bytes = (prefixes * size_of::<T>()) as u64;
        let mut encoder = device.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(from, 0, &self.buffers.readback, 0, bytes);
        read_back(device, encoder, &self.buffers.readback, bytes)
    }
}

/// A compiled shader with the buffers that are its own.
pub(super) struct Pipeline {
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
fn buffer(device: &OpenDevice, label: &str, bytes: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

impl Pipeline {
    /// Compiles the shader and takes memory for it.
    fn new(device: &OpenDevice, kernel: &Kernel, shared: &Buffers, invocations: u32) -> Result<Self> {
        use wgpu::BufferUsages as Usage;
        let room = device.info.max_binding_bytes.min(MAX_SAVED_BYTES) / (u64::from(kernel.slots) * 16);
        let max_groups = device.info.max_workgroups.min(room as u32 / kernel.lanes).max(1);
        let groups = invocations.div_ceil(kernel.lanes).clamp(1, max_groups);
        let stride = groups * kernel.lanes;
        let report_bytes = u64::from(groups) * size_of::<Report>() as u64;
        let limits = buffer(device, "limits", size_of::<Limits>() as u64, Usage::UNIFORM);
        let saved = buffer(device, "saved", u64::from(kernel.slots) * 16 * u64::from(stride), Usage::STORAGE);
        let reports = buffer(device, "reports", report_bytes, Usage::STORAGE | Usage::COPY_SRC);
        let lost_reports = buffer(device, "lost reports", report_bytes, Usage::COPY_SRC);
        let readback = buffer(device, "report readback", report_bytes + size_of::<Counters>() as u64, Usage::MAP_READ);
        device.queue.write_buffer(&lost_reports, 0, bytemuck::cast_slice(&vec![Report::LOST; groups as usize]));

        let pipeline = compile(device, kernel);
        let own = [(2, &limits), (3, &shared.counters), (4, &saved), (5, &reports)];
        let shared = kernel.bindings.iter().map(|&(binding, buffer)| {
            let buffer = match buffer {
                Buffer::Prefixes => &shared.prefixes,
                Buffer::Counts => &shared.counts,
                Buffer::Survivors => &shared.survivors,
                Buffer::Searched => &shared.searched,
            };
            (binding, buffer)
        });
        let entries: Vec<_> = own
            .into_iter()
            .chain(shared)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let bindings = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(kernel.name),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        device.check()?;
        let (name, lanes) = (kernel.name, kernel.lanes);
        Ok(Self { name, lanes, stride, pipeline, bindings, limits, reports, lost_reports, readback })
    }

    /// One slice: at most `steps` steps of at least `invocations` invocations.
    fn dispatch(
        &self,
        device: &OpenDevice,
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

fn compile(device: &OpenDevice, kernel: &Kernel) -> wgpu::ComputePipeline {
    let source = wgpu::ShaderSource::Wgsl(kernel.wgsl().into());
    let descriptor = wgpu::ShaderModuleDescriptor { label: Some(kernel.name), source };
    // SAFETY: without runtime checks a shader must keep its indices in bounds and its loops finite by itself. All main
    // loops end after `limits.steps` trips, the others after as many trips as the board has rows. Stack levels are bounded
    // by the rows below the prefix, which the program sizes the stacks by; indices of prefixes and survivors are compared
    // with their numbers before use; an invocation queues at most one survivor a step, and the host gives it no more steps
    // than the queue has room for; the number of an invocation is less than `limits.stride`, which `saved` is sized by.
    // `GpuSession::count` checks that there is room for the prefixes and that they are as deep as the workload says.
    let module =
        unsafe { device.device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) };
    let constants: Vec<(&str, f64)> = kernel
        .constants
        .iter()
        .chain(&[("LANES", kernel.lanes)])
        .map(|&(name, value)| (name, f64::from(value)))
        .collect();
    let cache = device.cache.as_ref().and_then(|cache| cache.lock().ok());
    device.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(kernel.name),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &constants,
            // The shaders write what they read.
            zero_initialize_workgroup_memory: false,
        },
        cache: cache.as_ref().map(|cache| &cache.cache),
    })
}

/// Submits the commands, waits for them and reads the start of a buffer that they filled.
fn read_back<T: Pod>(
    device: &OpenDevice,
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
