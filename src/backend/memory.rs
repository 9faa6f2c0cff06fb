//! How much memory there is to be taken.

use sysinfo::System;

/// What [`free_memory`] says where the operating system does not say.
const UNKNOWN: u64 = 4 << 30;

/// The share of the free memory that a count takes where nobody said how much: a quarter.
const SHARE: u64 = 4;

/// Bytes that can be taken without swapping, on this machine and in the container that this process is in, if it is in one.
/// A limit on this process alone, such as a batch system's, is not known here.
pub fn free_memory() -> u64 {
    // sysinfo panics on a Linux without it, as some containers are.
    if cfg!(target_os = "linux") && !std::path::Path::new("/proc/meminfo").exists() {
        return UNKNOWN;
    }
    let mut system = System::new();
    system.refresh_memory();
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    let machine = match system.available_memory() {
        0 => UNKNOWN,
        bytes => bytes,
    };
    machine.min(group)
}

/// Bytes that a count takes where nobody said how much.
pub fn default_memory() -> usize {
    usize::try_from(free_memory() / SHARE).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_some_memory_but_not_without_end() {
        assert!((1 << 20..1 << 50).contains(&super::free_memory()));
    }
}
