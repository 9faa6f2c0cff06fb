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
    source: PathBuf,
    _lock: Lock,
}

impl Store {
    /// Locks a checkpoint file and reads it, if there is one. `note` is told what a person should know: which damaged file
    /// was moved aside, which generation is used. A link is followed: its target is the checkpoint.
    ///
    /// # Errors
    /// If another process has it, if it cannot be read, if it is of another version or kind, if it or a file beside it is none
    /// of this program's, or if it and the generation before it are damaged.
    pub fn open(path: &Path, note: &mut dyn FnMut(String)) -> Result<(Self, Option<Checkpoint>)> {
        let path = files::resolve(path)?;
        // Before anything is written beside it.
        files::read_own(&path, MAX_BYTES)?;
        let mut store = Self { _lock: Lock::take(&path)?, source: path.clone(), path };
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

    /// Why what was saved is not used: it is of another job.
    pub fn other_job(&self, difference: &str) -> JobError {
        let files = [self.path.clone(), self.temporary(), self.previous()];
        let there: Vec<_> =
            files.iter().filter(|path| path.exists()).map(|path| format!("'{}'", path.display())).collect();
        let difference = format!("{difference}. To begin again remove {}", there.join(" and "));
        JobError::OtherJob { path: self.source.clone(), difference }
    }

    fn load(&mut self, note: &mut dyn FnMut(String)) -> Result<Option<Checkpoint>> {
        let (temporary, previous) = (self.temporary(), self.previous());
        let newest = files::read_own(&self.path, MAX_BYTES)?;
        // Read in any case: a save would write over them.
        let next = files::read_own(&temporary, MAX_BYTES)?.and_then(|bytes| examine(&bytes).ok());
        let before = files::read_own(&previous, MAX_BYTES)?;
        let mut complaints = Vec::new();
        match newest {
            Some(bytes) => {
                if let Some(checkpoint) = Self::take(&self.path, &bytes, &mut complaints)? {
                    return Ok(Some(checkpoint));
                }
            }
            None => match (next, &before) {
                // A save ended between its two renames: this is the newest, and sound.
                (Some(checkpoint), Some(_)) => {
                    files::rename(&temporary, &self.path)?;
                    note(format!("resuming from '{}', whose save was interrupted at its end", self.path.display()));
                    return Ok(Some(checkpoint));
                }
                // Whoever removed the other two wants to begin again.
                (Some(_), None) => note(format!(
                    "'{}' is left from a job whose other files are gone: it is not used",
                    temporary.display()
                )),
                (None, _) => (),
            },
        }
        if let Some(bytes) = before
            && let Some(checkpoint) = Self::take(&previous, &bytes, &mut complaints)?
        {
            complaints.into_iter().for_each(&mut *note);
            note(format!("resuming from the save before it, '{}'", previous.display()));
            self.source = previous;
            return Ok(Some(checkpoint));
        }
        match complaints.is_empty() {
            true => Ok(None),
            false => Err(JobError::NoSoundCheckpoint(complaints.join("; ")).into()),
        }
    }

    /// What is in one generation, or `None` if it is damaged: then it is moved aside.
    fn take(path: &Path, bytes: &[u8], complaints: &mut Vec<String>) -> Result<Option<Checkpoint>> {
        match examine(bytes) {
            Ok(checkpoint) => Ok(Some(checkpoint)),
            Err(DecodeError::NotOurs) => Err(JobError::NotOurs(path.into()).into()),
            Err(DecodeError::Unsupported(reason)) => Err(JobError::Unsupported { path: path.into(), reason }.into()),
            Err(DecodeError::Damaged(reason)) => {
                let aside = files::move_aside(path)?;
                complaints.push(format!("'{}' is damaged, {reason}; it is now '{}'", path.display(), aside.display()));
                Ok(None)
            }
        }
    }

    /// Saves a checkpoint; the one before it is kept.
    ///
    /// # Errors
    /// If the file cannot be written; then the one before is still there.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<()> {
        let bytes = format::encode("checkpoint", checkpoint);
        Ok(files::replace_generation(&self.path, &bytes, &self.temporary(), &self.previous())?)
    }

    /// Removes both generations, once what they led to is safe elsewhere.
    pub fn remove(self) {
        for path in [&self.path, &self.previous(), &self.temporary()] {
            // What is left behind is a finished checkpoint: harmless.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A checkpoint for showing, whoever is writing it just now: the one that [`Store::open`] would use.
pub fn peek(path: &Path) -> Option<Checkpoint> {
    let path = files::resolve(path).ok()?;
    let read = |path: &Path| files::read_own(path, MAX_BYTES).ok().flatten();
    let sound = |path: &Path| examine(&read(path)?).ok();
    sound(&path).or_else(|| {
        let previous = beside(&path, ".previous");
        read(&previous).and_then(|_| sound(&beside(&path, ".new"))).or_else(|| sound(&previous))
    })
}

fn examine(bytes: &[u8]) -> std::result::Result<Checkpoint, DecodeError> {
    let checkpoint: Checkpoint = format::decode("checkpoint", bytes)?;
    match checkpoint.contradiction() {
        None => Ok(checkpoint),
        Some(contradiction) => Err(DecodeError::Damaged(contradiction.into())),
    }
}
