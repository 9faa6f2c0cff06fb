//! What goes to stderr: errors, warnings, notes and facts, and the one line of progress below them. Never fails: a reader of
//! stderr that has gone must not end a count whose answer goes to stdout.

use std::fmt::Arguments;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anstyle::{AnsiColor, Style};
use nqueens::report::harmless;

use super::args::charset;
use nqueens::report::Charset;

/// Writes a line to stderr, its label in colour where that is wanted and seen.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::say::line(format_args!($($text)*)) };
}

/// Whether notes are left out.
static QUIET: AtomicBool = AtomicBool::new(false);

/// The line of progress as it stands on the terminal; empty if there is none.
static STATUS: Mutex<String> = Mutex::new(String::new());

/// Leaves out notes from now on; errors and warnings are always said.
pub fn without_notes() {
    QUIET.store(true, Ordering::Relaxed);
}

/// What [`say!`] does. Text that is empty is no line.
pub fn line(text: Arguments<'_>) {
    let text = shown(&text.to_string(), charset());
    // Whatever it is made of, it does not command the terminal.
    let text: Vec<String> = text.trim_end().lines().map(harmless).collect();
    let text = text.join("\n");
    if text.is_empty() || QUIET.load(Ordering::Relaxed) && text.starts_with("note: ") {
        return;
    }
    let status = STATUS.lock().unwrap_or_else(PoisonError::into_inner);
    draw("", &status);
    let mut stderr = anstream::stderr().lock();
    let _ = match text.split_once(": ").and_then(|(label, rest)| Some((style(label)?, label, rest))) {
        Some((style, label, rest)) => writeln!(stderr, "{style}{label}:{style:#} {rest}"),
        None => writeln!(stderr, "{text}"),
    };
    drop(stderr);
    draw(&status, "");
}

/// Draws the line of progress on the terminal, or takes it away.
pub fn status(text: &str) {
    let text = shown(text, charset());
    let mut status = STATUS.lock().unwrap_or_else(PoisonError::into_inner);
    draw(&text, &status);
    *status = text;
}

/// Draws a line over what is there. Spaces and not escape sequences: every terminal knows them.
fn draw(text: &str, before: &str) {
    let (width, rest) = (text.chars().count(), before.chars().count());
    if width + rest == 0 {
        return;
    }
    let end = if text.is_empty() { "\r" } else { "" };
    let mut stderr = std::io::stderr().lock();
    let _ = write!(stderr, "\r{text}{}{end}", " ".repeat(rest.saturating_sub(width)));
    let _ = stderr.flush();
}

/// Text as it can be shown: `us` and `+-` where µ and ± cannot.
fn shown(text: &str, charset: Charset) -> String {
    match charset {
        Charset::Unicode => text.to_string(),
        Charset::Ascii => text.replace('µ', "u").replace('±', "+-"),
    }
}

/// The same for stdout, which is plain unless a person looks at it.
pub fn on_stdout(text: &str) -> String {
    shown(text, if std::io::stdout().is_terminal() { charset() } else { Charset::Ascii })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_without_unicode_are_spared_it() {
        assert_eq!(shown("5 µs ± 2", Charset::Unicode), "5 µs ± 2");
        assert_eq!(shown("5 µs ± 2", Charset::Ascii), "5 us +- 2");
    }
}
