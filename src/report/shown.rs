//! Text from files and devices, made fit for a terminal.

/// The most characters that are shown of a text that a file can make as long as it likes.
const MAX_SHOWN: usize = 200;

/// Whether a character commands a terminal or turns the text after it round: control characters, those of C1 among them, and
/// the marks of bidirectional text.
pub fn commands_terminal(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with U+FFFD in place of each character that commands a terminal.
pub fn harmless(text: &str) -> String {
    text.chars().map(|c| if commands_terminal(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The same, and short: for what a file or a device says.
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        None => harmless(text),
        Some((end, _)) => harmless(&text[..end]) + "...",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_commands_no_terminal_and_is_short() {
        assert_eq!(
            shown("NVIDIA \u{1b}[2J\u{9b}H\u{7f}\u{202e}\n"),
            "NVIDIA \u{fffd}[2J\u{fffd}H\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(shown("Müller ±"), "Müller ±");
        assert_eq!(shown(&"ü".repeat(200)), "ü".repeat(200));
        assert_eq!(shown(&"ü".repeat(5_000_000)), "ü".repeat(200) + "...");
    }
}
