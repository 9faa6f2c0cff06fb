//! The buffers between steps: waiting states by number of free rows.

use super::{CLOSING, LOW, MAX_ROWS, SQUARE_BITS};
use crate::board::{Board, bits};

/// The widest vector.
pub(super) const MAX_WIDTH: usize = 16;
/// The most squares of a state that a step tries; what is left goes back to its level.
pub(super) const ROUNDS: usize = 4;
/// States a level can hold: far more than wait at once, so that closing up is rare.
const CAPACITY: usize = MAX_WIDTH * 33;

/// Where level `k` (`k` words for each state) begins.
const fn offset(k: usize) -> usize {
    CAPACITY * (k * (k - 1) / 2)
}

/// A cache line: full loads from a level then never straddle two.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct CacheLine([u32; MAX_WIDTH]);

/// One queue of waiting states for each number of free rows, and the counts so far.
///
/// Queues, not stacks: a step's load then was stored some steps ago. Loading words that are still on
/// their way to the cache, in several overlapping stores, would stall.
pub(crate) struct Levels {
    words: Box<[CacheLine]>,
    head: [usize; MAX_ROWS + 1],
    tail: [usize; MAX_ROWS + 1],
    /// Completions counted; cannot overflow in practice, a step adds at most 128.
    pub(super) solutions: u64,
    /// Queens placed.
    pub(super) nodes: u64,
}

impl std::fmt::Debug for Levels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Levels").field("head", &self.head).field("tail", &self.tail).finish_non_exhaustive()
    }
}

impl Levels {
    pub(super) fn new() -> Self {
        let words = vec![CacheLine([0; MAX_WIDTH]); offset(MAX_ROWS + 1) / MAX_WIDTH].into_boxed_slice();
        Self { words, head: [0; MAX_ROWS + 1], tail: [0; MAX_ROWS + 1], solutions: 0, nodes: 0 }
    }

    /// How many states wait in level `k`.
    #[inline(always)]
    pub(super) fn waiting(&self, k: usize) -> usize {
        self.tail[k] - self.head[k]
    }

    /// Whether the children of one more load may be too many for level `k` (which keeps room for a load of its own).
    #[inline(always)]
    pub(super) fn is_full(&self, k: usize) -> bool {
        self.waiting(k) + (ROUNDS + 1) * MAX_WIDTH > CAPACITY
    }

    /// Takes up to `width` states from the head of level `k`: where they begin, and how many.
    ///
    /// Leaves room for one load at the tails of levels `k` and `ROUNDS` loads at that of `k - 1`.
    #[inline(always)]
    pub(super) fn take(&mut self, k: usize, width: usize) -> (usize, usize) {
        self.make_room(k - 1, ROUNDS * MAX_WIDTH);
        self.make_room(k, MAX_WIDTH);
        let start = self.head[k];
        let taken = self.waiting(k).min(width);
        self.head[k] = start + taken;
        (start, taken)
    }

    /// The end of level `k`, where new states go.
    #[inline(always)]
    pub(super) fn end(&self, k: usize) -> usize {
        self.tail[k]
    }

    /// Adds the `count` states just stored from the end of level `k` on.
    #[inline(always)]
    pub(super) fn grow(&mut self, k: usize, count: usize) {
        self.tail[k] += count;
    }

    /// The words of row `row` in level `k`, from state `first` on; room for a load.
    #[inline(always)]
    pub(super) fn row(&mut self, k: usize, row: usize, first: usize) -> *mut u32 {
        debug_assert!(row < k && k <= MAX_ROWS && first + MAX_WIDTH <= CAPACITY);
        // SAFETY: inside `words`, which has `k * CAPACITY` words from `offset(k)` on. `first` is a head or a tail
        // after `take`, so at most CAPACITY - MAX_WIDTH.
        unsafe { self.words.as_mut_ptr().cast::<u32>().add(offset(k) + row * CAPACITY + first) }
    }

    /// Adds a board that fits the lanes to its level, rows near the centre first: among equally constrained
    /// rows the first one is taken, and a queen near the centre attacks most.
    pub(super) fn push(&mut self, board: &Board) -> usize {
        let k = board.free_rows() as usize;
        let mut rows = [0; MAX_ROWS];
        for (slot, row) in rows.iter_mut().zip(bits(board.free_row_mask)) {
            *slot = row;
        }
        let rows = &mut rows[..k];
        rows.sort_unstable_by_key(|&row| (2 * row).abs_diff(board.n - 1) << 8 | row);
        let first_column = board.free_column_mask.trailing_zeros();
        let first_row = board.free_row_mask.trailing_zeros();
        self.make_room(k, MAX_WIDTH);
        let end = self.tail[k];
        for (i, &row) in rows.iter().enumerate() {
            let squares = board.free_squares(row) >> first_column;
            debug_assert!(squares <= LOW);
            // SAFETY: `make_room` left room for a load at the end.
            unsafe { *self.row(k, i, end) = squares | (row - first_row) << SQUARE_BITS };
        }
        self.tail[k] += 1;
        k
    }

    /// Makes sure that `room` states fit at the end of level `k`.
    #[inline(always)]
    fn make_room(&mut self, k: usize, room: usize) {
        if k >= CLOSING && self.tail[k] + room > CAPACITY {
            self.close_up(k);
            assert!(self.tail[k] + room <= CAPACITY, "level overfull");
        }
    }

    /// Moves what waits in level `k` to the level's beginning.
    #[inline(never)]
    fn close_up(&mut self, k: usize) {
        let (head, count) = (self.head[k], self.waiting(k));
        for i in 0..k {
            // SAFETY: the whole row, which nothing else borrows now.
            let row = unsafe { std::slice::from_raw_parts_mut(self.row(k, i, 0), CAPACITY) };
            row.copy_within(head..head + count, 0);
        }
        (self.head[k], self.tail[k]) = (0, count);
    }
}
