//! Most constrained line first, on many small boards at once, one per SIMD lane.
//!
//! The same search as [`search`](super::search), which it starts from and is tested against, turned
//! inside out: mispredicted branches bound that one, so here nothing branches per board.
//!
//! A *state* with `K` free rows is `K` words: a row's free squares in the low 27 bits, its row number in the
//! 5 bits above. States with equally many free rows wait in one buffer (a *level*), word by word, so that
//! loading the last `WIDTH` states of a level fills every lane. One *step* takes such a load, moves each
//! lane's row with fewest squares to the front, and tries its squares one after the other; the children that
//! survive are packed to the end of the next level. The deepest level with a full load goes
//! first, so memory stays small and no lane waits for another one's branch.
//!
//! The order of rows inside a state is free, each lane picks its own most constrained row; a column with one
//! square left restricts its row to that square, which then comes next by itself.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod engine;
mod levels;
mod portable;
mod step;

pub use engine::Engine;
use step::Step;

/// The most free rows a state can have.
pub const MAX_ROWS: usize = 16;
/// States with this many free rows are counted inside their step.
const CLOSING: usize = 3;
/// Free squares of a row: the low bits of its word; the row number is above them.
const SQUARE_BITS: u32 = 27;
const LOW: u32 = (1 << SQUARE_BITS) - 1;

/// The steps of one instruction set by `[nodes counted][free rows]`.
type Steps = [[Step; MAX_ROWS + 1]; 2];

/// An instruction set this CPU was found to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSet(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl InstructionSet {
    /// All instruction sets this CPU has, best first; the last one is the portable form.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut found = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if avx512::available() {
                found.push(Self(Kind::Avx512));
            }
            if crate::method::avx2::is_here() {
                found.push(Self(Kind::Avx2));
            }
        }
        found.push(Self(Kind::Portable));
        found
    }

    /// The best instruction set of this CPU.
    #[must_use]
    pub fn best() -> Self {
        Self::all()[0]
    }

    /// Its name for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }

    fn steps(self, nodes: bool) -> &'static [Step; MAX_ROWS + 1] {
        let steps: &'static Steps = match self.0 {
            Kind::Portable => &portable::STEPS,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => &avx2::STEPS,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => &avx512::STEPS,
        };
        &steps[usize::from(nodes)]
    }

    /// A level is worked on once this many states wait: three loads, the first of which was stored a while ago.
    fn stock(self) -> usize {
        match self.0 {
            Kind::Portable => 24,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => 40,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => 64,
        }
    }
}

/// A vector of 32-bit words, one per lane.
///
/// The functions are meant to be inlined into a function compiled for the instruction set in question; values
/// are only made below such a function (see the `STEPS` tables), after the CPU was checked.
pub(crate) trait Lanes: Copy {
    /// How many lanes.
    const WIDTH: usize;
    /// A yes or no per lane.
    type Mask: Copy;
    /// Where the chosen lanes go when packed.
    type Order: Copy;

    /// The same word in every lane.
    fn splat(word: u32) -> Self;
    /// Loads `WIDTH` words.
    ///
    /// # Safety
    /// `from` must be readable for `WIDTH` words.
    unsafe fn load(from: *const u32) -> Self;
    /// The order that packs the chosen lanes to the front.
    fn order(chosen: Self::Mask) -> Self::Order;
    /// Stores `WIDTH` words, the chosen lanes first; what follows them is arbitrary.
    ///
    /// # Safety
    /// `to` must be writable for `WIDTH` words.
    unsafe fn pack(self, order: Self::Order, to: *mut u32);

    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;
    /// `self & !other`
    fn without(self, other: Self) -> Self;
    /// Wrapping difference.
    fn sub(self, other: Self) -> Self;
    /// Absolute value of a signed difference.
    fn abs(self) -> Self;
    /// Shift left, each lane by its own count (0..=31).
    fn shl(self, count: Self) -> Self;
    /// Shift right, each lane by its own count (0..=31).
    fn shr(self, count: Self) -> Self;
    /// Shift right by a constant.
    fn shr_by<const COUNT: u32>(self) -> Self;
    /// Number of set bits.
    fn bits(self) -> Self;
    /// Minimum, for values below 2^31.
    fn min(self, other: Self) -> Self;
    /// Lanes where `self < other`, for values below 2^31.
    fn less(self, other: Self) -> Self::Mask;
    /// Lanes with exactly this many bits set.
    fn has_bits(self, bits: u32) -> Self::Mask;
    /// Lanes where `self & other`, below 2^31, has a set bit.
    fn meets(self, other: Self) -> Self::Mask;
    /// `yes` in the lanes chosen by `mask`, `self` in the others.
    fn blend(self, mask: Self::Mask, yes: Self) -> Self;

    /// The first `count` lanes.
    fn first(count: usize) -> Self::Mask;
    /// Lanes in both masks.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// How many lanes a mask chooses.
    fn count(mask: Self::Mask) -> u32;

    /// The lowest set bit, or 0.
    #[inline(always)]
    fn lowest(self) -> Self {
        self.and(Self::splat(0).sub(self))
    }
    /// Takes the squares out of a row that a queen on `bit`, `distance` rows away, attacks.
    #[inline(always)]
    fn strike(self, bit: Self, distance: Self, low: Self) -> Self {
        self.without(bit.or(bit.shl(distance)).or(bit.shr(distance)).and(low))
    }
    /// `self | one & squares`
    #[inline(always)]
    fn carry(self, one: Self, squares: Self) -> Self {
        self.or(one.and(squares))
    }
}
