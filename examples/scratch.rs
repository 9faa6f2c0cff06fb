use nqueens::{prefix::*, search::*};
fn main() {
    let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    for t in [2, 3, 4, 5, 6, 7, 8] {
        let s = std::time::Instant::now();
        let (mut sols, mut nodes) = (0u64, 0u64);
        for p in CentrePrefixes::new(n, 10) {
            let f = most_constrained::finish(&p, t);
            sols += p.multiplicity as u64 * f.solutions;
            nodes += f.nodes;
        }
        println!("n={n} T={t} {sols} nodes/sol {:.3} {:.3}s", nodes as f64 / sols as f64, s.elapsed().as_secs_f64());
    }
    let s = std::time::Instant::now();
    let (mut sols, mut nodes) = (0u64, 0u64);
    for p in RowPrefixes::new(n, 3) {
        let f = row_order::finish(&p);
        sols += p.multiplicity as u64 * f.solutions;
        nodes += f.nodes;
    }
    println!("row {sols} {:.3} {:.3}", nodes as f64 / sols as f64, s.elapsed().as_secs_f64());
}
