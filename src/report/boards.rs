//! Boards written one after another, in constant memory.

use std::io::{self, Write};

use super::JSON_SCHEMA;
use super::drawing::{Charset, Drawing};
use super::svg::BoardSheet;
use crate::placement::{Placement, digits};

/// How boards are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardFormat {
    /// `Q` and `.`, a line a row, an empty line between boards.
    Letters,
    /// With a frame and coordinates, an empty line between boards.
    Framed(Charset),
    /// One JSON array of boards, each an array of strings: `[[".Q..","...Q","Q...","..Q."]]`.
    Leetcode,
    /// The queens' columns, one board a line: `1 3 0 2`.
    Columns,
    /// One JSON object a line: `{"schema":2,"n":4,"columns":[1,3,0,2]}`.
    Json,
    /// One SVG drawing of all boards.
    Svg(BoardSheet),
}

/// Writes boards to anything, best something buffered. [Finish](Self::finish) it: some formats have an end.
///
/// ```
/// use nqueens::report::{BoardFormat, BoardWriter};
///
/// let mut writer = BoardWriter::new(Vec::new(), BoardFormat::Leetcode)?;
/// for placement in nqueens::solutions(4)? {
///     writer.write(&placement)?;
/// }
/// let text = writer.finish()?;
/// assert_eq!(text, b"[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"],[\"..Q.\",\"Q...\",\"...Q\",\".Q..\"]]\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BoardWriter<W> {
    out: W,
    format: BoardFormat,
    written: u64,
}

impl<W: Write> BoardWriter<W> {
    /// A writer that has written no board yet.
    ///
    /// # Errors
    /// If the beginning of the format cannot be written.
    pub fn new(mut out: W, format: BoardFormat) -> io::Result<Self> {
        match &format {
            BoardFormat::Leetcode => out.write_all(b"[")?,
            BoardFormat::Svg(sheet) => sheet.begin(&mut out)?,
            _ => {}
        }
        Ok(Self { out, format, written: 0 })
    }

    /// Writes one board.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, placement: &Placement) -> io::Result<()> {
        let (out, columns, first) = (&mut self.out, placement.columns(), self.written == 0);
        match &self.format {
            BoardFormat::Letters | BoardFormat::Framed(_) => {
                if !first {
                    out.write_all(b"\n")?;
                }
                let drawing = Drawing::new(columns);
                match self.format {
                    BoardFormat::Framed(charset) => write!(out, "{}", drawing.framed(charset))?,
                    _ => write!(out, "{drawing}")?,
                }
            }
            BoardFormat::Leetcode => leetcode(out, columns, first)?,
            BoardFormat::Columns => writeln!(out, "{placement}")?,
            BoardFormat::Json => json(out, columns)?,
            BoardFormat::Svg(sheet) => sheet.board(out, self.written, columns, None)?,
        }
        self.written += 1;
        Ok(())
    }

    /// Hands on what has been written so far.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// How many boards have been written.
    pub const fn written(&self) -> u64 {
        self.written
    }

    /// Writes the end of the format and gives back what was written to.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        match &self.format {
            BoardFormat::Leetcode => self.out.write_all(b"]\n")?,
            BoardFormat::Svg(sheet) => sheet.end(&mut self.out)?,
            _ => {}
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

fn leetcode(out: &mut impl Write, columns: &[u8], first: bool) -> io::Result<()> {
    const DOTS: [u8; 32] = [b'.'; 32];
    out.write_all(if first { b"[" } else { b",[" })?;
    for (row, &column) in columns.iter().enumerate() {
        out.write_all(if row == 0 { b"\"" } else { b",\"" })?;
        out.write_all(&DOTS[..column.into()])?;
        out.write_all(b"Q")?;
        out.write_all(&DOTS[..columns.len() - 1 - usize::from(column)])?;
        out.write_all(b"\"")?;
    }
    out.write_all(b"]")
}

fn json(out: &mut impl Write, columns: &[u8]) -> io::Result<()> {
    write!(out, "{{\"schema\":{JSON_SCHEMA},\"n\":{},\"columns\":[", columns.len())?;
    for (row, &column) in columns.iter().enumerate() {
        if row > 0 {
            out.write_all(b",")?;
        }
        out.write_all(digits(column).as_bytes())?;
    }
    out.write_all(b"]}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solutions::solutions;

    fn text(n: u32, format: BoardFormat) -> String {
        let mut writer = BoardWriter::new(Vec::new(), format).unwrap();
        for placement in solutions(n).unwrap() {
            writer.write(&placement).unwrap();
        }
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    #[test]
    fn each_format() {
        assert_eq!(text(4, BoardFormat::Letters), ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n");
        assert_eq!(text(4, BoardFormat::Columns), "1 3 0 2\n2 0 3 1\n");
        assert_eq!(
            text(4, BoardFormat::Json),
            "{\"schema\":2,\"n\":4,\"columns\":[1,3,0,2]}\n{\"schema\":2,\"n\":4,\"columns\":[2,0,3,1]}\n"
        );
        assert_eq!(text(1, BoardFormat::Leetcode), "[[\"Q\"]]\n");
    }

    #[test]
    fn no_board_and_a_board_without_squares_differ() {
        assert_eq!(text(3, BoardFormat::Leetcode), "[]\n");
        assert_eq!(text(0, BoardFormat::Leetcode), "[[]]\n");
        assert_eq!(text(3, BoardFormat::Columns), "");
        assert_eq!(text(0, BoardFormat::Columns), "\n");
        assert_eq!(text(0, BoardFormat::Json), "{\"schema\":2,\"n\":0,\"columns\":[]}\n");
    }
}
