//! The searches on one thread, on prefixes of a few boards: the baseline, which is the CPU twin of the row-order shader, and
//! the lanes on every instruction set of this CPU.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
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

criterion_group!(benches, row_order, lanes);
criterion_main!(benches);
