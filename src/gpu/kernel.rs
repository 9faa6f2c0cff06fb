//! The stages of a plan's method and the buffers they share.

use super::device::Device;
use super::stage::{Counters, Recipe, Stage, buffer};
use crate::error::{Error, Result};
use crate::method::Method;
use crate::plan::Plan;
use crate::prefix::{CentrePrefixes, Prefix};
use crate::search::row_order::Rows;

const ROW_ORDER: &str = include_str!("../../shaders/row_order.wgsl");
const MOST_CONSTRAINED: &str = include_str!("../../shaders/most_constrained.wgsl");
const PLAIN_TAIL: &str = include_str!("../../shaders/plain_tail.wgsl");

/// The shaders that run for a method: none if it is for the CPU only.
pub(super) fn sources(method: Method) -> Vec<&'static str> {
    match method {
        Method::RowOrder => vec![ROW_ORDER],
        Method::MostConstrained => vec![MOST_CONSTRAINED, PLAIN_TAIL],
        Method::HalfJoin => vec![],
    }
}

/// The methods that have shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    RowOrder,
    MostConstrained,
}

/// The most prefixes in the buffers at a time.
pub(super) const MAX_BATCH: usize = 1 << 21;

/// The most survivors in the queue.
const MOST_SURVIVORS: u64 = 1 << 22;

/// Bytes of workgroup memory that every device has, less a little for the workgroup's sums.
const WORKGROUP_BYTES: u32 = (16 << 10) - 64;

/// The rows that [`Method::MostConstrained`] leaves to the plain tail on a GPU, where the caller has no wish.
pub const TAIL_ROWS: u32 = 6;

/// The numbers that a shader is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    search: Search,
    n: u32,
    /// Free rows of a prefix, at most.
    rows: u32,
    /// Free rows of a survivor; 0 without a tail.
    tail_rows: u32,
}

impl Shape {
    fn new(plan: &Plan, tail_rows: Option<u32>) -> Result<Self> {
        let rows = plan.n - plan.prefix_rows;
        let (search, tail_rows) = match plan.method {
            Method::RowOrder => (Search::RowOrder, 0),
            // All survivors have the same number of rows, so no prefix may have fewer.
            Method::MostConstrained => {
                let wished = tail_rows.unwrap_or(TAIL_ROWS).min(MOST_TAIL_ROWS).min(rows);
                (Search::MostConstrained, wished.min(CentrePrefixes::fewest_free_rows(plan.n)))
            }
            Method::HalfJoin => return Err(Error::CpuOnly(plan.method)),
        };
        Ok(Self { search, n: plan.n, rows, tail_rows })
    }

    /// Words of a prefix in the form of the shader's buffer.
    fn prefix_words(&self) -> usize {
        match self.search {
            Search::RowOrder => 4,
            Search::MostConstrained => 8,
        }
    }
}

/// The tail's stack must fit the workgroup memory of 32 lanes.
const MOST_TAIL_ROWS: u32 = 21;

/// The stages of a method, compiled for a plan.
pub(super) struct Kernel {
    shape: Shape,
    pub search: Stage,
    pub tail: Option<Tail>,
    pub prefixes: wgpu::Buffer,
    pub counts: wgpu::Buffer,
    pub counters: wgpu::Buffer,
    /// Of each prefix: 0 once it has been searched. Only where counts come from the tail.
    pub searched: wgpu::Buffer,
    pub readback: wgpu::Buffer,
}

/// The second stage, fed from the first by a queue.
pub(super) struct Tail {
    pub stage: Stage,
    /// Survivors that the queue has room for.
    pub room: u32,
}

impl Kernel {
    /// Compiles the shaders of the plan's method and takes memory for at most `invocations` of each.
    pub fn new(device: &Device, plan: &Plan, tail_rows: Option<u32>, invocations: u32) -> Result<Self> {
        use wgpu::BufferUsages as Usage;
        let shape = Shape::new(plan, tail_rows)?;
        let batch = plan.prefixes.clamp(1, MAX_BATCH as u64);
        let prefixes = buffer(device, "prefixes", batch * 4 * shape.prefix_words() as u64, Usage::STORAGE);
        let counts = buffer(device, "counts", batch * 8, Usage::STORAGE | Usage::COPY_SRC);
        let searched = buffer(device, "searched", batch * 4, Usage::STORAGE | Usage::COPY_SRC);
        let counters = buffer(device, "counters", size_of::<Counters>() as u64, Usage::STORAGE | Usage::COPY_SRC);
        let readback = buffer(device, "readback", batch * 8, Usage::MAP_READ);
        let (search, tail) = match shape.search {
            Search::RowOrder => {
                let recipe = row_order(&shape, invocations);
                let shared = [(0, &prefixes), (1, &counts)];
                (Stage::new(device, &Recipe { shared: &shared, ..recipe.borrow() }, &counters)?, None)
            }
            Search::MostConstrained => {
                let bytes = 16 * u64::from(vectors(shape.tail_rows));
                let room = MOST_SURVIVORS.min(device.info.max_binding_bytes / bytes);
                let queue = buffer(device, "survivors", room * bytes, Usage::STORAGE);
                let recipe = most_constrained(&shape, invocations);
                let shared = [(0, &prefixes), (1, &counts), (6, &queue), (7, &searched)];
                let search = Stage::new(device, &Recipe { shared: &shared, ..recipe.borrow() }, &counters)?;
                let tail = if shape.tail_rows == 0 {
                    None
                } else {
                    let recipe = plain_tail(&shape, invocations);
                    let shared = [(0, &queue), (1, &counts)];
                    let stage = Stage::new(device, &Recipe { shared: &shared, ..recipe.borrow() }, &counters)?;
                    Some(Tail { stage, room: room as u32 })
                };
                (search, tail)
            }
        };
        Ok(Self { shape, search, tail, prefixes, counts, counters, searched, readback })
    }

    /// Whether it was compiled for such a plan.
    pub fn fits(&self, plan: &Plan, tail_rows: Option<u32>) -> bool {
        Shape::new(plan, tail_rows).is_ok_and(|shape| shape == self.shape)
            && self.counts.size() >= 8 * plan.prefixes.clamp(1, MAX_BATCH as u64)
    }

    /// Whether counts are added up in place, so that they start at 0 and prove nothing about themselves.
    pub fn accumulates(&self) -> bool {
        self.shape.search == Search::MostConstrained
    }

    /// The free rows of a survivor, if there is a tail.
    pub fn tail_rows(&self) -> Option<u32> {
        self.tail.as_ref().map(|_| self.shape.tail_rows)
    }

    /// The most prefixes that its buffers have room for.
    pub fn most_prefixes(&self) -> usize {
        (self.counts.size() / 8) as usize
    }

    /// The free rows that a prefix can have: stacks are sized by the most, and a survivor needs the least.
    pub fn free_rows(&self) -> std::ops::RangeInclusive<u32> {
        self.shape.tail_rows..=self.shape.rows
    }

    /// The queens placed, from the steps taken: not every step places one, and the last row's queens take none.
    pub fn nodes(&self, steps: u64, prefixes: &[Prefix], counts: &[u64]) -> u64 {
        let last_row: u64 = match self.shape {
            Shape { search: Search::MostConstrained, tail_rows: 0, .. } => 0,
            _ => {
                prefixes.iter().zip(counts).filter(|(prefix, _)| prefix.board.free_row_mask != 0).map(|(_, &c)| c).sum()
            }
        };
        let without_queen = match self.shape.search {
            Search::RowOrder => {
                prefixes.iter().filter(|prefix| Rows::new(prefix).first_squares(self.shape.n) == 0).count()
            }
            Search::MostConstrained => prefixes.len(),
        };
        steps + last_row - without_queen as u64
    }

    /// Prefixes in the form of the shader's buffer.
    pub fn pack(&self, prefixes: &[Prefix]) -> Vec<u32> {
        let mut words = Vec::with_capacity(prefixes.len() * self.shape.prefix_words());
        for prefix in prefixes {
            match self.shape.search {
                Search::RowOrder => {
                    let Rows { columns, left, right } = Rows::new(prefix);
                    words.extend([columns, left, right, 0]);
                }
                Search::MostConstrained => {
                    let board = &prefix.board;
                    let (low, high) = (|set: u64| set as u32, |set: u64| (set >> 32) as u32);
                    words.extend([
                        board.free_row_mask,
                        board.free_column_mask,
                        low(board.antidiagonal_mask),
                        high(board.antidiagonal_mask),
                    ]);
                    words.extend([low(board.diagonal_mask), high(board.diagonal_mask), 0, 0]);
                }
            }
        }
        words
    }
}

/// A recipe that owns its constants, without the buffers.
struct OwnedRecipe {
    name: &'static str,
    source: &'static str,
    constants: Vec<(&'static str, u32)>,
    lanes: u32,
    slots: u32,
    invocations: u32,
}

impl OwnedRecipe {
    fn borrow(&self) -> Recipe<'_> {
        let &Self { name, source, ref constants, lanes, slots, invocations } = self;
        Recipe { name, source, constants, lanes, slots, invocations, shared: &[] }
    }
}

/// As many lanes as have room for their workgroup memory: 64 suit every GPU, 32 leave half of some GPUs' lanes idle.
fn lanes(bytes_a_lane: u32) -> u32 {
    if 64 * bytes_a_lane <= WORKGROUP_BYTES { 64 } else { 32 }
}

fn row_order(shape: &Shape, invocations: u32) -> OwnedRecipe {
    // Below the prefix every row but the last is placed, and may leave squares to try.
    let levels = shape.rows.saturating_sub(1).max(1);
    OwnedRecipe {
        name: "row_order",
        source: ROW_ORDER,
        constants: vec![("N", shape.n), ("LEVELS", levels)],
        lanes: lanes(16 * levels),
        slots: 2 + levels,
        invocations,
    }
}

fn most_constrained(shape: &Shape, invocations: u32) -> OwnedRecipe {
    let levels = (shape.rows - shape.tail_rows).max(1);
    let slots_for_rows = shape.tail_rows.next_power_of_two();
    // The levels with few free rows have nearly all the work; four of them leave room for many workgroups at a time.
    let near = (1..=4).rev().find(|&near| 64 * (32 * near + 4 * slots_for_rows) <= WORKGROUP_BYTES).unwrap_or(1);
    OwnedRecipe {
        name: "most_constrained",
        source: MOST_CONSTRAINED,
        constants: vec![
            ("N", shape.n),
            ("LEVELS", near),
            ("T", shape.tail_rows),
            ("SLOTS", slots_for_rows),
            ("VECTORS", vectors(shape.tail_rows)),
        ],
        lanes: 64,
        slots: 3 + 2 * levels.max(near),
        invocations,
    }
}

fn plain_tail(shape: &Shape, invocations: u32) -> OwnedRecipe {
    let rows = shape.tail_rows;
    OwnedRecipe {
        name: "plain_tail",
        source: PLAIN_TAIL,
        constants: vec![("T", rows), ("VECTORS", vectors(rows))],
        lanes: lanes(24 * rows),
        slots: 2 + rows,
        invocations,
    }
}

/// Vectors of 16 bytes that a survivor takes: its rows and two words more.
const fn vectors(tail_rows: u32) -> u32 {
    (tail_rows + 2).div_ceil(4)
}
