//! What the most constrained line first runs on a GPU: a search down to a few free rows, and the plain tail for those.

use super::prefixes::CentrePrefixes;
use crate::method::gpu_program::{Buffer, GpuProgram, Kernel, Tail, WORKGROUP_BYTES, lanes};
use crate::prefix::Prefix;

/// Twin of [`search`](super::search), step by step.
pub const SEARCH: &str = include_str!("../../../shaders/most_constrained.wgsl");

/// Twin of [`plain_tail`](super::plain_tail), step by step.
pub const TAIL: &str = include_str!("../../../shaders/plain_tail.wgsl");

/// The free rows that are left to the plain tail where the caller has no wish: as many as were measured to be fastest.
pub const TAIL_ROWS: u32 = 6;

/// The tail's stack must fit the workgroup memory of 32 lanes.
const MAX_TAIL_ROWS: u32 = 21;

/// The most steps of a search that looks at every row at each of them: with up to 32 trips of an inner loop a step, and
/// some more to queue a survivor, this stays below the 65,535 trips after which some software drivers stop a shader.
const MAX_STEPS: u32 = 1000;

/// For prefixes of this depth on a board of `n`.
pub fn program(n: u32, depth: u32, tail_rows: Option<u32>) -> GpuProgram {
    let rows = n - depth;
    // All survivors have the same number of rows, so no prefix may have fewer.
    let wished = tail_rows.unwrap_or(TAIL_ROWS).min(MAX_TAIL_ROWS).min(rows);
    let tail_rows = wished.min(CentrePrefixes::min_free_rows(n));
    let survivor_bytes = 16 * u64::from(vectors(tail_rows));
    let tail = (tail_rows > 0).then(|| Tail { kernel: plain_tail(tail_rows), rows: tail_rows, survivor_bytes });
    GpuProgram {
        search: search(n, rows, tail_rows),
        tail,
        prefix_words: 8,
        pack,
        free_rows: tail_rows..=rows,
        accumulates: true,
        last_row_is_free: tail_rows > 0,
        first_step_is_empty: |_| true,
    }
}

fn search(n: u32, rows: u32, tail_rows: u32) -> Kernel {
    let levels = (rows - tail_rows).max(1);
    let slots_for_rows = tail_rows.next_power_of_two();
    // The levels with few free rows have nearly all the work; four of them leave room for many workgroups at a time.
    let near = (1..=4).rev().find(|&near| 64 * (32 * near + 4 * slots_for_rows) <= WORKGROUP_BYTES).unwrap_or(1);
    Kernel {
        name: "most_constrained",
        source: SEARCH,
        constants: vec![
            ("N", n),
            ("LEVELS", near),
            ("T", tail_rows),
            ("SLOTS", slots_for_rows),
            ("VECTORS", vectors(tail_rows)),
        ],
        lanes: 64,
        slots: 3 + 2 * levels.max(near),
        max_steps: Some(MAX_STEPS),
        bindings: &[(0, Buffer::Prefixes), (1, Buffer::Counts), (6, Buffer::Survivors), (7, Buffer::Searched)],
    }
}

fn plain_tail(rows: u32) -> Kernel {
    Kernel {
        name: "plain_tail",
        source: TAIL,
        constants: vec![("T", rows), ("VECTORS", vectors(rows))],
        lanes: lanes(24 * rows),
        slots: 2 + rows,
        max_steps: None,
        bindings: &[(0, Buffer::Survivors), (1, Buffer::Counts)],
    }
}

/// Vectors of 16 bytes that a survivor takes: its rows and two words more.
const fn vectors(tail_rows: u32) -> u32 {
    (tail_rows + 2).div_ceil(4)
}

fn pack(prefix: &Prefix, words: &mut Vec<u32>) {
    let board = &prefix.board;
    let (low, high) = (|set: u64| set as u32, |set: u64| (set >> 32) as u32);
    words.extend([board.free_row_mask, board.free_column_mask]);
    words.extend([low(board.antidiagonal_mask), high(board.antidiagonal_mask)]);
    words.extend([low(board.diagonal_mask), high(board.diagonal_mask), 0, 0]);
}
