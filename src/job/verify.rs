//! Doubt: a random sample of prefixes is counted once more, on the CPU, by another method.
//!
//! A sample of k among m prefixes finds one wrong prefix with probability k/m: it finds devices that are often wrong, and
//! proves nothing about one that is wrong once. Only a second count of everything does.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::queue::Batch;
use crate::board::{Board, Line, bits};
use crate::method::Method;
use crate::prefix::Prefix;
use crate::prefix::mirrors::middle_number;
use crate::search::lanes::{Engine, InstructionSet};
use crate::search::{most_constrained, plain_tail};

/// The rows of a recount by [`most_constrained`] that are left to the plain tail.
const TAIL_ROWS: u32 = 6;

/// The count of a prefix by another way than its method's own: row by row for prefixes of the most constrained lines, and
/// the most constrained line first for all others.
pub fn recount(method: Method, prefix: &Prefix) -> u64 {
    match method {
        Method::RowOrder => most_constrained::finish(prefix, TAIL_ROWS).solutions,
        Method::MostConstrained => plain_tail::complete(&prefix.board).solutions,
        Method::HalfJoin => weighted_completions(prefix),
    }
}

/// The completions of a prefix of the middle rows, each with its [weight](crate::prefix::mirrors): the queens in the
/// middle columns come first, which settles it.
fn weighted_completions(prefix: &Prefix) -> u64 {
    let n = prefix.board.n;
    let mut engine = Engine::<false>::new(InstructionSet::best());
    let mut complete = |board: &Board| engine.finish(board).solutions;
    if prefix.board.queens() == 0 {
        return complete(&prefix.board);
    }
    let mut boards = vec![(prefix.board, prefix.middle)];
    for column in [(n - 1) / 2, n / 2].map(Line::Column) {
        boards = boards
            .into_iter()
            .flat_map(|(board, middle)| {
                let squares = if board.is_open(column) { board.free_squares_of(column) } else { 0 };
                let closed = (!board.is_open(column)).then_some((board, middle));
                let placed = bits(squares)
                    .map(move |at| (board.place_on(column, at), middle.with(n, [column.square(at)], middle.unmoved)));
                closed.into_iter().chain(placed)
            })
            .collect();
    }
    boards
        .iter()
        .map(|(board, middle)| match middle.rows() {
            [Some(first), Some(second)] => match middle.number().cmp(&middle_number(n, [first, second])) {
                Ordering::Less => 2 * complete(board),
                Ordering::Equal => complete(board),
                Ordering::Greater => 0,
            },
            _ => unreachable!("both middle columns have a queen"),
        })
        .sum()
}

/// A prefix whose two counts are not equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its place in the batch.
    pub at: usize,
    /// By the device.
    pub counted: u64,
    /// By the recount.
    pub recounted: u64,
}

/// Recounts a part of each batch.
#[derive(Clone, Copy, Debug)]
pub struct Verify {
    /// The share of prefixes that is recounted, above 0 and up to 1. The first of each batch always is; of half joins,
    /// whose prefixes are few and large, the first of all.
    pub share: f64,
}

impl Verify {
    /// Recounts a sample of a batch. Gives how many prefixes were recounted, and the mismatches.
    pub fn check(self, method: Method, batch: &Batch, counts: &[u64]) -> (u64, Vec<Mismatch>) {
        // Another sample in each run: what one run misses the next may find.
        let mut random = fastrand::Rng::new();
        let always = method != Method::HalfJoin || batch.start == 0;
        let sample: Vec<usize> =
            (0..batch.prefixes.len()).filter(|&at| at == 0 && always || random.f64() < self.share).collect();
        let mismatches = sample
            .par_iter()
            .filter_map(|&at| {
                let (counted, recounted) = (counts[at], recount(method, &batch.prefixes[at]));
                (counted != recounted).then_some(Mismatch { at, counted, recounted })
            })
            .collect();
        (sample.len() as u64, mismatches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::search::row_order;

    #[test]
    fn recounts_agree_with_every_method_at_every_depth() {
        for method in Method::ALL {
            let mut finisher = method.finisher(false);
            for n in 0..=9 {
                for rows in 0..=n {
                    for prefix in Plan::new(n, method, Some(rows), 0).unwrap().iter() {
                        assert_eq!(recount(method, &prefix), finisher.finish(&prefix).solutions, "{method} n={n}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_wrong_count_in_the_sample_is_found() {
        let plan = Plan::new(9, Method::RowOrder, Some(2), 0).unwrap();
        let batch = Batch { start: 0, prefixes: plan.iter().collect() };
        let right: Vec<u64> = batch.prefixes.iter().map(row_order::solutions).collect();
        let all = Verify { share: 1.0 };
        assert_eq!(all.check(Method::RowOrder, &batch, &right), (batch.prefixes.len() as u64, vec![]));
        for at in 0..right.len() {
            let mut wrong = right.clone();
            wrong[at] ^= 1 << 40;
            let (_, found) = all.check(Method::RowOrder, &batch, &wrong);
            assert_eq!(found, [Mismatch { at, counted: wrong[at], recounted: right[at] }]);
        }
        let (recounted, _) = Verify { share: 0.2 }.check(Method::RowOrder, &batch, &right);
        assert!((1..right.len() as u64).contains(&recounted));
        let first_only = Verify { share: f64::MIN_POSITIVE };
        let mut wrong = right;
        wrong[0] += 1;
        assert_eq!(first_only.check(Method::RowOrder, &batch, &wrong).1.len(), 1);
    }
}
