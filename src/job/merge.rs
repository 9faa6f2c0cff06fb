//! Adds the results of all shards up. It writes nothing, so it can be asked as often as one likes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{JobError, Provenance, ShardPlan, ShardResult, Tally, Verification};
use crate::error::{Error, Result};
use crate::files;

/// The results in a folder.
#[derive(Debug, Default)]
pub struct Folder {
    /// Of each shard its result and the file it is from, if there is one.
    pub results: Vec<Option<Box<(PathBuf, ShardResult)>>>,
    /// Files that are no sound results, with the reason: their shards are missing.
    pub unreadable: Vec<String>,
    /// Further files with the same result: harmless.
    pub duplicates: usize,
}

/// The sum of all shards.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The exact sums.
    pub tally: Tally,
    /// Milliseconds of work, of all shards together.
    pub milliseconds: u64,
    /// What was recounted, and what went wrong on the way.
    pub verification: Verification,
    /// Who did it, one entry for each different one.
    pub provenance: Vec<Provenance>,
}

impl Folder {
    /// Reads the `.json` files of a folder that are named as results or begin as such, but for the plan itself.
    ///
    /// # Errors
    /// If the folder cannot be read, if a result belongs to another plan or another range, or if a shard has two results
    /// that differ.
    pub fn read(plan: &ShardPlan, plan_path: &Path, folder: &Path) -> Result<Self> {
        let failed = |source| JobError::File { path: folder.into(), doing: "read", source };
        let mut found = Self { results: vec![None; plan.shards.len()], ..Self::default() };
        let entries = match std::fs::read_dir(folder) {
            // Before the first run there is no folder yet, and no result.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
            entries => entries.map_err(failed)?,
        };
        let mut paths = Vec::new();
        for entry in entries {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
                paths.push(path);
            }
        }
        // The same errors and the same choices whatever order the operating system lists them in.
        paths.sort();
        let plan_path = plan_path.canonicalize().ok();
        let digest = plan.digest();
        for path in paths {
            if plan_path.is_some() && path.canonicalize().ok() == plan_path {
                continue;
            }
            // Other JSON, such as what `merge` printed, has nothing to do with it.
            let is_named_as_result = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("shard-"));
            if !is_named_as_result && !files::begins_as_ours(&path) {
                continue;
            }
            match ShardResult::read(&path) {
                Ok(result) => found.add(plan, &digest, path, result)?,
                // If it should have been a result, its shard is missing.
                Err(
                    error @ Error::Job(
                        JobError::Damaged { .. }
                        | JobError::NotOurs(_)
                        | JobError::Unsupported { .. }
                        | JobError::TooLarge { .. },
                    ),
                ) => found.unreadable.push(error.with_causes()),
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    fn add(&mut self, plan: &ShardPlan, digest: &str, path: PathBuf, result: ShardResult) -> Result<()> {
        if let Some(difference) = result.difference_from(plan, digest) {
            return Err(JobError::OtherJob { path, difference }.into());
        }
        let shard = result.shard;
        match self.results[shard].as_deref() {
            None => self.results[shard] = Some(Box::new((path, result))),
            Some((_, there)) if there.tally.same_counts(&result.tally) => self.duplicates += 1,
            Some((first, there)) => {
                return Err(JobError::Conflict {
                    shard,
                    first: there.tally.solutions.0,
                    second: result.tally.solutions.0,
                    paths: (first.clone(), path),
                }
                .into());
            }
        }
        Ok(())
    }

    /// The shards without a result.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.results.len()).filter(|&shard| self.results[shard].is_none()).collect()
    }

    /// The sum, if all results are there.
    ///
    /// # Errors
    /// If a sum would pass its range, or the sums do not fit together.
    pub fn merge(&self, plan: &ShardPlan) -> Result<Option<Merged>> {
        let (tally, verification) = (Tally::default(), Verification::default());
        let mut merged = Merged { tally, milliseconds: 0, verification, provenance: Vec::new() };
        let mut seen = HashSet::new();
        for result in &self.results {
            let Some((_, result)) = result.as_deref() else { return Ok(None) };
            merged.tally.add(&result.tally)?;
            merged.milliseconds = merged.milliseconds.saturating_add(result.milliseconds);
            merged.verification.add(&result.verification);
            for provenance in &result.provenance {
                if seen.insert(provenance) {
                    merged.provenance.push(provenance.clone());
                }
            }
        }
        if !merged.tally.is_consistent() || merged.tally.prefixes != plan.job.prefixes {
            return Err(JobError::Inconsistent("the shards do not add up".into()).into());
        }
        Ok(Some(merged))
    }
}

/// Numbers as `0,3,7-9`, the way schedulers take them.
pub fn compact(numbers: &[usize]) -> String {
    let mut parts = Vec::new();
    for run in numbers.chunk_by(|a, b| a + 1 == *b) {
        parts.push(match run {
            [one] => one.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => continue,
        });
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_shards_are_listed_briefly() {
        assert_eq!(compact(&[]), "");
        assert_eq!(compact(&[4]), "4");
        assert_eq!(compact(&[0, 3, 7, 8, 9, 11, 12]), "0,3,7-9,11-12");
    }
}
