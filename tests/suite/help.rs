//! Help: fits a terminal, has examples, is coloured only where that is wanted.

use crate::harness::nqueens;

const COMMANDS: [&str; 15] = [
    "count",
    "solve",
    "show",
    "classes",
    "estimate",
    "plan",
    "run",
    "merge",
    "status",
    "devices",
    "selftest",
    "bench",
    "ladder",
    "completions",
    "man",
];

/// What goes to stdout. Nothing goes to stderr.
fn help(arguments: &str) -> String {
    let output = nqueens(arguments);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments}");
    let text = String::from_utf8(output.stdout).unwrap();
    let widest = text.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
    assert!(widest.chars().count() <= 80, "{arguments}: {widest}");
    text
}

#[test]
fn the_help_fits_a_screen_and_starts_with_three_examples() {
    for arguments in ["--help", "-h"] {
        let text = help(arguments);
        assert!(text.lines().count() <= 40, "{text}");
        let start: Vec<&str> = text.lines().take_while(|line| !line.starts_with("Usage:")).collect();
        assert_eq!(start.iter().filter(|line| line.starts_with("  nqueens ")).count(), 3, "{text}");
        for command in COMMANDS {
            assert!(text.lines().any(|line| line.trim_start().starts_with(command)), "{command}: {text}");
        }
    }
    assert!(help("--help").contains("Exit codes") && !help("-h").contains("Exit codes"));
}

#[test]
fn every_command_has_short_and_long_help_with_an_example() {
    for command in COMMANDS {
        let (short, long) = (help(&format!("{command} -h")), help(&format!("{command} --help")));
        for text in [&short, &long] {
            let (_, example) = text.split_once("Example").expect(command);
            assert!(example.contains(&format!("nqueens {command}")), "{text}");
        }
        assert!(short.lines().count() < long.lines().count(), "{command}: {short}");
    }
}

/// What the examples of the help say can be done, can be done, as far as it takes no time and no files.
#[test]
fn examples_of_the_help_work() {
    let text = help("--help");
    let quick = text.lines().filter_map(|line| line.strip_prefix("  nqueens ")).filter(|line| !line.starts_with("est"));
    for (arguments, answer) in quick.map(|line| line.split_once("  ").unwrap()) {
        let output = nqueens(&format!("{arguments} --quiet"));
        assert_eq!(output.status.code(), Some(0), "{arguments}");
        let lines = String::from_utf8(output.stdout).unwrap();
        // The count itself, or the number of boards of nine lines each, the last without an empty line.
        let told =
            if lines.contains('Q') { lines.lines().count().div_ceil(9).to_string() } else { lines.trim().into() };
        assert!(answer.contains(&told), "{arguments}: {told}");
    }
}

#[test]
fn a_slip_of_the_pen_is_guessed() {
    for (arguments, guess) in
        [("cuont 8", "'count'"), ("count 8 --thread 2", "'--threads'"), ("count 8 --method row-oder", "'row-order'")]
    {
        let output = nqueens(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && text.lines().count() == 1 && text.contains(guess), "{text}");
    }
}

#[test]
fn colours_come_when_they_are_wanted() {
    let escapes = |text: &[u8]| text.contains(&0x1b);
    for (arguments, stdout, stderr) in [
        ("--help", false, false),
        ("--help --color never", false, false),
        ("--color always --help", true, false),
        ("count --help --color=always", true, false),
        ("count 33", false, false),
        ("count 33 --color always", false, true),
        ("--color=never count 33", false, false),
        ("count 8 --color always", false, false),
        ("count 8 --device 99 --color always", false, true),
    ] {
        let output = nqueens(arguments);
        assert_eq!((escapes(&output.stdout), escapes(&output.stderr)), (stdout, stderr), "{arguments}");
    }
    let output = nqueens("count 8 --color red");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("auto, always, never"));
}
