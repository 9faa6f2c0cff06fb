//! The exact sums of a part of a job, with what shows that they fit together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::decimal::Decimal;
use crate::error::{Error, Result};
use crate::prefix::Prefix;

/// The prime that residues are taken by, 2^61 - 1.
pub const PRIME: u64 = (1 << 61) - 1;

/// What some finished prefixes add up to. Nothing in it wraps: sums that would are errors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How many prefixes.
    pub prefixes: u64,
    /// Solutions: the sum of multiplicity times completions.
    pub solutions: Decimal,
    /// The completions of the prefixes of each multiplicity, the parts of the sum by symmetry class.
    pub completions: BTreeMap<u32, Decimal>,
    /// The solutions modulo 2^61 - 1, summed on its own from the counts of the prefixes.
    pub residue: u64,
    /// Queens placed, where all of them were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { prefixes: 0, solutions: Decimal(0), completions: BTreeMap::new(), residue: 0, nodes: Some(0) }
    }
}

impl Tally {
    /// The sums of a batch.
    ///
    /// # Errors
    /// If a sum would pass its range.
    ///
    /// # Panics
    /// If there is not one count for each prefix.
    pub fn from_batch(batch: &[Prefix], counts: &[u64], nodes: Option<u64>) -> Result<Self> {
        assert_eq!(batch.len(), counts.len(), "a backend gives one count for each prefix");
        let mut tally = Self { prefixes: batch.len() as u64, nodes, ..Self::default() };
        for (prefix, &count) in batch.iter().zip(counts) {
            let (multiplicity, count) = (u128::from(prefix.multiplicity), u128::from(count));
            let images = multiplicity.checked_mul(count).ok_or(Error::Overflow)?;
            tally.solutions.0 = tally.solutions.0.checked_add(images).ok_or(Error::Overflow)?;
            let completions = &mut tally.completions.entry(prefix.multiplicity).or_default().0;
            *completions = completions.checked_add(count).ok_or(Error::Overflow)?;
            tally.residue = ((u128::from(tally.residue) + images) % u128::from(PRIME)) as u64;
        }
        Ok(tally)
    }

    /// Adds the sums of other prefixes.
    ///
    /// # Errors
    /// If a sum would pass its range; then nothing is changed.
    pub(crate) fn add(&mut self, other: &Self) -> Result<()> {
        let mut sum = self.clone();
        sum.prefixes = sum.prefixes.checked_add(other.prefixes).ok_or(Error::Overflow)?;
        sum.solutions.0 = sum.solutions.0.checked_add(other.solutions.0).ok_or(Error::Overflow)?;
        for (&multiplicity, completions) in &other.completions {
            let own = &mut sum.completions.entry(multiplicity).or_default().0;
            *own = own.checked_add(completions.0).ok_or(Error::Overflow)?;
        }
        sum.residue = ((u128::from(sum.residue) + u128::from(other.residue)) % u128::from(PRIME)) as u64;
        sum.nodes = match (sum.nodes, other.nodes) {
            (Some(a), Some(b)) => Some(a.checked_add(b).ok_or(Error::Overflow)?),
            _ => None,
        };
        *self = sum;
        Ok(())
    }

    /// Whether the three sums of the same solutions agree: the total, its residue, and its parts by multiplicity.
    pub fn is_consistent(&self) -> bool {
        let parts = self.completions.iter().try_fold(0u128, |sum, (&multiplicity, completions)| {
            sum.checked_add(completions.0.checked_mul(multiplicity.into())?)
        });
        parts == Some(self.solutions.0) && self.solutions.0 % u128::from(PRIME) == u128::from(self.residue)
    }

    /// Whether the counts are the same, whatever is known about the nodes.
    pub(crate) fn same_counts(&self, other: &Self) -> bool {
        Self { nodes: None, ..self.clone() } == Self { nodes: None, ..other.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn prefix(multiplicity: u32) -> Prefix {
        Prefix::new(Board::empty(1), multiplicity)
    }

    #[test]
    fn sums_are_exact_past_32_and_64_bits() {
        let mut sum = Tally::default();
        let counts = [u64::from(u32::MAX) + 1, u64::MAX, u64::MAX - 1];
        let batch = [prefix(8), prefix(8), prefix(4)];
        for _ in 0..3 {
            sum.add(&Tally::from_batch(&batch, &counts, Some(1)).unwrap()).unwrap();
        }
        let expected = 3 * (8 * (1u128 << 32) + 8 * u128::from(u64::MAX) + 4 * (u128::from(u64::MAX) - 1));
        assert_eq!((sum.solutions.0, sum.prefixes, sum.nodes), (expected, 9, Some(3)));
        assert!(sum.is_consistent());
        let text = serde_json::to_string(&sum).unwrap();
        assert_eq!(serde_json::from_str::<Tally>(&text).unwrap(), sum, "{text}");
    }

    #[test]
    fn overflow_of_128_bits_is_an_error_and_changes_nothing() {
        let room = 2 * u128::from(u64::MAX);
        let other = Tally::from_batch(&[prefix(2)], &[u64::MAX], None).unwrap();
        let near = |solutions| Tally { solutions: Decimal(solutions), ..Tally::default() };
        let mut fits = near(u128::MAX - room);
        fits.add(&other).unwrap();
        assert_eq!(fits.solutions.0, u128::MAX);
        let mut full = near(u128::MAX - room + 1);
        assert!(matches!(full.add(&other), Err(Error::Overflow)));
        assert_eq!(full, near(u128::MAX - room + 1));
        let mut parts = Tally { completions: [(2, Decimal(u128::MAX))].into(), ..Tally::default() };
        assert!(matches!(parts.add(&other), Err(Error::Overflow)));
        let mut prefixes = Tally { prefixes: u64::MAX, ..Tally::default() };
        assert!(matches!(prefixes.add(&other), Err(Error::Overflow)));
        let mut nodes = Tally { nodes: Some(u64::MAX), ..Tally::default() };
        assert!(matches!(nodes.add(&Tally { nodes: Some(1), ..other }), Err(Error::Overflow)));
    }

    #[test]
    fn one_wrong_sum_is_noticed() {
        let right = Tally::from_batch(&[prefix(8), prefix(4)], &[5, 7], None).unwrap();
        assert!(right.is_consistent());
        for bit in 0..128 {
            let flipped = Decimal(right.solutions.0 ^ 1 << bit);
            assert!(!Tally { solutions: flipped, ..right.clone() }.is_consistent(), "bit {bit}");
        }
        assert!(!Tally { residue: right.residue ^ 1, ..right.clone() }.is_consistent());
        assert!(!Tally { completions: BTreeMap::new(), ..right }.is_consistent());
    }
}
