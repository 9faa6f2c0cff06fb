//! Sets of free columns, all of one size, numbered in numeric order of their bit masks.
//!
//! The number of the set `c0 < c1 < ...` is `C(c0, 1) + C(c1, 2) + ...` (the combinatorial number system).

use crate::board::bits;

/// The most columns that two blocks share.
pub const MAX_COLUMNS: usize = 2 * MAX_BLOCK;
/// The most rows of a block: with more, keys would need more diagonals than they have bits.
pub const MAX_BLOCK: usize = 12;

/// Rows of the table of binomials, and entries of each: powers of two, so that masks keep indices inside.
const TABLE: [usize; 2] = [32, 16];

static BINOMIALS: [[u32; TABLE[1]]; TABLE[0]] = {
    let mut table = [[0u32; TABLE[1]]; TABLE[0]];
    let mut of = 0;
    while of < TABLE[0] {
        table[of][0] = 1;
        let mut size = 1;
        while size < TABLE[1] && of > 0 {
            // Those that no set of columns needs may wrap.
            table[of][size] = table[of - 1][size - 1].wrapping_add(table[of - 1][size]);
            size += 1;
        }
        of += 1;
    }
    table
};

#[inline(always)]
fn binomial(of: usize, size: usize) -> u32 {
    BINOMIALS[of % TABLE[0]][size % TABLE[1]]
}

/// How many sets of a size there are of so many columns.
pub fn sets(of: u32, size: u32) -> usize {
    binomial(of as usize, size as usize) as usize
}

/// The first set of a size.
pub fn first(size: u32) -> u32 {
    (1 << size) - 1
}

/// The set of a number.
pub fn set(mut number: usize, size: u32) -> u32 {
    let mut mask = 0;
    for i in (1..=size as usize).rev() {
        // The largest column with no more sets below it than are left.
        let column = (0..MAX_COLUMNS).rev().find(|&column| binomial(column, i) as usize <= number).unwrap_or(0);
        number -= binomial(column, i) as usize;
        mask |= 1 << column;
    }
    mask
}

/// The set after a set: the lowest run of columns moves up by one, what is left of it goes down.
#[inline(always)]
pub fn next(set: u32) -> u32 {
    let lowest = set & set.wrapping_neg();
    let carried = set.wrapping_add(lowest);
    carried | (((carried ^ set) >> 2) >> (lowest.trailing_zeros() % u32::BITS))
}

/// A set, and for each of its columns the number of the set without it.
#[derive(Clone, Copy, Debug)]
pub struct Without {
    /// The set.
    pub set: u32,
    /// By column; of columns that are not in the set, anything.
    numbers: [u32; TABLE[0]],
}

impl Without {
    /// Of a set of at most [`MAX_BLOCK`] columns.
    #[inline(always)]
    pub fn new(set: u32) -> Self {
        let mut this = Self { set, numbers: [0; TABLE[0]] };
        // Columns below the one left out keep their place, those above move down by one.
        let mut below = 0;
        for (i, column) in bits(set).enumerate() {
            this.numbers[column as usize % TABLE[0]] = below;
            below += binomial(column as usize, i + 1);
        }
        let (mut above, mut left, mut i) = (0, set, set.count_ones() as usize);
        while left != 0 {
            let column = left.ilog2() as usize % TABLE[0];
            i -= 1;
            this.numbers[column] += above;
            above += binomial(column, i);
            left ^= 1 << column;
        }
        this
    }

    /// The number of the set without a column.
    #[inline(always)]
    pub fn number(&self, column: u32) -> usize {
        self.numbers[column as usize % TABLE[0]] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_in_order() {
        for (of, size) in [(0, 0), (5, 0), (5, 5), (10, 4), (13, 6), (17, 8)] {
            let all: Vec<u32> = (0..1u32 << of).filter(|set| set.count_ones() == size).collect();
            assert_eq!(all.len(), sets(of, size));
            assert_eq!(all[0], first(size));
            for (number, &mask) in all.iter().enumerate() {
                assert_eq!(set(number, size), mask);
                if size > 0 && number + 1 < all.len() {
                    assert_eq!(next(mask), all[number + 1]);
                }
            }
        }
        assert_eq!(sets(24, 12), 2_704_156);
    }

    #[test]
    fn sets_without_a_column() {
        for mask in [0b1, 0b1011, 0b1110_0000_0001, 0b1011_0000_1111_0000_1101_0000] {
            for column in bits(mask) {
                let number = Without::new(mask).number(column);
                assert_eq!(set(number, mask.count_ones() - 1), mask & !(1 << column));
            }
        }
    }
}
