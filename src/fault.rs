//! Faults on demand, for the tests of what must survive them.
//!
//! Only where it was built with `NQUEENS_BUILD_WITH_FAULTS` set, as no shipped binary is: else all of this is empty. The variable
//! `NQUEENS_FAULTS` is a list like `crash=renamed:3,counts=add-one,destroy=2,full-disk,no-locks,slow=50`.

#[cfg(nqueens_faults)]
mod injected {
    use std::collections::HashMap;
    use std::sync::Mutex;

    /// The value of a fault that was asked for.
    fn asked(fault: &str) -> Option<String> {
        let faults = std::env::var("NQUEENS_FAULTS").ok()?;
        faults.split(',').find_map(|one| {
            let (name, value) = one.split_once('=').unwrap_or((one, ""));
            (name == fault).then(|| value.to_string())
        })
    }

    /// How often a fault has been met before.
    fn met(fault: &str) -> u64 {
        static MET: Mutex<Option<HashMap<String, u64>>> = Mutex::new(None);
        let mut met = MET.lock().expect("nothing panics with it");
        let times = met.get_or_insert_default().entry(fault.to_string()).or_default();
        *times += 1;
        *times - 1
    }

    /// `name` or `name:times`; without a number it never ends.
    fn times(value: &str) -> (&str, u64) {
        let (name, times) = value.split_once(':').unwrap_or((value, ""));
        (name, times.parse().unwrap_or(u64::MAX))
    }

    /// Ends the process as `kill -9` would, at the step of that name: `crash=step` or, the k-th time, `crash=step:k`.
    pub fn point(step: &str) {
        if let Some(value) = asked("crash") {
            let (wanted, at) = value.split_once(':').unwrap_or((&value, "1"));
            if wanted == step && met(step) + 1 == at.parse().unwrap_or(1) {
                std::process::abort();
            }
        }
    }

    /// Where a file is written on a full disk.
    pub fn full_disk() -> Option<&'static str> {
        asked("full-disk").map(|_| "/dev/full")
    }

    /// Why no file can be locked, where the file system has no locks.
    pub fn no_locks() -> Option<std::io::Error> {
        asked("no-locks").map(|_| std::io::ErrorKind::Unsupported.into())
    }

    /// Falsifies the first count of a batch: `counts=add-one`, `counts=flip:2` for the first two batches only.
    pub fn falsify(counts: &mut [u64]) {
        let (Some(value), Some(first)) = (asked("counts"), counts.first_mut()) else { return };
        let (kind, limit) = times(&value);
        if met("counts") < limit {
            match kind {
                "add-one" => *first += 1,
                "flip" => *first ^= 1 << 9,
                // A prefix of no solutions is not missed: the next one that has some is.
                "drop" => {
                    let first = counts.iter().position(|&count| count != 0).unwrap_or(0);
                    counts[first] = 0;
                }
                other => panic!("there is no fault counts={other}"),
            }
        }
    }

    thread_local! {
        static IN_JOB: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }

    /// This thread works on a job, not on a self-test: devices may be destroyed.
    pub fn job_begins() {
        IN_JOB.set(true);
    }

    #[cfg(feature = "gpu")]
    /// Whether the device is to be destroyed now: `destroy=2` for the first two times.
    pub fn destroys_device() -> bool {
        IN_JOB.get() && asked("destroy").is_some_and(|value| met("destroy") < value.parse().unwrap_or(u64::MAX))
    }

    /// Makes each batch last longer: `slow=50`, in milliseconds.
    pub fn slow_down() {
        if let Some(milliseconds) = asked("slow").and_then(|value| value.parse().ok()) {
            std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        }
    }
}

#[cfg(not(nqueens_faults))]
mod injected {
    #[inline(always)]
    pub fn point(_step: &str) {}
    #[inline(always)]
    pub fn full_disk() -> Option<&'static str> {
        None
    }
    #[inline(always)]
    pub fn no_locks() -> Option<std::io::Error> {
        None
    }
    #[inline(always)]
    pub fn falsify(_counts: &mut [u64]) {}
    #[inline(always)]
    pub fn job_begins() {}
    #[cfg(feature = "gpu")]
    #[inline(always)]
    pub fn destroys_device() -> bool {
        false
    }
    #[inline(always)]
    pub fn slow_down() {}
}

#[cfg(feature = "gpu")]
pub use injected::destroys_device;
pub use injected::{falsify, full_disk, job_begins, no_locks, point, slow_down};
