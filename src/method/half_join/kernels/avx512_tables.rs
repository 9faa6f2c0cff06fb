//! Pairs by tables of five bits, in registers: 32 keys of one list against 16 of the other.
//!
//! `table[five bits] = which of the 32 keys have one of them`: one word, so that 32 of them are two registers and five bits of
//! 16 other keys are looked up in one instruction (`vpermt2d`). The ors of a key's look-ups are the keys that it shares a
//! diagonal with.

use std::arch::x86_64::*;

use super::Line;

/// Lanes of 32 bits.
pub const LANES: usize = 16;

/// Keys in the tables.
const GROUP: usize = 32;
/// Bits of a table.
const BITS: usize = 5;
/// So many keys of the other list are looked up by one group after the other: their planes stay in the nearest cache.
const CHUNK: usize = 1024;

/// `a | b | c`
const OR: i32 = 0xFE;
/// `a ^ b ^ c`
const XOR: i32 = 0x96;
/// Two or three of `a`, `b` and `c`.
const MAJORITY: i32 = 0xE8;
/// `b` where `a` is set, else `c`.
const CHOOSE: i32 = 0xCA;

/// The pairs that share one of the lowest `5 * N` bits. Only for functions that have AVX-512.
#[inline(always)]
pub fn sharing<const N: usize>(a: &[u32], b: &[u32], lines: &mut Vec<Line>) -> u64 {
    const {
        assert!(BITS * (N - 1) < 32, "tables of 32 bits");
    }
    let mut sum = 0;
    for b in b.chunks(CHUNK) {
        let planes = Line::words(lines, b.len().div_ceil(LANES) * N * LANES);
        for (planes, keys) in planes.chunks_exact_mut(N * LANES).zip(b.chunks(LANES)) {
            // SAFETY: inlined where there is AVX-512, as everything here.
            unsafe { write_planes::<N>(keys, planes) };
        }
        for group in a.chunks(GROUP) {
            // SAFETY: as above.
            unsafe { sum += sharing_group::<N>(&tables_of::<N>(group), planes) };
        }
    }
    sum
}

/// 16 keys, moved down so that each five bits in turn are the lowest: a table is looked up by the lowest bits alone.
#[inline(always)]
unsafe fn write_planes<const N: usize>(keys: &[u32], planes: &mut [u32]) {
    // SAFETY: the caller has AVX-512; the load is masked to the slice, and the stores stay in theirs.
    unsafe {
        let keys = _mm512_maskz_loadu_epi32(((1u32 << keys.len()) - 1) as u16, keys.as_ptr().cast());
        for (i, plane) in planes.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let plane_keys = _mm512_srlv_epi32(keys, _mm512_set1_epi32((BITS * i) as i32));
            _mm512_storeu_si512(plane.as_mut_ptr().cast(), plane_keys);
        }
    }
}

/// The pairs of the keys in the tables with those of some planes.
#[inline(always)]
unsafe fn sharing_group<const N: usize>(tables: &[[__m512i; 2]; N], planes: &[u32]) -> u64 {
    // SAFETY: the caller has AVX-512.
    unsafe {
        let zero = _mm512_setzero_si512();
        let (mut ones, mut twos, mut fours, mut single) = (zero, zero, zero, zero);
        let fourfold = planes.chunks_exact(4 * N * LANES);
        for block in fourfold.clone() {
            let mut found = [zero; 4];
            for (found, planes) in found.iter_mut().zip(block.chunks_exact(N * LANES)) {
                *found = look_up(tables, planes);
            }
            let [x0, x1, x2, x3] = found;
            let (twos_a, twos_b, four);
            (ones, twos_a) = add(ones, x0, x1);
            (ones, twos_b) = add(ones, x2, x3);
            (twos, four) = add(twos, twos_a, twos_b);
            fours = _mm512_add_epi32(fours, _mm512_popcnt_epi32(four));
        }
        for planes in fourfold.remainder().chunks_exact(N * LANES) {
            single = _mm512_add_epi32(single, _mm512_popcnt_epi32(look_up(tables, planes)));
        }
        let [ones, twos] = [ones, twos].map(|x| _mm512_popcnt_epi32(x));
        let twice = |x| _mm512_slli_epi32::<1>(x);
        let sum = _mm512_add_epi32(_mm512_add_epi32(single, ones), twice(_mm512_add_epi32(twos, twice(fours))));
        u64::from(_mm512_reduce_add_epi32(sum) as u32)
    }
}

/// Of 16 keys, as planes: which keys in the tables share a bit with each.
#[inline(always)]
unsafe fn look_up<const N: usize>(tables: &[[__m512i; 2]; N], planes: &[u32]) -> __m512i {
    // SAFETY: the caller has AVX-512; the loads stay in the slice.
    unsafe {
        let mut found = [_mm512_setzero_si512(); N];
        for ((found, table), plane) in found.iter_mut().zip(tables).zip(planes.as_chunks::<LANES>().0) {
            *found = _mm512_permutex2var_epi32(table[0], _mm512_loadu_si512(plane.as_ptr().cast()), table[1]);
        }
        let mut all = found[0];
        let mut i = 1;
        while i + 1 < N {
            all = _mm512_ternarylogic_epi32::<OR>(all, found[i], found[i + 1]);
            i += 2;
        }
        if i < N { _mm512_or_si512(all, found[i]) } else { all }
    }
}

/// The tables of at most 32 keys.
#[inline(always)]
unsafe fn tables_of<const N: usize>(keys: &[u32]) -> [[__m512i; 2]; N] {
    // SAFETY: the caller has AVX-512; the loads are masked to the slice, the stores fill the array.
    unsafe {
        let mask = ((1u64 << keys.len()) - 1) as u32;
        let (low, high) = keys.split_at(keys.len().min(LANES));
        let low = _mm512_maskz_loadu_epi32(mask as u16, low.as_ptr().cast());
        let high = _mm512_maskz_loadu_epi32((mask >> LANES) as u16, high.as_ptr().cast());
        // Of each bit the keys that have it, and some bits that none has.
        let mut columns = [0i32; 2 * LANES + BITS];
        let [first, second] = transposed(low, high);
        _mm512_storeu_si512(columns.as_mut_ptr().cast(), first);
        _mm512_storeu_si512(columns[LANES..].as_mut_ptr().cast(), second);
        let mut tables = [[_mm512_setzero_si512(); 2]; N];
        for (i, table) in tables.iter_mut().enumerate() {
            let [c0, c1, c2, c3, c4] = std::array::from_fn(|bit| columns[(BITS * i + bit) % (2 * LANES + BITS)]);
            let mut low = _mm512_maskz_set1_epi32(0xAAAA, c0);
            low = _mm512_mask_or_epi32(low, 0xCCCC, low, _mm512_set1_epi32(c1));
            low = _mm512_mask_or_epi32(low, 0xF0F0, low, _mm512_set1_epi32(c2));
            low = _mm512_mask_or_epi32(low, 0xFF00, low, _mm512_set1_epi32(c3));
            *table = [low, _mm512_or_si512(low, _mm512_set1_epi32(c4))];
        }
        tables
    }
}

/// Bit `i` of word `j` becomes bit `j` of word `i`, in 32 words.
#[inline(always)]
unsafe fn transposed(low: __m512i, high: __m512i) -> [__m512i; 2] {
    // SAFETY: the caller has AVX-512.
    unsafe {
        let halves = [
            _mm512_mask_blend_epi16(0xAAAA_AAAA, low, _mm512_slli_epi32::<16>(high)),
            _mm512_mask_blend_epi16(0xAAAA_AAAA, _mm512_srli_epi32::<16>(low), high),
        ];
        let mut words = halves;
        for x in &mut words {
            *x = exchange(*x, _mm512_shuffle_i32x4::<0x4E>(*x, *x), 8, 0x00FF_00FF);
            *x = exchange(*x, _mm512_shuffle_i32x4::<0xB1>(*x, *x), 4, 0x0F0F_0F0F);
            *x = exchange(*x, _mm512_shuffle_epi32::<0x4E>(*x), 2, 0x3333_3333);
            *x = exchange(*x, _mm512_shuffle_epi32::<0xB1>(*x), 1, 0x5555_5555);
        }
        words
    }
}

/// Exchanges the bits outside `low` of each word with those inside it of the word `places` further up, which `other` has in
/// its place.
#[inline(always)]
unsafe fn exchange(words: __m512i, other: __m512i, places: i32, low: i32) -> __m512i {
    // SAFETY: the caller has AVX-512.
    unsafe {
        let number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let upper = _mm512_test_epi32_mask(number, _mm512_set1_epi32(places));
        // The lower word of two takes bits up, the upper one down, and each keeps its own half.
        let turn = _mm512_mask_set1_epi32(_mm512_set1_epi32(places), upper, 32 - places);
        let own = _mm512_mask_set1_epi32(_mm512_set1_epi32(low), upper, !low);
        _mm512_ternarylogic_epi32::<CHOOSE>(own, words, _mm512_rolv_epi32(other, turn))
    }
}

/// A carry-save adder: the sum of three bits, and the carry.
#[inline(always)]
unsafe fn add(a: __m512i, b: __m512i, c: __m512i) -> (__m512i, __m512i) {
    // SAFETY: the caller has AVX-512.
    unsafe { (_mm512_ternarylogic_epi32::<XOR>(a, b, c), _mm512_ternarylogic_epi32::<MAJORITY>(a, b, c)) }
}
