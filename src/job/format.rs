//! The format of every file of a job: one JSON object whose first member is the SHA-256 of all that follows it.
//!
//! `{"sha256":"<64 digits>","format":"nqueens checkpoint","version":1, ... }` and a line feed. No byte is without a
//! meaning: a file that is changed or cut anywhere does not decode.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::identity::hex;
use crate::files::START;
use crate::report::shown;

/// The version of the files that this program writes, and the only one that it reads.
pub const VERSION: u32 = 1;

/// Why a file does not decode.
#[derive(Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// It does not begin as any file of this program.
    NotOurs,
    /// It is not what was written.
    Damaged(String),
    /// It is, but it is something else or of another version.
    Unsupported(String),
}

#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// The bytes of a file of this kind.
pub fn encode(kind: &str, content: &impl Serialize) -> Vec<u8> {
    let content = serde_json::to_string(content).expect("the content is plain data");
    let members = content.strip_prefix('{').expect("the content is an object");
    let body = format!("\"format\":\"nqueens {kind}\",\"version\":{VERSION},{members}\n");
    format!("{START}{}\",{body}", hex(&Sha256::digest(&body))).into_bytes()
}

/// The content of a file of this kind.
pub fn decode<T: DeserializeOwned>(kind: &str, bytes: &[u8]) -> Result<T, DecodeError> {
    let damaged = |reason: &str| DecodeError::Damaged(reason.to_string());
    let rest = bytes.strip_prefix(START.as_bytes()).ok_or(DecodeError::NotOurs)?;
    let (sum, rest) = rest.split_at_checked(64).ok_or_else(|| damaged("it ends in its first line"))?;
    let body = rest.strip_prefix(b"\",").ok_or_else(|| damaged("its checksum is not where it should be"))?;
    if hex(&Sha256::digest(body)).as_bytes() != sum {
        return Err(damaged("its checksum does not fit its content: it was changed or cut"));
    }
    let text = std::str::from_utf8(body).map_err(|_| damaged("it is not text"))?;
    let object = format!("{{{text}");
    let unsupported = |reason: String| DecodeError::Unsupported(shown(&reason));
    let header: Header = serde_json::from_str(&object).map_err(|e| unsupported(e.to_string()))?;
    if header.format != format!("nqueens {kind}") {
        return Err(unsupported(format!("it is a '{}', not a {kind}", header.format)));
    }
    if header.version != VERSION {
        return Err(DecodeError::Unsupported(format!(
            "its format has version {}, this program knows version {VERSION}",
            header.version
        )));
    }
    serde_json::from_str(&object).map_err(|e| unsupported(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Content {
        number: u64,
        text: String,
    }

    fn encoded() -> Vec<u8> {
        encode("test", &Content { number: 7, text: "seven".into() })
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        assert_eq!(decode::<Content>("test", &encoded()).unwrap(), Content { number: 7, text: "seven".into() });
        let value: serde_json::Value = serde_json::from_slice(&encoded()).unwrap();
        assert_eq!(value["format"], "nqueens test");
    }

    #[test]
    fn every_changed_bit_and_every_cut_is_noticed() {
        let bytes = encoded();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                let error = decode::<Content>("test", &flipped).unwrap_err();
                let is_ours = matches!(error, DecodeError::Damaged(_));
                assert_eq!((is_ours, error == DecodeError::NotOurs), (at >= START.len(), at < START.len()));
            }
            let error = decode::<Content>("test", &bytes[..at]).unwrap_err();
            assert_eq!(matches!(error, DecodeError::Damaged(_)), at >= START.len(), "cut to {at}");
        }
        assert!(decode::<Content>("test", &[&bytes[..], b"\n"].concat()).is_err());
    }

    #[test]
    fn other_kinds_and_versions_are_named() {
        let Err(DecodeError::Unsupported(reason)) = decode::<Content>("plan", &encoded()) else {
            panic!("it was decoded")
        };
        assert!(reason.contains("'nqueens test'"), "{reason}");
        let text = String::from_utf8(encoded()).unwrap().replace("\"version\":1", "\"version\":2");
        let body = &text[START.len() + 66..];
        let later = format!("{START}{}\",{body}", hex(&Sha256::digest(body)));
        let Err(DecodeError::Unsupported(reason)) = decode::<Content>("test", later.as_bytes()) else {
            panic!("it was decoded")
        };
        assert!(reason.contains("version 2"), "{reason}");
    }
}
