//! Each kernel against its scalar twin.

use proptest::prelude::*;

use super::scalar::Scalar;
use super::*;

/// Keys of about a quarter of the bits, so that pairs are disjoint and tests passed now and then; all lengths up to 70 come
/// up often.
fn keys(max: usize) -> impl Strategy<Value = Vec<u64>> {
    let key = (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a & b & b.rotate_left(7));
    prop_oneof![prop::collection::vec(key.clone(), 0..=70), prop::collection::vec(key, 0..=max)]
}

fn low(keys: &[u64], bits: u32) -> Vec<u32> {
    keys.iter().map(|&key| key as u32 & (u32::MAX >> (32 - bits))).collect()
}

fn compared(a: &[u32], b: &[u32]) -> u64 {
    a.iter().map(|a| b.iter().filter(|&b| a & b == 0).count() as u64).sum()
}

/// Calls one of the kernels.
struct Call<F>(F);

trait Kernel {
    type Output;
    fn call<I: Instructions>(self) -> Self::Output;
}

impl<F: Kernel> Job for Call<F> {
    type Output = F::Output;

    #[inline(always)]
    fn run<I: Instructions>(self) -> F::Output {
        self.0.call::<I>()
    }
}

struct Extend<'a>(&'a [u64], Step);

impl Kernel for Extend<'_> {
    type Output = (Vec<u64>, Vec<u32>, Vec<u32>);

    #[inline(always)]
    fn call<I: Instructions>(self) -> Self::Output {
        let Self(keys, step) = self;
        let words = low(keys, 32);
        let room = keys.len() + SLACK;
        let (mut whole, mut halves, mut halved) = (vec![0; room], vec![0; room], vec![0; room]);
        let counts = [
            I::extend(keys, step, &mut whole),
            I::extend_to_low(keys, step, &mut halves),
            I::extend_low(&words, step, &mut halved),
        ];
        whole.truncate(counts[0]);
        halves.truncate(counts[1]);
        halved.truncate(counts[2]);
        (whole, halves, halved)
    }
}

struct Halve<'a>(&'a [u32], u32);

impl Kernel for Halve<'_> {
    type Output = [Vec<u32>; 2];

    #[inline(always)]
    fn call<I: Instructions>(self) -> Self::Output {
        let Self(keys, bit) = self;
        let [mut without, mut with] = [0; 2].map(|_| vec![0; keys.len() + SLACK]);
        let count = I::split(keys, bit, &mut without, &mut with);
        without.truncate(count);
        with.truncate(keys.len() - count);
        [without, with]
    }
}

#[derive(Clone, Copy)]
enum Way {
    Any,
    Few,
    Many,
}

struct Pairs<'a>(&'a [u32], &'a [u32], u32, Way);

impl Kernel for Pairs<'_> {
    type Output = u64;

    #[inline(always)]
    fn call<I: Instructions>(self) -> u64 {
        let Self(a, b, bits, way) = self;
        match way {
            Way::Any => pairs::<I>(a, b, bits, &mut Scratch::default()),
            Way::Few => I::few_pairs(a, b),
            Way::Many => I::many_pairs(a, b, bits, &mut Vec::new()),
        }
    }
}

struct Wide<'a>(&'a [u64], &'a [u64]);

impl Kernel for Wide<'_> {
    type Output = u64;

    #[inline(always)]
    fn call<I: Instructions>(self) -> u64 {
        wide_pairs::<I>(self.0, self.1, &mut Scratch::default())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 96 } else { 512 }))]

    #[test]
    fn extending(keys in keys(300), test in any::<[u64; 2]>(), keep in any::<u64>(), add in any::<u64>()) {
        let step = Step { test: test[0] & test[1] & test[0].rotate_left(3), keep, add };
        let expected = Scalar::extend_all(&keys, step);
        for simd in Simd::all() {
            prop_assert_eq!(simd.run(Call(Extend(&keys, step))), expected.clone(), "{:?}", simd);
        }
    }

    #[test]
    fn splitting(keys in keys(300), bit in 0u32..32) {
        let keys = low(&keys, 32);
        let expected = [0, 1].map(|with| keys.iter().copied().filter(|key| key >> bit & 1 == with).collect::<Vec<_>>());
        for simd in Simd::all() {
            prop_assert_eq!(simd.run(Call(Halve(&keys, bit))), expected.clone(), "{:?}", simd);
        }
    }

    #[test]
    fn counting_pairs(a in keys(400), b in keys(1300), bits in 8u32..=32) {
        let (a, b) = (low(&a, bits), low(&b, bits));
        let expected = compared(&a, &b);
        for simd in Simd::all() {
            for way in [Way::Any, Way::Few, Way::Many] {
                if matches!(way, Way::Any) || !a.is_empty() && !b.is_empty() {
                    prop_assert_eq!(simd.run(Call(Pairs(&a, &b, bits, way))), expected, "{:?}", simd);
                }
            }
        }
    }

    #[test]
    fn counting_pairs_of_wide_keys(mut a in keys(90), mut b in keys(120), rare in any::<[u64; 2]>()) {
        // Few keys have a bit beyond 32.
        let rare = u64::from(u32::MAX) | (rare[0] & rare[1]) >> 24 << 32;
        a.iter_mut().chain(&mut b).for_each(|key| *key &= rare);
        let expected: usize = a.iter().map(|a| b.iter().filter(|&b| a & b == 0).count()).sum();
        for simd in Simd::all() {
            prop_assert_eq!(simd.run(Call(Wide(&a, &b))), expected as u64, "{:?}", simd);
        }
    }
}

impl Scalar {
    /// What [`Extend`] is to give, in plain words.
    fn extend_all(keys: &[u64], step: Step) -> (Vec<u64>, Vec<u32>, Vec<u32>) {
        let become_key = |key: &u64| key & step.keep | step.add;
        let kept = || keys.iter().filter(|&key| key & step.test == 0);
        let low_test = step.test & u64::from(u32::MAX);
        (
            kept().map(become_key).collect(),
            kept().map(become_key).map(|key| key as u32).collect(),
            keys.iter().filter(|&key| key & low_test == 0).map(become_key).map(|key| key as u32).collect(),
        )
    }
}

/// Lists so long that they are split several times, of keys with common bits and rare ones.
#[test]
fn long_lists_are_split() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut list = |length: usize| -> Vec<u32> {
        let common = random.u32(..);
        (0..length).map(|_| random.u32(..) & random.u32(..) & (common | random.u32(..) & random.u32(..))).collect()
    };
    for (a, b) in [(700, 900), (1500, 1500), (3000, 200), (5000, 2500)] {
        let (a, b) = (list(a), list(b));
        for simd in Simd::all() {
            assert_eq!(simd.run(Call(Pairs(&a, &b, 32, Way::Any))), compared(&a, &b), "{simd:?}");
        }
    }
    // All alike, and without any bit: nothing to split by.
    let (a, b) = (vec![0; 1500], vec![0; 1100]);
    for simd in Simd::all() {
        assert_eq!(simd.run(Call(Pairs(&a, &b, 32, Way::Any))), 1500 * 1100, "{simd:?}");
    }
}
