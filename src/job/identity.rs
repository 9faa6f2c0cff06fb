//! What a job counts, so that files of another job are told apart.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::JobError;
use crate::error::{Error, Result};
use crate::marks::Mark;
use crate::method::Method;
use crate::plan::Plan;
use crate::problem::Problem;

/// The version of the order of prefixes: greater whenever a method enumerates them in another way.
const ORDER: u32 = 1;

/// A plan's facts, and a digest of them and of a sample of its prefixes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Rows and columns of the board.
    pub n: u32,
    /// How prefixes are made and finished.
    pub method: Method,
    /// How many rows deep the prefixes are.
    #[serde(rename = "prefix_rows")]
    pub depth: u32,
    /// How many there are.
    pub prefixes: u64,
    /// SHA-256 of all that and of the plan's sample of prefixes: a program that enumerates them in another order has
    /// another digest, even if nobody thought of it.
    pub digest: String,
}

impl Identity {
    /// The identity of a plan.
    pub fn new(plan: &Plan) -> Self {
        let (n, method, depth, prefixes) = (plan.n(), plan.method(), plan.depth(), plan.prefixes());
        let mut hash = Sha256::new();
        hash.update(format!("nqueens order {ORDER}\n{n} {method} {depth} {prefixes}\n"));
        if let Some(weights) = method.properties().weights {
            hash.update(format!("weights {weights}\n"));
        }
        for (index, prefix) in plan.sample() {
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
        Self { n, method, depth, prefixes, digest: hex(&hash.finalize()) }
    }

    /// The plan that it is of, as this program makes it: to be compared with it.
    ///
    /// # Errors
    /// If the board or the depth is out of range, there cannot be such a number of prefixes, or the marks are not its.
    pub fn plan(&self, marks: Option<&[Mark]>) -> Result<Plan> {
        let Self { n, method, depth, prefixes, .. } = *self;
        let refused = || JobError::NoSuchPlan { n, depth, prefixes };
        let plan = Problem::empty(n).and_then(|problem| match marks {
            Some(marks) => Ok(Some(
                Plan::from_marks(&problem, method, depth, prefixes, marks).ok_or(JobError::Marks { n, depth })?,
            )),
            None => Plan::from_record(&problem, method, depth, prefixes),
        });
        match plan {
            Ok(Some(plan)) => Ok(plan),
            // The file asks for it, not the user.
            Ok(None) | Err(Error::BoardSize(_) | Error::Depth { .. }) => Err(refused().into()),
            Err(error) => Err(error),
        }
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
        compare("the depth of the prefixes", self.depth.to_string(), asked.depth.to_string());
        compare("the number of prefixes", self.prefixes.to_string(), asked.prefixes.to_string());
        if differences.is_empty() && self.digest != asked.digest {
            differences.push(
                "its prefixes were enumerated or weighted in another way, by another version of the program".into(),
            );
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

    fn plan(n: u32, method: Method, depth: u32) -> Plan {
        Plan::with_depth(&Problem::empty(n).unwrap(), method, depth).unwrap()
    }

    #[test]
    fn everything_that_matters_changes_the_digest_and_is_named() {
        let own = Identity::new(&plan(10, Method::RowOrder, 2));
        assert_eq!(own.difference(&Identity::new(&plan(10, Method::RowOrder, 2))), None);
        let reordered = Identity { digest: "0".repeat(64), ..own.clone() };
        for (other, word) in [
            (Identity::new(&plan(11, Method::RowOrder, 2)), "n is 10 there and 11 here"),
            (Identity::new(&plan(10, Method::MostConstrained, 2)), "the method is row-order"),
            (Identity::new(&plan(10, Method::RowOrder, 3)), "depth of the prefixes is 2 there and 3 here"),
            (reordered, "another version"),
        ] {
            assert_ne!(own.digest, other.digest);
            assert!(own.difference(&other).unwrap().contains(word), "{:?}", own.difference(&other));
        }
    }

    /// As version 0.1.0 wrote them, so that its files stay valid; but for half joins, whose weights are others now.
    #[test]
    fn digests_stay_as_they_were() {
        let digest = |n, method, depth| Identity::new(&plan(n, method, depth)).digest;
        for (n, method, depth, expected) in [
            (10, Method::RowOrder, 3, "6ff1393065c5000cea57d830aad8fc970a1c8bff6c06b2ef7f2953766a3e8bca"),
            (12, Method::MostConstrained, 4, "bc6e3cb380ca83459cc1d158f4df8bfd0aa5ce734cdd1dc724db0ac41b58ca62"),
        ] {
            assert_eq!(digest(n, method, depth), expected, "{method} n={n} depth={depth}");
        }
        let weighted_as_then = "bbb302c11c744ae0c736d878fa80b5dee48243ca4e93e1a6d94edad216935c55";
        assert_ne!(digest(14, Method::HalfJoin, 4), weighted_as_then);
    }
}
