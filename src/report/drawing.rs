//! Boards drawn as text.

use std::fmt;

use crate::attack::Attack;
use crate::board::MAX_N;
use crate::placement::digits;

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Queens and lines as Unicode has them.
    Unicode,
    /// What every terminal shows.
    Ascii,
}

/// A board drawn as text: letters, or with a frame and coordinates. Every line ends with a newline.
///
/// ```
/// use nqueens::{Placement, report::{Charset, Drawing}};
///
/// let placement: Placement = "1 3 0 2".parse()?;
/// assert_eq!(Drawing::new(placement.columns()).to_string(), ".Q..\n...Q\nQ...\n..Q.\n");
/// assert_eq!(Drawing::new(placement.columns()).framed(Charset::Unicode).to_string(), "    0 1 2 3
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
    frame: Option<Charset>,
    attack: Option<Attack>,
}

impl<'a> Drawing<'a> {
    /// Draws the queens of a board, row by row, as `Q` and `.`; they may attack each other.
    ///
    /// # Panics
    /// While drawing, if a column is not on the board.
    pub const fn new(columns: &'a [u8]) -> Self {
        Self { columns, frame: None, attack: None }
    }

    /// Draws a frame and coordinates too, for people at a terminal.
    #[must_use]
    pub const fn framed(self, charset: Charset) -> Self {
        Self { frame: Some(charset), ..self }
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

    fn framed_board(&self, charset: Charset, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.columns.len();
        // Boards beyond ten rows have numbers of two digits: the columns then need as much room as the rows.
        let width = if n > 10 { 2 } else { 1 };
        let [queen, attacking, free, side, edge] = match charset {
            Charset::Unicode => ["♛", "✘", "·", "│", "─"],
            Charset::Ascii => ["Q", "X", ".", "|", "-"],
        };
        let [top, bottom] = match charset {
            Charset::Unicode => [["┌", "┐"], ["└", "┘"]],
            Charset::Ascii => [["+", "+"]; 2],
        };
        let edge = edge.repeat((width + 1) * n + 1);
        write!(f, "{:width$}  ", "")?;
        for column in 0..n {
            write!(f, " {:>width$}", digits(column as u8))?;
        }
        writeln!(f, "\n{:width$} {}{edge}{}", "", top[0], top[1])?;
        for (row, &queens) in (0..).zip(self.columns) {
            write!(f, "{:>width$} {side}", digits(row as u8))?;
            for column in 0..n as u8 {
                let square = match column == queens {
                    true if self.attacks(row) => attacking,
                    true => queen,
                    false => free,
                };
                write!(f, " {square:>width$}")?;
            }
            writeln!(f, " {side}")?;
        }
        writeln!(f, "{:width$} {}{edge}{}", "", bottom[0], bottom[1])
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.frame {
            Some(charset) if !self.columns.is_empty() => self.framed_board(charset, f),
            _ => self.letters(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::solutions::solutions;

    #[test]
    fn two_attacking_queens_are_marked() {
        let columns = [0, 2, 1, 3];
        let drawing = Drawing::new(&columns).marked(Attack::find(&columns).unwrap());
        assert_eq!(drawing.to_string(), "X...\n..Q.\n.Q..\n...X\n");
        assert_eq!(drawing.framed(Charset::Unicode).to_string().matches('✘').count(), 2);
        assert_eq!(drawing.framed(Charset::Ascii).to_string().matches('X').count(), 2);
    }

    #[test]
    fn a_frame_of_ascii_is_the_same_frame() {
        let drawing = Drawing::new(&[1, 3, 0, 2]);
        let framed = drawing.framed(Charset::Unicode).to_string();
        let replaced: String = framed
            .chars()
            .map(|c| match c {
                '♛' => 'Q',
                '·' => '.',
                '─' => '-',
                '│' => '|',
                '┌' | '┐' | '└' | '┘' => '+',
                other => other,
            })
            .collect();
        assert_eq!(drawing.framed(Charset::Ascii).to_string(), replaced);
        assert!(replaced.is_ascii());
    }

    #[test]
    fn wide_boards_stay_square() {
        let placement = solutions(12).unwrap().next().unwrap();
        let text = Drawing::new(placement.columns()).framed(Charset::Unicode).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "      0  1  2  3  4  5  6  7  8  9 10 11");
        assert_eq!(lines[2], " 0 │  ♛  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  · │");
        assert!(lines[1..].iter().all(|line| line.chars().count() == 4 + 37 + 1), "{text}");
        assert_eq!(text.matches('♛').count(), 12);
        assert_eq!(Drawing::new(&[]).framed(Charset::Unicode).to_string(), "");
    }
}
