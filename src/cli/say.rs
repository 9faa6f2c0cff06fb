//! What goes to stderr: errors, warnings, notes and facts. Never fails: a reader of stderr that has gone must not end a
//! count whose answer goes to stdout.

use std::fmt::Arguments;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use nqueens::report::harmless;

/// Writes a line to stderr, its label in colour where that is wanted and seen.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::say::line(format_args!($($text)*)) };
}

/// What [`say!`] does. Text that is empty is no line.
pub fn line(text: Arguments<'_>) {
    let text = text.to_string();
    // Whatever it is made of, it does not command the terminal.
    let text: Vec<String> = text.trim_end().lines().map(harmless).collect();
    let text = text.join("\n");
    if text.is_empty() {
        return;
    }
    let mut stderr = anstream::stderr().lock();
    let _ = match text.split_once(": ").and_then(|(label, rest)| Some((style(label)?, label, rest))) {
        Some((style, label, rest)) => writeln!(stderr, "{style}{label}:{style:#} {rest}"),
        None => writeln!(stderr, "{text}"),
    };
}

fn style(label: &str) -> Option<Style> {
    let color = match label {
        "error" => AnsiColor::Red,
        "warning" => AnsiColor::Yellow,
        "note" => AnsiColor::Cyan,
        _ => return None,
    };
    Some(color.on_default().bold())
}
