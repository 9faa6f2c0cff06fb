//! Marks of a plan: the paths to some of its prefixes, so that listing can start at any of them.

use serde::{Deserialize, Serialize};

/// Twice as many prefixes as are kept of a plan at the least: every second one goes when there are more.
pub const MAX_MARKS: usize = 4096;

/// The places of a plan's marks are the multiples of this.
pub fn stride(prefixes: u64) -> u64 {
    prefixes.div_ceil(MAX_MARKS as u64).next_power_of_two()
}

/// The path (`prefix::Search::path`) to a prefix, in files a digit of base 32 for each choice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Mark(Vec<u8>);

impl Mark {
    /// The mark of a prefix.
    pub fn new(path: Vec<u8>) -> Self {
        Self(path)
    }

    /// The choices that lead there.
    pub fn path(&self) -> &[u8] {
        &self.0
    }
}

impl From<Mark> for String {
    fn from(mark: Mark) -> Self {
        mark.0.iter().filter_map(|&choice| char::from_digit(choice.into(), 32)).collect()
    }
}

impl TryFrom<String> for Mark {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let path: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(32).map(|digit| digit as u8)).collect();
        path.map(Self).ok_or("a mark has digits of base 32")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_written_as_digits() {
        let text = serde_json::to_string(&Mark::new(vec![0, 9, 10, 31])).unwrap();
        assert_eq!(text, "\"09av\"");
        assert_eq!(serde_json::from_str::<Mark>(&text).unwrap().path(), [0, 9, 10, 31]);
        assert!(serde_json::from_str::<Mark>("\"0-\"").is_err());
    }

    #[test]
    fn marks_are_as_many_as_there_may_be() {
        assert_eq!([0, 1, 4096, 4097, 8192, 8193].map(stride), [1, 1, 1, 2, 2, 4]);
    }
}
