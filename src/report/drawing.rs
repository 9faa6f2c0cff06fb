//! Boards drawn as text.

use std::fmt;

use crate::board::MAX_N;
use crate::placement::{Attack, digits};

/// A board drawn as text: letters, or with a frame and coordinates. Every line ends with a newline.
///
/// ```
/// use nqueens::{Placement, report::Drawing};
///
/// let placement: Placement = "1 3 0 2".parse()?;
/// assert_eq!(Drawing::new(placement.columns()).to_string(), ".Q..\n...Q\nQ...\n..Q.\n");
/// assert_eq!(Drawing::new(placement.columns()).framed().to_string(), "    0 1 2 3
///   ┌─────────┐
/// 0 │ · ♛ · · │
/// 1 │ · · · ♛ │
/// 2 │ ♛ · · · │
/// 3 │ · · ♛ · │
///   └─────────┘
/// ");
/// # Ok::<(), nqueens::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    columns: &'a [u8],
    framed: bool,
    attack: Option<Attack>,
}

impl<'a> Drawing<'a> {
    /// Draws the queens of a board, row by row, as `Q` and `.`; they may attack each other.
    ///
    /// # Panics
    /// While drawing, if a column is not on the board.
    pub const fn new(columns: &'a [u8]) -> Self {
        Self { columns, framed: false, attack: None }
    }

    /// Draws a frame, coordinates and the chess symbol instead of letters, for people at a terminal.
    #[must_use]
    pub const fn framed(self) -> Self {
        Self { framed: true, ..self }
    }

    /// Marks two queens that attack each other.
    #[must_use]
    pub const fn marked(self, attack: Attack) -> Self {
        Self { attack: Some(attack), ..self }
    }

    /// Whether the queen in this row is one of the two that attack each other.
    fn attacks(&self, row: u32) -> bool {
        self.attack.is_some_and(|attack| attack.first.row == row || attack.second.row == row)
    }

    fn letters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DOTS: &str = "................................";
        const { assert!(DOTS.len() == MAX_N as usize) };
        for (row, &column) in (0..).zip(self.columns) {
            f.write_str(&DOTS[..column.into()])?;
            f.write_str(if self.attacks(row) { "X" } else { "Q" })?;
            f.write_str(&DOTS[..self.columns.len() - 1 - usize::from(column)])?;
            f.write_str("\n")?;
        }
        Ok(())
    }

    fn frame(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.columns.len();
        // Boards beyond ten rows have numbers of two digits: the columns then need as much room as the rows.
        let width = if n > 10 { 2 } else { 1 };
        let edge = "─".repeat((width + 1) * n + 1);
        write!(f, "{:width$}  ", "")?;
        for column in 0..n {
            write!(f, " {:>width$}", digits(column as u8))?;
        }
        writeln!(f, "\n{:width$} ┌{edge}┐", "")?;
        for (row, &queen) in (0..).zip(self.columns) {
            write!(f, "{:>width$} │", digits(row as u8))?;
            for column in 0..n as u8 {
                let square = match column == queen {
                    true if self.attacks(row) => "✘",
                    true => "♛",
                    false => "·",
                };
                write!(f, " {square:>width$}")?;
            }
            f.write_str(" │\n")?;
        }
        writeln!(f, "{:width$} └{edge}┘", "")
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.framed {
            true if !self.columns.is_empty() => self.frame(f),
            _ => self.letters(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::first_attack;
    use crate::solutions::solutions;

    #[test]
    fn two_attacking_queens_are_marked() {
        let columns = [0, 2, 1, 3];
        let drawing = Drawing::new(&columns).marked(first_attack(&columns).unwrap());
        assert_eq!(drawing.to_string(), "X...\n..Q.\n.Q..\n...X\n");
        assert_eq!(drawing.framed().to_string().matches('✘').count(), 2);
    }

    #[test]
    fn wide_boards_stay_square() {
        let placement = solutions(12).unwrap().next().unwrap();
        let text = Drawing::new(placement.columns()).framed().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "      0  1  2  3  4  5  6  7  8  9 10 11");
        assert_eq!(lines[2], " 0 │  ♛  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  · │");
        assert!(lines[1..].iter().all(|line| line.chars().count() == 4 + 37 + 1), "{text}");
        assert_eq!(text.matches('♛').count(), 12);
        assert_eq!(Drawing::new(&[]).framed().to_string(), "");
    }
}
