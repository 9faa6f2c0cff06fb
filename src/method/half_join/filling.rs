//! Fillings: all ways to fill the centre rows that a prefix leaves, up to the mirrors that leave it as it is.

use super::prefixes::Middle;
use super::shape::Shape;
use crate::board::{Board, bits};
use crate::prefix::Prefix;

/// A prefix with all centre rows filled.
#[derive(Clone, Copy, Debug)]
pub struct Filling {
    /// The prefix with these queens; its multiplicity counts from the prefix before.
    pub prefix: Prefix,
    /// Its share of all fillings, for who waits.
    pub share: f64,
}

/// All fillings of a prefix, stage by stage, each stage up to the mirrors that are left. Those whose solutions would not
/// count, because a queen in a middle column is nearer to the middle than those of the middle rows, are left out.
#[derive(Debug)]
pub struct Fillings {
    /// Of each stage: the shape before it, what is left to be extended or given, and the multiplicity and share so far.
    stages: Vec<(Shape, std::vec::IntoIter<Prefix>, u32, f64)>,
}

impl Fillings {
    /// Of a prefix of a shape.
    pub fn new(shape: Shape, prefix: &Prefix) -> Self {
        let all = if counts(prefix) { vec![Prefix { multiplicity: 1, ..*prefix }] } else { vec![] };
        Self { stages: vec![(shape, all.into_iter(), 1, 1.0)] }
    }
}

/// Whether solutions below a prefix can count.
fn counts(prefix: &Prefix) -> bool {
    Middle::from(prefix).columns >= Middle::from(prefix).rows || prefix.board.queens() == 0
}

impl Iterator for Fillings {
    type Item = Filling;

    fn next(&mut self) -> Option<Filling> {
        while let Some((shape, prefixes, multiplicity, share)) = self.stages.last_mut() {
            let (shape, share) = (*shape, *share);
            match prefixes.next() {
                None => {
                    self.stages.pop();
                }
                Some(prefix) => {
                    let multiplicity = *multiplicity * prefix.multiplicity;
                    let prefix = Prefix { multiplicity, ..prefix };
                    if shape.fixed == shape.centre {
                        return Some(Filling { prefix, share });
                    }
                    let next = extensions(shape, &prefix);
                    let share = share / next.len().max(1) as f64;
                    self.stages.push((shape.next_stage(), next.into_iter(), multiplicity, share));
                }
            }
        }
        None
    }
}

/// All ways to go on from a prefix to the next stage.
fn extensions(shape: Shape, prefix: &Prefix) -> Vec<Prefix> {
    let n = shape.n;
    let rows: Vec<u32> = shape.stage_rows().collect();
    let mut found = Vec::new();
    let mut push = |columns: &[u32], board: Board| {
        if let Some((multiplicity, unmoved)) = Middle::from(prefix).unmoved.orbit_if_smallest(n, columns) {
            let queens = rows.iter().copied().zip(columns.iter().copied());
            let next = Middle::from(prefix).with(n, queens, unmoved).prefix(board, multiplicity);
            if counts(&next) {
                found.push(next);
            }
        }
    };
    let board = prefix.board;
    for first in bits(board.free_squares(rows[0])) {
        let next = board.place(rows[0], first);
        match rows.get(1) {
            None => push(&[first], next),
            Some(&row) => {
                bits(next.free_squares(row)).for_each(|second| push(&[first, second], next.place(row, second)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::half_join::mirrors::Mirrors;
    use crate::method::half_join::prefixes::MiddlePrefixes;
    use crate::problem::Problem;

    #[test]
    fn all_fillings_of_all_prefixes_are_all_prefixes() {
        for (n, centre) in [(9, 3), (10, 4), (11, 5)] {
            let all: Vec<Prefix> = MiddlePrefixes::new(&Problem::empty(n).unwrap(), centre).filter(counts).collect();
            let expected: u32 = all.iter().map(|prefix| prefix.multiplicity).sum();
            for fixed in (0..=centre).filter(|fixed| Shape::new(n, centre, *fixed).is_some()) {
                let shape = Shape::new(n, centre, fixed).unwrap();
                let mut sum = 0;
                for prefix in MiddlePrefixes::new(&Problem::empty(n).unwrap(), fixed) {
                    for filling in Fillings::new(shape, &prefix) {
                        sum += prefix.multiplicity * filling.prefix.multiplicity;
                        assert_eq!(filling.prefix.board.queens(), centre);
                    }
                }
                assert_eq!(sum, expected, "{shape:?}");
            }
        }
        let shape = Shape::new(12, 4, 0).unwrap();
        let empty = MiddlePrefixes::new(&Problem::empty(12).unwrap(), 0).next().unwrap();
        let fillings: Vec<Filling> = Fillings::new(shape, &empty).collect();
        let share: f64 = fillings.iter().map(|filling| filling.share).sum();
        assert!((share - 1.0).abs() < 1e-9);
        assert!(fillings.iter().all(|filling| Middle::from(&filling.prefix).unmoved != Mirrors::default()));
    }
}
