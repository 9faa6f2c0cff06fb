//! `nqueens solve` writes every board, once, in order, in every format.

use std::io::Read;
use std::process::Stdio;

use nqueens::Placement;
use nqueens::reference::Reference;

use crate::harness::{command, nqueens, redirected};

/// A000170, A002562, A032522 and A033148 for n = 0, 1, 2, ..., from the OEIS.
const ALL: [usize; 11] = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724];
const UNIQUE: [usize; 13] = [1, 1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787];
const HALF_TURN: [usize; 18] = [1, 1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420, 1240, 3000, 8152];
const QUARTER_TURN: [usize; 23] = [1, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 64, 128, 0, 0, 480, 704, 0];

/// Standard output of a run that went well.
fn stdout(arguments: &str) -> String {
    let output = nqueens(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The boards of a run, each of them checked queen by queen.
fn boards(arguments: &str) -> Vec<Placement> {
    stdout(&format!("{arguments} --format columns")).lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn the_textbook_shape_of_four_queens() {
    assert_eq!(
        stdout("solve 4 --format leetcode"),
        "[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"],[\"..Q.\",\"Q...\",\"...Q\",\".Q..\"]]\n"
    );
}

#[test]
fn the_smallest_boards_in_every_format() {
    let expected = [
        (0, ["", "[[]]\n", "\n", "{\"schema\":2,\"n\":0,\"columns\":[]}\n"]),
        (1, ["Q\n", "[[\"Q\"]]\n", "0\n", "{\"schema\":2,\"n\":1,\"columns\":[0]}\n"]),
        (2, ["", "[]\n", "", ""]),
        (3, ["", "[]\n", "", ""]),
    ];
    for (n, texts) in expected {
        for (format, text) in ["board", "leetcode", "columns", "json"].into_iter().zip(texts) {
            assert_eq!(stdout(&format!("solve {n} --format {format}")), text, "n={n} {format}");
        }
    }
    assert_eq!(stdout("solve 4"), ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n");
}

#[test]
fn every_format_shows_the_same_boards() {
    let expected = boards("solve 7");
    let text = stdout("solve 7 --format board");
    let lettered: Vec<Vec<&str>> = text.trim_end().split("\n\n").map(|board| board.lines().collect()).collect();
    let leetcode: Vec<Vec<String>> = serde_json::from_str(&stdout("solve 7 --format leetcode")).unwrap();
    assert_eq!(lettered, leetcode);
    let columns = |board: &Vec<String>| board.iter().map(|row| row.find('Q').unwrap() as u8).collect::<Vec<_>>();
    let read: Vec<Placement> = leetcode.iter().map(|board| Placement::new(&columns(board)).unwrap()).collect();
    assert_eq!(read, expected);
    let json: Vec<Placement> = stdout("solve 7 --format json")
        .lines()
        .map(|line| {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(object["n"], 7);
            Placement::new(&serde_json::from_value::<Vec<u8>>(object["columns"].clone()).unwrap()).unwrap()
        })
        .collect();
    assert_eq!(json, expected);
    assert_eq!(stdout("solve 7 --json"), stdout("solve 7 --format json"));
}

#[test]
fn number_and_order() {
    for (n, &expected) in ALL.iter().enumerate() {
        let boards = boards(&format!("solve {n}"));
        assert_eq!(boards.len(), expected, "n={n}");
        assert!(boards.is_sorted_by(|a, b| a < b), "n={n}");
    }
}

#[test]
fn no_board_is_missing_or_twice() {
    for n in 0..=8 {
        assert_eq!(boards(&format!("solve {n}")), Reference::BruteForce.boards(n).unwrap(), "n={n}");
    }
}

#[test]
fn one_board_a_class() {
    for (n, &expected) in UNIQUE.iter().enumerate() {
        let boards = boards(&format!("solve {n} --unique"));
        assert_eq!(boards.len(), expected, "n={n}");
        assert!(boards.is_sorted_by(|a, b| a < b), "n={n}");
        assert!(boards.iter().all(|board| board.canonical() == *board), "n={n}");
    }
}

#[test]
fn boards_that_a_rotation_leaves_unchanged() {
    for (turn, numbers) in [("half-turn", &HALF_TURN[..]), ("quarter-turn", &QUARTER_TURN[..])] {
        for (n, &expected) in numbers.iter().enumerate() {
            let boards = boards(&format!("solve {n} --symmetry {turn}"));
            assert_eq!(boards.len(), expected, "n={n} {turn}");
            assert!(boards.is_sorted_by(|a, b| a < b), "n={n} {turn}");
        }
    }
    // Half-turn classes have four images, quarter-turn classes two.
    assert_eq!(boards("solve 12 --symmetry half-turn --unique").len(), (80 - 8) / 4 + 8 / 2);
    assert_eq!(boards("solve 12 --symmetry quarter-turn --unique").len(), 8 / 2);
}

#[test]
fn skip_and_limit_cut_out_a_stretch() {
    let all = boards("solve 8");
    for (skip, limit) in [(0, 0), (0, 5), (3, 5), (90, 5), (92, 1), (1000, 1)] {
        let expected: Vec<Placement> = all.iter().skip(skip).take(limit).copied().collect();
        assert_eq!(boards(&format!("solve 8 --skip {skip} --limit {limit}")), expected, "{skip} {limit}");
    }
    let unique = boards("solve 8 --unique");
    assert_eq!(boards("solve 8 --unique --skip 10"), unique[10..]);
    assert_eq!(boards("solve 8 --limit 18446744073709551615"), all);
}

#[test]
fn large_boards_answer_at_once() {
    let boards = boards("solve 20 --limit 5");
    assert_eq!(boards[0].to_string(), "0 2 4 1 3 12 14 11 17 19 16 8 15 18 7 9 6 13 5 10");
    assert!(boards.len() == 5 && boards.is_sorted_by(|a, b| a < b));
}

#[test]
fn a_pipe_closed_early_ends_quietly() {
    for format in ["board", "leetcode", "columns", "json"] {
        let mut child = command(&format!("solve 14 --format {format}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 1];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{format}");
    }
}

#[test]
fn the_drawing_parses_and_shows_every_queen() {
    for (arguments, boards, n) in [
        ("solve 1", 1, 1),
        ("solve 3", 0, 3),
        ("solve 4", 2, 4),
        ("solve 8 --unique", 12, 8),
        ("solve 12 --skip 100 --limit 1", 1, 12),
        ("solve 32 --symmetry quarter-turn --limit 2", 2, 32),
    ] {
        let svg = stdout(&format!("{arguments} --format svg"));
        let document = roxmltree::Document::parse(&svg).unwrap();
        let uses = |what: &str| document.descendants().filter(|node| node.attribute("href") == Some(what)).count();
        assert_eq!((uses("#board"), uses("#queen")), (boards, boards * n), "{arguments}");
        let dark = document.descendants().filter_map(|node| node.attribute("d")).find(|d| d.starts_with("M48 0"));
        let squares = dark.map_or(0, |path| path.matches('M').count());
        assert_eq!(squares, n * n / 2, "{arguments}: dark squares");
    }
}

#[test]
fn stderr_says_how_many() {
    let line = |arguments: &str| String::from_utf8(nqueens(arguments).stderr).unwrap();
    assert!(line("solve 3").starts_with("n = 3: no solutions, in "));
    assert!(line("solve 1").starts_with("n = 1: 1 solution, in "));
    assert!(line("solve 8").starts_with("n = 8: 92 solutions, in "));
    assert!(line("solve 8 --unique --skip 1 --limit 5").starts_with(
        "n = 8: 5 solutions up to rotation and reflection after skipping 1, stopped at the limit of 5, in "
    ));
    assert_eq!(line("solve 8 --quiet"), "");
}

#[test]
fn bad_input() {
    for (arguments, code, text) in [
        ("solve 33", 2, "n must be a whole number from 0 to 32"),
        ("solve -1", 2, "n must be a whole number from 0 to 32"),
        ("solve eight", 2, "n must be a whole number from 0 to 32"),
        ("solve", 2, "required"),
        ("solve 8 --limit -1", 2, "must be a whole number"),
        ("solve 8 --skip x", 2, "must be a whole number"),
        ("solve 8 --format png", 2, "possible values: board, leetcode, columns, json, svg"),
        ("solve 8 --symmetry mirror", 2, "possible values: half-turn, quarter-turn"),
        ("solve 12 --format svg", 2, "one drawing holds at most 10000 boards"),
        ("solve 20 --format svg", 2, "one drawing holds at most 10000 boards"),
    ] {
        let output = nqueens(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(text), "{arguments}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{arguments}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = redirected(command("solve 8").stdout(full).stderr(Stdio::piped()));
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: the answer could not be written: "));
}
