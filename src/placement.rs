//! Placements: one queen a row, none attacking another, as the list of the queens' columns.
//!
//! ```
//! use nqueens::{Error, Placement};
//!
//! let placement: Placement = "1,3,0,2".parse()?;
//! assert_eq!(placement.columns(), [1, 3, 0, 2]);
//! assert_eq!(placement.to_string(), "1 3 0 2");
//!
//! let Err(Error::Attacked(attack)) = "0 2 1 3".parse::<Placement>() else { panic!("two queens attack each other") };
//! assert_eq!(attack.to_string(), "the queens in row 0, column 0 and row 3, column 3 attack each other along a \
//!                                 diagonal (rows and columns count from 0)");
//! # Ok::<(), Error>(())
//! ```

use std::fmt;
use std::str::FromStr;

pub use crate::attack::{Attack, AttackLine, Square};
use crate::board::MAX_N;
use crate::error::{Error, Result};

/// A solution: a queen in each row and each column, none attacking another. Rows and columns count from 0, from the top
/// left. The order of placements of one size is the lexicographic order of their columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    n: u8,
    /// By row; 0 in the rows that a smaller board has not.
    columns: [u8; MAX_N as usize],
}

impl Placement {
    /// The placement with these columns, row by row from the top.
    ///
    /// # Errors
    /// [`Error::BoardSize`] for more than [`MAX_N`] rows, [`Error::OffBoard`] for a column that the board does not have,
    /// and [`Error::Attacked`], which names the queens, if two attack each other.
    pub fn new(columns: &[u8]) -> Result<Self> {
        check_squares(columns)?;
        match Attack::find(columns) {
            Some(attack) => Err(Error::Attacked(attack)),
            None => Ok(Self::found(columns)),
        }
    }

    /// The placement with these columns, which a search has found and need not be checked.
    pub(crate) fn found(columns: &[u8]) -> Self {
        debug_assert_eq!(Attack::find(columns), None, "a search gives solutions only");
        let mut all = [0; MAX_N as usize];
        all[..columns.len()].copy_from_slice(columns);
        Self { n: columns.len() as u8, columns: all }
    }

    /// Rows and columns of the board, which is also the number of queens.
    pub const fn n(&self) -> u32 {
        self.n as u32
    }

    /// The column of each row's queen.
    pub fn columns(&self) -> &[u8] {
        &self.columns[..usize::from(self.n)]
    }
}

/// `1 3 0 2`
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, &column) in self.columns().iter().enumerate() {
            if row > 0 {
                f.write_str(" ")?;
            }
            f.write_str(digits(column))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}

/// Reads `1 3 0 2` and `1,3,0,2`.
impl FromStr for Placement {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::new(&read_columns(text)?)
    }
}

/// Reads a list of columns, `1 3 0 2` or `1,3,0,2`, each on the board but with queens that may attack each other.
///
/// # Errors
/// [`Error::NotAColumn`] for anything but numbers, [`Error::BoardSize`] and [`Error::OffBoard`] as in
/// [`Placement::new`].
pub fn read_columns(text: &str) -> Result<Vec<u8>> {
    /// As much of a wrong word as helps.
    const SHOWN: usize = 32;
    let column = |word: &str| {
        word.trim().parse::<u8>().map_err(|_| Error::NotAColumn(word.trim().chars().take(SHOWN).collect()))
    };
    // One more than a board has is too many; the rest is not even read.
    let some = MAX_N as usize + 1;
    let columns: Vec<u8> = match text.contains(',') {
        true => text.split(',').take(some).map(column).collect::<Result<_>>()?,
        false => text.split_whitespace().take(some).map(column).collect::<Result<_>>()?,
    };
    check_squares(&columns)?;
    Ok(columns)
}

/// Whether there is such a board and all queens are on it.
fn check_squares(columns: &[u8]) -> Result<()> {
    let n = u32::try_from(columns.len()).unwrap_or(u32::MAX);
    if n > MAX_N {
        return Err(Error::BoardSize(n));
    }
    match (0..).zip(columns).find(|&(_, &column)| u32::from(column) >= n) {
        Some((row, &column)) => Err(Error::OffBoard { row, column: column.into(), n }),
        None => Ok(()),
    }
}

/// A row or column number in decimal. Faster than formatting it: this is where the time goes when boards are written by
/// the million.
pub(crate) fn digits(number: u8) -> &'static str {
    const DIGITS: [&str; MAX_N as usize] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
        "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
    ];
    DIGITS[usize::from(number)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_there_and_back() {
        for text in ["", "0", "1 3 0 2", "0 4 7 5 2 6 1 3"] {
            assert_eq!(text.parse::<Placement>().unwrap().to_string(), text);
            assert_eq!(text.replace(' ', ",").parse::<Placement>().unwrap().to_string(), text);
        }
        assert_eq!(" 1, 3 ,0,\t2\n".parse::<Placement>().unwrap().columns(), [1, 3, 0, 2]);
        for number in 0..32 {
            assert_eq!(digits(number), number.to_string());
        }
    }

    #[test]
    fn errors_name_the_mistake() {
        let error = |text: &str| text.parse::<Placement>().unwrap_err().to_string();
        assert!(error("1,x,0,2").starts_with("'x' is not a column"));
        assert!(error("1,,0,2").starts_with("'' is not a column"));
        assert!(error("1;3;0;2").starts_with("'1;3;0;2' is not a column"));
        assert!(error("-1 3 0 2").starts_with("'-1' is not a column"));
        assert!(error("1 3 999 2").starts_with("'999' is not a column"));
        assert!(error("1 3 4 2").starts_with("column 4 in row 2 is off the board"));
        assert!(error(&["0"; 33].join(",")).starts_with("n = 33 is out of range"));
    }

    #[test]
    fn no_text_is_too_odd_to_be_refused() {
        let mut random = fastrand::Rng::with_seed(0x0DD);
        let letters: Vec<char> = "0123,, -+.é\t\0".chars().collect();
        for _ in 0..10_000 {
            let length = random.usize(..8);
            let text: String = (0..length).map(|_| *random.choice(&letters).unwrap()).collect();
            if let Ok(placement) = text.parse::<Placement>() {
                assert_eq!(placement.to_string().parse::<Placement>().unwrap(), placement, "{text:?}");
            }
        }
    }
}
