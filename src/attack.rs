//! Two queens that attack each other, and the line along which they do.

use std::fmt;

/// A square of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Square {
    /// Its row, from 0 at the top.
    pub row: u32,
    /// Its column, from 0 at the left.
    pub column: u32,
}

/// The line along which two queens attack each other. There is no `Row`: a list of columns has one queen in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttackLine {
    /// The same column.
    Column,
    /// The same row - column: from the top left to the bottom right.
    Diagonal,
    /// The same row + column: from the top right to the bottom left.
    Antidiagonal,
}

/// Two queens that attack each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Attack {
    /// The upper queen.
    pub first: Square,
    /// The lower queen.
    pub second: Square,
    /// The line they share.
    pub line: AttackLine,
}

impl Attack {
    /// The first two queens, by their rows, that attack each other, of those in these columns, row by row from the top. No
    /// third stands between them.
    pub fn find(columns: &[u8]) -> Option<Self> {
        let squares = || (0..).zip(columns).map(|(row, &column)| Square { row, column: column.into() });
        squares().find_map(|first| {
            squares().skip(first.row as usize + 1).find_map(|second| {
                let line = if first.column == second.column {
                    AttackLine::Column
                } else if first.row + second.column == second.row + first.column {
                    AttackLine::Diagonal
                } else if first.row + first.column == second.row + second.column {
                    AttackLine::Antidiagonal
                } else {
                    return None;
                };
                Some(Self { first, second, line })
            })
        })
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match self.line {
            AttackLine::Column => "their column",
            AttackLine::Diagonal => "a diagonal",
            AttackLine::Antidiagonal => "an antidiagonal",
        };
        let Self { first, second, .. } = self;
        write!(
            f,
            "the queens in row {}, column {} and row {}, column {} attack each other along {line} (rows and columns count \
             from 0)",
            first.row, first.column, second.row, second.column
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn the_first_attack_is_found() {
        let attack = |columns: &[u8]| {
            Attack::find(columns).map(|a| ((a.first.row, a.first.column), (a.second.row, a.second.column), a.line))
        };
        assert_eq!(attack(&[0, 0]), Some(((0, 0), (1, 0), AttackLine::Column)));
        assert_eq!(attack(&[2, 0, 1]), Some(((1, 0), (2, 1), AttackLine::Diagonal)));
        assert_eq!(attack(&[2, 0, 0]), Some(((0, 2), (2, 0), AttackLine::Antidiagonal)));
        assert_eq!(attack(&[0, 3, 1, 2]), Some(((2, 1), (3, 2), AttackLine::Diagonal)));
        // Three on one diagonal: the outer two do not see each other.
        assert_eq!(attack(&[0, 1, 2]), Some(((0, 0), (1, 1), AttackLine::Diagonal)));
        assert_eq!(attack(&[1, 3, 0, 2]), None);
        assert_eq!(attack(&[]), None);
    }

    /// The bit masks of [`Board`] and the pairs of queens agree on what an attack is.
    #[test]
    fn a_board_takes_just_the_placements_without_an_attack() {
        let mut random = fastrand::Rng::with_seed(0xB0A2D);
        let mut solutions = 0;
        for _ in 0..100_000 {
            let n = random.u8(1..=6);
            let columns: Vec<u8> = (0..n).map(|_| random.u8(..n)).collect();
            let all = (0..).zip(&columns).try_fold(Board::empty(n.into()), |board, (row, &column)| {
                board.is_free(row, column.into()).then(|| board.place(row, column.into()))
            });
            assert_eq!(all.is_some(), Attack::find(&columns).is_none(), "{columns:?}");
            solutions += u32::from(all.is_some());
        }
        assert!(solutions > 1000, "{solutions}");
    }
}
