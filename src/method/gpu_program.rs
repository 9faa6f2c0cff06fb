//! What runs on a GPU for a method, described as data: which shaders with which constants, buffers and bindings. Nothing here
//! knows wgpu; `gpu/` makes pipelines of it.

use std::ops::RangeInclusive;

use crate::prefix::Prefix;

/// What every shader begins with.
pub const COMMON: &str = include_str!("../../shaders/common.wgsl");

/// Bytes of workgroup memory that every device has, less a little for the workgroup's sums.
pub const WORKGROUP_BYTES: u32 = (16 << 10) - 64;

/// The buffers that a shader can be bound to, beside those that all have: limits, counters, saved state and reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// The prefixes of a batch.
    Prefixes,
    /// The completions of each prefix: a low and a high word.
    Counts,
    /// The queue from the first shader to the second.
    Survivors,
    /// A word for each prefix, 0 once it has been searched.
    Searched,
}

/// A shader and what it is compiled and bound with.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The shader's name.
    pub name: &'static str,
    /// Its own source, without [`COMMON`].
    pub source: &'static str,
    /// Values of its overridable constants, but for `LANES`.
    pub constants: Vec<(&'static str, u32)>,
    /// Invocations of a workgroup.
    pub lanes: u32,
    /// Vectors of 16 bytes that an invocation saves.
    pub slots: u32,
    /// The most steps of an invocation in a dispatch, if the shader has a bound of its own.
    pub max_steps: Option<u32>,
    /// Which buffer is bound where.
    pub bindings: &'static [(u32, Buffer)],
}

impl Kernel {
    /// The whole source.
    pub fn wgsl(&self) -> String {
        [COMMON, self.source].concat()
    }
}

/// The second shader of a method, fed from the first by the queue.
#[derive(Clone, Debug)]
pub struct Tail {
    /// The shader.
    pub kernel: Kernel,
    /// Free rows of a survivor.
    pub rows: u32,
    /// Bytes of a survivor in the queue.
    pub survivor_bytes: u64,
}

/// All that runs for a method.
#[derive(Clone, Debug)]
pub struct GpuProgram {
    /// Searches below the prefixes.
    pub search: Kernel,
    /// Counts the completions of what the search queues.
    pub tail: Option<Tail>,
    /// Words of a prefix in its buffer.
    pub prefix_words: usize,
    /// Puts a prefix into the form of that buffer.
    pub pack: fn(&Prefix, &mut Vec<u32>),
    /// The free rows that a prefix can have: stacks are sized by the most, and a survivor needs the least.
    pub free_rows: RangeInclusive<u32>,
    /// Whether counts are added up in place, so that they start at 0 and prove nothing about themselves: then `Searched`
    /// proves that each prefix was searched.
    pub accumulates: bool,
    /// Whether the queen of the last row takes no step.
    pub last_row_is_free: bool,
    /// Whether the first step of this prefix places no queen.
    pub first_step_is_empty: fn(&Prefix) -> bool,
}

impl GpuProgram {
    /// The queens placed, from the steps taken.
    pub fn nodes(&self, steps: u64, prefixes: &[Prefix], counts: &[u64]) -> u64 {
        let last_row: u64 = match self.last_row_is_free {
            true => {
                prefixes.iter().zip(counts).filter(|(prefix, _)| prefix.board.free_rows() != 0).map(|(_, &c)| c).sum()
            }
            false => 0,
        };
        let empty = prefixes.iter().filter(|prefix| (self.first_step_is_empty)(prefix)).count();
        steps + last_row - empty as u64
    }
}

/// As many lanes as have room for their workgroup memory: 64 suit every GPU, 32 leave half of some GPUs' lanes idle.
pub fn lanes(bytes_per_lane: u32) -> u32 {
    if 64 * bytes_per_lane <= WORKGROUP_BYTES { 64 } else { 32 }
}
