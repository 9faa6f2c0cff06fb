//! Where completions are counted: the interface that the CPU, GPUs and whatever else may come stand behind.
//!
//! A [`Device`] says what it can do as [`Capabilities`]; a [`Plan`](crate::plan::Plan) is made from those. Prepared for the
//! plan's [`Workload`] it gives a [`Session`], which counts batches of prefixes.

mod cpu;
mod memory;
mod stats;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use cpu::Cpu;
pub use stats::{KernelStats, Stats};

pub use crate::capabilities::{Capabilities, DeviceKind};
use crate::error::{Error, Result};
use crate::plan::Workload;
use crate::prefix::Prefix;

/// Something that counts.
pub trait Device: Send {
    /// What it is and what it can do.
    fn capabilities(&self) -> &Capabilities;

    /// Gets ready for prefixes of one kind, so that the time of [`Session::count`] is the time of the search.
    ///
    /// # Errors
    /// If the method does not run here or the device cannot be made ready.
    fn prepare(&mut self, workload: &Workload) -> Result<Box<dyn Session>>;

    /// Opens the same device once more, after it was lost.
    ///
    /// # Errors
    /// If it cannot be opened.
    fn reopen(&self) -> Result<Box<dyn Device>>;
}

/// A device that is ready for the prefixes of one [`Workload`].
pub trait Session: Send {
    /// The number of completions of each prefix, in their order; [weighted](crate::Properties::weights), if that is
    /// the method's way. After an error the session is not to be used again.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if it was asked to stop; others if the device fails, loses work, or a count would pass its
    /// integer.
    fn count(&mut self, prefixes: &[Prefix], control: &Control<'_>) -> Result<Vec<u64>>;

    /// What it has done so far.
    fn stats(&self) -> Stats;

    /// How long it took to get ready.
    fn startup(&self) -> Startup {
        Startup::default()
    }
}

/// Told which prefixes of a batch have just been counted, from any thread.
pub type OnDone<'a> = &'a (dyn Fn(Range<u64>) + Sync);

/// Told which share of a prefix of a batch, by its place there, has been counted, from any thread: where prefixes take long.
pub type OnPart<'a> = &'a (dyn Fn(u64, f64) + Sync);

/// How a batch is watched and stopped while it is counted.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    stop: &'a AtomicBool,
    done: OnDone<'a>,
    part: OnPart<'a>,
}

impl<'a> Control<'a> {
    /// One that stops the batch when the flag is set, and that tells what is done.
    pub const fn new(stop: &'a AtomicBool, done: OnDone<'a>) -> Self {
        Self { stop, done, part: &|_, _| () }
    }

    /// The same, which also tells of parts of prefixes.
    #[must_use]
    pub const fn with_parts(self, part: OnPart<'a>) -> Self {
        Self { part, ..self }
    }

    /// One that never stops anything and tells nobody.
    pub const fn none() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self::new(&NEVER, &|_| ())
    }

    /// The flag that stops the batch when it is set.
    pub const fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Says which prefixes have been counted.
    pub fn done(&self, prefixes: Range<u64>) {
        (self.done)(prefixes);
    }

    /// Says that this share of a prefix has been counted.
    pub fn part(&self, prefix: u64, share: f64) {
        (self.part)(prefix, share);
    }

    /// An error once the batch is to be stopped.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
    }
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("stop", self.stop).finish_non_exhaustive()
    }
}

/// How long it took until the first dispatch had come back; all 0 on the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Startup {
    /// Finding the devices and opening one.
    pub open: Duration,
    /// Compiling the shaders and taking memory.
    pub compile: Duration,
    /// The first dispatch of each shader, without work: from submitting it to its report. Some drivers compile here.
    pub first_dispatch: Duration,
}

impl Startup {
    /// All of it.
    pub fn total(&self) -> Duration {
        self.open + self.compile + self.first_dispatch
    }
}

impl<D: Device + ?Sized> Device for &mut D {
    fn capabilities(&self) -> &Capabilities {
        (**self).capabilities()
    }

    fn prepare(&mut self, workload: &Workload) -> Result<Box<dyn Session>> {
        (**self).prepare(workload)
    }

    fn reopen(&self) -> Result<Box<dyn Device>> {
        (**self).reopen()
    }
}
