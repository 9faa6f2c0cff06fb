//! Long counts that lose nothing: checkpoints, shards, several devices, doubt.
//!
//! A [`Plan`](crate::plan::Plan) has one order of prefixes. A job is a range of them; a [`Checkpoint`] says which are done
//! and what they add up to, and a [`Store`] keeps it safe. [`run()`] shares what is left among a crew of devices, has a
//! sample recounted ([`Verify`]), and saves. A [`ShardPlan`] cuts a plan into jobs for many machines, and [`Folder::merge`]
//! adds their results up.

mod checkpoint;
mod crew;
mod disk;
mod error;
mod identity;
mod merge;
mod provenance;
mod queue;
mod ranges;
mod run;
mod sealed;
mod selftest;
mod shards;
mod tally;
mod verify;

pub use checkpoint::{Checkpoint, Store, peek};
pub use crew::{Event, Member, Reopen};
pub use disk::{Lock, beside, move_aside, read_existing};
pub use error::JobError;
pub use identity::Identity;
pub use merge::{Folder, Merged, compact};
pub use provenance::{Doubt, Provenance};
pub use ranges::Ranges;
pub use run::{Ended, Options, run};
pub use selftest::{check_files, check_verify, selftest};
pub use shards::{Shard, ShardFiles, ShardPlan, ShardResult};
pub use tally::{Decimal, PRIME, Tally};
pub use verify::{Mismatch, Verify, recount};
