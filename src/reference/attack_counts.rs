//! Attack counts: a matrix holds, for each square, how many queens attack it.
//!
//! Source: the usual first program with backtracking; it has no single author.
//! Cost: placing or removing a queen walks its lines below, up to 3n squares; asking about a square is one look.
//!
//! What differs from brute force: a queen is never placed on an attacked square, so most of the n! permutations are cut
//! off in their first rows. Counts, not flags, because a square may be attacked by several queens: placing one adds 1,
//! removing it subtracts 1, and what the others attack stays attacked.

use super::OnBoard;
use crate::prefix::Completions;

pub fn solve(n: usize, found: OnBoard<'_>) -> Completions {
    let mut search = Search {
        attacks: vec![vec![0; n]; n],
        columns: Vec::with_capacity(n),
        found,
        finished: Completions::default(),
    };
    search.row();
    search.finished
}

struct Search<'a> {
    attacks: Vec<Vec<u32>>,
    columns: Vec<u8>,
    found: OnBoard<'a>,
    finished: Completions,
}

impl Search<'_> {
    fn row(&mut self) {
        let (n, row) = (self.attacks.len(), self.columns.len());
        if row == n {
            self.finished.solutions += 1;
            (self.found)(&self.columns);
            return;
        }
        for column in 0..n {
            if self.attacks[row][column] == 0 {
                self.change(row, column, |count| *count += 1);
                self.columns.push(column as u8);
                self.finished.nodes += 1;
                self.row();
                self.columns.pop();
                self.change(row, column, |count| *count -= 1);
            }
        }
    }

    /// Changes the counts of the squares below a queen that it attacks; those above are settled.
    fn change(&mut self, row: usize, column: usize, change: fn(&mut u32)) {
        for (squares, distance) in self.attacks[row + 1..].iter_mut().zip(1..) {
            change(&mut squares[column]);
            if let Some(left) = column.checked_sub(distance) {
                change(&mut squares[left]);
            }
            if let Some(right) = squares.get_mut(column + distance) {
                change(right);
            }
        }
    }
}
