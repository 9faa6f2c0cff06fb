//! How far a job is, saved in two generations. The form of the file: `docs/CHECKPOINT_FORMAT.md`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::format::{self, DecodeError};
use super::{Identity, JobError, Provenance, Ranges, Tally, Verification};
use crate::error::Result;
use crate::files::{self, Lock, beside};
use crate::marks::Mark;

/// The most bytes of a checkpoint or a result.
pub(super) const MAX_BYTES: u64 = 1 << 24;

/// The most programs and devices that one remembers; those that take part beyond them are not written down.
pub(super) const MAX_PROVENANCES: usize = 4096;

pub(super) const TOO_MANY_PROVENANCES: &str = "it names more programs and devices than any job has";

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// What is counted.
    pub job: Identity,
    /// The prefixes of this job, of all those of the plan: `[start, end]`, the end not included.
    pub range: [u64; 2],
    /// Those that are done.
    pub done: Ranges,
    /// What they add up to.
    pub tally: Tally,
    /// Milliseconds of work so far, of all runs together.
    pub milliseconds: u64,
    /// When it was saved, in seconds since 1970.
    pub saved_at: u64,
    /// What was recounted, and what went wrong on the way.
    #[serde(rename = "doubt")]
    pub verification: Verification,
    /// Who did it, one entry for each different one.
    pub provenance: Vec<Provenance>,
    /// The ways to some prefixes, so that resuming need not list them all; those of a shard are in its plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Vec<Mark>>,
}

impl Checkpoint {
    /// A job that has not been started.
    pub fn new(job: Identity, range: Range<u64>) -> Self {
        Self {
            job,
            range: [range.start, range.end],
            done: Ranges::default(),
            tally: Tally::default(),
            milliseconds: 0,
            saved_at: 0,
            verification: Verification::default(),
            provenance: Vec::new(),
            marks: None,
        }
    }

    /// Its prefixes.
    pub fn range(&self) -> Range<u64> {
        self.range[0]..self.range[1]
    }

    /// Whether all of them are done.
    pub fn is_complete(&self) -> bool {
        self.done.gaps(self.range()).is_empty()
    }

    /// Adds finished prefixes.
    ///
    /// # Errors
    /// If some of them were done before or a sum would pass its range; then nothing is changed.
    pub fn add(&mut self, range: Range<u64>, tally: &Tally) -> Result<()> {
        let mut done = self.done.clone();
        if !done.insert(range.clone()) || !done.is_sound(self.range()) || tally.prefixes != range.end - range.start {
            let text = format!("prefixes {} to {} were done twice or belong to another job", range.start, range.end);
            return Err(JobError::Inconsistent(text).into());
        }
        self.tally.add(tally)?;
        self.done = done;
        Ok(())
    }

    /// Notes who took part, once.
    pub fn remember(&mut self, provenance: Provenance) {
        if self.provenance.len() < MAX_PROVENANCES && !self.provenance.contains(&provenance) {
            self.provenance.push(provenance);
        }
    }

    /// What does not fit together, if anything: a file can say anything.
    pub fn contradiction(&self) -> Option<&'static str> {
        let [start, end] = self.range;
        match () {
            () if start > end || end > self.job.prefixes => Some("its range is not one of its plan"),
            () if !self.done.is_sound(start..end) => Some("its finished ranges overlap or leave its range"),
            () if self.provenance.len() > MAX_PROVENANCES => Some(TOO_MANY_PROVENANCES),
            () if self.done.prefixes() != self.tally.prefixes => Some("its sums are of other prefixes"),
            () if !self.tally.is_consistent() => Some("its sums do not fit together"),
            () => None,
        }
    }
}

/// Where a checkpoint is kept: the file, the one before it (`.previous`), and a lock on both.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    _lock: Lock,
}

impl Store {
    /// Locks a checkpoint file and reads it, if there is one. `note` is told what a person should know: which damaged file
    /// was moved aside, which generation is used.
    ///
    /// # Errors
    /// If another process has it, if it cannot be read, if it is of another version or kind, or if it and the generation
    /// before it are damaged.
    pub fn open(path: &Path, note: &mut dyn FnMut(String)) -> Result<(Self, Option<Checkpoint>)> {
        // Before anything is written beside it.
        files::read(path, MAX_BYTES)?;
        let store = Self { path: path.into(), _lock: Lock::take(path)? };
        let checkpoint = store.load(note)?;
        Ok((store, checkpoint))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn previous(&self) -> PathBuf {
        beside(&self.path, ".previous")
    }

    fn temporary(&self) -> PathBuf {
        beside(&self.path, ".new")
    }

    fn load(&self, note: &mut dyn FnMut(String)) -> Result<Option<Checkpoint>> {
        let mut complaints = Vec::new();
        let (newest, mut missing) = (self.path.as_path(), true);
        if let Some(bytes) = files::read(newest, MAX_BYTES)? {
            missing = false;
            match examine(&bytes) {
                Ok(checkpoint) => return Ok(Some(checkpoint)),
                Err(DecodeError::Unsupported(reason)) => {
                    return Err(JobError::Unsupported { path: newest.into(), reason }.into());
                }
                Err(DecodeError::Damaged(reason)) => {
                    let aside = files::move_aside(newest)?;
                    complaints.push(format!(
                        "'{}' is damaged, {reason}; it is now '{}'",
                        newest.display(),
                        aside.display()
                    ));
                }
            }
        } else if let Some(bytes) = files::read(&self.temporary(), MAX_BYTES)?
            && let Ok(checkpoint) = examine(&bytes)
        {
            // A save ended between its two renames: this is the newest, and sound. It gets its name with the next save.
            note(format!("resuming from '{}', whose save was interrupted at its end", self.temporary().display()));
            return Ok(Some(checkpoint));
        }
        if let Some(bytes) = files::read(&self.previous(), MAX_BYTES)? {
            match examine(&bytes) {
                Ok(checkpoint) => {
                    complaints.iter().for_each(|complaint| note(complaint.clone()));
                    note(format!("resuming from the save before it, '{}'", self.previous().display()));
                    return Ok(Some(checkpoint));
                }
                Err(DecodeError::Unsupported(reason)) => {
                    return Err(JobError::Unsupported { path: self.previous(), reason }.into());
                }
                Err(DecodeError::Damaged(reason)) => {
                    let aside = files::move_aside(&self.previous())?;
                    let previous = self.previous();
                    complaints.push(format!(
                        "'{}' is damaged, {reason}; it is now '{}'",
                        previous.display(),
                        aside.display()
                    ));
                }
            }
        }
        debug_assert!(missing || !complaints.is_empty());
        match complaints.is_empty() {
            true => Ok(None),
            false => Err(JobError::NoSoundCheckpoint(complaints.join("; ")).into()),
        }
    }

    /// Saves a checkpoint; the one before it is kept.
    ///
    /// # Errors
    /// If the file cannot be written; then the one before is still there.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<()> {
        // After an interrupted save the newest generation may still have the temporary name, and no other.
        if !self.path.exists()
            && let Some(bytes) = files::read(&self.temporary(), MAX_BYTES)?
            && examine(&bytes).is_ok()
        {
            std::fs::rename(self.temporary(), &self.path).map_err(|source| JobError::File {
                path: self.temporary(),
                doing: "renamed",
                source,
            })?;
        }
        let bytes = format::encode("checkpoint", checkpoint);
        Ok(files::replace(&self.path, &bytes, &self.temporary(), Some(&self.previous()))?)
    }

    /// Removes both generations, once what they led to is safe elsewhere.
    pub fn remove(self) {
        for path in [&self.path, &self.previous(), &self.temporary()] {
            // What is left behind is a finished checkpoint: harmless.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A checkpoint for showing, whoever is writing it just now.
pub fn peek(path: &Path) -> Option<Checkpoint> {
    [path.into(), beside(path, ".new"), beside(path, ".previous")]
        .iter()
        .find_map(|path| examine(&files::read(path, MAX_BYTES).ok()??).ok())
}

fn examine(bytes: &[u8]) -> std::result::Result<Checkpoint, DecodeError> {
    let checkpoint: Checkpoint = format::decode("checkpoint", bytes)?;
    match checkpoint.contradiction() {
        None => Ok(checkpoint),
        Some(contradiction) => Err(DecodeError::Damaged(contradiction.into())),
    }
}
