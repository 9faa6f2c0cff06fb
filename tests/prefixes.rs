//! Prefixes partition the search.

use nqueens::Method;
use nqueens::board::bits;
use nqueens::prefix::Prefix;
use nqueens::search::{most_constrained, plain_tail, row_order};
use proptest::prelude::*;

/// The number of solutions, from the prefixes of one depth.
fn sum(method: Method, n: u32, rows: u32) -> u64 {
    let finish = |prefix: &Prefix| match method {
        Method::RowOrder => row_order::solutions(prefix),
        Method::MostConstrained => most_constrained::finish(prefix, 4).solutions,
        // Unweighted: what weights leave to others is still a completion.
        Method::HalfJoin => plain_tail::complete(&prefix.board).solutions,
    };
    method.prefixes(n, rows).map(|prefix| u64::from(prefix.multiplicity) * finish(&prefix)).sum()
}

/// A board and a depth at which its prefixes can all be listed in a test.
fn board_and_depth() -> impl Strategy<Value = (u32, u32)> {
    (0u32..=32).prop_flat_map(|n| (Just(n), 0..=n.min(if n > 16 { 3 } else { 4 })))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_sum_over_any_depth_is_the_same(n in 0u32..=11, a in 0u32..=11, b in 0u32..=11) {
        let row_order = sum(Method::RowOrder, n, a.min(n));
        for (method, rows) in [(Method::RowOrder, b), (Method::MostConstrained, a), (Method::MostConstrained, b), (Method::HalfJoin, a)] {
            prop_assert_eq!(sum(method, n, rows.min(n)), row_order, "{} rows={}", method, rows);
        }
    }

    #[test]
    fn no_prefix_attacks_itself((n, rows) in board_and_depth()) {
        for method in Method::ALL {
            for Prefix { board, multiplicity, .. } in method.prefixes(n, rows).take(20_000) {
                // A queen that shared a line with another would leave fewer lines occupied than there are queens.
                let queens = board.queens();
                prop_assert!(queens >= rows.min(n.saturating_sub(2)) || method != Method::HalfJoin);
                prop_assert!(queens >= rows || method == Method::HalfJoin);
                prop_assert!(queens == rows || method != Method::RowOrder);
                prop_assert_eq!(n - board.free_column_mask.count_ones(), queens);
                prop_assert_eq!(board.antidiagonal_mask.count_ones(), queens);
                prop_assert_eq!(board.diagonal_mask.count_ones(), queens);
                prop_assert!(multiplicity.is_power_of_two() && multiplicity <= 8);
            }
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
