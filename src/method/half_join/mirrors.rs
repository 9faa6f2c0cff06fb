//! The symmetries that keep rows rows, and the weight that adds transposition to them.
//!
//! The four symmetries that keep rows rows (left-right mirror, top-bottom mirror, both, none) act on the placements on
//! the middle rows. Of each orbit only the smallest placement is searched and counts for all of them.
//!
//! Transposition exchanges the middle rows with the middle columns. Let `rows` be the least distance from the middle of a
//! queen in the middle rows (odd n: the one middle row), and `columns` the same of the middle columns: no mirror changes
//! either, and transposition swaps the two. So `solutions = 2 * #(rows < columns) + #(rows = columns)`, and what has
//! `rows > columns` need not be counted. To be least separates: `rows <= columns` says that no queen of the middle columns
//! is nearer to the middle than `rows`, whatever the others are, so that the two halves of a board can each see to it.

use std::cmp::Ordering;

/// Some of the four symmetries that keep rows rows: bit `1` for none, `2` left-right, `4` top-bottom, `8` both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mirrors(u8);

impl Mirrors {
    /// All four.
    pub const ALL: Self = Self(0b1111);

    /// Whether one of them is among these: bit 0 of `mirror` left-right, bit 1 top-bottom.
    pub fn has(self, mirror: u8) -> bool {
        self.0 >> mirror & 1 == 1
    }

    /// Those with these [bits](Self::to_bits).
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// A bit for each.
    pub const fn to_bits(self) -> u8 {
        self.0
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The size of the orbit of some queens under these symmetries, if they are the smallest of it, and the symmetries
    /// that leave them as they are. The queens' columns are given row by row, in rows symmetric from top to bottom.
    pub fn orbit_if_smallest(self, n: u32, queens: &[u32]) -> Option<(u32, Self)> {
        let (size, unmoved, smallest) = self.orbit(n, queens, true);
        smallest.then_some((size, unmoved))
    }

    /// The size of the orbit, and the symmetries that leave the queens as they are.
    pub fn orbit_of(self, n: u32, queens: &[u32]) -> (u32, Self) {
        let (size, unmoved, _) = self.orbit(n, queens, false);
        (size, unmoved)
    }

    fn orbit(self, n: u32, queens: &[u32], only_if_smallest: bool) -> (u32, Self, bool) {
        let (mut unmoved, mut smallest) = (0u8, true);
        for mirror in (0..4).filter(|mirror| self.0 >> mirror & 1 == 1) {
            match compare_image(mirror, n, queens) {
                Ordering::Less => smallest = false,
                Ordering::Equal => unmoved |= 1 << mirror,
                Ordering::Greater => (),
            }
            if only_if_smallest && !smallest {
                return (0, Self(0), false);
            }
        }
        // Whatever else is among them, "none" leaves everything as it is.
        (self.count() / unmoved.count_ones(), Self(unmoved), smallest)
    }
}

/// Compares the image of some queens with the queens themselves: their columns, row by row.
fn compare_image(mirror: u8, n: u32, queens: &[u32]) -> Ordering {
    let image = |i: usize| {
        let column = queens[if mirror & 2 != 0 { queens.len() - 1 - i } else { i }];
        if mirror & 1 != 0 { n - 1 - column } else { column }
    };
    (0..queens.len()).map(image).cmp(queens.iter().copied())
}

/// How far a row or column is from the middle one or, for even `n`, from the nearer of the middle two.
pub fn distance(n: u32, line: u32) -> u32 {
    line.abs_diff(n.saturating_sub(1) / 2).min(line.abs_diff(n / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_add_up() {
        for n in 2..7 {
            let sum: u32 = (0..n * n * n)
                .filter_map(|i| Mirrors::ALL.orbit_if_smallest(n, &[i / n / n, i / n % n, i % n]))
                .map(|(size, _)| size)
                .sum();
            assert_eq!(sum, n * n * n);
        }
    }

    #[test]
    fn an_orbit_has_one_size() {
        for i in 0..216 {
            let queens = [i / 36, i / 6 % 6, i % 6];
            let (size, unmoved) = Mirrors::ALL.orbit_of(6, &queens);
            assert_eq!(size * unmoved.count(), 4);
            assert!(Mirrors::ALL.orbit_if_smallest(6, &queens).is_none_or(|own| own == (size, unmoved)));
            assert_eq!(Mirrors::ALL.orbit_of(6, &queens.map(|column| 5 - column)).0, size);
        }
    }

    #[test]
    fn the_distance_is_invariant() {
        for n in 1..9 {
            for line in 0..n {
                assert_eq!(distance(n, line), distance(n, n - 1 - line));
            }
            assert_eq!([distance(n, 0), distance(n, n / 2)], [(n - 1) / 2, 0]);
        }
    }
}
