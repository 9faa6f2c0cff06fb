//! How a run can end.

use std::fmt;
use std::io;
use std::process::ExitCode;

use nqueens::{Error, JobError};

/// The exit codes, as documented in the README.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All went well.
    Done = 0,
    /// A count differs from the published one or from another backend's.
    WrongCount = 1,
    /// The command line asks for something impossible.
    BadInput = 2,
    /// There is no such device.
    NoDevice = 3,
    /// The device or its driver failed.
    DeviceFailed = 4,
    /// A file could not be read or written.
    File = 5,
    /// Integer overflow.
    Overflow = 6,
    /// A checkpoint, plan or result is damaged, of another job, or of another version.
    Refused = 7,
    /// A signal ended the run; progress is saved.
    Stopped = 8,
    /// Results of some shards are missing.
    Incomplete = 9,
    /// A benchmark was slower than allowed.
    Slower = 10,
    /// Another process works on the same checkpoint: try again later, as `EX_TEMPFAIL` says.
    Locked = 75,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The library says why.
    Library(Error),
    /// The options do not fit together; the text says which and why.
    BadInput(String),
    /// Two counts that must be equal are not; the text names them.
    WrongCount(String),
    /// Writing to stdout failed.
    Output(io::Error),
    /// Writing to a file failed.
    File { path: std::path::PathBuf, error: io::Error },
    /// A signal came, and progress was saved to this file.
    Stopped(std::path::PathBuf),
    /// Results are missing; the text lists them.
    Incomplete(String),
    /// Something took longer than it was allowed to; the text says what.
    Slower(String),
    /// The reader of our output has gone: nothing is wrong and nothing is left to do.
    ClosedPipe,
}

impl Failure {
    /// The exit code that tells a script what happened.
    pub fn exit(&self) -> Exit {
        match self {
            Self::ClosedPipe => Exit::Done,
            Self::BadInput(_) => Exit::BadInput,
            Self::WrongCount(_) => Exit::WrongCount,
            Self::Stopped(_) => Exit::Stopped,
            Self::Incomplete(_) => Exit::Incomplete,
            Self::Slower(_) => Exit::Slower,
            Self::Output(_) | Self::File { .. } => Exit::File,
            Self::Library(error) => match error {
                Error::NoAdapter | Error::BuiltWithoutGpu => Exit::NoDevice,
                Error::UnknownDevice { .. } | Error::AmbiguousDevice { .. } => Exit::NoDevice,
                Error::ThreadPool(_) | Error::Threads(_) | Error::Device { .. } | Error::LostDispatch { .. } => {
                    Exit::DeviceFailed
                }
                Error::Overflow => Exit::Overflow,
                Error::Cancelled => Exit::Stopped,
                Error::Job(error) => of_job(error),
                // The others say what was asked for that cannot be.
                _ => Exit::BadInput,
            },
        }
    }
}

fn of_job(error: &JobError) -> Exit {
    match error {
        JobError::File { .. } | JobError::NoLocks { .. } => Exit::File,
        JobError::NotAFile(_) | JobError::NoSuchShard { .. } | JobError::Shards { .. } => Exit::BadInput,
        JobError::Locked { .. } => Exit::Locked,
        JobError::Conflict { .. } | JobError::Disagreement { .. } | JobError::Inconsistent(_) => Exit::WrongCount,
        JobError::Quarantined(_) => Exit::DeviceFailed,
        // The others say why a file is not used.
        _ => Exit::Refused,
    }
}

/// A plan and a folder in the wrong order are told from each other by what they are.
pub fn check_order(plan: &std::path::Path, folder: &std::path::Path) -> Result<(), Failure> {
    match plan.is_dir() && folder.is_file() {
        true => Err(Failure::BadInput(format!("'{}' is a folder: the order is PLAN FOLDER", plan.display()))),
        false => Ok(()),
    }
}

/// What to do about an error that the library cannot know: it has no command line.
fn advice(error: &Error) -> &'static str {
    match error {
        Error::NoAdapter | Error::BuiltWithoutGpu => ", or use --backend cpu",
        Error::CpuOnly(_) => ": use --backend cpu",
        Error::UnknownDevice { .. } | Error::AmbiguousDevice { .. } => "; `nqueens devices` lists them",
        Error::TooManyBoards(_) => ": choose fewer with --limit, --skip or --unique",
        _ => "",
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(error) => write!(f, "{}{}", error.with_causes(), advice(error)),
            Self::BadInput(text) | Self::WrongCount(text) | Self::Incomplete(text) | Self::Slower(text) => {
                write!(f, "{text}")
            }
            Self::Stopped(path) => {
                write!(f, "stopped; progress is saved in '{}': run the same command to resume", path.display())
            }
            Self::Output(error) => write!(f, "the answer could not be written: {error}"),
            Self::File { path, error } => write!(f, "'{}' could not be written: {error}", path.display()),
            Self::ClosedPipe => write!(f, "the reader of the output has gone"),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

/// An error of stdout.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Output(error),
        }
    }
}
