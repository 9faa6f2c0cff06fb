//! Everything that can go wrong, in words for the person who has to mend it.

mod job;

pub use job::JobError;

use crate::attack::Attack;
use crate::board::MAX_N;

/// An error of this library. Its text says what was wrong and what was expected; what caused it is its
/// [source](std::error::Error::source).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The board is larger than the bit masks allow.
    #[error("n = {0} is out of range: n must be a whole number from 0 to {MAX_N}")]
    BoardSize(u32),
    /// The prefixes were to be deeper than the board.
    #[error("prefixes of {depth} rows are too deep: a board with n = {n} takes 0 to {n}")]
    Depth {
        /// The depth asked for.
        depth: u32,
        /// The size of the board.
        n: u32,
    },
    /// Prefixes so deep that listing them would take unreasonably long.
    #[error("prefixes of {depth} rows on a board with n = {n} are more than {most}: choose fewer rows")]
    TooManyPrefixes {
        /// The depth asked for.
        depth: u32,
        /// The size of the board.
        n: u32,
        /// How many prefixes a plan can have.
        most: u64,
    },
    /// A method that only starts from an empty board was given another one.
    #[error("the method {0} counts from an empty board only")]
    GivenBoard(&'static str),
    /// A list of columns has something else in it.
    #[error("'{0}' is not a column: give one whole number from 0 to {last} for each row, as in 1,3,0,2", last = MAX_N - 1)]
    NotAColumn(String),
    /// A queen stands beside the board.
    #[error("column {column} in row {row} is off the board: {n} queens stand in columns 0 to {last}", last = n - 1)]
    OffBoard {
        /// The row of that queen.
        row: u32,
        /// Its column.
        column: u32,
        /// Rows and columns of the board.
        n: u32,
    },
    /// Two queens attack each other.
    #[error("{0}")]
    Attacked(Attack),
    /// More boards than one drawing can hold.
    #[error("one drawing holds at most {0} boards")]
    TooManyBoards(u64),
    /// No thread at all was asked for.
    #[error("0 threads cannot count anything: give at least 1")]
    NoThreads,
    /// The operating system did not start the worker threads.
    #[error("the worker threads could not be started")]
    ThreadPool(#[source] rayon::ThreadPoolBuildError),
    /// The operating system did not start a thread.
    #[error("a thread could not be started: too many run already, or there is too little memory")]
    Threads(#[source] std::io::Error),
    /// A GPU was asked for where there is none.
    #[error("no GPU was found: install a Vulkan, Metal or DX12 driver")]
    NoAdapter,
    /// A GPU was asked for in a build that has no code for any.
    #[error("this build has no GPU support: build it with the feature 'gpu'")]
    BuiltWithoutGpu,
    /// The device asked for does not exist.
    #[error("there is no device '{wanted}': use an index, a part of a name or a PCI id ({found})")]
    UnknownDevice {
        /// What the caller asked for.
        wanted: String,
        /// The devices there are, in one line.
        found: String,
    },
    /// The name asked for fits several devices.
    #[error("'{wanted}' fits several devices: use an index or a PCI id ({found})")]
    AmbiguousDevice {
        /// What the caller asked for.
        wanted: String,
        /// The devices that fit, in one line.
        found: String,
    },
    /// A method without shaders was to run on a GPU.
    #[error("the method {0} runs on the CPU only")]
    CpuOnly(&'static str),
    /// The driver refused to do something, with its own words.
    #[error("the device '{device}' failed: {reason}")]
    Device {
        /// The name of the device.
        device: String,
        /// What the driver said.
        reason: String,
    },
    /// A dispatch came back without having written its results.
    #[error(
        "the device '{device}' lost a dispatch: {lost} results were never written; a driver's watchdog does this to \
         dispatches that take too long. No count was made of it"
    )]
    LostDispatch {
        /// The name of the device.
        device: String,
        /// How many results still held the sentinel.
        lost: usize,
    },
    /// The count was stopped before its end; nothing was counted, or what was is in a checkpoint.
    #[error("the count was cancelled")]
    Cancelled,
    /// Something about a checkpoint, a plan of shards or a result.
    #[error(transparent)]
    Job(#[from] JobError),
    /// A count does not fit its integer. Never seen; never wrapped either.
    #[error("integer overflow: a count does not fit its integer. Please report this with the command you ran")]
    Overflow,
}

impl Error {
    /// Its text and those of its causes, in one line.
    pub fn with_causes(&self) -> String {
        let first: Option<&dyn std::error::Error> = std::error::Error::source(self);
        std::iter::successors(first, |cause| cause.source())
            .fold(self.to_string(), |text, cause| format!("{text}: {cause}"))
    }
}

/// The result of everything in this library that can fail.
pub type Result<T> = std::result::Result<T, Error>;
