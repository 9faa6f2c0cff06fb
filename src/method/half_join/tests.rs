//! Whole counts, by every shape and in every way, against known values and plain search.

use super::*;
use crate::Method;
use crate::backend::Cpu;
use crate::board::Board;
use crate::count::plan_and_run;
use crate::method::half_join::prefixes::MiddlePrefixes;
use crate::method::most_constrained::plain_tail;
use crate::method::most_constrained::search as most_constrained;
use crate::problem::Problem;

fn completions(board: &Board) -> u64 {
    plain_tail::count_completions(board).solutions
}

const KNOWN: [u128; 18] =
    [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365_596, 2_279_184, 14_772_512, 95_815_104];

fn shapes(n: u32) -> impl Iterator<Item = Shape> {
    (0..=n).flat_map(move |centre| (0..=centre).filter_map(move |fixed| Shape::new(n, centre, fixed)))
}

fn sum(counter: &Counter) -> u128 {
    MiddlePrefixes::new(&Problem::empty(counter.shape.n).unwrap(), counter.shape.fixed)
        .map(|p| u128::from(p.multiplicity) * u128::from(counter.count_prefix(&p)))
        .sum()
}

fn count(n: u32, memory: usize, threads: usize) -> u128 {
    let mut cpu = Cpu::new(Some(threads)).unwrap().with_memory(Some(memory));
    plan_and_run(&Problem::empty(n).unwrap(), Method::HalfJoin, &mut cpu).unwrap().solutions
}

#[test]
fn known_values() {
    for n in 0..=16 {
        for threads in [1, 2] {
            assert_eq!(count(n, 1 << 30, threads), KNOWN[n as usize], "n={n} threads={threads}");
        }
    }
}

#[test]
fn every_shape_gives_the_same_count() {
    for n in 3..=11 {
        for shape in shapes(n) {
            // Very many prefixes, each of next to nothing.
            if shape.fixed > 5 {
                continue;
            }
            for weights in [Weights::Completions, Weights::Symmetric] {
                let counter = Counter::new(shape, weights, usize::MAX, false);
                assert_eq!(sum(&counter), KNOWN[n as usize], "{shape:?} {weights:?}");
            }
        }
    }
}

#[test]
fn every_kind_of_machine_gives_the_same_count() {
    for simd in kernels::Simd::all() {
        for shape in [Shape::new(12, 2, 0), Shape::new(13, 3, 1), Shape::new(12, 6, 0)].into_iter().flatten() {
            let mut counter = Counter::new(shape, Weights::Symmetric, usize::MAX, true);
            counter.simd = simd;
            assert_eq!(sum(&counter), KNOWN[shape.n as usize], "{shape:?} {simd:?}");
        }
    }
}

#[test]
fn a_small_memory_splits_and_gives_the_same_count() {
    for (n, centre, fixed) in [(13, 1, 0), (13, 1, 1), (13, 3, 0), (14, 2, 0), (14, 2, 2), (14, 4, 0)] {
        let shape = Shape::new(n, centre, fixed).unwrap();
        let counter = Counter::new(shape, Weights::Symmetric, 0, false);
        assert_eq!(sum(&counter), KNOWN[n as usize], "{shape:?}");
    }
    for n in 3..=13 {
        assert_eq!(count(n, 0, 1), KNOWN[n as usize], "n={n}");
    }
}

#[test]
fn passes_split_the_blocks_and_what_is_between_them() {
    // Enough buckets that passes are sorted in quarters; with filter rows and without, and with lists that are the same
    // upside down.
    for (n, centre, fixed, most) in [(18, 4, 2, 600_000), (18, 4, 4, 20_000), (17, 3, 0, 3_000_000)] {
        let shape = Shape::new(n, centre, fixed).unwrap();
        let prefix = MiddlePrefixes::new(&Problem::empty(shape.n).unwrap(), shape.fixed)
            .nth(fixed as usize)
            .or(MiddlePrefixes::new(&Problem::empty(shape.n).unwrap(), shape.fixed).next())
            .unwrap();
        let [whole, split] =
            [usize::MAX, most].map(|most| Counter::new(shape, Weights::Symmetric, most, false).count_prefix(&prefix));
        assert_eq!(whole, split, "{shape:?}");
    }
}

#[test]
fn random_prefixes_like_most_constrained() {
    let mut random = fastrand::Rng::with_seed(20);
    for (n, centre, fixed) in [(16, 4, 4), (17, 5, 5), (18, 6, 6), (19, 7, 7), (20, 8, 8)] {
        let shape = Shape::new(n, centre, fixed).unwrap();
        let counter = Counter::new(shape, Weights::Completions, usize::MAX, false);
        for _ in 0..3 {
            let prefix =
                MiddlePrefixes::new(&Problem::empty(shape.n).unwrap(), shape.fixed).nth(random.usize(..5000)).unwrap();
            let expected = most_constrained::count_completions(&prefix, 4).solutions;
            assert_eq!(counter.count_prefix(&prefix), expected, "{prefix:?}");
        }
    }
}

#[test]
fn one_prefix_counts_its_completions() {
    let shapes = [
        (12, 4, 4),
        (13, 5, 3),
        (14, 4, 4),
        (14, 6, 4),
        (15, 5, 5),
        (16, 8, 6),
        (18, 8, 8),
        (20, 12, 10),
        (27, 19, 17),
        (31, 21, 21),
        (32, 22, 20),
    ];
    for (n, centre, fixed) in shapes {
        let shape = Shape::new(n, centre, fixed).unwrap();
        let counter = Counter::new(shape, Weights::Completions, usize::MAX, false);
        for prefix in MiddlePrefixes::new(&Problem::empty(shape.n).unwrap(), shape.fixed).step_by(997).take(3) {
            let expected = completions(&prefix.board);
            assert_eq!(counter.count_prefix(&prefix), expected, "{prefix:?}");
        }
    }
}

#[test]
fn join_diagonals_without_room_in_the_low_part() {
    for (n, centre, fixed) in [(9, 3, 0), (10, 2, 0), (10, 2, 2), (10, 4, 2)] {
        let shape = Shape::new(n, centre, fixed).unwrap();
        for low_bits in [14, 12, 10] {
            let mut counter = Counter::new(shape, Weights::Symmetric, usize::MAX, false);
            counter.low_bits = low_bits;
            assert_eq!(sum(&counter), KNOWN[n as usize], "{shape:?} {low_bits} bits");
        }
    }
    let board = crate::board::Board::empty(24);
    let layout = diagonals::Layout::new(Shape::new(24, 2, 2).unwrap(), &board, diagonals::LOW_BITS).unwrap();
    assert_eq!(layout.extra.len(), 42 - 32);
}
