//! Drawings as SVG: boards, bar charts and line charts. They stand alone: no script, no style sheet, no font of their own.

mod bars;
mod board;
mod lines;

pub use bars::{Bar, bar_chart};
pub use board::{BoardSheet, MAX_BOARDS};
pub use lines::{Point, Series, line_chart};

/// The fonts that the numbers are set in: whatever sans serif is there.
const FONT: &str = "font-family=\"system-ui,'Segoe UI',Helvetica,Arial,sans-serif\"";

/// The width of a chart.
const WIDTH: f64 = 960.0;

/// The start of a chart `height` units high: the page, its title and what stands below that, in these sizes.
fn chart_head(height: f64, size: u32, title: &str, subtitle: &str, subtitle_size: u32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         role=\"img\" {FONT} font-size=\"{size}\" fill=\"#222\">\n<title>{0}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"24\" y=\"34\" font-size=\"20\" font-weight=\"600\">{0}</text>\n\
         <text x=\"24\" y=\"58\" font-size=\"{subtitle_size}\" fill=\"#666\">{1}</text>\n",
        escape(title),
        escape(subtitle)
    )
}

/// Text with the characters that XML keeps for itself written as entities.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
