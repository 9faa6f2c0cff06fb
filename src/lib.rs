//! Counts the solutions of the n-queens problem exactly, on a GPU or on the CPU.
//!
//! ```
//! assert_eq!(nqueens::count(10)?, 724);
//! # Ok::<(), nqueens::Error>(())
//! ```
//!
//! That is the short way. The long one says by which [`Method`] and on which [`Device`](backend::Device), watches the count and
//! can stop it:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use nqueens::backend::{Control, Cpu, Device};
//! use nqueens::plan::{Plan, Wishes};
//! use nqueens::{Method, Problem, count};
//!
//! let mut cpu = Cpu::new(Some(2))?;
//! let plan = Plan::new(&Problem::empty(10)?, Method::MostConstrained, &[cpu.capabilities().clone()], &Wishes::default())?;
//! let stop = AtomicBool::new(false);
//! let watch = |prefixes: std::ops::Range<u64>| println!("prefixes {prefixes:?} of {} are done", plan.prefixes());
//! let count = count::run(&plan, &mut cpu, &Control::new(&stop, &watch))?;
//! assert_eq!(count.solutions, 724);
//! # Ok::<(), nqueens::Error>(())
//! ```
//!
//! Where the boards themselves are wanted, [`solutions`](solutions()) gives them one by one:
//!
//! ```
//! for placement in nqueens::solutions(8)?.take(3) {
//!     println!("{placement}\n{}", nqueens::report::Drawing::new(placement.columns()));
//! }
//! # Ok::<(), nqueens::Error>(())
//! ```
//!
//! One line of data runs through it: a [`Plan`](plan::Plan) lists the prefixes, the first queens of every board; a device's
//! [`Session`](backend::Session) counts the completions of each by a [`Method`]; and [`count`](mod@count) sums multiplicity
//! times completions. Without the features `cli` and `gpu` the library builds neither clap nor wgpu.
#![warn(missing_docs)]

mod attack;
pub mod backend;
pub mod board;
mod capabilities;
pub mod classes;
pub mod count;
mod decimal;
mod error;
pub mod estimate;
mod fault;
mod files;
pub mod gpu;
pub mod job;
pub mod known;
mod listing;
mod marks;
mod method;
pub mod placement;
pub mod plan;
mod prefix;
mod problem;
pub mod reference;
pub mod report;
pub mod solutions;
pub mod symmetry;
pub mod throughput;
pub mod version;
pub mod work;

pub use board::Board;
pub use count::count;
pub use error::{Error, JobError, Result};
pub use marks::Mark;
pub use method::{Method, Properties};
pub use placement::Placement;
pub use prefix::{Completions, Prefix};
pub use problem::Problem;
pub use solutions::solutions;

/// For the tests and benchmarks of this package: searches, their SIMD forms and kernels. Not a part of its interface.
#[doc(hidden)]
pub mod internals {
    pub use crate::estimate::random_prefix;
    pub use crate::method::{algorithm, gpu_program, half_join, most_constrained, row_order};
}
