//! What a device did for a count.

use std::time::Duration;

use crate::decimal::{decimal, some_decimal};

/// What a device did for a count.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// Queens placed below the prefixes, those of the last row included, where they were counted: a GPU counts its steps
    /// anyway, the CPU only if it is asked to.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "some_decimal")]
    pub nodes: Option<u64>,
    /// One for each shader that ran.
    #[serde(rename = "stages", skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<KernelStats>,
}

/// What one shader did.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct KernelStats {
    /// The name of the shader.
    pub shader: &'static str,
    /// Steps of all lanes together. In row order and in the plain tail a step places a queen, but for the last row's, and
    /// a prefix without squares takes one too; with the most constrained line first a step examines a board, which
    /// the prefix itself is too.
    #[serde(serialize_with = "decimal")]
    pub steps: u64,
    /// Steps that the lanes had the time for: each workgroup takes as long as its busiest lane.
    #[serde(serialize_with = "decimal")]
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

impl KernelStats {
    /// Adds a dispatch.
    #[cfg(feature = "gpu")]
    pub(crate) fn add(&mut self, steps: u64, lane_slots: u64, took: Duration, invocations: u32) {
        self.steps += steps;
        self.lane_slots += lane_slots;
        self.slices += 1;
        self.longest_slice = self.longest_slice.max(took);
        self.invocations = self.invocations.max(invocations);
        self.lane_occupancy = self.steps as f64 / self.lane_slots.max(1) as f64;
    }
}

impl Stats {
    /// Those of this many nodes, where they were counted.
    pub fn with_nodes(nodes: Option<u64>) -> Self {
        Self { nodes, kernels: Vec::new() }
    }

    /// Steps of all shaders together.
    #[cfg(feature = "gpu")]
    pub(crate) fn steps(&self) -> u64 {
        self.kernels.iter().map(|kernel| kernel.steps).sum()
    }

    /// Those of a shader, by its name.
    #[cfg(feature = "gpu")]
    pub(crate) fn kernel(&mut self, shader: &'static str) -> &mut KernelStats {
        let at = self.kernels.iter().position(|kernel| kernel.shader == shader).unwrap_or_else(|| {
            self.kernels.push(KernelStats { shader, ..Default::default() });
            self.kernels.len() - 1
        });
        &mut self.kernels[at]
    }
}

fn seconds<S: serde::Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}
