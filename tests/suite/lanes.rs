//! The SIMD form of the most-constrained search agrees with its scalar twin, on every instruction set of this CPU.

use nqueens::internals::most_constrained::lanes::{Engine, InstructionSet};
use nqueens::internals::most_constrained::{self, CentrePrefixes, plain_tail};
use nqueens::{Board, Prefix};

use crate::harness::problem;

fn prefixes(n: u32, free_rows: u32) -> CentrePrefixes {
    CentrePrefixes::new(&problem(n), free_rows)
}

fn engines() -> Vec<(&'static str, Engine<true>)> {
    InstructionSet::all().into_iter().map(|set| (set.name(), Engine::new(set))).collect()
}

#[test]
fn the_portable_form_is_always_there() {
    assert_eq!(InstructionSet::all().last().map(|set| set.name()), Some("portable"));
}

#[test]
fn known_values_from_every_prefix_depth() {
    let known = [1u64, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200];
    for (name, mut engine) in engines() {
        for (n, &expected) in (0..).zip(&known) {
            for free_rows in [n, 9.min(n), 6.min(n), 3.min(n), 0] {
                let count: u64 = prefixes(n, free_rows)
                    .map(|prefix| u64::from(prefix.multiplicity()) * engine.count_completions(prefix.board()).solutions)
                    .sum();
                assert_eq!(count, expected, "{name} n={n} free_rows={free_rows}");
            }
        }
    }
}

#[test]
fn each_prefix_agrees_with_the_scalar_twin() {
    for (name, mut engine) in engines() {
        for n in 5..=13 {
            for prefix in prefixes(n, 9) {
                let scalar = most_constrained::count_completions(&prefix, 4).solutions;
                assert_eq!(engine.count_completions(prefix.board()).solutions, scalar, "{name} {prefix:?}");
            }
        }
    }
}

/// A board with about this many free rows, filled at random: such boards never come from prefixes.
fn random_board(random: &mut fastrand::Rng, n: u32, free_rows: u32) -> Board {
    let mut board = Board::empty(n);
    for _ in 0..1000 {
        if board.free_rows() <= free_rows {
            break;
        }
        let (row, column) = (random.u32(..n), random.u32(..n));
        if board.is_free(row, column) {
            board = board.place(row, column);
        }
    }
    board
}

#[test]
fn random_boards_of_every_size() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut engines = engines();
    let mut solvable = 0;
    for n in 0..=32 {
        for i in 0..60 {
            // The widest boards take the transposed and the scalar way.
            let board = random_board(&mut random, n, 6 + i % 7);
            let expected = plain_tail::count_completions(&board).solutions;
            solvable += u32::from(expected > 0);
            let prefix = Prefix::new(board, 1);
            for tail_rows in [0, 4] {
                assert_eq!(most_constrained::count_completions(&prefix, tail_rows).solutions, expected, "{board:?}");
            }
            for (name, engine) in &mut engines {
                assert_eq!(engine.count_completions(&board).solutions, expected, "{name} {board:?}");
            }
        }
    }
    assert!(solvable > 300, "only {solvable} boards had solutions");
}

#[test]
fn nodes_hardly_depend_on_the_instruction_set() {
    // Loads differ in width, so what is given back differs; nothing else does.
    let nodes = |mut engine: Engine<true>| -> u64 {
        prefixes(12, 12).map(|prefix| engine.count_completions(prefix.board()).nodes).sum()
    };
    let counts: Vec<u64> = engines().into_iter().map(|(_, engine)| nodes(engine)).collect();
    assert!(counts.iter().all(|count| count.abs_diff(counts[0]) * 50 <= counts[0]), "{counts:?}");
}

#[test]
fn counting_nodes_does_not_change_the_count() {
    let (mut with, mut without) =
        (Engine::<true>::new(InstructionSet::best()), Engine::<false>::new(InstructionSet::best()));
    for prefix in prefixes(11, 9) {
        let (a, b) = (with.count_completions(prefix.board()), without.count_completions(prefix.board()));
        assert_eq!((a.solutions, b.nodes), (b.solutions, 0));
    }
}
