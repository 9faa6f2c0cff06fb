//! Signals. Without a checkpoint nothing is caught: a signal ends the program at once, as it ends any other, in whatever
//! it does, and one that was ignored when the program started stays ignored.
//!
//! With a checkpoint INT, TERM and HUP ask it to stop. What comes after the first signal is the same wish once more: GNU
//! timeout signals a process and then its group, GNU parallel repeats TERM. Only a second INT, a second or more after the
//! first, ends at once.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nqueens::job::Moment;

use super::exit::{Exit, Failure};

/// What a signal asks of a job with a checkpoint.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// Set by the first signal.
    pub flag: Arc<AtomicBool>,
    /// Whether something may be finished that is not saved yet.
    counting: Arc<AtomicBool>,
}

impl Stop {
    /// Catches signals for a job that is saved in this file.
    ///
    /// # Errors
    /// If the operating system does not let signals be caught, or does not start the thread that waits for them.
    pub fn saving_to(path: &Path, quiet: bool) -> Result<Self, Failure> {
        let stop = Self::default();
        stop.watch(path, quiet).map_err(nqueens::Error::Threads)?;
        Ok(stop)
    }

    /// Told how far a job is. Once all that is finished is saved nothing is left to wait for.
    pub fn moment(&self, moment: Moment, path: Option<&Path>) {
        match moment {
            Moment::Counting => self.counting.store(true, Ordering::SeqCst),
            Moment::Ended => self.counting.store(false, Ordering::SeqCst),
            Moment::Saved => {
                if let Some(path) = path {
                    end(path)
                }
            }
            _ => {}
        }
    }

    #[cfg(unix)]
    fn watch(&self, path: &Path, quiet: bool) -> io::Result<()> {
        use std::os::unix::net::UnixStream;

        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::{flag, low_level::pipe};

        let (listener, sender) = UnixStream::pair()?;
        let interrupted = Arc::new(AtomicBool::new(false));
        let ignored = ignored();
        // The listener first: what is caught must be heard.
        let (watch, path, by_int) = (self.clone(), path.to_path_buf(), Arc::clone(&interrupted));
        std::thread::Builder::new()
            .name("signals".into())
            .stack_size(256 << 10)
            .spawn(move || watch.listen(listener, &by_int, &path, quiet))?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if signal != SIGTERM && ignored >> (signal - 1) & 1 == 1 {
                continue;
            }
            flag::register(signal, Arc::clone(&self.flag))?;
            if signal == SIGINT {
                flag::register(signal, Arc::clone(&interrupted))?;
            }
            pipe::register(signal, sender.try_clone()?)?;
        }
        Ok(())
    }

    /// Acknowledges the first signal, ends the program a second later if nothing can be lost, and at once on a second INT.
    #[cfg(unix)]
    fn listen(
        &self,
        mut signals: std::os::unix::net::UnixStream,
        by_int: &AtomicBool,
        path: &Path,
        quiet: bool,
    ) -> io::Result<()> {
        use std::io::Read;
        use std::time::{Duration, Instant};

        /// Signals this close to each other are one; it is also how long whoever listens to the flag has to end.
        const GRACE: Duration = Duration::from_secs(1);
        let (mut first, mut first_int) = (None::<Instant>, None::<Instant>);
        loop {
            match signals.read(&mut [0; 64]) {
                Ok(0) => return Ok(()),
                Ok(_) if first.is_none() => {
                    first = Some(Instant::now());
                    if !quiet {
                        say!("stopping: saving what is finished in '{}'", path.display());
                    }
                    signals.set_read_timeout(Some(Duration::from_millis(100)))?;
                }
                _ => {}
            }
            if by_int.swap(false, Ordering::SeqCst) {
                match first_int {
                    None => first_int = Some(Instant::now()),
                    Some(first) if first.elapsed() >= GRACE => signal_hook::low_level::exit(130),
                    Some(_) => {}
                }
            }
            if first.is_some_and(|first| first.elapsed() >= GRACE) && !self.counting.load(Ordering::SeqCst) {
                end(path);
            }
        }
    }

    #[cfg(not(unix))]
    fn watch(&self, _path: &Path, _quiet: bool) -> io::Result<()> {
        use signal_hook::consts::{SIGINT, SIGTERM};

        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag not set yet, and sets it.
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&self.flag))?;
            signal_hook::flag::register(signal, Arc::clone(&self.flag))?;
        }
        Ok(())
    }
}

/// Ends the program whatever its threads are at: all that is finished is saved.
fn end(path: &Path) -> ! {
    say!("{}", Failure::Stopped(path.into()));
    signal_hook::low_level::exit(Exit::Stopped as i32)
}

/// The signals that were ignored when the program started, a bit each, where the operating system says: `nohup` and
/// `trap '' INT` do that.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
