//! Counts the solutions of the n-queens problem exactly, on a GPU or on the CPU.
//!
//! ```
//! use nqueens::{Method, backend::{Backend, Cpu}, plan::Plan};
//!
//! let mut cpu = Cpu::new(Some(2))?;
//! let plan = Plan::new(10, Method::RowOrder, None, cpu.wanted_prefixes(Method::RowOrder))?;
//! let count = nqueens::count::run(&plan, &mut cpu, &|_finished| ())?;
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
//! One line of data runs through it: [`prefix`] places the first queens, a [`backend`] finishes each prefix by a
//! [`Method`], and [`count`](mod@count) sums multiplicity times completions.
#![warn(missing_docs)]

pub mod backend;
pub mod board;
pub mod classes;
pub mod count;
mod cpu;
mod error;
pub mod estimate;
mod fault;
pub mod gpu;
pub mod job;
pub mod known;
pub mod memory;
mod method;
pub mod placement;
pub mod plan;
pub mod prefix;
pub mod report;
pub mod search;
pub mod solutions;
pub mod symmetry;
pub mod throughput;
pub mod version;
pub mod work;

pub use board::Board;
pub use count::count;
pub use error::{Error, Result};
pub use method::{Finisher, Method};
pub use placement::Placement;
pub use solutions::solutions;
