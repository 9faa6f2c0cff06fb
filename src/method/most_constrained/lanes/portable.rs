//! Eight lanes in plain Rust, for any CPU: the oracle of the other two, and their fallback.

use super::levels::Levels;
use super::step::{step_table, steps};
use super::{Lanes, Steps};

fn here<const K: usize, const NODES: bool>(levels: &mut Levels) {
    steps::<Array, K, NODES>(levels);
}

pub(super) static STEPS: Steps = [step_table!(here, false), step_table!(here, true)];

const WIDTH: usize = 8;

/// Eight words; a mask has all bits of its chosen lanes set.
#[derive(Clone, Copy)]
pub(super) struct Array([u32; WIDTH]);

impl Array {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        let mut to = self;
        for (a, b) in to.0.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        to
    }
}

/// All bits set for yes.
#[inline(always)]
fn mask(yes: bool) -> u32 {
    u32::from(yes).wrapping_neg()
}

impl Lanes for Array {
    const WIDTH: usize = WIDTH;
    type Mask = Self;
    type Order = Self;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self([word; WIDTH])
    }
    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller lends 8 words.
        Self(unsafe { from.cast::<[u32; WIDTH]>().read() })
    }
    #[inline(always)]
    fn order(chosen: Self) -> Self {
        chosen
    }
    #[inline(always)]
    unsafe fn pack(self, order: Self, to: *mut u32) {
        let mut packed = [0; WIDTH];
        let mut next = 0;
        for (word, chosen) in self.0.into_iter().zip(order.0) {
            // Never past the end: at most one word for each lane before this one.
            packed[next % WIDTH] = word;
            next += (chosen & 1) as usize;
        }
        // SAFETY: the caller lends 8 words.
        unsafe { to.cast::<[u32; WIDTH]>().write(packed) }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, u32::wrapping_sub)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(|a| a.cast_signed().unsigned_abs()))
    }
    #[inline(always)]
    fn shl(self, count: Self) -> Self {
        self.zip(count, |a, b| a << (b & 31))
    }
    #[inline(always)]
    fn shr(self, count: Self) -> Self {
        self.zip(count, |a, b| a >> (b & 31))
    }
    #[inline(always)]
    fn shr_by<const COUNT: u32>(self) -> Self {
        Self(self.0.map(|a| a >> COUNT))
    }
    #[inline(always)]
    fn bits(self) -> Self {
        Self(self.0.map(u32::count_ones))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, u32::min)
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self {
        self.zip(other, |a, b| mask(a < b))
    }
    #[inline(always)]
    fn has_bits(self, bits: u32) -> Self {
        Self(self.0.map(|a| mask(a.count_ones() == bits)))
    }
    #[inline(always)]
    fn meets(self, other: Self) -> Self {
        self.zip(other, |a, b| mask(a & b != 0))
    }
    #[inline(always)]
    fn blend(self, mask: Self, yes: Self) -> Self {
        self.without(mask).or(yes.and(mask))
    }
    #[inline(always)]
    fn first(count: usize) -> Self {
        Self(std::array::from_fn(|lane| mask(lane < count)))
    }
    #[inline(always)]
    fn both(a: Self, b: Self) -> Self {
        a.and(b)
    }
    #[inline(always)]
    fn count(mask: Self) -> u32 {
        mask.0.iter().map(|m| m & 1).sum()
    }
}
