//! Row order: one queen a row, from the top down; the first row halved by the mirror symmetry. The baseline.

mod gpu;
mod prefixes;
mod search;

pub use prefixes::RowPrefixes;
pub use search::{Rows, count_completions, count_solutions};

use super::algorithm::{Algorithm, CpuProgram, Properties, Solver, sample_free_rows};
use super::descent::Choice;
use super::gpu_program::{COMMON, GpuProgram};
use super::most_constrained;
use super::simple::Simple;
use crate::board::{Board, Line};
use crate::capabilities::Capabilities;
use crate::prefix::{Prefix, Prefixes, Search};
use crate::problem::Problem;
use crate::symmetry::Symmetry;

/// The method.
#[derive(Debug)]
pub struct RowOrder;

/// The rows that a recount leaves to the plain tail.
const RECOUNT_TAIL_ROWS: u32 = 6;

impl Algorithm for RowOrder {
    fn properties(&self) -> &'static Properties {
        &Properties {
            name: "row-order",
            summary: "Rows from the top down, halved by the mirror symmetry: the baseline",
            counts_nodes: true,
            any_board: false,
            weights: None,
            few_large_prefixes: false,
            prefixes_per_thread: 128,
            solutions_per_prefix: 2e6,
            prefixes_per_shard: 1 << 17,
            shaders: &[COMMON, gpu::SOURCE],
        }
    }

    fn prefixes(&self, problem: &Problem, depth: u32) -> Prefixes {
        Box::new(RowPrefixes::new(problem, depth))
    }

    fn search(&self, problem: &Problem, depth: u32, from: Option<&[u8]>) -> Option<Box<dyn Search>> {
        let prefixes = RowPrefixes::new(problem, depth);
        Some(Box::new(match from {
            None => prefixes,
            Some(path) => prefixes.starting_at(path)?,
        }))
    }

    fn search_below(&self, problem: &Problem, prefix: &Prefix, depth: u32) -> Option<Box<dyn Search>> {
        Some(Box::new(RowPrefixes::below(problem, prefix, depth)))
    }

    fn next_line(&self, board: &Board) -> Choice {
        match board.queens() {
            row if row == board.n => Choice::Solved,
            row => Choice::Line(Line::Row(row), board.free_squares(row)),
        }
    }

    fn prefix(&self, problem: &Problem, board: Board, _queens: &[(u32, u32)]) -> Prefix {
        let mirrored = problem.symmetries().contains(Symmetry::LeftRight) && board.n > 1;
        Prefix::new(board, if mirrored { 2 } else { 1 })
    }

    fn probe(&self, prefix: &Prefix, random: &mut fastrand::Rng) -> f64 {
        search::probe(prefix, random)
    }

    fn sample_free_rows(&self, n: u32) -> u32 {
        sample_free_rows(n, 11)
    }

    /// Never the fastest: on a GPU seven times, on a CPU thirty times slower than [`most_constrained`].
    fn nanoseconds_per_solution(&self, n: u32, device: &Capabilities) -> Option<f64> {
        let slower = if device.is_gpu() { 7.0 } else { 30.0 };
        most_constrained::MostConstrained.nanoseconds_per_solution(n, device).map(|nanoseconds| slower * nanoseconds)
    }

    fn cpu_program(&self, _problem: &Problem, _depth: u32, cpu: &Capabilities) -> Box<dyn CpuProgram> {
        let count = if cpu.counts_nodes { count_completions } else { count_solutions };
        Box::new(Simple(move || Box::new(count) as Box<dyn Solver>))
    }

    fn gpu_program(&self, problem: &Problem, depth: u32, _tail_rows: Option<u32>) -> Option<GpuProgram> {
        Some(gpu::program(problem.n(), depth))
    }

    fn recount(&self, prefix: &Prefix) -> u64 {
        most_constrained::count_completions(prefix, RECOUNT_TAIL_ROWS).solutions
    }
}
