//! The compiled shader of a plan and the buffers it works on.

use bytemuck::{Pod, Zeroable};

use super::device::Device;
use crate::error::Result;
use crate::method::Method;
use crate::plan::Plan;
use crate::prefix::Prefix;
use crate::search::row_order::Rows;

/// The most prefixes in the buffers at a time: 64 MiB of them.
pub(super) const MAX_BATCH: usize = 1 << 22;

/// What result buffers are filled with before a dispatch. No count and no report can have this value.
pub(super) const SENTINEL: u32 = u32::MAX;

/// Bytes of workgroup memory that every device has.
const WORKGROUP_BYTES: u32 = 16 << 10;

/// `Limits` of the shaders.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Limits {
    pub prefixes: u32,
    pub steps: u32,
    pub stride: u32,
    pub padding: u32,
}

/// `reports` of the shaders, one of each workgroup.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Report {
    pub lanes_busy: u32,
    pub steps_taken: u32,
    pub steps_longest: u32,
    pub zero: u32,
}

impl Report {
    pub const LOST: Self =
        Self { lanes_busy: SENTINEL, steps_taken: SENTINEL, steps_longest: SENTINEL, zero: SENTINEL };
}

/// The shape of a shader: the override constants that depend on the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    n: u32,
    levels: u32,
    lanes: u32,
}

impl Shape {
    fn new(plan: &Plan) -> Self {
        // Below the prefix every row but the last is placed, and may leave squares to try.
        let levels = plan.n.saturating_sub(plan.prefix_rows + 1).max(1);
        let bytes_a_lane = levels * size_of::<[u32; 4]>() as u32;
        // A little is left for the workgroup's sums.
        let lanes = if 64 * bytes_a_lane < WORKGROUP_BYTES { 64 } else { 32 };
        assert!(lanes * bytes_a_lane < WORKGROUP_BYTES, "32 lanes of 31 levels fit");
        Self { n: plan.n, levels, lanes }
    }
}

/// A compiled shader with its buffers.
pub(super) struct Kernel {
    method: Method,
    shape: Shape,
    stride: u32,
    pub pipeline: wgpu::ComputePipeline,
    pub bindings: wgpu::BindGroup,
    pub prefixes: wgpu::Buffer,
    pub counts: wgpu::Buffer,
    pub limits: wgpu::Buffer,
    pub taken: wgpu::Buffer,
    pub reports: wgpu::Buffer,
    /// As many lost reports as there are reports, to fill the buffer with.
    pub lost_reports: wgpu::Buffer,
    /// Where the host reads the reports, and after them the number of prefixes taken.
    pub report_readback: wgpu::Buffer,
    pub count_readback: wgpu::Buffer,
}

impl Kernel {
    /// Compiles the shader of the plan's method and takes memory for at most `invocations` of it.
    pub fn new(device: &Device, plan: &Plan, invocations: u32) -> Result<Self> {
        let shape = Shape::new(plan);
        let slots = 2 + u64::from(shape.levels);
        let room = device.info.max_binding_bytes.min(256 << 20) / (slots * 16);
        let most_groups = device.info.max_workgroups.min(room as u32 / shape.lanes).max(1);
        let groups = invocations.div_ceil(shape.lanes).min(most_groups);
        let stride = groups * shape.lanes;
        let batch = plan.prefixes.clamp(1, MAX_BATCH as u64);

        let buffer = |label, bytes: u64, usage| {
            let usage = usage | wgpu::BufferUsages::COPY_DST;
            device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes,
                usage,
                mapped_at_creation: false,
            })
        };
        use wgpu::BufferUsages as Usage;
        let reports_bytes = u64::from(groups) * size_of::<Report>() as u64;
        let prefixes = buffer("prefixes", batch * 16, Usage::STORAGE);
        let counts = buffer("counts", batch * 8, Usage::STORAGE | Usage::COPY_SRC);
        let limits = buffer("limits", size_of::<Limits>() as u64, Usage::UNIFORM);
        let taken = buffer("taken", 4, Usage::STORAGE | Usage::COPY_SRC);
        let saved = buffer("saved", slots * 16 * u64::from(stride), Usage::STORAGE);
        let reports = buffer("reports", reports_bytes, Usage::STORAGE | Usage::COPY_SRC);
        let lost_reports = buffer("lost reports", reports_bytes, Usage::COPY_SRC);
        let report_readback = buffer("report readback", reports_bytes + 4, Usage::MAP_READ);
        let count_readback = buffer("count readback", batch * 8, Usage::MAP_READ);
        device.queue.write_buffer(&lost_reports, 0, bytemuck::cast_slice(&vec![Report::LOST; groups as usize]));

        let pipeline = compile(device, plan.method, shape);
        let entries = [&prefixes, &counts, &limits, &taken, &saved, &reports];
        let entries: Vec<_> = (0..)
            .zip(entries)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let bindings = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        device.check()?;
        Ok(Self {
            method: plan.method,
            shape,
            stride,
            pipeline,
            bindings,
            prefixes,
            counts,
            limits,
            taken,
            reports,
            lost_reports,
            report_readback,
            count_readback,
        })
    }

    /// Whether it was compiled for such a plan.
    pub fn fits(&self, plan: &Plan) -> bool {
        self.method == plan.method
            && self.shape == Shape::new(plan)
            && self.prefixes.size() >= 16 * plan.prefixes.clamp(1, MAX_BATCH as u64)
    }

    /// The most invocations there is memory for.
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// Invocations of a workgroup.
    pub fn lanes(&self) -> u32 {
        self.shape.lanes
    }

    /// Prefixes in the form of the shader's buffer.
    pub fn pack(&self, prefixes: &[Prefix]) -> Vec<[u32; 4]> {
        match self.method {
            Method::RowOrder => prefixes
                .iter()
                .map(|prefix| {
                    let Rows { columns, left, right } = Rows::new(prefix);
                    [columns, left, right, 0]
                })
                .collect(),
        }
    }
}

fn compile(device: &Device, method: Method, shape: Shape) -> wgpu::ComputePipeline {
    let source = match method {
        Method::RowOrder => include_str!("../../shaders/row_order.wgsl"),
    };
    let descriptor =
        wgpu::ShaderModuleDescriptor { label: Some(method.name()), source: wgpu::ShaderSource::Wgsl(source.into()) };
    // SAFETY: without runtime checks a shader must keep its indices in bounds and its loops finite by itself. The main
    // loop ends after `limits.steps` trips, the others after `height` trips. `height` starts at 0, grows by one where a
    // queen is placed and squares of its row remain, and so never passes `LEVELS`: that is the number of rows below the
    // prefix that can be placed. Prefix indices are compared with `limits.prefixes` before use, invocations are fewer
    // than `limits.stride`, and the host sizes the buffers by these two.
    let module =
        unsafe { device.device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) };
    let constants = [("N", shape.n), ("LANES", shape.lanes), ("LEVELS", shape.levels)];
    device.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(method.name()),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &constants.map(|(name, value)| (name, f64::from(value))),
            // The shader writes what it reads.
            zero_initialize_workgroup_memory: false,
        },
        cache: None,
    })
}
