//! What can go wrong with the files of a job, in words for the person who has to mend it.

use std::path::PathBuf;

/// An error of a checkpoint, a plan of shards, a result, or of a count that failed its verification.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The operating system refused to read or write.
    #[error("'{}' could not be {doing}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What was to be done with it.
        doing: &'static str,
        /// Why it was not.
        source: std::io::Error,
    },
    /// A path that names something else than a file.
    #[error("'{}' is not a regular file: give a path where one can be written", .0.display())]
    NotAFile(PathBuf),
    /// A file that somebody else wrote, where one of ours would be: it is left alone.
    #[error("'{}' is not a file of nqueens and is left as it is: move it away, or give another name", .0.display())]
    NotOurs(PathBuf),
    /// The operating system cannot lock a file.
    #[error(
        "'{}' could not be locked: its file system seems to have no locks. Give a path on another file system, such as a \
         local disk",
        path.display()
    )]
    NoLocks {
        /// Which file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// Another process works on it.
    #[error("'{}' is in use by another process ({holder}): wait for it, or give another file", path.display())]
    Locked {
        /// Which file.
        path: PathBuf,
        /// What the holder wrote about itself.
        holder: String,
    },
    /// No generation of a checkpoint is sound.
    #[error("no usable checkpoint: {0}. Run the same command again to count from the beginning")]
    NoSoundCheckpoint(String),
    /// A file is damaged.
    #[error("'{}' is damaged: {reason}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// How that was noticed.
        reason: String,
    },
    /// A file with more bytes than such a file ever has: it was not read.
    #[error("'{}' is no file of a job: it has more than {most} bytes", path.display())]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// The most bytes that it could have.
        most: u64,
    },
    /// The numbers of a plan that cannot be.
    #[error("no board with n = {n} has {prefixes} prefixes of {depth} rows: the file was not written by this program")]
    NoSuchPlan {
        /// The size of the board.
        n: u32,
        /// The depth of the prefixes.
        depth: u32,
        /// How many there would be.
        prefixes: u64,
    },
    /// Marks that are not those of a plan.
    #[error(
        "the marks of the plan are not those of the prefixes of {depth} rows for n = {n}: it was changed, or written by \
         another version of the program"
    )]
    Marks {
        /// The size of the board.
        n: u32,
        /// The depth of the prefixes.
        depth: u32,
    },
    /// A sound file of a later version of the program, or of another kind.
    #[error("'{}' cannot be used by this version of nqueens: {reason}", path.display())]
    Unsupported {
        /// Which file.
        path: PathBuf,
        /// What it is.
        reason: String,
    },
    /// A sound file, but of another job.
    #[error("'{}' belongs to another job: {difference}", path.display())]
    OtherJob {
        /// Which file.
        path: PathBuf,
        /// Each thing that differs: what the file has, and what was asked for.
        difference: String,
    },
    /// Two results of one shard that are not equal.
    #[error(
        "shard {shard} has two different results: {first} in '{}' and {second} in '{}'. One of them is wrong: count the \
         shard again on another device, and remove the wrong file",
        paths.0.display(),
        paths.1.display()
    )]
    Conflict {
        /// Which shard.
        shard: usize,
        /// Its count in the first file.
        first: u128,
        /// Its count in the second.
        second: u128,
        /// Both files.
        paths: (PathBuf, PathBuf),
    },
    /// No such shard.
    #[error("there is no shard {shard}: the plan has {shards}, numbered 0 to {last}", last = shards - 1)]
    NoSuchShard {
        /// The one asked for.
        shard: usize,
        /// How many there are.
        shards: usize,
    },
    /// A number of shards that a plan cannot have.
    #[error(
        "{shards} shards are out of range: n = {n} is cut into {prefixes} prefixes here, and a plan has at least one shard and at \
         most one for each prefix, up to 1000000"
    )]
    Shards {
        /// How many were asked for.
        shards: usize,
        /// Rows and columns of the board.
        n: u32,
        /// How many prefixes there are.
        prefixes: u64,
    },
    /// Two methods on this machine's processor do not give the same count.
    #[error(
        "prefix {prefix} has {counted} completions by one method and {recounted} by another, both on this machine's CPU: \
         the machine or the program computes wrongly. Test the memory; please report it"
    )]
    Disagreement {
        /// Its place in the order of the plan.
        prefix: u64,
        /// By the method of the job.
        counted: u64,
        /// By the verification.
        recounted: u64,
    },
    /// The only device left has counted wrongly twice.
    #[error("'{0}' counted wrongly twice and is not used any more: count again on another device")]
    Quarantined(String),
    /// The sums of a job do not fit together.
    #[error("the sums of this job do not fit together ({0}): no count is given. Please report this")]
    Inconsistent(String),
}
