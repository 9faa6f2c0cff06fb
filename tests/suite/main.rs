//! One file a promise. What reads untrusted input is a test of its own, `tests/untrusted`: it measures memory, which needs an
//! allocator for itself.

mod harness;

mod bench;
mod cli;
mod cpu_gpu_agree;
mod crash_resume;
mod half_join;
mod help;
mod hostile_files;
mod json;
mod known_values;
mod ladder;
mod lanes;
mod listing;
mod prefixes;
mod shaders;
mod shards;
mod show;
mod solve;
mod streams;
mod verification;
