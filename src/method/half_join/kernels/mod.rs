//! The inner loops, for each kind of machine: extend a list by a queen, split a list by a diagonal, count disjoint pairs.
//!
//! A [`Job`] is written once, in terms of [`Instructions`]; [`Simd::run`] compiles it for each kind of machine, so that
//! the inner loops become part of it, and takes the one that was chosen.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_tables;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_tables;
mod bit_matrix;
mod pairs;
mod scalar;
#[cfg(test)]
mod tests;

pub use pairs::{Scratch, pairs, wide_pairs};

/// Room that must be left behind the keys that are kept: whole vectors are written.
pub const SLACK: usize = 16;

/// What a queen does to a list: keys without a bit of `test` are kept, the bits of `keep` of them, with those of `add`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Step {
    /// Bits that must be clear.
    pub test: u64,
    /// Bits that are handed on.
    pub keep: u64,
    /// Bits that are set.
    pub add: u64,
}

/// A line of the cache: no vector in it reaches into the next one.
#[derive(Clone, Copy, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Line([u32; 16]);

impl Line {
    /// So many words of a buffer that grows as needed; whole lines.
    #[inline(always)]
    fn words(lines: &mut Vec<Self>, count: usize) -> &mut [u32] {
        if lines.len() * 16 < count {
            lines.resize(count.div_ceil(16).next_power_of_two(), Self::default());
        }
        &mut bytemuck::cast_slice_mut(lines)[..count]
    }
}

/// The inner loops of one kind of machine. All are safe to call, but compiled for that machine only when inlined into what
/// [`Simd::run`] runs; each `scalar` one is the twin of the others.
pub trait Instructions: 'static {
    /// Writes the keys that are kept to the front of `out`, which must have room for all of them and [`SLACK`]. Gives
    /// their number.
    fn extend(keys: &[u64], step: Step, out: &mut [u64]) -> usize;
    /// The same, of which only the low halves are written.
    fn extend_to_low(keys: &[u64], step: Step, out: &mut [u32]) -> usize;
    /// The same of low halves.
    fn extend_low(keys: &[u32], step: Step, out: &mut [u32]) -> usize;
    /// Writes the keys without a bit to the front of one list and those with it to the front of the other, which both must
    /// have room for all of them and [`SLACK`]. Gives the number of those without.
    fn split(keys: &[u32], bit: u32, without: &mut [u32], with: &mut [u32]) -> usize;
    /// Disjoint pairs, by comparing each with each. The lists are not empty and have at most 2^24 keys.
    fn few_pairs(a: &[u32], b: &[u32]) -> u64;
    /// Disjoint pairs of keys of so many bits, by tables of `a`. The lists are not empty and have at most 2^24 keys.
    fn many_pairs(a: &[u32], b: &[u32], bits: u32, scratch: &mut Vec<Line>) -> u64;
    /// About what [`few_pairs`](Self::few_pairs) costs, and [`many_pairs`](Self::many_pairs), for lists of such lengths.
    fn costs(a: usize, b: usize) -> [usize; 2];
    /// Both lists together have to have so many pairs for [`split`](Self::split) to pay.
    const SPLIT_PAIRS: usize;
    /// Does a job, without being inlined: so that one can do itself again.
    fn call<J: Job>(job: J) -> J::Output;
    /// Asks for the first keys of a list, which will be read soon.
    fn prefetch<T>(keys: &[T]);
}

/// Something to be compiled for each kind of machine.
pub trait Job {
    /// What comes out.
    type Output;
    /// Does it. To be `#[inline(always)]`, and all that it calls down to the [`Instructions`].
    fn run<I: Instructions>(self) -> Self::Output;
}

/// Keys of a list that a queen is added to, to give keys of the type `O`.
pub trait Key<O>: Copy + Default + Send + Sync + 'static {
    /// One of the [`Instructions`].
    fn extend<I: Instructions>(keys: &[Self], step: Step, out: &mut [O]) -> usize;
}

impl Key<Self> for u64 {
    #[inline(always)]
    fn extend<I: Instructions>(keys: &[Self], step: Step, out: &mut [Self]) -> usize {
        I::extend(keys, step, out)
    }
}

impl Key<u32> for u64 {
    #[inline(always)]
    fn extend<I: Instructions>(keys: &[Self], step: Step, out: &mut [u32]) -> usize {
        I::extend_to_low(keys, step, out)
    }
}

impl Key<Self> for u32 {
    #[inline(always)]
    fn extend<I: Instructions>(keys: &[Self], step: Step, out: &mut [Self]) -> usize {
        I::extend_low(keys, step, out)
    }
}

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
            if crate::method::avx2::is_here() {
                all.push(Self(Level::Avx2));
                if avx512::is_here() {
                    all.push(Self(Level::Avx512));
                }
            }
        }
        all
    }

    /// The name of these instructions.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Level::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }

    /// Does a job with these instructions.
    #[inline]
    pub fn run<J: Job>(self, job: J) -> J::Output {
        match self.0 {
            Level::Scalar => job.run::<scalar::Scalar>(),
            // SAFETY: this level is made only where the machine has these instructions.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::run(job) },
            // SAFETY: this level is made only where the machine has these instructions.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::run(job) },
        }
    }
}
