//! Boards as SVG: one with coordinates, or a sheet of many.

use std::io::{self, Write};

use super::FONT;
use crate::attack::Attack;
use crate::board::MAX_N;
use crate::error::{Error, Result};
use crate::placement::{Placement, digits};

/// The side of a square.
const SQUARE: u64 = 48;
/// Around a single board, with its coordinates, and around and between the boards of a sheet.
const MARGIN: u64 = 36;
/// The most boards on one sheet: more than anybody looks at, and about as many as a browser shows.
pub const MAX_BOARDS: u64 = 10_000;

/// The queen, in a square of side 48: a crown of five points on a band and a foot.
const QUEEN: &str = "\
<symbol id=\"queen\" viewBox=\"0 0 48 48\">\
<g stroke=\"#222\" stroke-width=\"1.4\" stroke-linejoin=\"round\">\
<path d=\"M12 33 7 18 14.6 25.5 15.4 13.5 20.4 24 24 11 27.6 24 32.6 13.5 33.4 25.5 41 18 36 33Q24 30 12 33Z\"/>\
<path d=\"M12 33Q24 30 36 33L35 37Q24 34.5 13 37Z\"/>\
<path d=\"M12 40.5Q24 37.5 36 40.5V42H12Z\"/>\
<circle cx=\"6.5\" cy=\"15.5\" r=\"2.5\"/><circle cx=\"15\" cy=\"11\" r=\"2.5\"/>\
<circle cx=\"24\" cy=\"8.5\" r=\"2.5\"/><circle cx=\"33\" cy=\"11\" r=\"2.5\"/>\
<circle cx=\"41.5\" cy=\"15.5\" r=\"2.5\"/>\
</g></symbol>";

/// A sheet of boards of one size, written board by board: a single board has coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSheet {
    n: u64,
    boards: u64,
}

impl BoardSheet {
    /// A sheet for this many boards of `n` rows.
    ///
    /// # Errors
    /// If `n` is greater than [`MAX_N`] or there are more than [`MAX_BOARDS`].
    pub fn new(n: u32, boards: u64) -> Result<Self> {
        if n > MAX_N {
            return Err(Error::BoardSize(n));
        }
        if boards > MAX_BOARDS {
            return Err(Error::TooManyBoards(MAX_BOARDS));
        }
        Ok(Self { n: n.into(), boards })
    }

    /// One board as a whole document. The queens that attack each other are marked and joined by a line.
    ///
    /// # Errors
    /// As [`Placement::new`], except that queens may attack each other.
    pub fn single(columns: &[u8], attack: Option<&Attack>) -> Result<String> {
        if let Err(error @ (Error::BoardSize(_) | Error::OffBoard { .. })) = Placement::new(columns) {
            return Err(error);
        }
        let sheet = Self::new(columns.len() as u32, 1)?;
        let mut svg = Vec::new();
        let written = sheet
            .begin(&mut svg)
            .and_then(|()| sheet.board(&mut svg, 0, columns, attack))
            .and_then(|()| sheet.end(&mut svg));
        written.expect("memory can be written");
        Ok(String::from_utf8(svg).expect("SVG is text"))
    }

    /// About as many boards across as down.
    const fn across(&self) -> u64 {
        let mut across = self.boards.isqrt();
        if across * across < self.boards {
            across += 1;
        }
        if across == 0 { 1 } else { across }
    }

    const fn side(&self) -> u64 {
        self.n * SQUARE
    }

    /// Writes the beginning of the document: its size, the empty board and the queen.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&self, out: &mut impl Write) -> io::Result<()> {
        let (n, side, across) = (self.n, self.side(), self.across());
        let width = MARGIN + across * (side + MARGIN);
        let height = MARGIN + self.boards.div_ceil(across).max(1) * (side + MARGIN);
        // As large as a page at first sight, sharp at any size.
        let scale = (1200.0 / width.max(height) as f64).min(1.0);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{:.0}\" height=\"{:.0}\" \
             role=\"img\">",
            width as f64 * scale,
            height as f64 * scale
        )?;
        let boards = if self.boards == 1 { "board" } else { "boards" };
        writeln!(out, "<title>{n} queens: {} {boards}</title>", self.boards)?;
        writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>")?;
        writeln!(out, "<defs>\n{QUEEN}\n<g id=\"board\">")?;
        writeln!(out, "<rect width=\"{side}\" height=\"{side}\" fill=\"#f3e2c3\"/>")?;
        write!(out, "<path fill=\"#c59d6c\" d=\"")?;
        for row in 0..n {
            for column in (0..n).filter(|column| (row + column) % 2 == 1) {
                write!(out, "M{} {}h{SQUARE}v{SQUARE}h-{SQUARE}z", column * SQUARE, row * SQUARE)?;
            }
        }
        writeln!(out, "\"/>")?;
        writeln!(
            out,
            "<rect x=\"-1.5\" y=\"-1.5\" width=\"{0}\" height=\"{0}\" fill=\"none\" stroke=\"#5b4630\" \
             stroke-width=\"3\"/>\n</g>\n</defs>",
            side + 3
        )
    }

    /// Writes the board of this index, from 0. The queens that attack each other are marked and joined by a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn board(&self, out: &mut impl Write, index: u64, columns: &[u8], attack: Option<&Attack>) -> io::Result<()> {
        let (across, step) = (self.across(), self.side() + MARGIN);
        let (x, y) = (MARGIN + index % across * step, MARGIN + index / across * step);
        write!(out, "<g transform=\"translate({x} {y})\"><title>")?;
        for (row, &column) in columns.iter().enumerate() {
            write!(out, "{}{}", if row > 0 { " " } else { "" }, digits(column))?;
        }
        writeln!(out, "</title><use href=\"#board\"/>")?;
        if self.boards == 1 {
            self.coordinates(out)?;
        }
        let attacks = |row| attack.is_some_and(|a| a.first.row == row || a.second.row == row);
        for (row, &column) in (0..).zip(columns) {
            let fill = if attacks(row) { "#d9352b" } else { "#2b2b33" };
            writeln!(
                out,
                "<use href=\"#queen\" x=\"{}\" y=\"{}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>",
                u64::from(column) * SQUARE,
                u64::from(row) * SQUARE
            )?;
        }
        if let Some(Attack { first, second, .. }) = attack {
            let middle = |place: u32| u64::from(place) * SQUARE + SQUARE / 2;
            writeln!(
                out,
                "<path d=\"M{} {}L{} {}\" stroke=\"#d9352b\" stroke-width=\"5\" stroke-linecap=\"round\" \
                 stroke-opacity=\".55\"/>",
                middle(first.column),
                middle(first.row),
                middle(second.column),
                middle(second.row)
            )?;
        }
        writeln!(out, "</g>")
    }

    fn coordinates(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<g {FONT} font-size=\"15\" fill=\"#5b4630\" text-anchor=\"middle\">")?;
        for place in 0..self.n {
            let middle = place * SQUARE + SQUARE / 2;
            write!(out, "<text x=\"{middle}\" y=\"-12\">{place}</text>")?;
            writeln!(out, "<text x=\"-18\" y=\"{}\">{place}</text>", middle + 5)?;
        }
        writeln!(out, "</g>")
    }

    /// Writes the end of the document.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_about_square() {
        let across = |boards| BoardSheet::new(8, boards).unwrap().across();
        assert_eq!([0, 1, 2, 4, 5, 9, 10, 92].map(across), [1, 1, 2, 2, 3, 3, 4, 10]);
        assert!(matches!(BoardSheet::new(8, MAX_BOARDS + 1), Err(Error::TooManyBoards(MAX_BOARDS))));
        assert!(matches!(BoardSheet::new(33, 1), Err(Error::BoardSize(33))));
    }

    #[test]
    fn a_queen_off_the_board_is_not_drawn() {
        assert!(matches!(BoardSheet::single(&[1, 2], None), Err(Error::OffBoard { .. })));
        assert!(BoardSheet::single(&[0, 0], None).is_ok());
    }
}
