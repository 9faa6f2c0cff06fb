//! How the rows are shared out: two blocks, the centre rows between them, and of those the rows of the prefix.

use std::ops::Range;

use super::prefixes::middle_rows;

/// The rows of a board of `n`, from the top:
/// block above, filling rows, prefix rows, filling rows, block below.
///
/// Prefix and filling rows together are the centre rows. The prefix rows are in the middle; with none of them all centre
/// rows are filling rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of the board.
    pub n: u32,
    /// Centre rows, those of the prefix included.
    pub centre: u32,
    /// Prefix rows.
    pub fixed: u32,
}

impl Shape {
    /// A shape, if these numbers make one: at least the middle lines in the centre, 1 to 12 rows in each block (more
    /// could need more diagonals than a key has bits), and all symmetric from top to bottom.
    pub fn new(n: u32, centre: u32, fixed: u32) -> Option<Self> {
        let symmetric = (n + centre).is_multiple_of(2) && (fixed == 0 || (n + fixed).is_multiple_of(2));
        (symmetric && n <= 32 && n - centre <= 24 && centre >= 2 - n % 2 && centre + 2 <= n && fixed <= centre)
            .then_some(Self { n, centre, fixed })
    }

    /// Rows of a block.
    pub fn block(self) -> u32 {
        (self.n - self.centre) / 2
    }

    /// The rows between the blocks.
    pub fn centre_rows(self) -> Range<u32> {
        self.block()..self.n - self.block()
    }

    /// The rows of the prefix.
    pub fn prefix_rows(self) -> Range<u32> {
        middle_rows(self.n, self.fixed)
    }

    /// The shape whose prefix also has the filling rows next to it: above and below, or the middle rows if it had none.
    ///
    /// # Panics
    /// If there are no filling rows.
    pub fn next_stage(self) -> Self {
        let fixed = if self.fixed == 0 { 2 - self.n % 2 } else { self.fixed + 2 };
        assert!(fixed <= self.centre, "no filling rows left");
        Self { fixed, ..self }
    }

    /// The rows that the next stage adds to the prefix, from the top.
    pub fn stage_rows(self) -> impl Iterator<Item = u32> {
        let (now, next) = (self.prefix_rows(), self.next_stage().prefix_rows());
        next.filter(move |row| !now.contains(row))
    }

    /// The centre rows outside the prefix, from the top.
    pub fn filling_rows(self) -> impl DoubleEndedIterator<Item = u32> {
        let prefix = self.prefix_rows();
        self.centre_rows().filter(move |row| !prefix.contains(row))
    }

    /// Columns that the centre rows leave free, which the two blocks share.
    pub fn free_columns(self) -> u32 {
        self.n - self.centre
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_add_up() {
        for n in 0..=32 {
            for centre in 0..=n {
                for fixed in 0..=n {
                    let Some(shape) = Shape::new(n, centre, fixed) else { continue };
                    let rows = 2 * shape.block() + shape.filling_rows().count() as u32 + fixed;
                    assert_eq!(rows, n, "{shape:?}");
                    assert_eq!(shape.prefix_rows().len() as u32, fixed, "{shape:?}");
                    assert!(
                        shape.filling_rows().eq(shape.filling_rows().rev().map(|row| n - 1 - row).collect::<Vec<_>>())
                    );
                }
            }
        }
        assert_eq!(Shape::new(18, 3, 0), None);
        assert_eq!(Shape::new(18, 0, 0), None);
        assert_eq!(Shape::new(4, 4, 0), None);
    }
}
