//! Counting pairs of long lists: 256 keys as a bit matrix, compared with a key of the other list all at once.
//!
//! Row `d` of the matrix has a bit for each of the 256 keys: whether it has the diagonal `d`. The rows of a key's
//! diagonals, or-ed together, are the keys that it shares a diagonal with. Those ors are looked up five diagonals at a
//! time in tables made beforehand (V. L. Arlazarov and others, 1970: the method of the four Russians).

use std::array::from_fn;

/// Keys in a matrix.
pub const WIDTH: usize = 256;
/// Diagonals in a table.
const CHUNK: usize = 5;
/// The lowest diagonal of each table. Those that are left make a table of four entries.
const LOWEST: [usize; 6] = [0, 5, 10, 16, 21, 26];
const LEFT: [usize; 2] = [15, 31];

/// 256 bits, as eight lanes of 32.
pub trait Row: Copy {
    fn load(words: &[u32; 8]) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// Shifts each lane right.
    fn right<const BITS: i32>(self) -> Self;
    /// Shifts each lane left.
    fn left<const BITS: i32>(self) -> Self;
    fn ones(self) -> u64;
}

/// The pairs of a list and at most [`WIDTH`] keys that have no bit in common.
#[inline(always)]
pub fn pairs<R: Row>(a: &[u32], b: &[u32]) -> u64 {
    let any = a.iter().fold(0, |any, key| any | key);
    let left = 1 << LEFT[0] | 1 << LEFT[1];
    let shared = if any & left == 0 { sharing::<R, false>(a, b) } else { sharing::<R, true>(a, b) };
    (a.len() * b.len()) as u64 - shared
}

// From here on no closures: what is called in one is not compiled for the instructions that the caller may use.

/// For each diagonal of a table, or none: which keys of the matrix have one of them.
struct Tables<R> {
    tables: [[R; 1 << CHUNK]; LOWEST.len()],
    left: [R; 1 << LEFT.len()],
}

/// The pairs with a bit in common. `LEFT_OVER` if the last two diagonals matter.
#[inline(always)]
fn sharing<R: Row, const LEFT_OVER: bool>(a: &[u32], b: &[u32]) -> u64 {
    let tables = tables::<R>(b);
    let (eights, rest) = a.as_chunks::<8>();
    // Carry-save adders: the ones of eight rows come down to one row of eights.
    let zero = R::load(&[0; 8]);
    let [mut ones, mut twos, mut fours] = [zero; 3];
    let mut shared = 0;
    for keys in eights {
        let (twos_a, twos_b, twos_c, twos_d, fours_a, fours_b, eight);
        (ones, twos_a) = add(ones, tables.get::<LEFT_OVER>(keys[0]), tables.get::<LEFT_OVER>(keys[1]));
        (ones, twos_b) = add(ones, tables.get::<LEFT_OVER>(keys[2]), tables.get::<LEFT_OVER>(keys[3]));
        (twos, fours_a) = add(twos, twos_a, twos_b);
        (ones, twos_c) = add(ones, tables.get::<LEFT_OVER>(keys[4]), tables.get::<LEFT_OVER>(keys[5]));
        (ones, twos_d) = add(ones, tables.get::<LEFT_OVER>(keys[6]), tables.get::<LEFT_OVER>(keys[7]));
        (twos, fours_b) = add(twos, twos_c, twos_d);
        (fours, eight) = add(fours, fours_a, fours_b);
        shared += 8 * eight.ones();
    }
    for &key in rest {
        shared += tables.get::<LEFT_OVER>(key).ones();
    }
    shared + ones.ones() + 2 * twos.ones() + 4 * fours.ones()
}

#[inline(always)]
fn tables<R: Row>(keys: &[u32]) -> Tables<R> {
    let matrix = matrix::<R>(keys);
    let zero = R::load(&[0; 8]);
    let mut tables = [[zero; 1 << CHUNK]; LOWEST.len()];
    for t in 0..LOWEST.len() {
        for bit in 0..CHUNK {
            let row = matrix[LOWEST[t] + bit];
            for i in 0..1 << bit {
                tables[t][i | 1 << bit] = tables[t][i].or(row);
            }
        }
    }
    let [first, second] = [matrix[LEFT[0]], matrix[LEFT[1]]];
    Tables { tables, left: [zero, first, second, first.or(second)] }
}

impl<R: Row> Tables<R> {
    /// Which keys of the matrix share a diagonal with a key.
    #[inline(always)]
    fn get<const LEFT_OVER: bool>(&self, key: u32) -> R {
        let mut sum = self.tables[0][key as usize % (1 << CHUNK)];
        for (table, lowest) in self.tables.iter().zip(LOWEST).skip(1) {
            sum = sum.or(table[(key >> lowest) as usize % (1 << CHUNK)]);
        }
        if LEFT_OVER {
            sum = sum.or(self.left[(key >> LEFT[0] & 1 | key >> LEFT[1] << 1) as usize]);
        }
        sum
    }
}

/// The sum of three bits in each place, and its carry.
#[inline(always)]
fn add<R: Row>(a: R, b: R, c: R) -> (R, R) {
    let half = a.xor(b);
    (half.xor(c), a.and(b).or(half.and(c)))
}

/// The matrix of at most 256 keys; those that are not there have no bits. Which key has which place does not matter.
#[inline(always)]
fn matrix<R: Row>(keys: &[u32]) -> [R; 32] {
    let mut padded = [0; WIDTH];
    padded[..keys.len()].copy_from_slice(keys);
    let (lanes, _) = padded.as_chunks::<8>();
    let mut rows = [R::load(&[0; 8]); 32];
    for i in 0..32 {
        rows[i] = R::load(&lanes[i]);
    }
    // Each lane is a matrix of 32 x 32, transposed by exchanging halves, then halves of those, and so on.
    exchange::<R, 16>(&mut rows, 0x0000_ffff);
    exchange::<R, 8>(&mut rows, 0x00ff_00ff);
    exchange::<R, 4>(&mut rows, 0x0f0f_0f0f);
    exchange::<R, 2>(&mut rows, 0x3333_3333);
    exchange::<R, 1>(&mut rows, 0x5555_5555);
    rows
}

#[inline(always)]
fn exchange<R: Row, const BITS: i32>(rows: &mut [R; 32], mask: u32) {
    let mask = R::load(&[mask; 8]);
    let half = BITS as usize;
    for first in (0..32).step_by(2 * half) {
        for i in first..first + half {
            let (low, high) = (rows[i], rows[i + half]);
            let differ = low.right::<BITS>().xor(high).and(mask);
            rows[i] = low.xor(differ.left::<BITS>());
            rows[i + half] = high.xor(differ);
        }
    }
}

/// Plain Rust.
impl Row for [u64; 4] {
    fn load(words: &[u32; 8]) -> Self {
        from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32)
    }

    fn and(self, other: Self) -> Self {
        from_fn(|i| self[i] & other[i])
    }

    fn or(self, other: Self) -> Self {
        from_fn(|i| self[i] | other[i])
    }

    fn xor(self, other: Self) -> Self {
        from_fn(|i| self[i] ^ other[i])
    }

    fn right<const BITS: i32>(self) -> Self {
        let low = u64::from(u32::MAX >> BITS);
        self.map(|word| word >> BITS & (low | low << 32))
    }

    fn left<const BITS: i32>(self) -> Self {
        let high = u64::from(u32::MAX << BITS);
        self.map(|word| word << BITS & (high | high << 32))
    }

    fn ones(self) -> u64 {
        self.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}
