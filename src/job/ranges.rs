//! Which prefixes are done: ranges of their one order.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A set of prefixes as ranges, in order, none touching the next. Written as a list of pairs `[start, end]`, the end not
/// included.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranges(Vec<[u64; 2]>);

impl Ranges {
    /// Adds a range. False, and nothing is changed, if a part of it was there already.
    #[must_use]
    pub(crate) fn insert(&mut self, range: Range<u64>) -> bool {
        if range.is_empty() {
            return true;
        }
        let [start, end] = [range.start, range.end];
        let at = self.0.partition_point(|&[_, before]| before <= start);
        if self.0.get(at).is_some_and(|&[next, _]| next < end) {
            return false;
        }
        let joins_before = at > 0 && self.0[at - 1][1] == start;
        let joins_after = self.0.get(at).is_some_and(|&[next, _]| next == end);
        match (joins_before, joins_after) {
            (true, true) => self.0[at - 1][1] = self.0.remove(at)[1],
            (true, false) => self.0[at - 1][1] = end,
            (false, true) => self.0[at][0] = start,
            (false, false) => self.0.insert(at, [start, end]),
        }
        true
    }

    /// The ranges, in order.
    pub fn iter(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        self.0.iter().map(|&[start, end]| start..end)
    }

    /// How many prefixes are in it.
    pub fn prefixes(&self) -> u64 {
        self.iter().map(|range| range.end - range.start).sum()
    }

    /// What is missing of a range.
    pub fn gaps(&self, of: Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut from = of.start;
        for range in self.iter() {
            if range.start > from && from < of.end {
                gaps.push(from..range.start.min(of.end));
            }
            from = from.max(range.end);
        }
        if from < of.end {
            gaps.push(from..of.end);
        }
        gaps
    }

    /// Whether it is what [`insert`](Self::insert) makes, and inside a range: a file can say anything.
    pub(crate) fn is_sound(&self, within: Range<u64>) -> bool {
        self.0.iter().all(|&[start, end]| start < end)
            && self.0.windows(2).all(|pair| pair[0][1] < pair[1][0])
            && self.0.first().is_none_or(|first| first[0] >= within.start)
            && self.0.last().is_none_or(|last| last[1] <= within.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_join_and_never_overlap() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let (mut ranges, mut marks) = (Ranges::default(), [false; 40]);
            for _ in 0..30 {
                let start = random.usize(0..40);
                let end = random.usize(start..=40);
                let overlaps = marks[start..end].contains(&true);
                assert_eq!(ranges.insert(start as u64..end as u64), !overlaps, "{ranges:?} {start}..{end}");
                if !overlaps {
                    marks[start..end].fill(true);
                }
                assert!(ranges.is_sound(0..40), "{ranges:?}");
                assert_eq!(ranges.prefixes() as usize, marks.iter().filter(|&&mark| mark).count());
                let missing: Vec<u64> = ranges.gaps(5..35).into_iter().flatten().collect();
                let expected: Vec<u64> = (5..35).filter(|&i| !marks[i as usize]).collect();
                assert_eq!(missing, expected, "{ranges:?}");
            }
        }
    }

    #[test]
    fn ranges_from_a_file_are_checked() {
        let read = |text: &str| serde_json::from_str::<Ranges>(text).unwrap();
        assert!(read("[[0,3],[4,9]]").is_sound(0..9));
        for bad in ["[[3,3]]", "[[3,2]]", "[[0,3],[3,9]]", "[[4,9],[0,3]]", "[[0,5],[4,9]]", "[[0,10]]"] {
            assert!(!read(bad).is_sound(0..9), "{bad}");
        }
        assert!(!read("[[0,2]]").is_sound(1..9));
    }
}
