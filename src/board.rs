//! The board as bit masks: which rows and columns are free, which diagonals are occupied.

/// The largest board: a row of squares is one `u32`, the `2n - 1` diagonals of a direction are one `u64`.
pub const MAX_N: u32 = 32;

/// A mask with the lowest `n` bits set, `n` from 0 to 32.
pub(crate) const fn full_mask(n: u32) -> u32 {
    if n >= u32::BITS { u32::MAX } else { (1 << n) - 1 }
}

/// A row or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// The row of this number.
    Row(u32),
    /// The column of this number.
    Column(u32),
}

impl Line {
    /// The row and the column of the square `at` of this line.
    pub const fn square(self, at: u32) -> (u32, u32) {
        match self {
            Self::Row(row) => (row, at),
            Self::Column(column) => (at, column),
        }
    }
}

/// A board with some queens on it, none attacking another. Rows and columns count from 0, from the top left.
///
/// The queens themselves are not kept, only what they leave: that is all a search needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Rows and columns of the board, 0 to [`MAX_N`].
    pub(crate) n: u32,
    /// Bit `r` is set while row `r` has no queen.
    pub(crate) free_row_mask: u32,
    /// Bit `c` is set while column `c` has no queen.
    pub(crate) free_column_mask: u32,
    /// Bit `r + c` is set once the antidiagonal through `(r, c)` has a queen.
    pub(crate) antidiagonal_mask: u64,
    /// Bit `c + n - 1 - r` is set once the diagonal through `(r, c)` has a queen.
    pub(crate) diagonal_mask: u64,
}

impl Board {
    /// The empty board of `n` rows and columns.
    ///
    /// # Panics
    /// If `n` is greater than [`MAX_N`]; callers check what comes from outside.
    pub const fn empty(n: u32) -> Self {
        assert!(n <= MAX_N, "a board has at most 32 rows");
        Self { n, free_row_mask: full_mask(n), free_column_mask: full_mask(n), diagonal_mask: 0, antidiagonal_mask: 0 }
    }

    /// Rows and columns of the board, 0 to [`MAX_N`].
    pub const fn n(&self) -> u32 {
        self.n
    }

    /// The rows without a queen: bit `r` for row `r`.
    pub const fn free_row_mask(&self) -> u32 {
        self.free_row_mask
    }

    /// The columns without a queen: bit `c` for column `c`.
    pub const fn free_column_mask(&self) -> u32 {
        self.free_column_mask
    }

    /// The diagonals with a queen: bit `c + n - 1 - r` for the one through `(r, c)`.
    pub const fn diagonal_mask(&self) -> u64 {
        self.diagonal_mask
    }

    /// The antidiagonals with a queen: bit `r + c` for the one through `(r, c)`.
    pub const fn antidiagonal_mask(&self) -> u64 {
        self.antidiagonal_mask
    }

    /// The number of rows without a queen.
    pub const fn free_rows(&self) -> u32 {
        self.free_row_mask.count_ones()
    }

    /// The number of queens on the board.
    pub const fn queens(&self) -> u32 {
        self.n - self.free_rows()
    }

    /// The columns, as a mask, where a queen in the free row `row` would attack no queen.
    pub const fn free_squares(&self, row: u32) -> u32 {
        let attacked = (self.antidiagonal_mask >> row) | (self.diagonal_mask >> (self.n - 1 - row));
        self.free_column_mask & !(attacked as u32)
    }

    /// The rows, as a mask, where a queen in the free column `column` would attack no queen.
    pub(crate) const fn free_squares_of_column(&self, column: u32) -> u32 {
        // Bit n - 1 - r of the window belongs to row r: turned round, it is at bit r.
        let window = (self.diagonal_mask >> column) as u32;
        let mirrored = window.reverse_bits() >> (u32::BITS - self.n);
        self.free_row_mask & !((self.antidiagonal_mask >> column) as u32 | mirrored)
    }

    /// The free squares of a line: columns of a row, rows of a column.
    pub(crate) const fn free_squares_of(&self, line: Line) -> u32 {
        match line {
            Line::Row(row) => self.free_squares(row),
            Line::Column(column) => self.free_squares_of_column(column),
        }
    }

    /// Whether a line has no queen yet.
    pub(crate) const fn is_open(&self, line: Line) -> bool {
        match line {
            Line::Row(row) => (self.free_row_mask >> row) & 1 == 1,
            Line::Column(column) => (self.free_column_mask >> column) & 1 == 1,
        }
    }

    /// The board with one more queen, on square `at` of a line.
    #[must_use]
    pub(crate) const fn place_on(self, line: Line, at: u32) -> Self {
        let (row, column) = line.square(at);
        self.place(row, column)
    }

    /// The board mirrored on its main diagonal: rows become columns.
    #[must_use]
    pub(crate) const fn transposed(&self) -> Self {
        // (r, c) goes to (c, r): r + c stays, c + n - 1 - r turns round within its 2n - 1 bits.
        let turned = if self.n == 0 { 0 } else { self.diagonal_mask.reverse_bits() >> (u64::BITS - (2 * self.n - 1)) };
        Self {
            free_row_mask: self.free_column_mask,
            free_column_mask: self.free_row_mask,
            diagonal_mask: turned,
            ..*self
        }
    }

    /// Whether a queen on this square would attack no queen.
    pub const fn is_free(&self, row: u32, column: u32) -> bool {
        (self.free_row_mask >> row) & (self.free_squares(row) >> column) & 1 == 1
    }

    /// The board with one more queen, on a square that [is free](Self::is_free).
    #[must_use]
    pub const fn place(mut self, row: u32, column: u32) -> Self {
        debug_assert!(self.is_free(row, column));
        self.free_row_mask &= !(1 << row);
        self.free_column_mask &= !(1 << column);
        self.antidiagonal_mask |= 1 << (row + column);
        self.diagonal_mask |= 1 << (column + self.n - 1 - row);
        self
    }
}

impl Board {
    /// The board with more queens, if none of them attacks another.
    #[must_use]
    pub(crate) fn place_all(self, squares: impl IntoIterator<Item = (u32, u32)>) -> Option<Self> {
        let place = |board: Self, (row, column)| board.is_free(row, column).then(|| board.place(row, column));
        squares.into_iter().try_fold(self, place)
    }
}

/// The set bits of a mask, lowest first.
pub fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros();
            mask &= mask - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queen_attacks_along_all_four_lines() {
        for n in [1, 2, 5, 8, 31, 32] {
            for (row, column) in [(0, 0), (n / 2, n / 3), (n - 1, n - 1), (0, n - 1)] {
                let board = Board::empty(n).place(row, column);
                for r in 0..n {
                    for c in 0..n {
                        let attacked = r == row || c == column || r + c == row + column || r + column == row + c;
                        assert_eq!(board.is_free(r, c), !attacked, "n={n} queen ({row},{column}) square ({r},{c})");
                    }
                }
            }
        }
    }

    #[test]
    fn bits_come_lowest_first() {
        assert_eq!(bits(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
        assert_eq!(bits(0).count(), 0);
        assert_eq!(bits(u32::MAX).count(), 32);
    }
}
