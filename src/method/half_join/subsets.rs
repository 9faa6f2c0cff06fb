//! Column sets of one size, numbered in numeric order.

/// The sets of `size` of the numbers `0..of`, as bit masks.
#[derive(Clone, Debug)]
pub struct Subsets {
    of: u32,
    size: u32,
    low_bits: u32,
    /// Of each mask of the high bits: the number of the first set with those.
    first: Vec<u32>,
    /// Of each mask of the low bits: its number among those of the same size.
    rank: Vec<u32>,
}

impl Subsets {
    /// All sets of a size. The low bits are ranked on their own: sets equal in all others make a bucket, so few that
    /// writing to all of them in turn stays in the cache, unless a bucket then has too many sets for the same.
    pub fn new(of: u32, size: u32) -> Self {
        let low_bits = Self::low_bits(of);
        let mut of_size = vec![0u32; low_bits as usize + 1];
        let rank = (0..1u32 << low_bits)
            .map(|mask| {
                let seen = &mut of_size[mask.count_ones() as usize];
                *seen += 1;
                *seen - 1
            })
            .collect();
        let mut sum = 0;
        let mut first = vec![0];
        for high in 0..1u32 << (of - low_bits) {
            let rest = size.checked_sub(high.count_ones());
            sum += rest.and_then(|rest| of_size.get(rest as usize)).copied().unwrap_or(0);
            first.push(sum);
        }
        Self { of, size, low_bits, first, rank }
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// How many buckets there are.
    pub fn buckets(&self) -> usize {
        self.first.len() - 1
    }

    /// The columns, of so many, that do not decide the bucket: the lowest ones.
    pub fn low_bits(of: u32) -> u32 {
        of.saturating_sub(8).clamp(10, 14).min(of)
    }

    /// The bucket of a set.
    pub fn bucket(&self, set: u32) -> usize {
        (set >> self.low_bits) as usize
    }

    /// The numbers of the sets of a bucket.
    pub fn of_bucket(&self, bucket: usize) -> std::ops::Range<usize> {
        self.first[bucket] as usize..self.first[bucket + 1] as usize
    }

    /// The number of a set among those of its bucket.
    pub fn rank_in_bucket(&self, set: u32) -> u32 {
        self.rank[(set & ((1 << self.low_bits) - 1)) as usize]
    }

    /// The number of a set.
    pub fn rank(&self, set: u32) -> usize {
        (self.first[self.bucket(set)] + self.rank_in_bucket(set)) as usize
    }

    /// All sets in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let mut next = (self.size <= self.of).then_some((1u64 << self.size) - 1);
        let end = 1u64 << self.of;
        std::iter::from_fn(move || {
            let set = next?;
            // The next larger number of as many bits: the lowest run moves up by one bit, what is left of it goes down.
            let lowest = set & set.wrapping_neg();
            let carried = set + lowest;
            next = (set != 0).then(|| carried | (((carried ^ set) >> 2) / lowest.max(1))).filter(|&next| next < end);
            Some(set as u32)
        })
    }
}

/// `of` over `size`.
pub fn binomial(of: u32, size: u32) -> u64 {
    (0..u64::from(size)).fold(1, |product, i| product * (u64::from(of) - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_in_order() {
        for (of, size) in [(0, 0), (5, 0), (5, 5), (10, 4), (13, 6), (17, 8)] {
            let subsets = Subsets::new(of, size);
            let all: Vec<_> = (0..1u32 << of).filter(|set| set.count_ones() == size).collect();
            assert!(subsets.iter().eq(all.iter().copied()));
            assert_eq!(subsets.len(), all.len());
            assert_eq!(all.len() as u64, binomial(of, size));
            for (number, &set) in all.iter().enumerate() {
                assert_eq!(subsets.rank(set), number);
                assert!(subsets.of_bucket(subsets.bucket(set)).contains(&number));
            }
        }
    }
}
