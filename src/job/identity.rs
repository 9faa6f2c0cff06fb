//! What a job counts, so that files of another job are told apart.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::JobError;
use crate::error::Result;
use crate::method::Method;
use crate::plan::Plan;

/// The version of the order of prefixes: greater whenever a method enumerates them in another way.
const ORDER: u32 = 1;

/// A plan's facts, and a digest of them and of a sample of its prefixes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Rows and columns of the board.
    pub n: u32,
    /// How prefixes are made and finished.
    pub method: Method,
    /// How many rows deep they are.
    pub prefix_rows: u32,
    /// How many there are.
    pub prefixes: u64,
    /// SHA-256 of all that and of the plan's sample of prefixes: a program that enumerates them in another order has
    /// another digest, even if nobody thought of it.
    pub digest: String,
}

impl Identity {
    /// The identity of a plan.
    pub fn of(plan: &Plan) -> Self {
        let Plan { n, method, prefix_rows, prefixes, ref sample } = *plan;
        let mut hash = Sha256::new();
        hash.update(format!("nqueens order {ORDER}\n{n} {method} {prefix_rows} {prefixes}\n"));
        for (index, prefix) in sample {
            let board = &prefix.board;
            let numbers = [
                board.free_row_mask.into(),
                board.free_column_mask.into(),
                board.antidiagonal_mask,
                board.diagonal_mask,
            ];
            for number in numbers.into_iter().chain([*index, prefix.multiplicity.into()]) {
                hash.update(number.to_le_bytes());
            }
        }
        Self { n, method, prefix_rows, prefixes, digest: hex(&hash.finalize()) }
    }

    /// The plan that it is of, as this program makes it: to be compared with it.
    ///
    /// # Errors
    /// If the board or the depth is out of range, or there cannot be such a number of prefixes.
    pub fn plan(&self) -> Result<Plan> {
        let Self { n, prefix_rows: rows, prefixes, .. } = *self;
        Ok(Plan::recorded(n, self.method, rows, prefixes)?.ok_or(JobError::NoSuchPlan { n, rows, prefixes })?)
    }

    /// Each thing in which a file differs from what is asked for, or `None` if they are the same job.
    pub fn difference(&self, asked: &Self) -> Option<String> {
        let mut differences = Vec::new();
        let mut compare = |what: &str, own: String, asked: String| {
            if own != asked {
                differences.push(format!("{what} is {own} there and {asked} here"));
            }
        };
        compare("n", self.n.to_string(), asked.n.to_string());
        compare("the method", self.method.to_string(), asked.method.to_string());
        compare("the number of prefix rows", self.prefix_rows.to_string(), asked.prefix_rows.to_string());
        compare("the number of prefixes", self.prefixes.to_string(), asked.prefixes.to_string());
        if differences.is_empty() && self.digest != asked.digest {
            differences.push("its prefixes were enumerated in another way, by another version of the program".into());
        }
        (!differences.is_empty()).then(|| differences.join("; "))
    }
}

/// Bytes as lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_matters_changes_the_digest_and_is_named() {
        let plan = Plan::new(10, Method::RowOrder, Some(2), 0).unwrap();
        let own = Identity::of(&plan);
        assert_eq!(own.difference(&Identity::of(&plan.clone())), None);
        let mut reordered = plan.clone();
        reordered.sample.swap(0, 1);
        for (other, word) in [
            (Plan::new(11, Method::RowOrder, Some(2), 0).unwrap(), "n is 10 there and 11 here"),
            (Plan::new(10, Method::MostConstrained, Some(2), 0).unwrap(), "the method is row-order"),
            (Plan::new(10, Method::RowOrder, Some(3), 0).unwrap(), "prefix rows is 2 there and 3 here"),
            (reordered, "another version"),
        ] {
            let other = Identity::of(&other);
            assert_ne!(own.digest, other.digest);
            assert!(own.difference(&other).unwrap().contains(word), "{:?}", own.difference(&other));
        }
    }
}
