//! The inner loops on one thread: the baseline, which is the CPU twin of the row-order shader, on prefixes of a few boards; the
//! lanes of most constrained lines and the pair kernels of the half join on every instruction set of this CPU.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nqueens::internals::half_join::kernels::{Instructions, Job, Scratch, Simd, pairs};
use nqueens::internals::most_constrained::lanes::{Engine, InstructionSet};
use nqueens::internals::{most_constrained, random_prefix, row_order};
use nqueens::{Method, Prefix, Problem};

/// Random prefixes with this many free rows.
fn prefixes(method: Method, n: u32, free_rows: u32) -> Vec<Prefix> {
    let mut random = fastrand::Rng::with_seed(1);
    let problem = Problem::empty(n).unwrap();
    let next = || random_prefix(&problem, method, free_rows, &mut random);
    std::iter::repeat_with(next).flatten().map(|(prefix, _)| prefix).take(64).collect()
}

fn row_order(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("row_order");
    for n in [12, 16, 20, 27] {
        let prefixes = prefixes(Method::RowOrder, n, 10);
        let nodes: u64 = prefixes.iter().map(|prefix| row_order::count_completions(prefix).nodes).sum();
        group.throughput(Throughput::Elements(nodes));
        group.bench_with_input(BenchmarkId::from_parameter(n), &prefixes, |bencher, prefixes| {
            let count = |prefix| row_order::count_solutions(black_box(prefix)).solutions;
            bencher.iter(|| prefixes.iter().map(count).sum::<u64>());
        });
    }
    group.finish();
}

fn lanes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lanes");
    for instructions in InstructionSet::all() {
        for n in [16, 20, 27] {
            let prefixes = prefixes(Method::MostConstrained, n, 14);
            let nodes: u64 = prefixes.iter().map(|prefix| most_constrained::count_completions(prefix, 4).nodes).sum();
            group.throughput(Throughput::Elements(nodes));
            group.bench_with_input(BenchmarkId::new(instructions.name(), n), &prefixes, |bencher, prefixes| {
                let mut engine = Engine::<false>::new(instructions);
                let mut count = |prefix: &Prefix| engine.count_completions(black_box(prefix).board()).solutions;
                bencher.iter(|| prefixes.iter().map(&mut count).sum::<u64>());
            });
        }
    }
    group.finish();
}

/// Diagonals that a key of [`keys`] can have.
const DIAGONALS: u32 = 28;

/// Random keys of six diagonals each, about as full as those of the blocks of n = 18.
fn keys(count: usize, random: &mut fastrand::Rng) -> Vec<u32> {
    let mut key = || (0..6).fold(0, |key, _| key | 1 << random.u32(..DIAGONALS));
    std::iter::repeat_with(&mut key).take(count).collect()
}

/// Counts the disjoint pairs of two lists.
struct Pairs<'a>(&'a [u32], &'a [u32], &'a mut Scratch);

impl Job for Pairs<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Instructions>(self) -> u64 {
        pairs::<I>(self.0, self.1, DIAGONALS, self.2)
    }
}

fn pair_kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pairs");
    for simd in Simd::all() {
        // Short lists are compared each with each, longer ones by tables, and the longest are split by diagonals first.
        for length in [24, 256, 4096, 32_768] {
            let mut random = fastrand::Rng::with_seed(1);
            let (a, b) = (keys(length, &mut random), keys(length, &mut random));
            let mut scratch = Scratch::default();
            group.throughput(Throughput::Elements((a.len() * b.len()) as u64));
            group.bench_function(BenchmarkId::new(simd.name(), length), |bencher| {
                bencher.iter(|| simd.run(Pairs(black_box(&a), black_box(&b), &mut scratch)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, row_order, lanes, pair_kernels);
criterion_main!(benches);
