//! Lists the prefixes of a plan on all threads: those below each prefix of less depth by themselves.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::marks::{Mark, stride};
use crate::method::Method;
use crate::prefix::{Prefix, Search};
use crate::problem::Problem;

/// How many prefixes there are, and some of them, evenly spread, with the ways there.
pub struct Listing {
    pub prefixes: u64,
    pub sample: Vec<(u64, Prefix)>,
    pub marks: Vec<Mark>,
}

/// Prefixes of less depth, with the ways there. `None` where there are few, or the method cannot go on from one.
fn roots(problem: &Problem, method: Method, depth: u32) -> Option<Vec<(Prefix, Vec<u8>)>> {
    const MIN_ROOTS: usize = 1 << 11;
    (2..depth).find_map(|shallower| {
        let mut search = method.algorithm().search(problem, shallower, None)?;
        let mut roots = Vec::new();
        while let Some(prefix) = search.next() {
            roots.push((prefix, search.path()));
        }
        (roots.len() >= MIN_ROOTS).then_some(roots)
    })
}

/// Lists the prefixes; `None` where one thread is as good.
///
/// # Errors
/// If there are more than `max_prefixes`, or it was cancelled.
pub fn list(
    problem: &Problem,
    method: Method,
    depth: u32,
    max_prefixes: u64,
    stop: Option<&AtomicBool>,
) -> Option<Result<Listing>> {
    let roots = roots(problem, method, depth)?;
    let below = |root: &Prefix| method.algorithm().search_below(problem, root, depth);
    below(&roots[0].0)?;
    let all = AtomicU64::new(0);
    let count = |(root, _): &(Prefix, Vec<u8>)| -> Result<u64> {
        let mut prefixes = 0;
        for _ in below(root).into_iter().flatten() {
            prefixes += 1;
            if prefixes % 1024 == 0 {
                if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                    return Err(Error::Cancelled);
                }
                if all.fetch_add(1024, Ordering::Relaxed) >= max_prefixes {
                    return Err(Error::TooManyPrefixes { depth, n: problem.n(), most: max_prefixes });
                }
            }
        }
        Ok(prefixes)
    };
    let counts: Result<Vec<u64>> = roots.par_iter().map(count).collect();
    Some(counts.map(|counts| sampled(&roots, &counts, below)))
}

/// Takes the sample, once it is known how many prefixes are below each root.
fn sampled<S: Search>(
    roots: &[(Prefix, Vec<u8>)],
    counts: &[u64],
    below: impl Fn(&Prefix) -> Option<S> + Sync,
) -> Listing {
    let prefixes: u64 = counts.iter().sum();
    let stride = stride(prefixes);
    let starts = counts.iter().scan(0, |next, count| {
        *next += count;
        Some(*next - count)
    });
    let stretches: Vec<_> = roots.iter().zip(starts).zip(counts).collect();
    let of_stretch = |&((&(root, ref path), start), &count): &((&(Prefix, Vec<u8>), u64), &u64)| {
        let (mut at, mut found) = (start, Vec::new());
        let mut places = (start.next_multiple_of(stride)..start + count).step_by(stride as usize).peekable();
        let Some(mut search) = places.peek().and_then(|_| below(&root)) else { return found };
        for place in places {
            let Some(prefix) = search.nth((place - at) as usize) else { break };
            at = place + 1;
            found.push(((place, prefix), Mark::new([path.as_slice(), &search.path()].concat())));
        }
        found
    };
    let (sample, marks) = stretches.par_iter().map(of_stretch).collect::<Vec<_>>().into_iter().flatten().unzip();
    Listing { prefixes, sample, marks }
}
