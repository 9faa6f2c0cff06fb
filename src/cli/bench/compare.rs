//! New results beside older ones.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use nqueens::board::MAX_N;
use nqueens::job::read_existing;
use nqueens::{Error, JobError};

use super::results::{FORMAT, Results, Row, VERSION};
use crate::cli::environment::Environment;
use crate::cli::exit::Failure;

/// Far more than the results of all n on many devices take.
const MAX_BYTES: u64 = 8 << 20;

#[derive(Deserialize)]
struct Header {
    format: String,
    version: u64,
}

/// Results that `--export FILE.json` has written.
///
/// # Errors
/// If the file cannot be read, is too large, damaged, or something else than such results.
pub fn read(path: &Path) -> Result<Results, Error> {
    let damaged = |reason: String| JobError::Damaged { path: path.into(), reason };
    let bytes = read_existing(path, MAX_BYTES).map_err(|error| match error {
        JobError::TooLarge { .. } => {
            damaged(format!("it has more than {} MiB, and results have less", MAX_BYTES >> 20))
        }
        error => error,
    })?;
    let unsupported = |what: String| JobError::Unsupported {
        path: path.into(),
        reason: format!("it is {what}, not {FORMAT} version {VERSION}: measure anew with --export FILE.json"),
    };
    if !bytes.trim_ascii_start().starts_with(b"{") && !bytes.trim_ascii_start().starts_with(b"[") {
        return Err(unsupported("no JSON".into()).into());
    }
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    match Header::deserialize(&value) {
        Ok(header) if header.format == FORMAT && header.version == u64::from(VERSION) => (),
        Ok(header) => return Err(unsupported(format!("{:?} version {}", header.format, header.version)).into()),
        Err(_) => return Err(unsupported("JSON without a format and a version".into()).into()),
    }
    let results = Results::deserialize(value).map_err(|error| damaged(error.to_string()))?;
    match results.rows.iter().enumerate().find_map(|(at, row)| Some((at, unsound(row, &results.rows[..at])?))) {
        Some((at, reason)) => Err(damaged(format!("row {}: {reason}", at + 1)).into()),
        None => Ok(results),
    }
}

/// What cannot have been measured about a row, below those before it.
fn unsound(row: &Row, before: &[Row]) -> Option<String> {
    if row.n > MAX_N {
        return Some(format!("n = {} is out of range", row.n));
    }
    if !(row.median_seconds.is_finite() && row.median_seconds > 0.0) {
        return Some("its median is no time".into());
    }
    before.iter().any(|other| other.is_like(row)).then(|| "it is there twice".into())
}

impl Row {
    /// Its name, safe to print wherever it comes from.
    fn title(&self) -> String {
        format!("n = {}, {} on {}", self.n, self.method.escape_debug(), self.place().escape_debug())
    }
}

/// Older results and where they are from.
pub struct Older {
    pub path: PathBuf,
    pub results: Results,
}

impl Older {
    /// Reads them.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Ok(Self { path: path.into(), results: read(path)? })
    }

    /// Gives each row its old time, if it has one.
    ///
    /// # Errors
    /// If a count was another one then.
    pub fn compare(&self, rows: &mut [Row]) -> Result<(), Failure> {
        for row in rows {
            let Some(old) = self.results.rows.iter().find(|old| old.is_like(row)) else { continue };
            if old.count != row.count {
                return Err(Failure::WrongCount(format!(
                    "{}: {} solutions now, {} in '{}'. One of them is wrong",
                    row.title(),
                    row.count,
                    old.count.escape_debug(),
                    self.path.display()
                )));
            }
            row.old_median_seconds = Some(old.median_seconds);
            row.slowdown = Some(row.median_seconds / old.median_seconds);
        }
        Ok(())
    }

    /// What to know before trusting the ratios: what was measured elsewhere, and rows that only one side has.
    pub fn notes(&self, environment: &Environment, rows: &[Row]) -> Vec<String> {
        let then = &self.results.environment;
        let mut notes = Vec::new();
        for (word, old, new) in [
            ("processor", &then.cpu, &environment.cpu),
            ("instruction set", &then.instruction_set, &environment.instruction_set),
            ("system", &then.os, &environment.os),
        ] {
            if old != new {
                notes.push(format!("the {word} is {new}; it was {}", old.escape_debug()));
            }
        }
        for gpu in &environment.gpus {
            if let Some(old) = then.gpus.iter().find(|old| old.name == gpu.name && old.driver != gpu.driver) {
                notes.push(format!(
                    "the driver of {} is {}; it was {}",
                    gpu.name,
                    gpu.driver,
                    old.driver.escape_debug()
                ));
            }
        }
        let old_rows = &self.results.rows;
        let new_only = rows.iter().filter(|row| row.slowdown.is_none());
        notes.extend(new_only.map(|row| format!("not in the older results: {}", row.title())));
        let old_only = old_rows.iter().filter(|old| !rows.iter().any(|row| row.is_like(old)));
        notes.extend(old_only.map(|old| format!("only in the older results: {}", old.title())));
        notes
    }
}

/// An error that names the rows whose time grew by more than this factor. A gate that has compared nothing does not open.
pub fn check(rows: &[Row], max_slowdown: f64, older: &Path) -> Result<(), Failure> {
    if rows.iter().all(|row| row.slowdown.is_none()) {
        return Err(Failure::BadInput(format!(
            "--max-slowdown has nothing to compare: no row of '{}' has the n, method and device of one that was measured now. \
             With --threads as it was then, the number of cores does not matter",
            older.display()
        )));
    }
    let slower = rows.iter().filter_map(|row| Some((row, row.slowdown.filter(|&slowdown| slowdown > max_slowdown)?)));
    let list: Vec<String> = slower.map(|(row, slowdown)| format!("{} ({slowdown:.3})", row.title())).collect();
    if list.is_empty() {
        return Ok(());
    }
    Err(Failure::Slower(format!("slower than --max-slowdown {max_slowdown} allows: {}", list.join("; "))))
}

/// A factor of 1 or more.
pub fn factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if (1.0..=1000.0).contains(&factor) => Ok(factor),
        _ => Err("the factor must be from 1 to 1000, as in 1.10 for a tenth more time".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: u32, device: &str, seconds: f64) -> Row {
        Row {
            n,
            method: "row-order".into(),
            backend: "cpu".into(),
            device: device.into(),
            slice_steps: None,
            invocations: None,
            with_startup: false,
            median_seconds: seconds,
            min_seconds: seconds,
            max_seconds: seconds,
            solutions_per_second: 1.0,
            ratio: 1.0,
            count: "92".into(),
            repetitions: 1,
            run_seconds: vec![seconds],
            startup: None,
            old_median_seconds: None,
            slowdown: None,
        }
    }

    fn results(rows: Vec<Row>) -> Results {
        let environment = Environment::here(&[]);
        let (format, version) = (FORMAT.into(), VERSION);
        Results { format, version, environment, warm_ups: 1, repetitions: 1, rows }
    }

    fn read_text(text: &str) -> Result<Results, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.json");
        std::fs::write(&path, text).unwrap();
        read(&path).map_err(|error| error.with_causes())
    }

    #[test]
    fn rows_are_matched_and_the_slow_are_named() {
        let older = Older { path: "old.json".into(), results: results(vec![row(8, "a", 2.0), row(9, "a", 1.0)]) };
        let mut rows = vec![row(8, "a", 3.0), row(8, "b", 1.0)];
        older.compare(&mut rows).unwrap();
        assert_eq!((rows[0].slowdown, rows[1].slowdown), (Some(1.5), None));
        let notes = older.notes(&older.results.environment, &rows);
        assert_eq!(
            notes,
            ["not in the older results: n = 8, row-order on b", "only in the older results: n = 9, row-order on a"]
        );
        check(&rows, 1.5, &older.path).unwrap();
        assert!(matches!(check(&rows[1..], 1.5, &older.path), Err(Failure::BadInput(_))));
        let Err(Failure::Slower(text)) = check(&rows, 1.49, &older.path) else { panic!("1.5 is more than 1.49") };
        assert!(text.contains("n = 8, row-order on a (1.500)"), "{text}");
        rows[0].count = "93".into();
        assert!(matches!(older.compare(&mut rows), Err(Failure::WrongCount(_))));
    }

    #[test]
    fn what_was_not_written_by_bench_is_refused_with_a_reason() {
        let sound = serde_json::to_string(&results(vec![row(8, "a", 2.0), row(9, "a", 1.0)])).unwrap();
        assert_eq!(read_text(&sound).unwrap().rows.len(), 2);
        let changed = |from: &str, to: &str| {
            assert!(sound.contains(from), "{from}");
            read_text(&sound.replacen(from, to, 1)).map(|_| ()).unwrap_err()
        };
        assert!(changed("\"version\":1", "\"version\":2").contains("version 2"));
        assert!(changed("nqueens bench", "something").contains("something"));
        assert!(changed("\"n\":8", "\"n\":33").contains("n = 33"));
        assert!(changed("\"n\":8", "\"n\":9").contains("twice"));
        assert!(changed("\"median_seconds\":2.0", "\"median_seconds\":0.0").contains("row 1"));
        assert!(changed("\"median_seconds\":2.0", "\"median_seconds\":-1e-9").contains("row 1"));
        assert!(changed("\"median_seconds\":2.0", "\"median_seconds\":1e999").contains("damaged"));
        assert!(changed("\"rows\"", "\"raws\"").contains("rows"));
        assert!(read_text("[]").map(|_| ()).unwrap_err().contains("measure anew"));
        assert!(read_text(&"[".repeat(100_000)).map(|_| ()).unwrap_err().contains("damaged"));
        let long = format!("{sound}{}", " ".repeat(MAX_BYTES as usize));
        assert!(read_text(&long).map(|_| ()).unwrap_err().contains("8 MiB"));
        for length in 0..sound.len() {
            assert!(read_text(&sound[..length]).is_err(), "cut to {length}");
        }
    }

    #[test]
    fn a_name_from_a_file_cannot_steer_a_terminal() {
        let title = row(8, "\u{1b}[2Ja", 1.0).title();
        assert!(!title.contains('\u{1b}'), "{title}");
    }
}
