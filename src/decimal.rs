//! Numbers written as strings of decimal digits, because JSON readers lose digits beyond 2^53.

use std::fmt::Display;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number that is written as a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(pub u128);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|_| serde::de::Error::custom(format!("'{text}' is not a count")))
    }
}

/// Writes a number as a string of its digits.
///
/// # Errors
/// If the serializer fails.
pub fn decimal<S: Serializer>(number: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

/// The same for a number that may be missing.
///
/// # Errors
/// If the serializer fails.
pub fn some_decimal<S: Serializer>(number: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => decimal(number, serializer),
        None => serializer.serialize_none(),
    }
}
