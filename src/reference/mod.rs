//! Textbook solvers: slow, short, and each unlike the others. They stay as the oracles of everything faster.
//!
//! All of them place one queen a row, from the top down, in the columns from the left, so all find the solutions in
//! lexicographic order. From one to the next only the answer to one question changes: is this square attacked?
//!
//! ```
//! use nqueens::reference::Reference;
//!
//! for solver in Reference::ALL {
//!     let boards = solver.boards(6)?;
//!     assert_eq!(boards.len(), 4, "{solver}");
//!     assert_eq!(boards[0].to_string(), "1 3 5 0 2 4", "{solver}");
//! }
//! # Ok::<(), nqueens::Error>(())
//! ```

mod attack_counts;
mod bit_sets;
mod boolean_arrays;
mod brute_force;
mod hash_sets;

use std::fmt;

use crate::error::Result;
use crate::placement::Placement;
use crate::prefix::Completions;
use crate::problem::Problem;

/// Told the columns of each solution, row by row.
pub type OnBoard<'a> = &'a mut dyn FnMut(&[u8]);

/// A textbook solver. Its file gives its source and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// Every permutation, looked at when it is complete.
    BruteForce,
    /// A matrix that counts for each square how many queens attack it.
    AttackCounts,
    /// Hash sets of occupied columns, diagonals and antidiagonals.
    HashSets,
    /// Arrays of flags for columns, diagonals and antidiagonals.
    BooleanArrays,
    /// The same flags as the bits of three integers.
    BitSets,
}

impl Reference {
    /// Every solver, in the order of the ladder: each improves on the idea of the one before, not always on its time.
    pub const ALL: [Self; 5] =
        [Self::BruteForce, Self::AttackCounts, Self::HashSets, Self::BooleanArrays, Self::BitSets];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BruteForce => "brute-force",
            Self::AttackCounts => "attack-counts",
            Self::HashSets => "hash-sets",
            Self::BooleanArrays => "boolean-arrays",
            Self::BitSets => "bit-sets",
        }
    }

    /// The largest board that it finishes within about a minute.
    pub const fn largest_n(self) -> u32 {
        match self {
            Self::BruteForce => 12,
            Self::HashSets => 15,
            Self::AttackCounts | Self::BooleanArrays => 16,
            Self::BitSets => 17,
        }
    }

    /// Finds every solution, in lexicographic order, and tells `found`. Gives their number and the queens placed on the
    /// way.
    ///
    /// # Errors
    /// If `n` is greater than [`MAX_N`](crate::board::MAX_N).
    pub fn solve(self, n: u32, found: OnBoard<'_>) -> Result<Completions> {
        let n = Problem::empty(n)?.n();
        let solve = match self {
            Self::BruteForce => brute_force::solve,
            Self::AttackCounts => attack_counts::solve,
            Self::HashSets => hash_sets::solve,
            Self::BooleanArrays => boolean_arrays::solve,
            Self::BitSets => bit_sets::solve,
        };
        Ok(solve(n as usize, found))
    }

    /// Every solution, each checked once more queen by queen, in lexicographic order.
    ///
    /// # Errors
    /// If `n` is greater than the largest board of a [`Problem`], or if the solver were wrong and gave something that is no solution.
    pub fn boards(self, n: u32) -> Result<Vec<Placement>> {
        let mut boards = Vec::new();
        self.solve(n, &mut |columns| boards.push(Placement::new(columns)))?;
        boards.into_iter().collect()
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::method::row_order::{self, RowPrefixes};
    use crate::solutions::solutions;

    #[test]
    fn all_give_the_same_boards_in_the_same_order() {
        for n in 0..=9 {
            let expected: Vec<Placement> = solutions(n).unwrap().collect();
            for solver in Reference::ALL {
                assert_eq!(solver.boards(n).unwrap(), expected, "n={n} {solver}");
                let found = solver.solve(n, &mut |_| ()).unwrap();
                assert_eq!(found.solutions, expected.len() as u64, "n={n} {solver}");
            }
        }
    }

    #[test]
    fn all_that_go_back_early_place_the_same_queens() {
        for n in 0..=9 {
            let backtracking = Reference::ALL[1..].iter().map(|solver| solver.solve(n, &mut |_| ()).unwrap());
            let found: Vec<Completions> = backtracking.collect();
            assert!(found.iter().all(|f| *f == found[0]), "n={n} {found:?}");
            let fast = row_order::count_completions(&RowPrefixes::new(&Problem::empty(n).unwrap(), 0).next().unwrap());
            assert_eq!(fast.solutions, found[0].solutions, "n={n}");
            if n > 0 {
                assert_eq!(fast.nodes, found[0].nodes, "n={n}");
            }
        }
    }

    #[test]
    fn brute_force_places_every_start_of_every_permutation() {
        // 4 + 4*3 + 4*3*2 + 4*3*2*1
        assert_eq!(
            Reference::BruteForce.solve(4, &mut |_| ()).unwrap(),
            Completions { solutions: 2, nodes: 64, tail_nodes: 0 }
        );
        assert!(matches!(Reference::BruteForce.solve(33, &mut |_| ()), Err(Error::BoardSize(33))));
    }
}
