//! Estimates the nodes per solution of the most-constrained search for each length T of the plain tail, as in the table of
//! docs/ALGORITHM.md: `cargo run --release --example tail_lengths -- 22`

use nqueens::internals::most_constrained::count_completions;
use nqueens::internals::random_prefix;
use nqueens::{Method, Problem, Result};

fn main() -> Result<()> {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(16);
    let problem = Problem::empty(n)?;
    println!("n = {n}, nodes per solution\n T    above   tail    sum");
    for tail_rows in [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13] {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut solutions, mut nodes, mut tail) = (0.0, 0.0, 0.0);
        for _ in 0..if tail_rows > 9 { 2_000 } else { 20_000 } {
            let found = random_prefix(&problem, Method::MostConstrained, 13.min(n), &mut random);
            let Some((prefix, weight)) = found else { continue };
            let found = count_completions(&prefix, tail_rows);
            // The search visits one board of each class of symmetric ones.
            let searched = weight / f64::from(prefix.multiplicity());
            solutions += weight * found.solutions as f64;
            nodes += searched * found.nodes as f64;
            tail += searched * found.tail_nodes as f64;
        }
        let [above, tail, sum] = [nodes - tail, tail, nodes].map(|nodes| nodes / solutions);
        println!("{tail_rows:2} {above:8.3} {tail:6.3} {sum:6.3}");
    }
    Ok(())
}
