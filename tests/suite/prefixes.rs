//! Prefixes partition the search.

use nqueens::board::bits;
use nqueens::internals::most_constrained::{self, plain_tail};
use nqueens::internals::row_order;
use nqueens::{Method, Prefix};
use proptest::prelude::*;

use crate::harness::plan;

/// The number of solutions, from the prefixes of one depth.
fn sum(method: Method, n: u32, rows: u32) -> u64 {
    let completions = |prefix: &Prefix| match method {
        Method::RowOrder => row_order::count_solutions(prefix).solutions,
        Method::MostConstrained => most_constrained::count_completions(prefix, 4).solutions,
        // Unweighted: what weights leave to others is still a completion.
        _ => plain_tail::count_completions(prefix.board()).solutions,
    };
    plan(n, method, rows).iter().map(|prefix| u64::from(prefix.multiplicity()) * completions(&prefix)).sum()
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
        for &method in Method::ALL {
            for prefix in plan(n, method, rows).iter().take(20_000) {
                let (board, multiplicity) = (prefix.board(), prefix.multiplicity());
                // A queen that shared a line with another would leave fewer lines occupied than there are queens.
                let queens = board.queens();
                prop_assert!(queens >= rows.min(n.saturating_sub(2)) || method != Method::HalfJoin);
                prop_assert!(queens >= rows || method == Method::HalfJoin);
                prop_assert!(queens == rows || method != Method::RowOrder);
                prop_assert_eq!(n - board.free_column_mask().count_ones(), queens);
                prop_assert_eq!(board.antidiagonal_mask().count_ones(), queens);
                prop_assert_eq!(board.diagonal_mask().count_ones(), queens);
                prop_assert!(multiplicity.is_power_of_two() && multiplicity <= 8);
            }
        }
    }

    #[test]
    fn deeper_prefixes_are_the_children_of_shallower_ones(n in 3u32..=12, rows in 2u32..=4) {
        let rows = rows.min(n - 1);
        let children = |prefix: Prefix| bits(prefix.board().free_squares(rows)).count() as u64;
        let sum: u64 = plan(n, Method::RowOrder, rows).iter().map(children).sum();
        prop_assert_eq!(sum, plan(n, Method::RowOrder, rows + 1).prefixes());
    }
}
