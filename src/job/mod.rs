//! Long counts that lose nothing: checkpoints, shards, several devices, verification.
//!
//! A [`Plan`](crate::plan::Plan) has one order of prefixes. A job is a range of them; a [`Checkpoint`] says which are done
//! and what they add up to, and a [`Store`] keeps it safe. [`run()`] shares what is left among a pool of workers, one for each
//! device, has a sample recounted ([`Verify`]), and saves. A [`ShardPlan`] cuts a plan into jobs for many machines, and
//! [`Folder::merge`] adds their results up.

mod batch_sizes;
mod checkpoint;
mod format;
mod identity;
mod merge;
mod options;
mod provenance;
mod queue;
mod ranges;
mod run;
mod selftest;
mod shards;
mod tally;
mod verify;
mod worker_pool;

pub use crate::files::{Lock, beside, move_aside, read_existing};
pub use checkpoint::{Checkpoint, Store, peek};
pub use identity::Identity;
pub use merge::{Folder, Merged, compact};
pub use options::{Event, Moment, Options};
pub use provenance::{Provenance, Verification};
pub use ranges::Ranges;
pub use run::{Outcome, run};
pub use selftest::{Finding, check_files, check_verify, selftest};
pub use shards::{Shard, ShardFiles, ShardPlan, ShardResult};
pub use tally::{PRIME, Tally};
pub use verify::Verify;

pub use crate::decimal::Decimal;
pub use crate::error::JobError;
