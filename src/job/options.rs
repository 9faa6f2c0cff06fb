//! How a job is run, and what a person should hear of meanwhile.

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::Verify;
use crate::backend::Cpu;
use crate::error::Result;

/// Failures in a row, without a finished batch between them, after which a device is given up.
pub(super) const MAX_FAILURES: u32 = 3;

/// How a job is run.
///
/// ```
/// use nqueens::job::{Options, Verify};
///
/// let options = Options { verify: Some(Verify { share: 0.01 }), ..Options::default() };
/// ```
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The time between two saves.
    pub save_every: Duration,
    /// The part of the work that is recounted, if any.
    pub verify: Option<Verify>,
    /// Whether the CPU takes over when the last device was given up.
    pub falls_back_to_cpu: bool,
    /// Opens the CPU that recounts and takes over.
    pub open_cpu: &'a (dyn Fn() -> Result<Cpu> + Sync),
    /// The time to wait before a lost device is opened again, twice that the second time: drivers need it to come back.
    pub pause_after_loss: Duration,
    /// Set from outside to end the job early: with a store after the batches at hand, without one at once.
    pub stop: &'a AtomicBool,
    /// When the job is to end early, as if it were stopped then.
    pub deadline: Option<Instant>,
    /// Told which prefixes are finished, by their places in the order of the plan.
    pub progress: &'a (dyn Fn(Range<u64>) + Sync),
    /// Told which share of a prefix is counted, where prefixes take long.
    pub part: &'a (dyn Fn(u64, f64) + Sync),
    /// Told before prefixes are recounted and, with `false`, after that.
    pub recounting: &'a (dyn Fn(bool) + Sync),
    /// Told how far it is.
    pub moment: &'a (dyn Fn(Moment) + Sync),
    /// Told what goes wrong and is put right.
    pub event: &'a (dyn Fn(&Event) + Sync),
}

impl Default for Options<'_> {
    /// Saves every minute, verifies nothing, lets the CPU take over, tells nobody.
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self {
            save_every: Duration::from_secs(60),
            verify: None,
            falls_back_to_cpu: true,
            open_cpu: &|| Cpu::new(None),
            pause_after_loss: Duration::from_secs(1),
            stop: &NEVER,
            deadline: None,
            progress: &|_| (),
            part: &|_, _| (),
            recounting: &|_| (),
            moment: &|_| (),
            event: &|_| (),
        }
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("save_every", &self.save_every)
            .field("verify", &self.verify)
            .field("falls_back_to_cpu", &self.falls_back_to_cpu)
            .field("stop", self.stop)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// How far a job is, for whoever may want to end the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Moment {
    /// From now on something may be finished that is not saved yet.
    Counting,
    /// It was stopped, and all that is finished is saved; but some batches take longer than anybody wants to wait. If the
    /// process does not end here, the job ends after them.
    Saved,
    /// All that is finished is saved, or the error is about to be told.
    Ended,
}

/// What a person should hear of while a job runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A device failed; its batch is counted again.
    Failed {
        /// Which device.
        device: String,
        /// What its driver said.
        reason: String,
        /// How often in a row.
        times: u32,
    },
    /// A recount found another count; the batch is counted again on the CPU.
    Mismatch {
        /// Which device.
        device: String,
        /// The prefix, by its place in the order of the plan.
        prefix: u64,
        /// By the device.
        counted: u64,
        /// By the recount.
        recounted: u64,
    },
    /// A device is not used any more.
    GivenUp {
        /// Which device.
        device: String,
        /// Why.
        reason: &'static str,
        /// Whether the CPU takes its place, because no other device is left.
        on_cpu: bool,
    },
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Failed { device, reason, times } => {
                write!(f, "{device} failed ({reason}); its batch is counted again (failure {times} of {MAX_FAILURES})")
            }
            Self::Mismatch { device, prefix, counted, recounted } => write!(
                f,
                "{device} counted {counted} completions of prefix {prefix}, a recount on the CPU {recounted}; the batch is \
                 counted again on the CPU"
            ),
            Self::GivenUp { device, reason, on_cpu } => {
                let then = if *on_cpu { "the CPU takes over" } else { "the other devices continue" };
                write!(f, "{device} {reason} and is not used any more; {then}")
            }
        }
    }
}
