//! The half join as a method: its prefixes, its plan, its recount.

use super::mirrors::Mirrors;
use super::prefixes::{Middle, MiddlePrefixes, from_the_middle, whole_middle};
use super::{HalfJoin, Watch, fastest};
use crate::board::{Board, Line, bits};
use crate::capabilities::Capabilities;
use crate::known::about_solutions;
use crate::method::algorithm::{Algorithm, CpuProgram, Forecast, Properties, Solver, sample_free_rows};
use crate::method::descent::Choice;
use crate::method::most_constrained::lanes::{Engine, InstructionSet};
use crate::prefix::{Completions, Prefix, Prefixes};
use crate::problem::Problem;

/// The method.
#[derive(Debug)]
pub struct MeetInTheMiddle;

/// Times of the cost model, of a whole count as it was measured with each kind of instructions.
const OF_THE_MODEL: [(&str, f64); 2] = [("avx512", 0.8), ("avx2", 1.1)];

/// The same without either.
const PLAIN: f64 = 2.5;

/// Nanoseconds before anything is counted: small boards are for searches.
const START: f64 = 100e3;

impl Algorithm for MeetInTheMiddle {
    fn properties(&self) -> &'static Properties {
        &Properties {
            name: "half-join",
            summary: "Meet in the middle: both halves of the board enumerated, their compatible pairs counted; on the CPU only, \
                      in much memory",
            counts_nodes: false,
            any_board: false,
            // Version 1, of the program 0.1.0, compared another number.
            weights: Some(2),
            few_large_prefixes: true,
            prefixes_per_thread: 1,
            solutions_per_prefix: 1e9,
            prefixes_per_shard: 1 << 6,
            shaders: &[],
        }
    }

    fn prefixes(&self, problem: &Problem, depth: u32) -> Prefixes {
        Box::new(MiddlePrefixes::new(problem, depth))
    }

    fn round_depth(&self, n: u32, depth: u32) -> u32 {
        whole_middle(n, depth)
    }

    fn forecast(&self, problem: &Problem, device: &Capabilities, min_prefixes: u64) -> Option<Forecast> {
        let plan = fastest(problem.n(), device.memory, device.lanes, min_prefixes)?;
        Some(Forecast { depth: plan.shape.fixed, nanoseconds: plan.nanoseconds })
    }

    fn next_line(&self, board: &Board) -> Choice {
        match from_the_middle(board.n).find(|&row| board.is_open(Line::Row(row))) {
            None => Choice::Solved,
            Some(row) => Choice::Line(Line::Row(row), board.free_squares(row)),
        }
    }

    fn prefix(&self, problem: &Problem, board: Board, queens: &[(u32, u32)]) -> Prefix {
        let n = problem.n();
        let mut queens = queens.to_vec();
        queens.sort_unstable();
        let columns: Vec<u32> = queens.iter().map(|&(_, column)| column).collect();
        let (multiplicity, unmoved) = Mirrors::ALL.orbit_of(n, &columns);
        Middle::EMPTY.with(n, queens, unmoved).prefix(board, multiplicity)
    }

    fn probe(&self, _prefix: &Prefix, _random: &mut fastrand::Rng) -> f64 {
        1.0
    }

    fn sample_free_rows(&self, n: u32) -> u32 {
        // A prefix in one part, and few enough rows to be joined in no time.
        sample_free_rows(n, 10 + n % 2)
    }

    fn nanoseconds_per_solution(&self, n: u32, device: &Capabilities) -> Option<f64> {
        if device.is_gpu() {
            return None;
        }
        let plan = fastest(n, device.memory, device.lanes, 1)?;
        let measured = OF_THE_MODEL.iter().find(|(instructions, _)| *instructions == device.instruction_set);
        let factor = measured.map_or(PLAIN, |&(_, factor)| factor);
        Some((START + factor * plan.nanoseconds / device.lanes as f64) / about_solutions(n))
    }

    fn cpu_program(&self, problem: &Problem, depth: u32, cpu: &Capabilities) -> Box<dyn CpuProgram> {
        Box::new(HalfJoin::new(problem.n(), depth, cpu.memory, cpu.lanes))
    }

    /// The completions of a prefix, each with its [weight](super::mirrors): the queens in the middle columns come first,
    /// which settles it.
    fn recount(&self, prefix: &Prefix) -> u64 {
        let n = prefix.board.n;
        let mut engine = Engine::<false>::new(InstructionSet::best());
        let mut complete = |board: &Board| engine.count_completions(board).solutions;
        if prefix.board.queens() == 0 {
            return complete(&prefix.board);
        }
        let mut boards = vec![(prefix.board, Middle::from(prefix))];
        for column in [(n - 1) / 2, n / 2].map(Line::Column) {
            boards = boards
                .into_iter()
                .flat_map(|(board, middle)| {
                    let squares = if board.is_open(column) { board.free_squares_of(column) } else { 0 };
                    let closed = (!board.is_open(column)).then_some((board, middle));
                    let placed = bits(squares).map(move |at| {
                        (board.place_on(column, at), middle.with(n, [column.square(at)], middle.unmoved))
                    });
                    closed.into_iter().chain(placed)
                })
                .collect();
        }
        let weighted = boards.iter().filter(|(_, middle)| middle.weight() > 0);
        weighted.map(|(board, middle)| middle.weight() * complete(board)).sum()
    }
}

impl CpuProgram for HalfJoin {
    fn solver(&self) -> Box<dyn Solver + '_> {
        Box::new(Weighted(self))
    }

    fn shares_threads(&self) -> bool {
        !self.many_at_a_time
    }
}

/// Counts the completions of prefixes, [weighted](super::mirrors).
struct Weighted<'a>(&'a HalfJoin);

impl Solver for Weighted<'_> {
    fn count_completions(&mut self, prefix: &Prefix, watch: Watch<'_>) -> Option<Completions> {
        assert_eq!(prefix.board.queens(), self.0.rows, "prefixes are as deep as the workload says");
        let solutions = self.0.count_prefix_with(prefix, watch)?;
        Some(Completions { solutions, ..Completions::default() })
    }
}
