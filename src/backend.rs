//! Where prefixes are finished: the one interface that the CPU and the GPU stand behind.

use std::ops::Range;
use std::time::Duration;

pub use crate::cpu::Cpu;
use crate::error::Result;
use crate::gpu::DeviceInfo;
use crate::method::Method;
use crate::plan::Plan;
use crate::prefix::Prefix;
use crate::report::json;

/// Told which prefixes of a batch have just been finished, from any thread.
pub type OnDone<'a> = &'a (dyn Fn(Range<usize>) + Sync);

/// Finishes prefixes.
pub trait Backend: Send {
    /// How many prefixes of a method there should be, at least, to keep this backend busy.
    fn wanted_prefixes(&self, method: Method) -> u64;

    /// The depth of prefixes that suits this backend best if there are to be so many at least; `None` where any depth with
    /// so many does.
    fn prefix_rows(&self, _n: u32, _method: Method, _wanted: u64) -> Option<u32> {
        None
    }

    /// The method that was measured to be the fastest for boards of n on this kind of backend.
    fn fastest(&self, _n: u32) -> Method {
        Method::MostConstrained
    }

    /// How many prefixes one call of [`finish`](Self::finish) takes at most.
    fn batch(&self) -> usize;

    /// Gets ready for a plan, so that the time of [`finish`](Self::finish) is the time of the search.
    ///
    /// # Errors
    /// If the device cannot be made ready.
    fn prepare(&mut self, plan: &Plan) -> Result<()>;

    /// The number of solutions that complete each of the prefixes, in their order.
    ///
    /// # Errors
    /// If the device fails, loses work, or a count would pass its integer.
    fn finish(&mut self, plan: &Plan, prefixes: &[Prefix], done: OnDone<'_>) -> Result<Vec<u64>>;

    /// What this backend is.
    fn place(&self) -> Place;

    /// What it has done since the last [`prepare`](Self::prepare).
    fn effort(&self) -> Effort;
}

/// Which backend on which device.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Threads of this machine's processor.
    Cpu {
        /// How many threads.
        threads: usize,
    },
    /// A device behind Vulkan, Metal or DX12.
    Gpu {
        /// Which device.
        device: Box<DeviceInfo>,
    },
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cpu { threads: 1 } => write!(f, "CPU, 1 thread"),
            Self::Cpu { threads } => write!(f, "CPU, {threads} threads"),
            Self::Gpu { device } if device.emulated => write!(f, "{} (emulated)", device.name),
            Self::Gpu { device } => write!(f, "{}", device.name),
        }
    }
}

/// What a backend did for a count.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Effort {
    /// Queens placed below the prefixes, those of the last row included, where they were counted: a GPU counts its steps
    /// anyway, the CPU only if it is asked to.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "json::some_decimal")]
    pub nodes: Option<u64>,
    /// One for each shader that ran.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageEffort>,
}

/// What one shader did.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct StageEffort {
    /// The name of the shader.
    pub shader: &'static str,
    /// Steps of all lanes together. In row order and in the plain tail a step places a queen, but for the last row's, and
    /// a prefix without squares takes one too; with the most constrained line first a step examines a board, which
    /// the prefix itself is too.
    #[serde(serialize_with = "json::decimal")]
    pub steps: u64,
    /// Steps that the lanes had the time for: each workgroup takes as long as its busiest lane.
    #[serde(serialize_with = "json::decimal")]
    pub lane_slots: u64,
    /// Dispatches.
    pub slices: u64,
    /// The longest dispatch, from its submission to its results.
    #[serde(rename = "longest_slice_seconds", serialize_with = "seconds")]
    pub longest_slice: Duration,
    /// The most invocations in a dispatch.
    pub invocations: u32,
    /// The share of the slots in which a lane took a step.
    pub lane_occupancy: f64,
}

impl StageEffort {
    /// Adds a dispatch.
    pub fn add(&mut self, steps: u64, lane_slots: u64, took: Duration, invocations: u32) {
        self.steps += steps;
        self.lane_slots += lane_slots;
        self.slices += 1;
        self.longest_slice = self.longest_slice.max(took);
        self.invocations = self.invocations.max(invocations);
        self.lane_occupancy = self.steps as f64 / self.lane_slots.max(1) as f64;
    }
}

impl Effort {
    /// Steps of all shaders together.
    pub fn steps(&self) -> u64 {
        self.stages.iter().map(|stage| stage.steps).sum()
    }

    /// The effort of a shader, by its name.
    pub fn stage(&mut self, shader: &'static str) -> &mut StageEffort {
        let at = self.stages.iter().position(|stage| stage.shader == shader).unwrap_or_else(|| {
            self.stages.push(StageEffort { shader, ..Default::default() });
            self.stages.len() - 1
        });
        &mut self.stages[at]
    }
}

fn seconds<S: serde::Serializer>(duration: &Duration, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}
