//! Drawings as SVG: boards, bar charts and line charts. They stand alone: no script, no style sheet, no font of their own.

mod bars;
mod board;
mod lines;

pub use bars::{Bar, bar_chart};
pub use board::{BoardSheet, MOST_BOARDS};
pub use lines::{Line, Point, line_chart};

/// The fonts that the numbers are set in: whatever sans serif is there.
const FONT: &str = "font-family=\"system-ui,'Segoe UI',Helvetica,Arial,sans-serif\"";

/// Text with the characters that XML keeps for itself written as entities.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
