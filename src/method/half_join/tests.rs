//! Whole counts, by every shape and in every way, against known values and other searches.

use super::prefixes::Middle;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use super::kernels::Simd;
use super::*;
use crate::Method;
use crate::backend::Cpu;
use crate::count::plan_and_run;
use crate::estimate::random_prefix;
use crate::method::half_join::prefixes::MiddlePrefixes;
use crate::problem::Problem;

const KNOWN: [u128; 18] =
    [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365_596, 2_279_184, 14_772_512, 95_815_104];

const MUCH: usize = 1 << 32;

fn shapes(n: u32) -> impl Iterator<Item = Shape> {
    (0..=n).flat_map(move |centre| (0..=centre).filter_map(move |fixed| Shape::new(n, centre, fixed)))
}

fn unwatched(counter: &Counter, prefix: &Prefix) -> u64 {
    counter.count_prefix(prefix, Watch { done: &|_| (), stop: &AtomicBool::new(false) }).unwrap()
}

fn sum(counter: &Counter) -> u128 {
    MiddlePrefixes::new(&Problem::empty(counter.shape.n).unwrap(), counter.shape.fixed)
        .map(|p| u128::from(p.multiplicity) * u128::from(unwatched(counter, &p)))
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
            // Of the very many prefixes of the deepest ones one in each board is enough.
            if shape.fixed > 7 {
                continue;
            }
            assert_eq!(sum(&Counter::new(shape, MUCH, Sharing::Alone)), KNOWN[n as usize], "{shape:?}");
        }
    }
}

#[test]
fn every_depth_has_a_plan() {
    for n in 3..=32 {
        for depth in (0..=n - 2).filter(|depth| *depth == 0 || (n + depth) % 2 == 0) {
            let join = HalfJoin::new(n, depth, 1 << 28, 1);
            assert!(join.counter.is_some(), "n={n} depth={depth}");
        }
    }
    for n in [12, 13, 20, 27, 32] {
        let join = HalfJoin::new(n, n - 2, 1 << 28, 2);
        for prefix in MiddlePrefixes::new(&Problem::empty(n).unwrap(), n - 2).take(5) {
            assert_eq!(join.count_prefix(&prefix), Method::HalfJoin.algorithm().recount(&prefix));
        }
    }
}

#[test]
fn every_kind_of_machine_and_of_sharing_gives_the_same_count() {
    for simd in Simd::all() {
        for sharing in [Sharing::Alone, Sharing::Fillings(3), Sharing::Lists] {
            for (n, centre, fixed) in [(12, 2, 0), (13, 3, 1), (12, 6, 0), (14, 2, 2), (15, 1, 0)] {
                let mut counter = Counter::new(Shape::new(n, centre, fixed).unwrap(), MUCH, sharing);
                counter.simd = simd;
                assert_eq!(sum(&counter), KNOWN[n as usize], "n={n} {simd:?} {sharing:?}");
            }
        }
    }
}

#[test]
fn a_small_memory_splits_and_gives_the_same_count() {
    for (n, centre, fixed) in [(13, 1, 0), (13, 1, 1), (13, 3, 0), (14, 2, 0), (14, 2, 2), (14, 4, 0), (15, 1, 1)] {
        let shape = Shape::new(n, centre, fixed).unwrap();
        for (bytes, sharing) in [(0, Sharing::Alone), (1 << 17, Sharing::Lists), (1 << 18, Sharing::Alone)] {
            assert_eq!(sum(&Counter::new(shape, bytes, sharing)), KNOWN[n as usize], "{shape:?}");
        }
    }
    for n in 3..=13 {
        assert_eq!(count(n, 0, 1), KNOWN[n as usize], "n={n}");
    }
}

#[test]
fn random_prefixes_are_recounted_the_same() {
    let mut random = fastrand::Rng::with_seed(20);
    for (n, centre) in [(16, 4), (17, 5), (18, 6), (19, 7), (20, 8), (22, 10), (24, 12), (27, 15), (31, 19), (32, 20)] {
        let counter = Counter::new(Shape::new(n, centre, centre).unwrap(), MUCH, Sharing::Alone);
        let mut weighed = 0;
        while weighed < 3 {
            let Some((prefix, _)) =
                random_prefix(&Problem::empty(n).unwrap(), Method::HalfJoin, n - centre, &mut random)
            else {
                continue;
            };
            let expected = Method::HalfJoin.algorithm().recount(&prefix);
            assert_eq!(unwatched(&counter, &prefix), expected, "{prefix:?}");
            weighed += u32::from(expected > 0);
        }
    }
}

/// Where keys are too narrow for a filling, two rows more are filled, and two more if need be.
#[test]
fn keys_of_too_few_bits() {
    for (n, centre, fixed) in [(12, 2, 0), (12, 2, 2), (13, 1, 0), (13, 3, 1)] {
        for key_bits in [36, 38, 42] {
            let mut counter = Counter::new(Shape::new(n, centre, fixed).unwrap(), MUCH, Sharing::Fillings(2));
            counter.key_bits = key_bits;
            assert_eq!(sum(&counter), KNOWN[n as usize], "n={n} centre={centre} {key_bits} bits");
        }
    }
}

/// Wide keys, and join diagonals beyond 32 bits: no layout of a board this small needs them, so the same board is
/// counted with different centres, of which some do.
#[test]
fn many_diagonals_are_counted_like_few() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut wide = 0;
    for n in [19, 20] {
        let mut tried = 0;
        while tried < 2 {
            let fixed = 2 - n % 2;
            let Some((prefix, _)) =
                random_prefix(&Problem::empty(n).unwrap(), Method::HalfJoin, n - fixed, &mut random)
            else {
                continue;
            };
            let shape = Shape::new(n, fixed, fixed).unwrap();
            let bits = layout::Layout::new(shape, &prefix.board, 0, layout::KEY_BITS).unwrap().join_bits;
            if bits <= 32 || Middle::from(&prefix).columns < Middle::from(&prefix).rows {
                continue;
            }
            wide += 1;
            tried += 1;
            let counts = [fixed, fixed + 2].map(|centre| {
                let shape = Shape::new(n, centre, fixed).unwrap();
                unwatched(&Counter::new(shape, MUCH, Sharing::Lists), &prefix)
            });
            assert_eq!(counts[0], counts[1], "{bits} diagonals: {prefix:?}");
        }
    }
    assert_eq!(wide, 4);
}

#[test]
fn it_stops_when_it_is_told_to_and_says_how_far_it_is() {
    let prefix = MiddlePrefixes::new(&Problem::empty(20).unwrap(), 0).next().unwrap();
    for threads in [1, 2] {
        let join = HalfJoin::new(20, 0, 1 << 30, threads);
        let stop = AtomicBool::new(false);
        let last = Mutex::new(0.0);
        let done = |share: f64| {
            let mut last = last.lock().unwrap();
            assert!((0.0..=1.0).contains(&share));
            *last = f64::max(*last, share);
            stop.fetch_or(share > 0.002, Ordering::Relaxed);
        };
        assert_eq!(join.count_prefix_with(&prefix, Watch { done: &done, stop: &stop }), None);
        let last = *last.lock().unwrap();
        assert!((0.002..0.1).contains(&last), "{last}");
    }
    let join = HalfJoin::new(12, 0, 1 << 30, 1);
    let last = Mutex::new(0.0);
    let done = |share: f64| *last.lock().unwrap() = share;
    let prefix = MiddlePrefixes::new(&Problem::empty(12).unwrap(), 0).next().unwrap();
    let watch = Watch { done: &done, stop: &AtomicBool::new(false) };
    assert_eq!(join.count_prefix_with(&prefix, watch), Some(14200));
    assert!(*last.lock().unwrap() > 0.5);
}

#[test]
fn there_is_a_plan_for_every_board() {
    for n in 0..=32 {
        assert_eq!(fastest(n, 1 << 30, 2, 1).is_some(), n > 2);
    }
}
