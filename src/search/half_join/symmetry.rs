//! Symmetry: prefixes and fillings up to the mirrors that keep rows rows, and the weight that adds transposition.
//!
//! The four symmetries that keep rows rows (left-right mirror, top-bottom mirror, both, none) act on the placements on
//! the centre rows. Of each orbit only the smallest placement is searched and counts for all of them.
//!
//! Transposition exchanges the middle rows with the middle columns. Let `rows` be a number read off the queens in the
//! middle rows that no mirror changes, and `columns` the same number read off the middle columns: transposition swaps the
//! two. So `solutions = 2 * #(rows < columns) + #(rows = columns)`, and what has `rows > columns` need not be counted.
//! The number is the distance of the queen from the middle (odd n) or the distance between the two queens (even n).

/// The four symmetries that keep rows rows.
pub const MIRRORS: [Mirror; 4] = [
    Mirror { columns: false, rows: false },
    Mirror { columns: true, rows: false },
    Mirror { columns: false, rows: true },
    Mirror { columns: true, rows: true },
];

/// A symmetry that keeps rows rows: which of the two mirrors it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// Left and right exchanged.
    pub columns: bool,
    /// Top and bottom exchanged.
    pub rows: bool,
}

impl Mirror {
    /// Compares the image of some queens with the queens themselves: their columns, row by row, in rows that are
    /// symmetric from top to bottom.
    fn compare_image(self, n: u32, queens: &[u32]) -> std::cmp::Ordering {
        let image = |i: usize| {
            let column = queens[if self.rows { queens.len() - 1 - i } else { i }];
            if self.columns { n - 1 - column } else { column }
        };
        (0..queens.len()).map(image).cmp(queens.iter().copied())
    }
}

/// The size of the orbit of some queens under `group`, if they are the smallest of it, and which of the group leave them
/// as they are.
pub fn orbit_if_smallest(n: u32, queens: &[u32], group: &[Mirror]) -> Option<(u32, Vec<Mirror>)> {
    let mut unmoved = Vec::new();
    for &mirror in group {
        match mirror.compare_image(n, queens) {
            std::cmp::Ordering::Less => return None,
            std::cmp::Ordering::Equal => unmoved.push(mirror),
            std::cmp::Ordering::Greater => (),
        }
    }
    Some(((group.len() / unmoved.len()) as u32, unmoved))
}

/// The number that no mirror changes, of the places of the queens in the two middle lines (odd n: the same line twice).
pub fn middle_number(n: u32, [first, second]: [u32; 2]) -> i32 {
    // Odd n: first == second == place in the middle line.
    if n.is_multiple_of(2) { first.abs_diff(second) as i32 } else { first.abs_diff(n / 2) as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orbits_add_up() {
        for n in 2..7 {
            let sum: u32 = (0..n * n * n)
                .filter_map(|i| orbit_if_smallest(n, &[i / n / n, i / n % n, i % n], &MIRRORS))
                .map(|(size, _)| size)
                .sum();
            assert_eq!(sum, n * n * n);
        }
    }

    #[test]
    fn the_middle_number_is_invariant() {
        for n in 2..9 {
            for a in 0..n {
                for b in 0..n {
                    let b = if n % 2 == 1 { a } else { b };
                    let number = middle_number(n, [a, b]);
                    assert_eq!(number, middle_number(n, [b, a]));
                    assert_eq!(number, middle_number(n, [n - 1 - a, n - 1 - b]));
                }
            }
        }
    }
}
