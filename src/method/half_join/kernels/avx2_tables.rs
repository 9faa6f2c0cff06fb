//! Pairs by tables of nibbles, in registers: 8 keys of one list against 32 of the other, four bits at a time.
//!
//! `table[nibble] = which of the 8 keys have a bit in common with it`: one byte, so that 16 of them are a register and the
//! nibbles of 32 other keys are looked up in one instruction (`vpshufb`). The ors of a key's look-ups are the keys that it
//! shares a diagonal with.

use std::arch::x86_64::*;

use super::Line;

/// Keys of the other list that are looked up at a time.
const BLOCK: usize = 32;
/// Words in a register.
const WORDS: usize = 8;

/// The pairs that share one of the lowest `4 * N` bits. Only for functions that have AVX2.
#[inline(always)]
pub fn sharing<const N: usize>(a: &[u32], b: &[u32], lines: &mut Vec<Line>) -> u64 {
    const {
        assert!(1 < N && N <= 8, "nibbles of 32 bits");
    }
    let blocks = b.len().div_ceil(BLOCK);
    let planes = Line::words(lines, blocks * N * WORDS);
    let (full, rest) = b.as_chunks::<BLOCK>();
    for (planes, keys) in planes.chunks_exact_mut(N * WORDS).zip(full) {
        // SAFETY: inlined where there is AVX2, as everything here.
        unsafe { write_planes::<N>(keys, planes) };
    }
    if !rest.is_empty() {
        // SAFETY: as above.
        unsafe { write_planes::<N>(&padded(rest), &mut planes[full.len() * N * WORDS..]) };
    }
    // SAFETY: as above.
    unsafe {
        let zero = _mm256_setzero_si256();
        let (mut ones, mut twos, mut fours, mut single) = (zero, zero, zero, zero);
        let (groups, rest) = a.as_chunks::<32>();
        for group in groups {
            let mut tables = [[zero; N]; 4];
            for (tables, keys) in tables.iter_mut().zip(group.as_chunks::<WORDS>().0) {
                *tables = tables_of(keys);
            }
            // Bytes that count to 255 at most.
            for planes in planes.chunks(31 * N * WORDS) {
                let mut sum = zero;
                for block in planes.chunks_exact(N * WORDS) {
                    let [x0, x1, x2, x3] = look_up(&tables, block);
                    let (twos_a, twos_b, four);
                    (ones, twos_a) = add(ones, x0, x1);
                    (ones, twos_b) = add(ones, x2, x3);
                    (twos, four) = add(twos, twos_a, twos_b);
                    sum = _mm256_add_epi8(sum, ones_of_bytes(four));
                }
                fours = _mm256_add_epi64(fours, _mm256_sad_epu8(sum, zero));
            }
        }
        for keys in rest.chunks(WORDS) {
            let tables = [tables_of::<N>(&padded(keys))];
            for planes in planes.chunks(31 * N * WORDS) {
                let mut sum = zero;
                for block in planes.chunks_exact(N * WORDS) {
                    let [x] = look_up(&tables, block);
                    sum = _mm256_add_epi8(sum, ones_of_bytes(x));
                }
                single = _mm256_add_epi64(single, _mm256_sad_epu8(sum, zero));
            }
        }
        let [ones, twos] = [ones, twos].map(|x| _mm256_sad_epu8(ones_of_bytes(x), zero));
        sum_of(single) + sum_of(ones) + 2 * sum_of(twos) + 4 * sum_of(fours)
    }
}

/// Keys, and empty ones behind them.
#[inline(always)]
fn padded<const LENGTH: usize>(keys: &[u32]) -> [u32; LENGTH] {
    // One by one: there are so few that a call to copy them takes longer.
    std::array::from_fn(|i| keys.get(i).copied().unwrap_or(0))
}

/// The nibbles of 32 keys: of each place a register of 32 bytes, all in the same order.
#[inline(always)]
unsafe fn write_planes<const N: usize>(keys: &[u32; BLOCK], planes: &mut [u32]) {
    // SAFETY: the caller has AVX2; loads and stores stay in the slices.
    unsafe {
        let mut bytes = [_mm256_setzero_si256(); 4];
        for (bytes, keys) in bytes.iter_mut().zip(keys.as_chunks::<WORDS>().0) {
            *bytes = _mm256_shuffle_epi8(_mm256_loadu_si256(keys.as_ptr().cast()), byte_by_byte());
        }
        let [v0, v1, v2, v3] = bytes;
        let (low_a, low_b) = (_mm256_unpacklo_epi32(v0, v1), _mm256_unpacklo_epi32(v2, v3));
        let (high_a, high_b) = (_mm256_unpackhi_epi32(v0, v1), _mm256_unpackhi_epi32(v2, v3));
        let bytes = [
            _mm256_unpacklo_epi64(low_a, low_b),
            _mm256_unpackhi_epi64(low_a, low_b),
            _mm256_unpacklo_epi64(high_a, high_b),
            _mm256_unpackhi_epi64(high_a, high_b),
        ];
        for (i, plane) in planes.as_chunks_mut::<WORDS>().0.iter_mut().enumerate() {
            let byte = bytes[i / 2 % 4];
            let nibbles = if i % 2 == 0 { byte } else { _mm256_srli_epi16::<4>(byte) };
            _mm256_storeu_si256(plane.as_mut_ptr().cast(), _mm256_and_si256(nibbles, _mm256_set1_epi8(15)));
        }
    }
}

/// An order of the bytes of four keys: the lowest of each, then the next of each, and so on.
#[inline(always)]
unsafe fn byte_by_byte() -> __m256i {
    // SAFETY: the caller has AVX2.
    unsafe { _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)) }
}

/// The tables of 8 keys, one for each nibble, twice in each register.
#[inline(always)]
unsafe fn tables_of<const N: usize>(keys: &[u32; WORDS]) -> [__m256i; N] {
    // SAFETY: the caller has AVX2; the load stays in the array.
    unsafe {
        // 64 bits for each byte of the keys, then for each bit: byte `t` of lane `q` are the keys that have bit `8 q + t`.
        let bytes = _mm256_shuffle_epi8(_mm256_loadu_si256(keys.as_ptr().cast()), byte_by_byte());
        let mut x = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
        x = exchange::<7>(x, 0x00AA_00AA_00AA_00AA);
        x = exchange::<14>(x, 0x0000_CCCC_0000_CCCC);
        x = exchange::<28>(x, 0x0000_0000_F0F0_F0F0);
        // Behind the 8 bits of a byte the ors of each and the next.
        let both = _mm256_or_si256(x, _mm256_srli_epi64::<8>(x));
        let [even, odd] = [_mm256_unpacklo_epi64(x, both), _mm256_unpackhi_epi64(x, both)];
        let mut tables = [_mm256_setzero_si256(); N];
        for (bytes, first) in [(even, 0), (odd, 2)] {
            for nibble in 0..2 {
                let table = table(bytes, nibble);
                // Bytes 0 and 2, or 1 and 3, are in the two halves.
                let [low, high] = [first + nibble, first + nibble + 4];
                tables[low % N] = _mm256_permute2x128_si256::<0x00>(table, table);
                if high < N {
                    tables[high] = _mm256_permute2x128_si256::<0x11>(table, table);
                }
            }
        }
        tables
    }
}

/// The table of the lower or the upper nibble of a byte: the ors of the keys that have its bits.
#[inline(always)]
unsafe fn table(bytes: __m256i, nibble: usize) -> __m256i {
    // SAFETY: the caller has AVX2.
    unsafe {
        // By the two lower bits and by the two upper ones: none, the one, the other, both. An index below 0 gives 0.
        let low = _mm_setr_epi8(-128, 0, 1, 8, -128, 0, 1, 8, -128, 0, 1, 8, -128, 0, 1, 8);
        let high = _mm_setr_epi8(-128, -128, -128, -128, 2, 2, 2, 2, 3, 3, 3, 3, 10, 10, 10, 10);
        let offset = _mm_set1_epi8(4 * nibble as i8);
        let [low, high] = [low, high].map(|index| _mm256_broadcastsi128_si256(_mm_add_epi8(index, offset)));
        _mm256_or_si256(_mm256_shuffle_epi8(bytes, low), _mm256_shuffle_epi8(bytes, high))
    }
}

/// Exchanges the bits of a mask with those so many places up (H. S. Warren, Hacker's Delight, 7-3).
#[inline(always)]
unsafe fn exchange<const PLACES: i32>(x: __m256i, mask: i64) -> __m256i {
    // SAFETY: the caller has AVX2.
    unsafe {
        let change = _mm256_xor_si256(x, _mm256_srli_epi64::<PLACES>(x));
        let change = _mm256_and_si256(change, _mm256_set1_epi64x(mask));
        _mm256_xor_si256(x, _mm256_xor_si256(change, _mm256_slli_epi64::<PLACES>(change)))
    }
}

/// Of 32 keys, as planes: which keys of each of some tables share a bit with each.
#[inline(always)]
unsafe fn look_up<const N: usize, const TABLES: usize>(
    tables: &[[__m256i; N]; TABLES],
    block: &[u32],
) -> [__m256i; TABLES] {
    // SAFETY: the caller has AVX2; the loads stay in the slice.
    unsafe {
        let mut found = [_mm256_setzero_si256(); TABLES];
        for (i, plane) in block.as_chunks::<WORDS>().0.iter().enumerate() {
            let plane = _mm256_loadu_si256(plane.as_ptr().cast());
            for (found, tables) in found.iter_mut().zip(tables) {
                *found = _mm256_or_si256(*found, _mm256_shuffle_epi8(tables[i % N], plane));
            }
        }
        found
    }
}

/// A carry-save adder: the sum of three bits, and the carry.
#[inline(always)]
unsafe fn add(a: __m256i, b: __m256i, c: __m256i) -> (__m256i, __m256i) {
    // SAFETY: the caller has AVX2.
    unsafe {
        let half = _mm256_xor_si256(a, b);
        (_mm256_xor_si256(half, c), _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(half, c)))
    }
}

/// The number of bits set in each byte.
#[inline(always)]
unsafe fn ones_of_bytes(x: __m256i) -> __m256i {
    // SAFETY: the caller has AVX2.
    unsafe {
        let ones = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        let nibble = _mm256_set1_epi8(15);
        let low = _mm256_shuffle_epi8(ones, _mm256_and_si256(x, nibble));
        let high = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16::<4>(x), nibble));
        _mm256_add_epi8(low, high)
    }
}

/// The sum of the four lanes.
#[inline(always)]
unsafe fn sum_of(x: __m256i) -> u64 {
    let mut lanes = [0u64; 4];
    // SAFETY: the caller has AVX2; the store fills the array.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), x) };
    lanes.iter().sum()
}
