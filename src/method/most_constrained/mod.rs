//! Most constrained line first: the row or column with the fewest free squares, once for each class of eight symmetric boards.

mod gpu;
pub mod lanes;
pub mod plain_tail;
mod prefixes;
pub mod search;

pub use gpu::TAIL_ROWS;
pub use prefixes::{CentrePrefixes, centre_lines};
pub use search::{choose, count_completions};

use super::algorithm::{Algorithm, CpuProgram, Properties, Solver, sample_free_rows};
use super::descent::Choice;
use super::gpu_program::{COMMON, GpuProgram};
use super::simple::Simple;
use crate::board::{Board, Line};
use crate::capabilities::{Capabilities, DeviceKind};
use crate::prefix::{Prefix, Prefixes, Search};
use crate::problem::Problem;
use lanes::{Engine, InstructionSet};

/// The method.
#[derive(Debug)]
pub struct MostConstrained;

impl Algorithm for MostConstrained {
    fn properties(&self) -> &'static Properties {
        &Properties {
            name: "most-constrained",
            summary: "The row or column with the fewest free squares, once for each class of eight symmetric boards",
            counts_nodes: true,
            any_board: true,
            weights: None,
            few_large_prefixes: false,
            prefixes_per_thread: 128,
            solutions_per_prefix: 2e6,
            prefixes_per_shard: 1 << 17,
            shaders: &[COMMON, gpu::SEARCH, gpu::TAIL],
        }
    }

    fn prefixes(&self, problem: &Problem, depth: u32) -> Prefixes {
        Box::new(CentrePrefixes::new(problem, problem.n() - depth))
    }

    fn search(&self, problem: &Problem, depth: u32, from: Option<&[u8]>) -> Option<Box<dyn Search>> {
        let prefixes = CentrePrefixes::new(problem, problem.n() - depth);
        Some(Box::new(match from {
            None => prefixes,
            Some(path) => prefixes.starting_at(path)?,
        }))
    }

    fn search_below(&self, problem: &Problem, prefix: &Prefix, depth: u32) -> Option<Box<dyn Search>> {
        Some(Box::new(CentrePrefixes::below(problem, prefix, problem.n() - depth)))
    }

    fn next_line(&self, board: &Board) -> Choice {
        match centre_lines(board.n).find(|&line| board.is_open(line)) {
            Some(line) if board.free_row_mask != 0 => Choice::Line(line, board.free_squares_of(line)),
            _ => choose(board),
        }
    }

    fn prefix(&self, problem: &Problem, board: Board, queens: &[(u32, u32)]) -> Prefix {
        let is_central = |&(row, column): &(u32, u32)| {
            centre_lines(board.n).any(|line| [Line::Row(row), Line::Column(column)].contains(&line))
        };
        let central: Vec<(u32, u32)> = queens.iter().copied().filter(is_central).collect();
        Prefix::new(board, problem.symmetries().orbit(board.n, &central).0)
    }

    fn probe(&self, prefix: &Prefix, random: &mut fastrand::Rng) -> f64 {
        search::probe(prefix, TAIL_ROWS, random)
    }

    fn sample_free_rows(&self, n: u32) -> u32 {
        sample_free_rows(n, if n < 24 { 15 } else { 16 })
    }

    fn nanoseconds_per_solution(&self, _n: u32, device: &Capabilities) -> Option<f64> {
        let nanoseconds = match (device.kind, device.instruction_set) {
            // No hardware has been measured; all methods are compared with this one.
            (DeviceKind::Gpu, _) => 0.1,
            (DeviceKind::EmulatedGpu, _) => 60.0,
            (DeviceKind::Cpu, "avx512") => 2.8,
            (DeviceKind::Cpu, "avx2") => 7.5,
            (DeviceKind::Cpu, _) => 30.0,
        };
        Some(nanoseconds / device.threads().unwrap_or(1) as f64)
    }

    fn cpu_program(&self, _problem: &Problem, _depth: u32, cpu: &Capabilities) -> Box<dyn CpuProgram> {
        let counts_nodes = cpu.counts_nodes;
        Box::new(Simple(move || match counts_nodes {
            true => on_lanes::<true>(),
            false => on_lanes::<false>(),
        }))
    }

    fn gpu_program(&self, problem: &Problem, depth: u32, tail_rows: Option<u32>) -> Option<GpuProgram> {
        Some(gpu::program(problem.n(), depth, tail_rows))
    }

    fn twin(&self) -> Option<Box<dyn Solver>> {
        Some(Box::new(|prefix: &Prefix| count_completions(prefix, TAIL_ROWS)))
    }

    fn recount(&self, prefix: &Prefix) -> u64 {
        plain_tail::count_completions(&prefix.board).solutions
    }
}

fn on_lanes<const NODES: bool>() -> Box<dyn Solver> {
    let mut engine = Engine::<NODES>::new(InstructionSet::best());
    Box::new(move |prefix: &Prefix| engine.count_completions(&prefix.board))
}
