//! The CPU twin of the row-order shader: prefixes of a few boards, one thread.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use nqueens::Method;
use nqueens::prefix::Prefix;
use nqueens::search::row_order;
use std::hint::black_box;

fn finish(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("row_order::finish");
    for (n, rows) in [(12, 2), (16, 6), (20, 10), (27, 17)] {
        let prefixes: Vec<Prefix> = Method::RowOrder.prefixes(n, rows).skip(1000).take(64).collect();
        let nodes: u64 = prefixes.iter().map(|prefix| row_order::finish(prefix).nodes).sum();
        group.throughput(Throughput::Elements(nodes));
        group.bench_with_input(BenchmarkId::from_parameter(n), &prefixes, |bencher, prefixes| {
            bencher.iter(|| prefixes.iter().map(|prefix| row_order::finish(black_box(prefix)).solutions).sum::<u64>());
        });
    }
    group.finish();
}

criterion_group!(benches, finish);
criterion_main!(benches);
