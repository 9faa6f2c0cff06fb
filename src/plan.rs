//! What is to be counted and how it is cut into prefixes.

use crate::backend::Backend;
use crate::board::MAX_N;
use crate::error::{Error, Result};
use crate::method::Method;
use crate::prefix::Prefix;

/// The most prefixes that a plan can have: listing them takes minutes.
pub const MOST_PREFIXES: u64 = 1 << 32;

/// A count to be made: the board, the method, and the depth of the prefixes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Rows and columns of the board.
    pub n: u32,
    /// How prefixes are made and finished.
    pub method: Method,
    /// How many rows deep the prefixes are.
    pub prefix_rows: u32,
    /// How many prefixes there are.
    pub prefixes: u64,
    /// Some of them, evenly spread, with their places in the order of all.
    pub sample: Vec<(u64, Prefix)>,
}

impl Plan {
    /// A plan with at least `wanted` prefixes where the board has that many, or with prefixes of the given depth.
    ///
    /// # Errors
    /// If `n` or `prefix_rows` is out of range, or there would be more than [`MOST_PREFIXES`].
    pub fn new(n: u32, method: Method, prefix_rows: Option<u32>, wanted: u64) -> Result<Self> {
        if n > MAX_N {
            return Err(Error::BoardSize(n));
        }
        if let Some(rows) = prefix_rows {
            if rows > n {
                return Err(Error::PrefixRows { rows, n });
            }
            return Self::with_rows(n, method, rows, MOST_PREFIXES).ok_or(Error::TooManyPrefixes { rows, n });
        }
        // Prefixes grow in number with their depth, up to a point: small boards may never have as many as are wanted.
        let deep = |rows| Self::with_rows(n, method, rows, MOST_PREFIXES).ok_or(Error::TooManyPrefixes { rows, n });
        let mut best = deep(0)?;
        for rows in 1..=n {
            if best.prefixes >= wanted {
                break;
            }
            let deeper = deep(rows)?;
            if deeper.prefixes < best.prefixes {
                break;
            }
            best = deeper;
        }
        Ok(best)
    }

    /// A plan for a backend, which may have a wish for the depth.
    ///
    /// # Errors
    /// As those of [`new`](Self::new).
    pub fn on(backend: &dyn Backend, n: u32, method: Method, prefix_rows: Option<u32>, wanted: u64) -> Result<Self> {
        if n > MAX_N {
            return Err(Error::BoardSize(n));
        }
        Self::new(n, method, prefix_rows.or_else(|| backend.prefix_rows(n, method, wanted)), wanted)
    }

    /// The plan that a file speaks of, with this depth; `None` if it cannot have so many prefixes as the file says. A file can
    /// say anything: listing takes no longer than a plan of that many prefixes could need.
    ///
    /// # Errors
    /// If `n` or `prefix_rows` is out of range.
    pub(crate) fn recorded(n: u32, method: Method, prefix_rows: u32, prefixes: u64) -> Result<Option<Self>> {
        if n > MAX_N {
            return Err(Error::BoardSize(n));
        }
        if prefix_rows > n {
            return Err(Error::PrefixRows { rows: prefix_rows, n });
        }
        if prefixes > MOST_PREFIXES {
            return Ok(None);
        }
        // Deep prefixes of a large board are few and far between: the way to them is what takes long. It has more boards
        // than there are prefixes, but not 64 times as many at one depth.
        let most = (64 * (prefixes + 1)).min(MOST_PREFIXES);
        // A queen attacks at most three squares of a line: at a third of the board there are no dead ends yet.
        let with = |rows| Self::with_rows(n, method, rows, most);
        let is_own = |&rows: &u32| method.whole_rows(n, rows) == rows;
        Ok((n / 3 + 1..prefix_rows)
            .filter(is_own)
            .all(|rows| with(rows).is_some())
            .then(|| with(prefix_rows))
            .flatten())
    }

    /// `None` if there are more prefixes than `most`.
    fn with_rows(n: u32, method: Method, prefix_rows: u32, most: u64) -> Option<Self> {
        /// Twice as many as are kept at the least: every second one goes when there are so many.
        const SAMPLE: usize = 4096;
        let (mut prefixes, mut stride, mut sample) = (0, 1, Vec::with_capacity(SAMPLE));
        let prefix_rows = method.whole_rows(n, prefix_rows);
        for prefix in method.prefixes(n, prefix_rows) {
            if prefixes == most {
                return None;
            }
            if prefixes % stride == 0 {
                if sample.len() == SAMPLE {
                    stride *= 2;
                    sample.retain(|&(index, _)| index % stride == 0);
                }
                if prefixes % stride == 0 {
                    sample.push((prefixes, prefix));
                }
            }
            prefixes += 1;
        }
        Some(Self { n, method, prefix_rows, prefixes, sample })
    }

    /// All prefixes, in their one order.
    pub fn iter(&self) -> impl Iterator<Item = Prefix> + Send {
        self.method.prefixes(self.n, self.prefix_rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enough_prefixes_or_as_many_as_there_are() {
        let plan = Plan::new(16, Method::RowOrder, None, 1000).unwrap();
        assert!(plan.prefixes >= 1000 && plan.prefix_rows == 3, "{plan:?}");
        assert_eq!(Plan::new(0, Method::RowOrder, None, 1000).unwrap().prefixes, 1);
        assert_eq!(Plan::new(1, Method::RowOrder, None, 1000).unwrap().prefixes, 1);
        assert!(Plan::new(8, Method::RowOrder, None, 1000).unwrap().prefix_rows >= 4);
    }

    #[test]
    fn the_sample_is_spread_over_all_prefixes() {
        let plan = Plan::new(14, Method::RowOrder, Some(5), 0).unwrap();
        assert!((2048..=4096).contains(&plan.sample.len()));
        let all: Vec<Prefix> = plan.iter().collect();
        assert_eq!(all.len() as u64, plan.prefixes);
        assert!(plan.sample.iter().all(|&(index, prefix)| all[index as usize] == prefix));
        assert!(plan.sample.last().unwrap().0 > plan.prefixes * 99 / 100);
    }

    #[test]
    fn out_of_range_is_an_error() {
        assert!(matches!(Plan::new(33, Method::RowOrder, None, 1), Err(Error::BoardSize(33))));
        assert!(matches!(Plan::new(8, Method::RowOrder, Some(9), 1), Err(Error::PrefixRows { rows: 9, n: 8 })));
    }

    /// The bound on what a file can make us list leaves out no plan that there is.
    #[test]
    fn every_plan_is_taken_as_it_was_recorded() {
        for method in Method::ALL {
            for (n, rows) in (0..=10).flat_map(|n| (0..=n).map(move |rows| (n, rows))) {
                let plan = Plan::new(n, method, Some(rows), 0).unwrap();
                let again = Plan::recorded(n, method, rows, plan.prefixes).unwrap();
                assert_eq!(again.map(|plan| plan.prefixes), Some(plan.prefixes), "{method} n={n} rows={rows}");
            }
            for (rows, prefixes) in [(32, 1_000), (20, 1 << 50), (31, u64::MAX), (5, 1)] {
                assert!(Plan::recorded(32, method, rows, prefixes).unwrap().is_none(), "{method} {rows} {prefixes}");
            }
        }
        assert!(matches!(Plan::recorded(33, Method::RowOrder, 1, 1), Err(Error::BoardSize(33))));
    }
}
