//! How far a count is, and whether it is to stop.

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use crate::method::algorithm::Watch;

/// Why a count did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It was to stop.
    Stopped,
    /// Lists would take more memory than there may be.
    TooLarge,
}

/// So many times, at most, is the share told.
const TIMES: f64 = 1000.0;

/// What is done of a prefix.
pub struct Progress<'a> {
    watch: Watch<'a>,
    done: Mutex<f64>,
}

impl<'a> Progress<'a> {
    /// Nothing is done yet.
    pub fn new(watch: Watch<'a>) -> Self {
        Self { watch, done: Mutex::new(0.0) }
    }

    /// Whether to go on.
    #[inline(always)]
    pub fn check(&self) -> Result<(), Halt> {
        if self.is_stopped() { Err(Halt::Stopped) } else { Ok(()) }
    }

    /// Whether to stop.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.watch.stop.load(Ordering::Relaxed)
    }

    /// A share more is done.
    pub fn add(&self, share: f64) {
        let (before, now) = {
            let mut done = self.done.lock().expect("no thread panics in here");
            let before = *done;
            *done += share;
            (before, *done)
        };
        if (before * TIMES) as u64 != (now * TIMES) as u64 {
            (self.watch.done)(now.min(1.0));
        }
    }
}
