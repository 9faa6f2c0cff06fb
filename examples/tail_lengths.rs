//! Estimates the nodes per solution of the most-constrained search for each length T of the plain tail, as in the table of
//! docs/ALGORITHM.md: `cargo run --release --example tail_lengths -- 22`

use nqueens::estimate::estimate;
use nqueens::prefix::Prefix;
use nqueens::search::most_constrained;
use nqueens::{Error, Method};

fn main() -> Result<(), Error> {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(16);
    println!("n = {n}, nodes per solution\n T  careful   tail    sum");
    for tail_rows in [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13] {
        let samples = if tail_rows > 9 { 2_000 } else { 20_000 };
        let found = estimate(Method::MostConstrained, n, 13.min(n), samples, 1, || {
            move |prefix: &Prefix| most_constrained::finish(prefix, tail_rows)
        })?;
        let [nodes, tail] = [found.nodes, found.tail_nodes].map(|mean| mean.value / found.solutions.value);
        println!("{tail_rows:2} {:8.3} {tail:6.3} {nodes:6.3}", nodes - tail);
    }
    Ok(())
}
