//! Bar charts as SVG, on a logarithmic scale.

use std::fmt::Write;

use super::{WIDTH, chart_head, escape};

/// One bar of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// Its length, in any unit, greater than 0.
    pub value: f64,
    /// What is written at its end.
    pub note: String,
    /// Whether it stands out.
    pub highlight: bool,
}

/// The left edge of the bars, and the room for what is written at their ends.
const LEFT: f64 = 170.0;
const RIGHT: f64 = 270.0;
/// The top of the bars, and the height of each with the gap below it.
const TOP: f64 = 84.0;
const STEP: f64 = 40.0;

/// A document with a horizontal bar for each value, on a scale of powers of ten. `tick` writes the value of a power of
/// ten at the axis.
pub fn bar_chart(title: &str, subtitle: &str, bars: &[Bar], tick: impl Fn(f64) -> String) -> String {
    let values = || bars.iter().map(|bar| bar.value.max(f64::MIN_POSITIVE));
    let lowest = values().fold(f64::INFINITY, f64::min).min(1e300);
    let highest = values().fold(lowest, f64::max);
    // From a power of ten below the least value, so that its bar can be seen, to one above the greatest.
    let first = (lowest.log10() - 0.3).floor() as i32;
    let last = (highest.log10().ceil() as i32).max(first + 1);
    let decade = (WIDTH - LEFT - RIGHT) / f64::from(last - first);
    let x = |value: f64| LEFT + (value.log10() - f64::from(first)) * decade;
    let bottom = TOP + STEP * bars.len() as f64;
    let height = bottom + 48.0;

    let mut svg = chart_head(height, 15, title, subtitle, 15);
    for power in first..=last {
        let value = 10f64.powi(power);
        let place = x(value);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<path d=\"M{place:.1} {:.1}V{bottom:.1}\" stroke=\"#ddd\"/><text x=\"{place:.1}\" y=\"{:.1}\" font-size=\"13\" \
             fill=\"#666\" text-anchor=\"middle\">{}</text>",
            TOP - 8.0,
            bottom + 22.0,
            escape(&tick(value))
        );
    }
    for (index, bar) in bars.iter().enumerate() {
        let top = TOP + STEP * index as f64;
        let (end, middle) = (x(bar.value.max(f64::MIN_POSITIVE)), top + STEP / 2.0 - 1.0);
        let fill = if bar.highlight { "#b5651d" } else { "#7d92ab" };
        let _ = writeln!(
            svg,
            "<g class=\"bar\"><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{LEFT}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\" fill=\"{fill}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#444\" stroke=\"#fff\" stroke-width=\"5\" \
             paint-order=\"stroke\">{}</text></g>",
            LEFT - 12.0,
            middle + 5.0,
            escape(&bar.label),
            top + 4.0,
            end - LEFT,
            STEP - 10.0,
            end + 10.0,
            middle + 5.0,
            escape(&bar.note)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_values_have_longer_bars() {
        let bar = |value| Bar { label: "a<b".into(), value, note: "x & y".into(), highlight: false };
        let svg = bar_chart("T", "S", &[bar(0.001), bar(1.0), bar(0.03)], |value| value.to_string());
        let width =
            |text: &str| text.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse::<f64>().unwrap();
        let widths: Vec<f64> = svg.split("<g class=\"bar\">").skip(1).map(width).collect();
        assert!(widths[0] > 0.0 && widths[0] < widths[2] && widths[2] < widths[1], "{widths:?}");
        assert!(svg.contains("a&lt;b") && svg.contains("x &amp; y"));
    }

    #[test]
    fn no_bar_and_equal_bars_are_drawn_too() {
        assert!(bar_chart("T", "S", &[], |value| value.to_string()).ends_with("</svg>\n"));
        let bar = Bar { label: "a".into(), value: 1.0, note: String::new(), highlight: true };
        let svg = bar_chart("T", "S", &[bar.clone(), bar], |value| value.to_string());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
