//! Solutions up to rotation and reflection.
//!
//! Burnside: the number of classes is the mean, over the eight symmetries, of the solutions that each leaves unchanged:
//! `unique = (all + half turn + 2 * quarter turn + 4 * reflection) / 8`.
//! A reflection leaves none unchanged for n > 1: a queen off the mirror line and its image attack each other, and at most
//! one queen is on the line.

mod symmetric;

use crate::symmetry::Class;

/// How many solutions there are, in all and of each kind of symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    /// All solutions, A000170.
    pub all: u128,
    /// Unchanged by a half turn, those unchanged by a quarter turn included, A032522.
    pub half_turn: u128,
    /// Unchanged by a quarter turn, A033148.
    pub quarter_turn: u128,
    /// Unchanged by a reflection: 0 for n > 1.
    pub reflection: u128,
}

impl Classes {
    /// Counts the symmetric solutions and puts them beside the number of all of them.
    pub fn new(n: u32, all: u128) -> Self {
        Self {
            all,
            half_turn: symmetric::count(n, Class::HalfTurn).into(),
            quarter_turn: symmetric::count(n, Class::QuarterTurn).into(),
            reflection: if n <= 1 { all } else { 0 },
        }
    }

    /// Solutions up to rotation and reflection, A002562. `None` if the numbers cannot be true together: their sum is then
    /// no multiple of 8.
    pub fn unique(&self) -> Option<u128> {
        let sum = self.all + self.half_turn + 2 * self.quarter_turn + 4 * self.reflection;
        sum.is_multiple_of(8).then_some(sum / 8)
    }

    /// The number of classes of 8, 4, 2 and 1 different images.
    pub fn orbits(&self) -> [(u32, u128); 4] {
        [
            (8, (self.all - self.half_turn) / 8),
            (4, (self.half_turn - self.quarter_turn) / 4),
            (2, (self.quarter_turn - self.reflection) / 2),
            (1, self.reflection),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unique_counts_and_orbits_sum_up() {
        // A002562
        let unique = [1, 1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233, 45752, 285_053, 1_846_955];
        for (n, &expected) in (0..).zip(&unique) {
            let classes = Classes::new(n, crate::count(n).unwrap());
            assert_eq!(classes.unique(), Some(expected), "n={n}");
            let orbits = classes.orbits();
            assert_eq!(orbits.iter().map(|&(_, number)| number).sum::<u128>(), expected, "n={n}");
            assert_eq!(
                orbits.iter().map(|&(size, number)| u128::from(size) * number).sum::<u128>(),
                classes.all,
                "n={n}"
            );
        }
    }

    #[test]
    fn a_wrong_count_is_noticed() {
        let classes = Classes { all: 91, ..Classes::new(8, 92) };
        assert_eq!(classes.unique(), None);
    }
}
