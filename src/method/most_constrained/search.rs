//! Most constrained line first: fill the row or column with the fewest free squares.
//!
//! `free squares of row r = free columns and not (antidiagonals >> r or diagonals >> (n - 1 - r))`
//!
//! Row order looks at one row; this looks at all of them before it places a queen. A row or column without a free square
//! is a dead end however many queens are still to come; one with a single square leaves no choice. The rule is the old
//! one of constraint search ("fail first": R. M. Haralick and G. L. Elliott, 1980), here on rows and columns alike. With
//! few rows left looking costs more than it saves, and [`plain_tail`] takes over.
//!
//! Twin of `shaders/most_constrained.wgsl`, step by step: a step brings one board and examines it.

use super::plain_tail;
use crate::board::{Board, Line, MAX_N, bits};
use crate::method::descent::{Choice, Descent};
use crate::prefix::{Completions, Prefix};

/// The line to fill next: a line of one square, else a column of two, a row of two, a column of three, else the row of
/// fewest squares, of those the innermost.
pub fn choose(board: &Board) -> Choice {
    let n = board.n;
    if board.free_row_mask == 0 {
        return Choice::Solved;
    }
    // Columns free in at least one, two, three and four of the rows.
    let (mut one, mut two, mut three, mut four) = (0, 0, 0, 0);
    let mut fewest = u32::MAX;
    for row in bits(board.free_row_mask) {
        let free = board.free_squares(row);
        four |= three & free;
        three |= two & free;
        two |= one & free;
        one |= free;
        let distance = (2 * row).abs_diff(n - 1);
        fewest = fewest.min(free.count_ones() << 12 | distance << 6 | row);
    }
    let count = fewest >> 12;
    if count == 0 || one != board.free_column_mask {
        return Choice::Dead;
    }
    let (forced, pairs, triples) = (one & !two, two & !three, three & !four);
    let candidates = match count {
        2.. if forced != 0 => forced,
        3.. if pairs != 0 => pairs,
        4.. => triples,
        _ => 0,
    };
    let line = match candidates {
        0 => Line::Row(fewest & 63),
        _ => Line::Column(candidates.trailing_zeros()),
    };
    Choice::Line(line, board.free_squares_of(line))
}

/// Counts the solutions that complete `prefix`, with the last `tail_rows` rows left to [`plain_tail`].
pub fn count_completions(prefix: &Prefix, tail_rows: u32) -> Completions {
    let mut found = Completions::default();
    let ready = |board: &Board| board.free_rows() <= tail_rows;
    let nodes = survivors(&prefix.board, ready, |board| {
        let tail = plain_tail::count_completions(board);
        found.solutions += tail.solutions;
        found.nodes += tail.nodes;
        found.tail_nodes += tail.nodes;
    });
    found.nodes += nodes;
    found
}

/// Searches below a board and hands over each board that is `ready`, or full, without a dead end. Gives the queens placed:
/// as many as boards were examined, but for the first.
pub fn survivors(board: &Board, ready: impl Fn(&Board) -> bool, mut survivor: impl FnMut(&Board)) -> u64 {
    // Of each line with squares left to try: the board before its queen, the line, those squares.
    let mut stack = [(*board, Line::Row(0), 0); MAX_N as usize];
    let (mut height, mut nodes) = (0, 0);
    let mut board = *board;
    loop {
        let mut next = None;
        match choose(&board) {
            Choice::Dead => (),
            Choice::Solved => survivor(&board),
            _ if ready(&board) => survivor(&board),
            Choice::Line(line, squares) => next = Some((board, line, squares)),
        }
        let (before, line, squares) = match next {
            Some(next) => next,
            None if height == 0 => return nodes,
            None => {
                height -= 1;
                stack[height]
            }
        };
        let rest = squares & (squares - 1);
        if rest != 0 {
            stack[height] = (before, line, rest);
            height += 1;
        }
        board = before.place_on(line, squares.trailing_zeros());
        nodes += 1;
    }
}

/// One random descent (Knuth 1975) below a prefix: an unbiased estimate of the nodes that [`count_completions`] would visit.
pub fn probe(prefix: &Prefix, tail_rows: u32, random: &mut fastrand::Rng) -> f64 {
    let (mut descent, mut nodes) = (Descent::from(prefix.board), 0.0);
    loop {
        match choose(&descent.board) {
            Choice::Dead => return nodes,
            _ if descent.board.free_rows() <= tail_rows => {
                return nodes + descent.weight * plain_tail::count_completions(&descent.board).nodes as f64;
            }
            Choice::Solved => return nodes,
            Choice::Line(line, squares) => {
                descent.step(line, squares, random);
                nodes += descent.weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::most_constrained::CentrePrefixes;
    use crate::method::row_order::{self, RowPrefixes};
    use crate::problem::Problem;

    fn prefixes(n: u32, free_rows: u32) -> CentrePrefixes {
        CentrePrefixes::new(&Problem::empty(n).unwrap(), free_rows)
    }

    #[test]
    fn every_depth_and_every_tail_gives_the_same_count() {
        let known = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724];
        for (n, &expected) in (0..).zip(&known) {
            for free_rows in 0..=n {
                for tail_rows in 0..=n.min(7) {
                    let count: u64 = prefixes(n, free_rows)
                        .map(|p| u64::from(p.multiplicity) * count_completions(&p, tail_rows).solutions)
                        .sum();
                    assert_eq!(count, expected, "n={n} free_rows={free_rows} tail_rows={tail_rows}");
                }
            }
        }
    }

    #[test]
    fn it_counts_prefixes_of_other_methods_too() {
        for prefix in RowPrefixes::new(&Problem::empty(10).unwrap(), 2) {
            assert_eq!(count_completions(&prefix, 5).solutions, row_order::count_completions(&prefix).solutions);
        }
    }

    #[test]
    fn probes_estimate_the_nodes() {
        let prefix = prefixes(12, 12).nth(5).unwrap();
        let mut random = fastrand::Rng::with_seed(1);
        let estimate = (0..20_000).map(|_| probe(&prefix, 4, &mut random)).sum::<f64>() / 20_000.0;
        let nodes = count_completions(&prefix, 4).nodes as f64;
        assert!((estimate / nodes - 1.0).abs() < 0.03, "{estimate} for {nodes}");
    }
}
