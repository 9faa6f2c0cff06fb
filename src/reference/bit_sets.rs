//! Bit sets: the flags of all columns, diagonals and antidiagonals as the bits of three integers.
//!
//! Source: M. Richards, "Backtracking algorithms in MCPL using bit patterns and recursion" (1997); Z. Qiu, "Bit-vector
//! encoding of n-queen problem" (ACM SIGPLAN Notices 37, 2002).
//! Cost: a few word operations a queen, nothing for an attacked square.
//!
//! What differs from Boolean arrays: the diagonals are kept as the next row sees them, moved by one bit a row, so one
//! `not (columns | left | right)` gives all free squares of a row at once and only these are visited. A queen is removed
//! by returning. The row-order search is this one without recursion, without a step for the last row, and on half of
//! the board.

use super::OnBoard;
use crate::board::{bits, full_mask};
use crate::prefix::Completions;

pub fn solve(n: usize, found: OnBoard<'_>) -> Completions {
    let mut search = Search {
        n,
        full: full_mask(n as u32),
        columns: Vec::with_capacity(n),
        found,
        finished: Completions::default(),
    };
    search.row(0, 0, 0);
    search.finished
}

struct Search<'a> {
    n: usize,
    full: u32,
    columns: Vec<u8>,
    found: OnBoard<'a>,
    finished: Completions,
}

impl Search<'_> {
    fn row(&mut self, occupied: u32, left: u32, right: u32) {
        if self.columns.len() == self.n {
            self.finished.solutions += 1;
            (self.found)(&self.columns);
            return;
        }
        for column in bits(self.full & !(occupied | left | right)) {
            let queen = 1 << column;
            self.columns.push(column as u8);
            self.finished.nodes += 1;
            self.row(occupied | queen, (left | queen) << 1, (right | queen) >> 1);
            self.columns.pop();
        }
    }
}
