//! Plans: how deep, which prefixes, from files, and listed in parts.

use super::*;
use crate::board::Board;
use crate::method::most_constrained::plain_tail;

fn empty(n: u32) -> Problem {
    Problem::empty(n).unwrap()
}

#[test]
fn enough_prefixes_or_as_many_as_there_are() {
    let with = |n, wanted| Plan::with_prefixes(&empty(n), Method::RowOrder, wanted).unwrap();
    let plan = with(16, 1000);
    assert!(plan.prefixes() >= 1000 && plan.depth() == 3, "{plan:?}");
    assert_eq!(with(0, 1000).prefixes(), 1);
    assert_eq!(with(1, 1000).prefixes(), 1);
    assert!(with(8, 1000).depth() >= 4);
}

#[test]
fn the_sample_is_spread_over_all_prefixes() {
    let plan = Plan::with_depth(&empty(14), Method::RowOrder, 5).unwrap();
    assert!((2048..=4096).contains(&plan.sample.len()));
    let all: Vec<Prefix> = plan.iter().collect();
    assert_eq!(all.len() as u64, plan.prefixes());
    assert!(plan.sample.iter().all(|&(index, prefix)| all[index as usize] == prefix));
    assert!(plan.sample.last().unwrap().0 > plan.prefixes() * 99 / 100);
}

#[test]
fn out_of_range_is_an_error() {
    assert!(matches!(Problem::empty(33), Err(Error::BoardSize(33))));
    let plan = Plan::with_depth(&empty(8), Method::RowOrder, 9);
    assert!(matches!(plan, Err(Error::Depth { depth: 9, n: 8 })));
}

#[test]
fn planning_can_be_cancelled() {
    let wishes = Wishes { depth: Some(9), stop: Some(&AtomicBool::new(true)), ..Wishes::default() };
    let plan = Plan::new(&empty(27), Method::RowOrder, &[], &wishes);
    assert!(matches!(plan, Err(Error::Cancelled)));
}

#[test]
fn a_board_with_queens_is_for_methods_that_take_any() {
    let board = Board::empty(8).place(0, 3).place(5, 1);
    let given = Problem::given(board);
    for &method in Method::ALL {
        match Plan::with_depth(&given, method, 4) {
            Ok(plan) => {
                let sum: u64 = plan
                    .iter()
                    .map(|p| u64::from(p.multiplicity) * plain_tail::count_completions(&p.board).solutions)
                    .sum();
                assert_eq!(sum, plain_tail::count_completions(&board).solutions);
                assert!(method.properties().any_board && sum > 0);
            }
            Err(error) => assert!(matches!(error, Error::GivenBoard(name) if name == method.name())),
        }
    }
}

/// The bound on what a file can make us list leaves out no plan that there is.
#[test]
fn every_plan_is_taken_as_it_was_recorded() {
    for &method in Method::ALL {
        for (n, depth) in (0..=10).flat_map(|n| (0..=n).map(move |depth| (n, depth))) {
            let plan = Plan::with_depth(&empty(n), method, depth).unwrap();
            let again = Plan::from_record(&empty(n), method, depth, plan.prefixes()).unwrap();
            assert_eq!(again.map(|plan| plan.prefixes()), Some(plan.prefixes()), "{method} n={n} depth={depth}");
        }
        for (depth, prefixes) in [(32, 1_000), (20, 1 << 50), (31, u64::MAX), (5, 1)] {
            let plan = Plan::from_record(&empty(32), method, depth, prefixes).unwrap();
            assert!(plan.is_none(), "{method} {depth} {prefixes}");
        }
    }
}

/// A half join in a thousand pieces was chosen, and took twice as long as lanes.
#[test]
fn a_method_is_chosen_for_the_prefixes_that_a_checkpoint_wants() {
    let cpu = Capabilities { instruction_set: "avx2", memory: 8 << 30, ..Capabilities::cpu(2) };
    let algorithm = Method::HalfJoin.algorithm();
    for n in 19..=24 {
        let problem = empty(n);
        let nanoseconds = |prefixes| algorithm.forecast(&problem, &cpu, prefixes).unwrap().nanoseconds;
        let wanted = wanted(n, Method::HalfJoin, std::slice::from_ref(&cpu), Purpose::Job);
        let slowdown = nanoseconds(wanted) / nanoseconds(1);
        assert_eq!(fastest_method(n, &cpu, Purpose::Count), Method::HalfJoin, "n={n}");
        let speed = |method: Method| method.algorithm().nanoseconds_per_solution(n, &cpu).unwrap();
        let is_faster = slowdown * speed(Method::HalfJoin) < speed(Method::MostConstrained);
        let joins = fastest_method(n, &cpu, Purpose::Job) == Method::HalfJoin;
        assert_eq!(joins, is_faster, "n={n}: {slowdown}");
    }
}

#[test]
fn a_plan_is_the_same_listed_by_one_thread_and_by_all() {
    for method in [Method::RowOrder, Method::MostConstrained] {
        for (n, depth) in [(13, 5), (14, 6), (15, 5), (15, 7)] {
            let one = Plan::with_depth(&empty(n), method, depth).unwrap();
            let wishes = Wishes { depth: Some(depth), purpose: Purpose::Shards(1), ..Wishes::default() };
            let all = Plan::new(&empty(n), method, &[], &wishes).unwrap();
            assert_eq!(all.workload, one.workload, "{method} n={n} depth={depth}");
            assert_eq!((all.sample, all.marks), (one.sample, one.marks), "{method} n={n} depth={depth}");
        }
    }
}

/// Also deeper than what is kept in files.
#[test]
fn listing_starts_at_any_mark() {
    for method in [Method::RowOrder, Method::MostConstrained] {
        for (n, depth) in [(0, 0), (1, 1), (5, 0), (8, 4), (12, 6), (13, 3)] {
            let plan = Plan::with_depth(&empty(n), method, depth).unwrap();
            let all: Vec<Prefix> = plan.iter().collect();
            let places: Vec<u64> = (0..plan.prefixes()).step_by(7).collect();
            for (place, prefix) in plan.prefixes_at(&places) {
                assert_eq!(prefix, all[place as usize], "{method} n={n} depth={depth} at {place}");
            }
            for index in places {
                let start = plan.start_before(index);
                assert_eq!(plan.iter_from(start).next(), Some(all[start as usize]));
                assert!(start <= index);
            }
            let marks = plan.marks.as_deref().unwrap();
            let again = Plan::from_marks(&empty(n), method, depth, plan.prefixes(), marks);
            let same = |again: Plan| again.sample == plan.sample && again.workload == plan.workload;
            assert!(depth > n / 2 || plan.prefixes() == 0 || again.is_some_and(same), "{method} n={n} {depth}");
        }
    }
}

#[test]
fn larger_boards_have_more_prefixes_to_a_limit() {
    let wanted = |n| wanted(n, Method::MostConstrained, &[], Purpose::Job);
    assert!(wanted(16) < 100 && wanted(20) > 1_000 && wanted(22) > 100_000);
    assert_eq!(wanted(32), 1 << 24);
}
