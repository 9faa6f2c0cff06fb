//! How much memory there is to be taken.

use sysinfo::System;

/// What [`free_memory`] says where the operating system does not say.
const UNKNOWN: u64 = 4 << 30;

/// The share of the free memory that a count takes where nobody said how much: a quarter.
const SHARE: u64 = 4;

/// Bytes that can be taken without swapping, on this machine, in the container that this process is in, if it is in one, and
/// within the limit on its own address space, such as a batch system's.
pub fn free_memory() -> u64 {
    // sysinfo panics on a Linux without it, as some containers are.
    if cfg!(target_os = "linux") && std::fs::read("/proc/meminfo").is_err() {
        return UNKNOWN;
    }
    let mut system = System::new();
    system.refresh_memory();
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    let machine = match system.available_memory() {
        0 => UNKNOWN,
        bytes => bytes,
    };
    machine.min(group).min(address_space())
}

/// What is left of the address space that this process may have; without a limit or where the system does not say, no end.
fn address_space() -> u64 {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let limit = read("/proc/self/limits").and_then(|limits| {
        limits.lines().find_map(|line| line.strip_prefix("Max address space")?.split_whitespace().next()?.parse().ok())
    });
    let Some(limit): Option<u64> = limit else { return u64::MAX };
    let taken = read("/proc/self/status").and_then(|status| {
        status.lines().find_map(|line| line.strip_prefix("VmSize:")?.split_whitespace().next()?.parse::<u64>().ok())
    });
    limit.saturating_sub(taken.unwrap_or(0) << 10)
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
