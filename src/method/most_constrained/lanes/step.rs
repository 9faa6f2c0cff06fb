//! One step: up to one load of states, one queen further.

use super::levels::{Levels, ROUNDS};
use super::{CLOSING, LOW, Lanes, SQUARE_BITS};

/// Steps look for forced columns only with more free rows than this: further down it costs more than it saves.
const UNFORCED: usize = 5;
/// With this many free rows or more, a second square is tried without asking whether any lane has one: one nearly
/// always has, and a branch that is not there cannot be mispredicted.
const TWICE: usize = 6;
/// After two rounds a step gives back what is left if fewer than 1/SPARSE of its lanes have squares to try.
const SPARSE: usize = 4;

/// Runs steps on level `K`: one at least, then as long as a full load waits and its children have room.
#[inline(always)]
pub(crate) fn steps<V: Lanes, const K: usize, const NODES: bool>(levels: &mut Levels) {
    loop {
        step::<V, K, NODES>(levels);
        if levels.waiting(K) < V::WIDTH || levels.is_full(K - 1) {
            return;
        }
    }
}

/// Takes up to one load of states with `K` free rows from its level and places a queen in each lane's most
/// constrained row, on one square after the other.
#[expect(clippy::needless_range_loop, reason = "three arrays run side by side")]
#[inline(always)]
fn step<V: Lanes, const K: usize, const NODES: bool>(levels: &mut Levels) {
    let (start, taken) = levels.take(K, V::WIDTH);
    let low = V::splat(LOW);
    let mut rows = [V::splat(0); K];
    for (i, row) in rows.iter_mut().enumerate() {
        // SAFETY: `Levels::row` has room for a load.
        *row = unsafe { V::load(levels.row(K, i, start)) };
    }
    if K > UNFORCED {
        restrict_to_forced_columns(&mut rows, low);
    }
    most_constrained_first(&mut rows, low);
    let number = rows[0].shr_by::<SQUARE_BITS>();
    let mut distance = [V::splat(0); K];
    for i in 1..K {
        distance[i] = rows[i].shr_by::<SQUARE_BITS>().sub(number).abs();
    }
    // A lane without squares, or without a state, takes no part: its bit is 0.
    let mut squares = V::splat(0).blend(V::first(taken), rows[0].and(low));
    for round in 1.. {
        if NODES {
            levels.nodes += u64::from(V::count(squares.meets(low)));
        }
        let bit = squares.lowest();
        squares = squares.xor(bit);
        let mut below = rows;
        let mut alive = bit.meets(low);
        let mut columns = V::splat(0);
        for i in 1..K {
            below[i] = rows[i].strike(bit, distance[i], low);
            alive = V::both(alive, below[i].meets(low));
            columns = columns.or(below[i]);
        }
        if K == CLOSING {
            close::<V, K, NODES>(levels, &below, alive, low);
        } else {
            // As many columns must be left as rows.
            alive = V::both(alive, columns.and(low).has_bits(K as u32 - 1));
            let (end, order) = (levels.end(K - 1), V::order(alive));
            for i in 1..K {
                // SAFETY: `Levels::row` has room for a load.
                unsafe { below[i].pack(order, levels.row(K - 1, i - 1, end)) };
            }
            levels.grow(K - 1, V::count(alive) as usize);
        }
        if round == 1 && K >= TWICE {
            continue;
        }
        let active = squares.meets(low);
        let left = V::count(active) as usize;
        if left == 0 {
            return;
        }
        if round == ROUNDS || round > 1 && left * SPARSE < V::WIDTH {
            rows[0] = rows[0].without(low).or(squares);
            let (end, order) = (levels.end(K), V::order(active));
            for (i, row) in rows.iter().enumerate() {
                // SAFETY: `Levels::row` has room for a load.
                unsafe { row.pack(order, levels.row(K, i, end)) };
            }
            levels.grow(K, left);
            return;
        }
    }
}

/// A column with a single free square forces its row: the row's other squares go.
#[inline(always)]
fn restrict_to_forced_columns<V: Lanes, const K: usize>(rows: &mut [V; K], low: V) {
    let mut one = rows[0];
    let mut two = V::splat(0);
    for &row in &rows[1..] {
        two = two.carry(one, row);
        one = one.or(row);
    }
    let forced = one.without(two).and(low);
    let keep = forced.or(V::splat(!LOW));
    for row in rows.iter_mut() {
        *row = row.blend(row.meets(forced), row.and(keep));
    }
}

/// Swaps each lane's row with fewest free squares to the front.
#[inline(always)]
fn most_constrained_first<V: Lanes, const K: usize>(rows: &mut [V; K], low: V) {
    let mut fewest = rows[0].and(low).bits();
    for i in 1..K {
        let here = rows[i].and(low).bits();
        let better = here.less(fewest);
        fewest = fewest.min(here);
        (rows[0], rows[i]) = (rows[0].blend(better, rows[i]), rows[i].blend(better, rows[0]));
    }
}

/// Counts the completions of states with two rows left (entries 1 and 2).
///
/// Two columns are left too: at most two squares to try, then at most one in the last row.
#[inline(always)]
fn close<V: Lanes, const K: usize, const NODES: bool>(levels: &mut Levels, rows: &[V; K], alive: V::Mask, low: V) {
    let distance = rows[1].shr_by::<SQUARE_BITS>().sub(rows[2].shr_by::<SQUARE_BITS>()).abs();
    let mut squares = rows[1].and(low);
    for _ in 0..2 {
        let bit = squares.lowest();
        squares = squares.xor(bit);
        let here = V::both(alive, bit.meets(low));
        let found = V::count(V::both(here, rows[2].strike(bit, distance, low).meets(low)));
        levels.solutions += u64::from(found);
        if NODES {
            levels.nodes += u64::from(V::count(here) + found);
        }
    }
}

/// A step compiled for one instruction set; unsafe to call on a CPU that lacks it.
pub(crate) type Step = unsafe fn(&mut Levels);

/// The table of steps by number of free rows, for a function generic over `K` and `NODES`.
macro_rules! step_table {
    ($step:ident, $nodes:literal) => {
        [
            $crate::method::most_constrained::lanes::step::no_step,
            $crate::method::most_constrained::lanes::step::no_step,
            $crate::method::most_constrained::lanes::step::no_step,
            $step::<3, $nodes>,
            $step::<4, $nodes>,
            $step::<5, $nodes>,
            $step::<6, $nodes>,
            $step::<7, $nodes>,
            $step::<8, $nodes>,
            $step::<9, $nodes>,
            $step::<10, $nodes>,
            $step::<11, $nodes>,
            $step::<12, $nodes>,
            $step::<13, $nodes>,
            $step::<14, $nodes>,
            $step::<15, $nodes>,
            $step::<16, $nodes>,
        ]
    };
}
pub(crate) use step_table;

/// Stands for the levels below [`CLOSING`], which never hold a state.
pub(crate) fn no_step(_: &mut Levels) {
    unreachable!("states with so few rows are finished earlier");
}
