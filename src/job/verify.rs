//! Verification: a random sample of prefixes is counted once more, on the CPU, by another method.
//!
//! A sample of k among m prefixes finds one wrong prefix with probability k/m: it finds devices that are often wrong, and
//! proves nothing about one that is wrong once. Only a second count of everything does.

use rayon::prelude::*;

use super::queue::Batch;
use crate::method::Method;

/// A prefix whose two counts are not equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
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
    /// The share of prefixes that is recounted, above 0 and up to 1. The first of each batch always is; where prefixes are few
    /// and large, the first of all.
    pub share: f64,
}

impl Verify {
    /// Recounts a sample of a batch, on the threads of the pool this runs in. Gives how many prefixes were recounted, and the mismatches.
    pub(crate) fn check(self, method: Method, batch: &Batch, counts: &[u64]) -> (u64, Vec<Mismatch>) {
        // Another sample in each run: what one run misses the next may find.
        let mut random = fastrand::Rng::new();
        let algorithm = method.algorithm();
        let always = !algorithm.properties().few_large_prefixes || batch.start == 0;
        let sample: Vec<usize> =
            (0..batch.prefixes.len()).filter(|&at| at == 0 && always || random.f64() < self.share).collect();
        let mismatches = sample
            .par_iter()
            .filter_map(|&at| {
                let (counted, recounted) = (counts[at], algorithm.recount(&batch.prefixes[at]));
                (counted != recounted).then_some(Mismatch { at, counted, recounted })
            })
            .collect();
        (sample.len() as u64, mismatches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    use crate::capabilities::Capabilities;
    use crate::method::algorithm::Watch;
    use crate::method::row_order;
    use crate::plan::Plan;
    use crate::problem::Problem;

    #[test]
    fn recounts_agree_with_every_method_at_every_depth() {
        for &method in Method::ALL {
            for (n, depth) in (0..=9).flat_map(|n| (0..=n).map(move |depth| (n, depth))) {
                let problem = Problem::empty(n).unwrap();
                let plan = Plan::with_depth(&problem, method, depth).unwrap();
                let program = method.algorithm().cpu_program(&problem, plan.depth(), &Capabilities::cpu(1));
                let mut solver = program.solver();
                for prefix in plan.iter() {
                    let counted =
                        solver.count_completions(&prefix, Watch::until(&AtomicBool::new(false))).unwrap().solutions;
                    assert_eq!(method.algorithm().recount(&prefix), counted, "{method} n={n} depth={depth}");
                }
            }
        }
    }

    #[test]
    fn a_wrong_count_in_the_sample_is_found() {
        let plan = Plan::with_depth(&Problem::empty(9).unwrap(), Method::RowOrder, 2).unwrap();
        let batch = Batch { start: 0, prefixes: plan.iter().collect() };
        let right: Vec<u64> =
            batch.prefixes.iter().map(|prefix| row_order::count_solutions(prefix).solutions).collect();
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
