//! Random descents: unbiased estimates of how many there are of something below a board, without listing it.
//!
//! `estimate = product of the numbers of choices met on the way down`
//!
//! D. E. Knuth, "Estimating the efficiency of backtrack programs" (1975): a descent that reaches a board with probability
//! p counts it 1/p times, so the mean over all descents is the number of boards, however the lines are chosen.

use crate::board::{Board, Line, bits};

/// What a search does with a board: the line that it fills next, or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Some line has no free square: nothing completes it.
    Dead,
    /// No row is free: it is a solution.
    Solved,
    /// Fill this line, on the squares of this mask.
    Line(Line, u32),
}

/// One random descent.
#[derive(Clone, Copy, Debug)]
pub struct Descent {
    /// The board it has come to.
    pub board: Board,
    /// How many boards of this depth it stands for: the choices met on the way, multiplied.
    pub weight: f64,
}

impl Descent {
    /// A descent that begins at a board.
    pub const fn from(board: Board) -> Self {
        Self { board, weight: 1.0 }
    }

    /// Places a queen on a random square of a line; gives the square. `None` at a dead end: the line has none.
    pub fn step(&mut self, line: Line, squares: u32, random: &mut fastrand::Rng) -> Option<u32> {
        let choices = squares.count_ones();
        if choices == 0 {
            self.weight = 0.0;
            return None;
        }
        let at = bits(squares).nth(random.usize(..choices as usize))?;
        self.weight *= f64::from(choices);
        self.board = self.board.place_on(line, at);
        Some(at)
    }
}
