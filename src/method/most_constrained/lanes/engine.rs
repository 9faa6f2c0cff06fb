//! Which step runs next: boards in, counts out.

use super::levels::Levels;
use super::{CLOSING, InstructionSet, LOW, MAX_ROWS};
use crate::board::Board;
use crate::method::most_constrained::plain_tail;
use crate::method::most_constrained::search::survivors;
use crate::prefix::Completions;

/// Counts the completions of boards on SIMD lanes; keeps its buffers from one board to the next.
///
/// `NODES` counts the queens placed, too; without it they cost nothing.
#[derive(Debug)]
pub struct Engine<const NODES: bool> {
    instructions: InstructionSet,
    levels: Levels,
    found: Completions,
}

impl<const NODES: bool> Engine<NODES> {
    /// An engine with empty buffers.
    pub fn new(instructions: InstructionSet) -> Self {
        Self { instructions, levels: Levels::new(), found: Completions::default() }
    }

    /// The number of solutions that complete a board.
    ///
    /// # Panics
    /// If the count leaves 64 bits.
    pub fn count_completions(&mut self, board: &Board) -> Completions {
        let nodes = survivors(board, |board| placing(board) != Placing::TooWide, |board| self.push(board));
        let steps = self.instructions.steps(NODES);
        // No level has its stock: the one with the most rows left may fill up those below.
        while let Some(k) = (CLOSING..=MAX_ROWS).rev().find(|&k| self.levels.waiting(k) > 0) {
            // SAFETY: as in `run`.
            unsafe { steps[k](&mut self.levels) };
            self.run();
        }
        let mut found = std::mem::take(&mut self.found);
        let on_lanes = (std::mem::take(&mut self.levels.solutions), std::mem::take(&mut self.levels.nodes));
        found.solutions = found.solutions.checked_add(on_lanes.0).expect("a prefix has fewer than 2^64 solutions");
        found.nodes = if NODES { found.nodes + on_lanes.1 + nodes } else { 0 };
        found
    }

    /// Adds a board to those to be counted, and works as long as some level has enough states waiting.
    fn push(&mut self, board: &Board) {
        let k = match placing(board) {
            Placing::Rows => self.levels.push(board),
            Placing::Columns => self.levels.push(&board.transposed()),
            Placing::TooSmall | Placing::TooWide => {
                let tail = plain_tail::count_completions(board);
                self.found.solutions += tail.solutions;
                self.found.nodes += tail.nodes;
                return;
            }
        };
        if self.levels.waiting(k) >= self.instructions.stock() {
            self.run();
        }
    }

    /// Runs steps while some level has its stock, the deepest level first.
    fn run(&mut self) {
        let (steps, stock) = (self.instructions.steps(NODES), self.instructions.stock());
        let mut k = CLOSING;
        while k <= MAX_ROWS {
            if self.levels.waiting(k) >= stock {
                // SAFETY: an `InstructionSet` is only made after checking that the CPU has it.
                unsafe { steps[k](&mut self.levels) };
                k = CLOSING.max(k - 1);
            } else {
                k += 1;
            }
        }
    }
}

/// How a board goes through the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placing {
    /// As it is.
    Rows,
    /// Its free columns span too much for a word, but its free rows do not: columns as rows.
    Columns,
    /// Too few free rows.
    TooSmall,
    /// Too many free rows, or they and the free columns span too much.
    TooWide,
}

fn placing(board: &Board) -> Placing {
    let spans = |lines: u32| lines >> lines.trailing_zeros() <= LOW;
    let rows = board.free_rows() as usize;
    if rows < CLOSING {
        Placing::TooSmall
    } else if rows > MAX_ROWS {
        Placing::TooWide
    } else if spans(board.free_column_mask) {
        Placing::Rows
    } else if spans(board.free_row_mask) {
        Placing::Columns
    } else {
        Placing::TooWide
    }
}
