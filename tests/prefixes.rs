//! Prefixes partition the search.

use std::collections::HashSet;

use nqueens::Method;
use nqueens::board::bits;
use nqueens::prefix::Prefix;
use nqueens::search::row_order;
use proptest::prelude::*;

/// The number of solutions, from the prefixes of one depth.
fn sum(n: u32, rows: u32) -> u64 {
    Method::RowOrder.prefixes(n, rows).map(|p| u64::from(p.multiplicity) * row_order::finish(&p).solutions).sum()
}

/// A board and a depth at which its prefixes can all be listed in a test.
fn board_and_depth() -> impl Strategy<Value = (u32, u32)> {
    (0u32..=32).prop_flat_map(|n| (Just(n), 0..=n.min(if n > 16 { 3 } else { 4 })))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_sum_over_any_depth_is_the_same(n in 0u32..=11, a in 0u32..=11, b in 0u32..=11) {
        prop_assert_eq!(sum(n, a.min(n)), sum(n, b.min(n)));
    }

    #[test]
    fn no_prefix_attacks_itself((n, rows) in board_and_depth()) {
        for Prefix { board, multiplicity } in Method::RowOrder.prefixes(n, rows) {
            // A queen that shared a line with another would leave fewer lines occupied than there are queens.
            prop_assert_eq!(board.queens(), rows);
            prop_assert_eq!(n - board.free_columns.count_ones(), rows);
            prop_assert_eq!(board.diagonals.count_ones(), rows);
            prop_assert_eq!(board.antidiagonals.count_ones(), rows);
            prop_assert!(multiplicity == 1 || multiplicity == 2);
        }
    }

    #[test]
    fn no_prefix_comes_twice((n, rows) in board_and_depth()) {
        let mut seen = HashSet::new();
        for Prefix { board: b, .. } in Method::RowOrder.prefixes(n, rows) {
            prop_assert!(seen.insert((b.free_rows, b.free_columns, b.diagonals, b.antidiagonals)));
        }
    }

    #[test]
    fn deeper_prefixes_are_the_children_of_shallower_ones(n in 3u32..=12, rows in 2u32..=4) {
        let rows = rows.min(n - 1);
        let children: u32 = Method::RowOrder
            .prefixes(n, rows)
            .map(|p| bits(p.board.free_squares(rows)).count() as u32)
            .sum();
        prop_assert_eq!(children as usize, Method::RowOrder.prefixes(n, rows + 1).count());
    }
}
