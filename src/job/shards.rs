//! A plan cut into shards for many machines, and the result of one.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::checkpoint;
use super::format::{self, DecodeError};
use super::identity::hex;
use super::{Checkpoint, Identity, JobError, Provenance, Tally, Verification};
use crate::error::Result;
use crate::files;
use crate::marks::Mark;
use crate::plan::Plan;
use crate::work::WorkCurve;

/// Some prefixes of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// The first prefix, by its place in the order of the plan.
    pub start: u64,
    /// The first prefix that is not of it.
    pub end: u64,
}

/// The most shards of a plan.
const MAX_SHARDS: usize = 1_000_000;

/// The most bytes of a plan: those of as many shards, and some.
const MAX_BYTES: u64 = 1 << 26;

/// A plan cut into shards of about equal work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardPlan {
    /// What is counted.
    pub job: Identity,
    /// The work of all of it, in queens placed, estimated.
    pub estimated_nodes: f64,
    /// The shards, in order, from the first prefix to the last.
    pub shards: Vec<Shard>,
    /// The ways to some prefixes, so that no shard has to list those before its own; older files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Vec<Mark>>,
}

impl ShardPlan {
    /// Cuts a plan into shards.
    ///
    /// # Errors
    /// If a plan cannot have this many.
    pub fn new(plan: &Plan, shards: usize) -> Result<Self> {
        if !(1..=MAX_SHARDS).contains(&shards) || shards as u64 > plan.prefixes().max(1) {
            return Err(JobError::Shards { shards, n: plan.n(), prefixes: plan.prefixes() }.into());
        }
        // A share of the work that a hundred prefixes stand for is known to a few hundredths.
        let curve = WorkCurve::with_sample(plan, (128 * shards as u64).clamp(1 << 12, 1 << 16));
        let mut cuts: Vec<u64> = (0..=shards).map(|i| curve.prefix_at(i as f64 / shards as f64)).collect();
        (cuts[0], cuts[shards]) = (0, plan.prefixes());
        let shards = cuts.windows(2).map(|cut| Shard { start: cut[0], end: cut[1] }).collect();
        Ok(Self {
            job: Identity::new(plan),
            estimated_nodes: curve.total(),
            shards,
            marks: plan.marks().map(<[_]>::to_vec),
        })
    }

    /// Reads a plan and makes sure that this program would enumerate the same prefixes.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is of another version of the program.
    pub fn read(path: &Path) -> Result<(Self, Plan)> {
        let shards: Self = read(path, "plan", MAX_BYTES)?;
        let damaged = |reason: &str| JobError::Damaged { path: path.into(), reason: reason.into() };
        let plan = shards.job.plan(shards.marks.as_deref())?;
        if let Some(difference) = shards.job.difference(&Identity::new(&plan)) {
            return Err(JobError::OtherJob { path: path.into(), difference }.into());
        }
        let ends = shards.shards.iter().map(|shard| shard.end);
        let starts = [0].into_iter().chain(ends);
        if !(1..=MAX_SHARDS).contains(&shards.shards.len())
            || shards.shards.iter().zip(starts).any(|(shard, start)| shard.start != start || shard.end < shard.start)
            || shards.shards.last().map(|shard| shard.end) != Some(plan.prefixes())
        {
            return Err(damaged("its shards do not follow each other from the first prefix to the last").into());
        }
        Ok((shards, plan))
    }

    /// Writes the plan, if there is no other file of that name.
    ///
    /// # Errors
    /// If there is another plan or the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let bytes = format::encode("plan", self);
        let path = files::resolve(path)?;
        let there = files::read_own(&path, MAX_BYTES)?;
        let there = match there {
            None if files::create(&path, &bytes)? => return Ok(()),
            // Another process has written it just now.
            None => files::read_own(&path, MAX_BYTES)?,
            there => there,
        };
        match there {
            Some(there) if there == bytes => Ok(()),
            // Shards of it may be running.
            _ => {
                let difference = "there is another plan; remove it or give another name".into();
                Err(JobError::OtherJob { path, difference }.into())
            }
        }
    }

    /// A digest of the plan and of where it is cut, by which results know it.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.job.digest);
        for shard in &self.shards {
            hash.update(shard.start.to_le_bytes());
            hash.update(shard.end.to_le_bytes());
        }
        hex(&hash.finalize())
    }

    /// The prefixes of a shard.
    ///
    /// # Errors
    /// If there is no such shard.
    pub fn range(&self, shard: usize) -> Result<Range<u64>> {
        let shards = self.shards.len();
        let Shard { start, end } = *self.shards.get(shard).ok_or(JobError::NoSuchShard { shard, shards })?;
        Ok(start..end)
    }
}

/// What a shard came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardResult {
    /// Rows and columns of the board.
    pub n: u32,
    /// The digest of the plan with its cuts.
    pub plan: String,
    /// The number of the shard.
    pub shard: usize,
    /// Its prefixes: `[start, end]`, the end not included.
    pub range: [u64; 2],
    /// Its exact sums.
    pub tally: Tally,
    /// Milliseconds of work.
    pub milliseconds: u64,
    /// What was recounted, and what went wrong on the way.
    #[serde(rename = "doubt")]
    pub verification: Verification,
    /// Who did it.
    pub provenance: Vec<Provenance>,
}

impl ShardResult {
    /// The result of a shard whose checkpoint is complete.
    pub fn new(plan: &ShardPlan, shard: usize, checkpoint: &Checkpoint) -> Self {
        let Checkpoint { job, range, tally, milliseconds, verification, provenance, .. } = checkpoint.clone();
        Self { n: job.n, plan: plan.digest(), shard, range, tally, milliseconds, verification, provenance }
    }

    /// Reads a result.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is of another kind or version.
    pub fn read(path: &Path) -> Result<Self> {
        let result: Self = read(path, "result", checkpoint::MAX_BYTES)?;
        match result.provenance.len() {
            0..=checkpoint::MAX_PROVENANCES => Ok(result),
            _ => Err(JobError::Damaged { path: path.into(), reason: checkpoint::TOO_MANY_PROVENANCES.into() }.into()),
        }
    }

    /// The same where there may be none: an empty file is none.
    ///
    /// # Errors
    /// As [`Self::read`], and if a file that is no result is there.
    pub fn read_if_there(path: &Path) -> Result<Option<Self>> {
        match files::read_own(&files::resolve(path)?, checkpoint::MAX_BYTES)? {
            None => Ok(None),
            Some(_) => Self::read(path).map(Some),
        }
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let path = files::resolve(path)?;
        // Whatever has come there since the shard was begun.
        files::read_own(&path, checkpoint::MAX_BYTES)?;
        Ok(files::replace(&path, &self.encoded())?)
    }

    /// Makes sure that a result can be written there: before it is counted.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check_writable(path: &Path) -> Result<()> {
        Ok(files::check_writable(&files::resolve(path)?)?)
    }

    /// The bytes of its file.
    pub fn encoded(&self) -> Vec<u8> {
        format::encode("result", self)
    }

    /// What makes it no result of its shard in this plan, if anything.
    pub fn difference(&self, plan: &ShardPlan) -> Option<String> {
        self.difference_from(plan, &plan.digest())
    }

    /// The same for a plan whose digest is known: it takes long where there are many shards.
    pub(super) fn difference_from(&self, plan: &ShardPlan, digest: &str) -> Option<String> {
        if self.plan != digest || self.n != plan.job.n {
            return Some(format!("it is a result of another plan, for n = {}", self.n));
        }
        let Ok(range) = plan.range(self.shard) else { return Some(format!("the plan has no shard {}", self.shard)) };
        if self.range != [range.start, range.end] || self.tally.prefixes != range.end - range.start {
            let [start, end] = self.range;
            return Some(format!(
                "it has prefixes {start} to {end} ({}) where shard {} has {} to {}",
                self.tally.prefixes, self.shard, range.start, range.end
            ));
        }
        (!self.tally.is_consistent()).then(|| "its sums do not fit together".into())
    }
}

/// The names of a shard's files in a folder.
#[derive(Debug)]
pub struct ShardFiles;

impl ShardFiles {
    /// The result.
    pub fn result(folder: &Path, shard: usize) -> PathBuf {
        folder.join(format!("shard-{shard:06}.json"))
    }

    /// The checkpoint.
    pub fn checkpoint(folder: &Path, shard: usize) -> PathBuf {
        folder.join(format!("shard-{shard:06}.checkpoint"))
    }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path, kind: &str, most: u64) -> Result<T> {
    let bytes = files::read_existing(path, most)?;
    Ok(format::decode(kind, &bytes).map_err(|error| match error {
        DecodeError::NotOurs => JobError::NotOurs(path.into()),
        DecodeError::Damaged(reason) => JobError::Damaged { path: path.into(), reason },
        DecodeError::Unsupported(reason) => JobError::Unsupported { path: path.into(), reason },
    })?)
}
