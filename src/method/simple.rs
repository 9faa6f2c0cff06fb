//! The CPU form of a method whose threads share nothing.

use super::algorithm::{CpuProgram, Solver};

/// Makes a solver for each thread.
pub struct Simple<F>(pub F);

impl<F: Fn() -> Box<dyn Solver> + Send + Sync> CpuProgram for Simple<F> {
    fn solver(&self) -> Box<dyn Solver + '_> {
        (self.0)()
    }
}
