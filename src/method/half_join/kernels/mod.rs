//! The two inner loops, for each kind of machine: filter keys, count disjoint pairs.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod bit_matrix;
mod scalar;

pub use bit_matrix::WIDTH;

/// Keys that must lie, unused, behind those that are filtered, and room that must be left behind those that are kept: whole
/// vectors are read and written.
pub const SLACK: usize = 16;

/// Which instructions to use. Only [`detect`](Self::detect) and [`all`](Self::all) make the ones that need a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Keys in two parts; the high one is empty if all high parts are 0.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    /// The low parts.
    pub low: &'a [u32],
    /// The high parts, or nothing.
    pub high: &'a [u16],
}

/// Where kept keys go.
#[derive(Debug)]
pub struct Kept<'a> {
    /// The low parts, from the front.
    pub low: &'a mut [u32],
    /// The high parts, from the front; nothing if they are not wanted.
    pub high: &'a mut [u16],
    /// Of each segment: the number of keys kept up to its end.
    pub ends: &'a mut [u32],
}

/// What a key must leave free to be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// Bits of the low part that must be clear.
    pub low: u32,
    /// Bits of the high part that must be clear.
    pub high: u16,
    /// How far to rotate the low part when it is kept: 16 exchanges its halves, 0 leaves it.
    pub rotate: u32,
}

impl Simd {
    /// Plain Rust, on every machine.
    pub const SCALAR: Self = Self(Level::Scalar);

    /// The best that this machine has.
    pub fn detect() -> Self {
        *Self::all().last().expect("plain Rust is always there")
    }

    /// All that this machine has, the best one last.
    pub fn all() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut all = vec![Self::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                all.push(Self(Level::Avx2));
                if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                {
                    all.push(Self(Level::Avx512));
                }
            }
        }
        all
    }

    /// Copies the keys that pass a test, segment by segment, and gives their number. Segment `i` of the keys goes from
    /// `bounds[i]` to `bounds[i + 1]`.
    ///
    /// # Panics
    /// If the bounds go down or, with [`SLACK`], past the keys; if the parts are of different lengths; or if there is too
    /// little room for all keys of the segments and [`SLACK`].
    #[inline]
    pub fn filter(self, keys: Keys, bounds: &[u32], test: Test, kept: Kept) -> usize {
        let (Some(&first), Some(&last)) = (bounds.first(), bounds.last()) else { return 0 };
        let [first, last] = [first, last].map(|bound| bound as usize);
        assert!(bounds.is_sorted() && last + SLACK <= keys.low.len(), "segments inside the keys");
        assert!(kept.low.len() >= last - first + SLACK, "room for whole vectors");
        assert!(kept.high.is_empty() || kept.high.len() >= last - first + SLACK, "room for whole vectors");
        assert!(keys.high.is_empty() || keys.high.len() == keys.low.len(), "two parts a key");
        assert!(keys.high.is_empty() <= kept.high.is_empty(), "no high parts to be kept");
        assert_eq!(kept.ends.len() + 1, bounds.len(), "one end a segment");
        match self.0 {
            Level::Scalar => scalar::filter(keys, bounds, test, kept),
            // SAFETY: this level is made only where the machine has AVX2; the bounds and lengths are checked above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::filter(keys, bounds, test, kept) },
            // SAFETY: this level is made only where the machine has AVX-512; the bounds and lengths are checked above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::filter(keys, bounds, test, kept) },
        }
    }

    /// The number of pairs, one of each list, that have no bit in common.
    #[inline]
    pub fn pairs(self, a: &[u32], b: &[u32]) -> u64 {
        if a.is_empty() || b.is_empty() {
            return 0;
        }
        if !self.is_worth_a_matrix(a.len().max(b.len()), a.len().min(b.len())) {
            return self.few_pairs(a, b);
        }
        self.chunked_pairs(a, b)
    }

    /// Whether a matrix of `b` is faster than comparing each key with each. A matrix takes as long as some thousand
    /// comparisons, and a key of the other list as long as some dozens. (Measured with AVX2; estimated for AVX-512.)
    fn is_worth_a_matrix(self, a: usize, b: usize) -> bool {
        let (matrix, key) = match self.0 {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => (8000, 64),
            _ => (5000, 40),
        };
        a * b > matrix + key * a
    }

    fn chunked_pairs(self, a: &[u32], b: &[u32]) -> u64 {
        // The matrices of the list that makes fewer or fuller ones.
        let cost = |a: &[u32], b: &[u32]| b.len().div_ceil(WIDTH) * (a.len() + 125);
        let (a, b) = if cost(b, a) < cost(a, b) { (b, a) } else { (a, b) };
        b.chunks(WIDTH)
            .map(
                |b| if self.is_worth_a_matrix(a.len(), b.len()) { self.many_pairs(a, b) } else { self.few_pairs(a, b) },
            )
            .sum()
    }

    /// Compares each key with each.
    #[inline]
    fn few_pairs(self, a: &[u32], b: &[u32]) -> u64 {
        match self.0 {
            Level::Scalar => scalar::pairs(a, b),
            // SAFETY: this level is made only where the machine has AVX2.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::pairs(a, b) },
            // SAFETY: this level is made only where the machine has AVX-512.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::pairs(a, b) },
        }
    }

    /// Compares each key with a matrix of at most [`WIDTH`] keys.
    fn many_pairs(self, a: &[u32], b: &[u32]) -> u64 {
        match self.0 {
            Level::Scalar => bit_matrix::pairs::<[u64; 4]>(a, b),
            // SAFETY: these levels are made only where the machine has AVX2.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 | Level::Avx512 => unsafe { avx2::many_pairs(a, b) },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Keys of about a quarter of the bits, so that pairs are disjoint and tests passed now and then.
    fn keys(most: usize) -> impl Strategy<Value = Vec<u32>> {
        prop::collection::vec((any::<u32>(), any::<u32>()).prop_map(|(a, b)| a & b & b.rotate_left(7)), 0..most)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 64 } else { 512 }))]

        #[test]
        fn pairs_like_their_scalar_twin(a in keys(400), b in keys(700)) {
            for simd in Simd::all() {
                prop_assert_eq!(simd.pairs(&a, &b), scalar::pairs(&a, &b), "{:?}", simd);
            }
        }

        #[test]
        fn a_matrix_like_its_scalar_twin(a in keys(40), b in keys(WIDTH)) {
            for simd in Simd::all() {
                prop_assert_eq!(simd.many_pairs(&a, &b), scalar::pairs(&a, &b), "{:?}", simd);
            }
        }

        #[test]
        fn filter_like_its_scalar_twin(
            mut low in keys(200),
            seed in any::<u16>(),
            cuts in prop::collection::vec(any::<u16>(), 1..10),
            test in (any::<u32>(), any::<u32>(), any::<u16>(), any::<bool>()),
            wide in any::<bool>(),
            keep in any::<bool>(),
        ) {
            let high: Vec<u16> = low.iter().map(|&key| (key >> 9) as u16 & seed).collect();
            let mut bounds: Vec<u32> = cuts.iter().map(|&cut| u32::from(cut) % (low.len() as u32 + 1)).collect();
            bounds.sort_unstable();
            low.resize(low.len() + SLACK, 0);
            let high = if wide { [&high[..], &[0; SLACK]].concat() } else { Vec::new() };
            let test = Test {
                low: test.0 & test.1 & test.0.rotate_left(3),
                high: test.2 & (test.2 << 5),
                rotate: if test.3 { 16 } else { 0 },
            };
            let run = |simd: Simd| {
                let mut kept_low = vec![0; low.len() + SLACK];
                let mut kept_high = vec![0; if wide && keep { low.len() + SLACK } else { 0 }];
                let mut ends = vec![0; bounds.len() - 1];
                let kept = Kept { low: &mut kept_low, high: &mut kept_high, ends: &mut ends };
                let count = simd.filter(Keys { low: &low, high: &high }, &bounds, test, kept);
                kept_low.truncate(count);
                kept_high.truncate(count);
                (kept_low, kept_high, ends)
            };
            let expected = run(Simd::SCALAR);
            for simd in Simd::all() {
                prop_assert_eq!(run(simd), expected.clone(), "{:?}", simd);
            }
        }
    }
}
