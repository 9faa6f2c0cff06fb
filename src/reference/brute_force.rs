//! Brute force: every permutation of the columns, looked at only when it is complete.
//!
//! Source: the problem as C. F. Gauss put it in 1850, a permutation whose sums and differences with the row numbers all
//! differ (P. J. Campbell, "Gauss and the eight queens problem", Historia Mathematica 4, 1977).
//! Cost: about e * n! queens placed, and up to n^2 / 2 comparisons for each of the n! permutations.
//!
//! The start of the ladder: rows and columns are settled by the permutation, diagonals are compared pair by pair.

use super::OnBoard;
use crate::prefix::Completions;

pub fn solve(n: usize, found: OnBoard<'_>) -> Completions {
    let mut search =
        Search { columns: Vec::with_capacity(n), used: vec![false; n], found, finished: Completions::default() };
    search.row();
    search.finished
}

struct Search<'a> {
    columns: Vec<u8>,
    used: Vec<bool>,
    found: OnBoard<'a>,
    finished: Completions,
}

impl Search<'_> {
    fn row(&mut self) {
        let n = self.used.len();
        if self.columns.len() == n {
            if no_two_share_a_diagonal(&self.columns) {
                self.finished.solutions += 1;
                (self.found)(&self.columns);
            }
            return;
        }
        for column in 0..n {
            if !self.used[column] {
                self.used[column] = true;
                self.columns.push(column as u8);
                self.finished.nodes += 1;
                self.row();
                self.columns.pop();
                self.used[column] = false;
            }
        }
    }
}

fn no_two_share_a_diagonal(columns: &[u8]) -> bool {
    columns.iter().enumerate().all(|(row, &column)| {
        columns[row + 1..].iter().zip(1..).all(|(&other, distance)| column.abs_diff(other) != distance)
    })
}
