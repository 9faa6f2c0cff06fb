//! What row order runs on a GPU.

use std::ops::RangeInclusive;

use super::search::Rows;
use crate::method::gpu_program::{Buffer, GpuProgram, Kernel, lanes};
use crate::prefix::Prefix;

/// Twin of [`search`](super::search), step by step.
pub const SOURCE: &str = include_str!("../../../shaders/row_order.wgsl");

/// For prefixes of the first `depth` rows of a board of `n`.
pub fn program(n: u32, depth: u32) -> GpuProgram {
    let rows = n - depth;
    // Below the prefix every row but the last is placed, and may leave squares to try.
    let levels = rows.saturating_sub(1).max(1);
    let search = Kernel {
        name: "row_order",
        source: SOURCE,
        constants: vec![("N", n), ("LEVELS", levels)],
        lanes: lanes(16 * levels),
        slots: 2 + levels,
        max_steps: None,
        bindings: &[(0, Buffer::Prefixes), (1, Buffer::Counts)],
    };
    GpuProgram {
        search,
        tail: None,
        prefix_words: 4,
        pack,
        free_rows: RangeInclusive::new(0, rows),
        accumulates: false,
        last_row_is_free: true,
        first_step_is_empty: |prefix| Rows::new(prefix).first_squares(prefix.board.n) == 0,
    }
}

fn pack(prefix: &Prefix, words: &mut Vec<u32>) {
    let Rows { columns, left, right } = Rows::new(prefix);
    words.extend([columns, left, right, 0]);
}
