//! One file a promise. What reads untrusted input is a test of its own, `tests/untrusted`: it measures memory, which needs an
//! allocator for itself.

mod harness;

mod bench;
mod cli;
mod cpu_gpu_agree;
mod crash_resume;
mod files;
mod half_join;
mod help;
mod hostile_files;
mod json;
mod known_values;
mod ladder;
mod lanes;
#[cfg(target_os = "linux")]
mod limits;
mod listing;
mod prefixes;
mod progress;
mod shaders;
mod shards;
mod show;
#[cfg(unix)]
mod signals;
mod solve;
mod streams;
mod verification;
