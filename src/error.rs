//! Everything that can go wrong, in words for the person who has to mend it.

use crate::board::MAX_N;
use crate::job::JobError;
use crate::method::Method;
use crate::placement::Attack;
use crate::plan::MOST_PREFIXES;

/// An error of this library. Its text says what was wrong, what was expected and, where it is not obvious, what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The board is larger than the bit masks allow.
    #[error("n = {0} is out of range: n must be a whole number from 0 to {MAX_N}")]
    BoardSize(u32),
    /// More prefix rows were asked for than the board has.
    #[error("{rows} prefix rows are too many: a board with n = {n} takes 0 to {n}")]
    PrefixRows {
        /// The number of rows asked for.
        rows: u32,
        /// The size of the board.
        n: u32,
    },
    /// So many prefix rows that their prefixes could not be listed in reasonable time.
    #[error("{rows} prefix rows of a board with n = {n} make more than {MOST_PREFIXES} prefixes: choose fewer rows")]
    TooManyPrefixes {
        /// The number of rows.
        rows: u32,
        /// The size of the board.
        n: u32,
    },
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
    #[error("one drawing holds at most {0} boards: choose fewer with --limit, --skip or --unique")]
    TooManyBoards(u64),
    /// No thread at all was asked for.
    #[error("0 threads cannot count anything: give at least 1, or leave the option out to use all cores")]
    NoThreads,
    /// The operating system did not start the worker threads.
    #[error("the worker threads could not be started: {0}")]
    ThreadPool(String),
    /// A GPU was asked for where there is none.
    #[error("no GPU was found: install a Vulkan, Metal or DX12 driver, or use --backend cpu")]
    NoAdapter,
    /// The device asked for does not exist.
    #[error(
        "there is no device '{wanted}': use an index, a part of a name or a PCI id from `nqueens devices` ({found})"
    )]
    UnknownDevice {
        /// What the caller asked for.
        wanted: String,
        /// The devices there are, in one line.
        found: String,
    },
    /// A method without shaders was to run on a GPU.
    #[error("the method {0} runs on the CPU only: use --backend cpu")]
    CpuOnly(Method),
    /// The name asked for fits several devices.
    #[error("'{wanted}' fits several devices: use an index or a PCI id from `nqueens devices` ({found})")]
    AmbiguousDevice {
        /// What the caller asked for.
        wanted: String,
        /// The devices that fit, in one line.
        found: String,
    },
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
    /// Something about a checkpoint, a plan of shards or a result.
    #[error(transparent)]
    Job(#[from] JobError),
    /// A count does not fit its integer. Never seen; never wrapped either.
    #[error("a count passed the range of its integer: please report this with the command you ran")]
    Overflow,
}

/// The result of everything in this library that can fail.
pub type Result<T> = std::result::Result<T, Error>;
