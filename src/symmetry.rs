//! The eight symmetries of the square: images of squares and of placements, canonical forms, classes.
//!
//! ```
//! use nqueens::{Placement, symmetry::{Class, Symmetry}};
//!
//! let placement: Placement = "2 0 3 1".parse()?;
//! assert_eq!(placement.image(Symmetry::LeftRight).to_string(), "1 3 0 2");
//! assert_eq!(placement.canonical().to_string(), "1 3 0 2");
//! assert_eq!(placement.class(), Class::QuarterTurn);
//! assert_eq!(placement.distinct_images().len(), 2);
//! # Ok::<(), nqueens::Error>(())
//! ```

use std::fmt;

use crate::board::MAX_N;
use crate::placement::Placement;

/// A rotation (clockwise) or reflection of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// Everything stays.
    Identity,
    /// By 90 degrees.
    QuarterTurn,
    /// By 180 degrees.
    HalfTurn,
    /// By 270 degrees.
    ThreeQuarterTurn,
    /// The columns in reverse.
    LeftRight,
    /// The rows in reverse.
    TopBottom,
    /// Rows become columns: reflection in the line from the top left to the bottom right.
    Transpose,
    /// Reflection in the line from the top right to the bottom left.
    AntiTranspose,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::QuarterTurn,
        Self::HalfTurn,
        Self::ThreeQuarterTurn,
        Self::LeftRight,
        Self::TopBottom,
        Self::Transpose,
        Self::AntiTranspose,
    ];

    /// Each symmetry is up to three steps, in this order: swap rows with columns, reverse the rows, reverse the columns.
    const fn steps(self) -> (bool, bool, bool) {
        match self {
            Self::Identity => (false, false, false),
            Self::QuarterTurn => (true, false, true),
            Self::HalfTurn => (false, true, true),
            Self::ThreeQuarterTurn => (true, true, false),
            Self::LeftRight => (false, false, true),
            Self::TopBottom => (false, true, false),
            Self::Transpose => (true, false, false),
            Self::AntiTranspose => (true, true, true),
        }
    }

    /// Where the square `(row, column)` of a board of `n` goes: for whole placements and for single queens alike.
    pub const fn square(self, n: u32, row: u32, column: u32) -> (u32, u32) {
        let (swap, reverse_rows, reverse_columns) = self.steps();
        let (row, column) = if swap { (column, row) } else { (row, column) };
        (if reverse_rows { n - 1 - row } else { row }, if reverse_columns { n - 1 - column } else { column })
    }

    /// Its name in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identity => "itself",
            Self::QuarterTurn => "quarter turn",
            Self::HalfTurn => "half turn",
            Self::ThreeQuarterTurn => "three-quarter turn",
            Self::LeftRight => "left-right mirror",
            Self::TopBottom => "top-bottom mirror",
            Self::Transpose => "transpose",
            Self::AntiTranspose => "antitranspose",
        }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Some of the eight symmetries that form a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymmetryGroup(u8);

impl SymmetryGroup {
    /// All eight.
    pub const ALL: Self = Self(0xff);
    /// The identity alone.
    #[cfg(test)]
    pub(crate) const IDENTITY: Self = Self(1 << Symmetry::Identity as u8);

    /// Whether a symmetry is among them.
    pub const fn contains(self, symmetry: Symmetry) -> bool {
        self.0 >> symmetry as u8 & 1 == 1
    }

    /// How many there are.
    pub const fn order(self) -> u32 {
        self.0.count_ones()
    }

    /// Its elements, the identity first.
    pub fn iter(self) -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL.into_iter().filter(move |&symmetry| self.contains(symmetry))
    }

    /// The number of different images of some queens on a board of `n`, and whether the queens are the smallest of them.
    pub(crate) fn orbit(self, n: u32, queens: &[(u32, u32)]) -> (u32, bool) {
        let mut own = queens.to_vec();
        own.sort_unstable();
        let mut image = Vec::with_capacity(own.len());
        let (mut unmoved, mut canonical) = (0, true);
        for symmetry in self.iter() {
            image.clear();
            image.extend(own.iter().map(|&(row, column)| symmetry.square(n, row, column)));
            image.sort_unstable();
            unmoved += u32::from(image == own);
            canonical &= own <= image;
        }
        (self.order() / unmoved, canonical)
    }
}

/// Which rotations leave a solution unchanged. For n > 1 no reflection does: a queen off its axis attacks its image, and
/// the axis has room for one queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// None but the identity: eight images.
    None,
    /// The half turn: four images.
    HalfTurn,
    /// The quarter turn, and with it the half turn: two images, or one for n < 2.
    QuarterTurn,
}

impl Class {
    /// The rotations that leave a solution of this class unchanged.
    pub const fn rotations(self) -> &'static [Symmetry] {
        match self {
            Self::None => &[Symmetry::Identity],
            Self::HalfTurn => &[Symmetry::Identity, Symmetry::HalfTurn],
            Self::QuarterTurn => {
                &[Symmetry::Identity, Symmetry::QuarterTurn, Symmetry::HalfTurn, Symmetry::ThreeQuarterTurn]
            }
        }
    }
}

impl Class {
    /// The images of a square of a board of `n` under the rotations of the class, the square itself first.
    pub(crate) fn images(self, n: u32, row: u32, column: u32) -> impl Iterator<Item = (u32, u32)> {
        self.rotations().iter().map(move |rotation| rotation.square(n, row, column))
    }
}

/// The name of the class, as on the command line.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::HalfTurn => "half-turn",
            Self::QuarterTurn => "quarter-turn",
        })
    }
}

impl Placement {
    /// The rotated or reflected placement.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Self {
        let mut columns = [0; MAX_N as usize];
        for (row, &column) in (0..).zip(self.columns()) {
            let (row, column) = symmetry.square(self.n(), row, column.into());
            columns[row as usize] = column as u8;
        }
        Self::found(&columns[..self.n() as usize])
    }

    /// All eight images, in the order of [`Symmetry::ALL`]; some are equal if the placement is symmetric.
    pub fn images(&self) -> [Self; 8] {
        Symmetry::ALL.map(|symmetry| self.image(symmetry))
    }

    /// The images without repetitions, in lexicographic order: the canonical form first.
    pub fn distinct_images(&self) -> Vec<Self> {
        let mut images = self.images().to_vec();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// The lexicographically smallest image, the same for all images of a placement.
    #[must_use]
    pub fn canonical(&self) -> Self {
        self.images().into_iter().min().expect("there are eight images")
    }

    /// Whether this is the [canonical](Self::canonical) one of its images. Compares row by row, without building them.
    pub fn is_canonical(&self) -> bool {
        let columns = self.columns();
        let mut rows = [0; MAX_N as usize];
        for (row, &column) in (0..).zip(columns) {
            rows[usize::from(column)] = row;
        }
        let rows = &rows[..columns.len()];
        Symmetry::ALL[1..].iter().all(|symmetry| {
            let (swap, reverse_rows, reverse_columns) = symmetry.steps();
            let line = if swap { rows } else { columns };
            let n = line.len();
            let image = (0..n).map(|row| {
                let place = usize::from(line[if reverse_rows { n - 1 - row } else { row }]);
                (if reverse_columns { n - 1 - place } else { place }) as u8
            });
            columns.iter().copied().le(image)
        })
    }

    /// Which rotations leave this placement unchanged.
    pub fn class(&self) -> Class {
        if self.image(Symmetry::QuarterTurn) == *self {
            Class::QuarterTurn
        } else if self.image(Symmetry::HalfTurn) == *self {
            Class::HalfTurn
        } else {
            Class::None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solutions::solutions;

    #[test]
    fn a_corner_goes_round_clockwise() {
        assert_eq!(Symmetry::QuarterTurn.square(5, 0, 0), (0, 4));
        assert_eq!(Symmetry::QuarterTurn.square(5, 0, 4), (4, 4));
        assert_eq!(Symmetry::ThreeQuarterTurn.square(5, 0, 1), (3, 0));
        assert_eq!(Symmetry::AntiTranspose.square(5, 0, 0), (4, 4));
        assert_eq!(Symmetry::AntiTranspose.square(5, 1, 3), (1, 3));
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.square(1, 0, 0), (0, 0));
        }
    }

    #[test]
    fn orbits_of_two_queens_add_up_to_all_pairs_of_squares() {
        let canonical = |n, queens: &[(u32, u32)]| {
            let (size, smallest) = SymmetryGroup::ALL.orbit(n, queens);
            smallest.then_some(size)
        };
        for n in 1..=6u32 {
            let squares: Vec<_> = (0..n).flat_map(|row| (0..n).map(move |column| (row, column))).collect();
            let pairs = (0..squares.len()).flat_map(|i| squares[..i].iter().map(move |&b| (b, i)));
            let sum: u32 = pairs.filter_map(|(b, i)| canonical(n, &[b, squares[i]])).sum();
            assert_eq!(sum, n * n * (n * n - 1) / 2, "n={n}");
        }
        assert_eq!(canonical(5, &[(2, 2)]), Some(1));
        assert_eq!(canonical(5, &[(4, 4)]), None);
        assert_eq!(canonical(0, &[]), Some(1));
        assert_eq!(SymmetryGroup::IDENTITY.orbit(5, &[(4, 4)]), (1, true));
    }

    #[test]
    fn turns_and_mirrors_compose() {
        for placement in solutions(7).unwrap() {
            let quarter = placement.image(Symmetry::QuarterTurn);
            assert_eq!(quarter.image(Symmetry::QuarterTurn), placement.image(Symmetry::HalfTurn));
            assert_eq!(quarter.image(Symmetry::HalfTurn), placement.image(Symmetry::ThreeQuarterTurn));
            assert_eq!(quarter.image(Symmetry::LeftRight), placement.image(Symmetry::Transpose));
            assert_eq!(quarter.image(Symmetry::TopBottom), placement.image(Symmetry::AntiTranspose));
        }
    }

    #[test]
    fn classes_and_canonical_forms_agree_with_the_images() {
        for n in 0..=9 {
            for placement in solutions(n).unwrap() {
                let images = placement.distinct_images();
                assert_eq!(placement.is_canonical(), placement == images[0], "{placement}");
                assert!(
                    images.iter().all(|image| image.canonical() == images[0] && image.class() == placement.class())
                );
                let expected = match placement.class() {
                    Class::QuarterTurn if n < 2 => 1,
                    class => 8 / class.rotations().len(),
                };
                assert_eq!(images.len(), expected, "{placement}");
            }
        }
    }
}
