//! `nqueens show` checks a placement, says what it is, and draws it.

use std::path::Path;
use std::process::Output;

use crate::harness::{command, output};

fn show(arguments: &[&str]) -> Output {
    output(command("show").args(arguments))
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_solution_with_its_class_and_images() {
    let expected = "\
.Q..
...Q
Q...
..Q.

a solution for n = 4: a quarter turn leaves it unchanged
its 2 different images, the canonical one first:

 image    by
 1 3 0 2  itself, quarter turn, half turn, three-quarter turn
 2 0 3 1  left-right mirror, top-bottom mirror, transpose, antitranspose
";
    for arguments in
        [&["1,3,0,2"][..], &["1 3 0 2"], &["1", "3", "0", "2"], &["1, 3, 0, 2"], &["[1,3,0,2]"], &["[1, 3, 0, 2]"]]
    {
        let output = show(arguments);
        assert_eq!(text(&output.stdout), expected, "{arguments:?}");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    }
    let stdout = |placement| String::from_utf8(show(&[placement]).stdout).unwrap();
    assert!(stdout("0").contains("a quarter turn leaves it unchanged\nits one image:"));
    assert!(stdout("1 3 5 0 2 4").contains("a half turn leaves it unchanged\nits 4 different images"));
    assert!(
        stdout("0 4 7 5 2 6 1 3").contains("no rotation or reflection leaves it unchanged\nits 8 different images")
    );
}

#[test]
fn attacking_queens_are_named_and_marked() {
    for (placement, drawing, names) in [
        (
            "0,2,1,3",
            "X...\n..Q.\n.Q..\n...X\n\n",
            "row 0, column 0 and row 3, column 3 attack each other along a diagonal",
        ),
        (
            "1,1,3,0",
            ".X..\n.X..\n...Q\nQ...\n\n",
            "row 0, column 1 and row 1, column 1 attack each other along their column",
        ),
        ("1,0", ".X\nX.\n\n", "row 0, column 1 and row 1, column 0 attack each other along an antidiagonal"),
    ] {
        let output = show(&[placement]);
        assert_eq!(output.status.code(), Some(2), "{placement}");
        assert_eq!(text(&output.stdout), drawing, "{placement}");
        assert_eq!(
            text(&output.stderr),
            format!("error: the queens in {names} (rows and columns count from 0)\n"),
            "{placement}"
        );
    }
}

#[test]
fn one_json_object() {
    let object = |placement: &str| {
        let output = show(&[placement, "--json"]);
        (output.status.code(), serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap())
    };
    let (code, solution) = object("2 0 3 1");
    assert_eq!(code, Some(0));
    assert_eq!(solution["n"], 4);
    assert_eq!(solution["solution"], true);
    assert_eq!(solution["symmetry"], "quarter-turn");
    assert_eq!(solution["images"][0]["columns"], serde_json::json!([1, 3, 0, 2]));
    assert_eq!(
        solution["images"][1]["by"],
        serde_json::json!(["identity", "quarter-turn", "half-turn", "three-quarter-turn"])
    );
    let (code, wrong) = object("0 2 1 3");
    assert_eq!(code, Some(2));
    assert_eq!(wrong["solution"], false);
    assert_eq!(
        wrong["attack"],
        serde_json::json!({"first": {"row": 0, "column": 0}, "second": {"row": 3, "column": 3}, "line": "diagonal"})
    );
}

#[test]
fn the_drawing_parses_and_shows_every_queen() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("show-board.svg");
    let path = file.to_str().unwrap();
    for (placement, n, marked, code) in [("0 4 7 5 2 6 1 3", 8, 0, 0), ("0", 1, 0, 0), ("0 2 1 3", 4, 2, 2)] {
        let output = show(&[placement, "-o", path]);
        assert_eq!(output.status.code(), Some(code));
        assert!(!text(&output.stdout).contains('Q'), "the drawing is in the file");
        let svg = std::fs::read_to_string(&file).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let queens: Vec<_> = document.descendants().filter(|node| node.attribute("href") == Some("#queen")).collect();
        assert_eq!(queens.len(), n);
        assert_eq!(queens.iter().filter(|queen| queen.attribute("fill") == Some("#d9352b")).count(), marked);
        for (queen, column) in queens.iter().zip(placement.split(' ')) {
            let x = queen.attribute("x").unwrap().parse::<u32>().unwrap();
            assert_eq!(x, 48 * column.parse::<u32>().unwrap());
        }
    }
}

#[test]
fn bad_input() {
    let too_many = ["0"; 33].join(",");
    for (arguments, code, expected) in [
        (&["1,3,x,2"][..], 2, "'x' is not a column"),
        (&["1,,0,2"], 2, "'' is not a column"),
        (&["1;3;0;2"], 2, "'1;3;0;2' is not a column"),
        (&["-1"], 2, "'-1' is not a column"),
        (&[""], 2, "there are no columns"),
        (&["[]"], 2, "there are no columns"),
        (&["2,4,1,3"], 2, "columns count from 0: did you mean 1,3,0,2?"),
        (&["1,3,4,2"], 2, "column 4 in row 2 is off the board: 4 queens stand in columns 0 to 3"),
        (&["1,3,1000,2"], 2, "'1000' is not a column: give one whole number from 0 to 31 for each row"),
        (&[&too_many], 2, "n = 33 is out of range"),
        (&[], 2, "required"),
        (&["1,3,0,2", "-o", "board.png"], 2, "the file's name must end in .svg"),
        (&["1,3,0,2", "-o", "/no/such/folder/board.svg"], 5, "'/no/such/folder/board.svg' could not be written"),
    ] {
        let output = show(arguments);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(expected), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
