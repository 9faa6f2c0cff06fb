//! Series charts as SVG, on a logarithmic scale, over whole numbers.

use std::fmt::Write;

use super::{WIDTH, chart_head, escape};

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it stands for.
    pub label: String,
    /// What is written below that, smaller.
    pub detail: String,
    /// Lines of one number have one colour.
    pub colour: usize,
    /// Lines of one number have one kind of marker and of stroke.
    pub marker: usize,
    /// From left to right.
    pub points: Vec<Point>,
}

/// A measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its place along the axis.
    pub x: u32,
    /// The value, greater than 0.
    pub y: f64,
    /// The least that it may be.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// The room around the plot: the labels of the lines are on the right.
const LEFT: f64 = 86.0;
const RIGHT: f64 = 340.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 62.0;
/// The least height of the plot, and the height of a label.
const PLOT: f64 = 400.0;
const LABEL: f64 = 36.0;
/// The most characters of a label: what there is room for.
const CHARACTERS: usize = 46;

/// Colours that people who confuse red and green can tell apart (Okabe and Ito), and that are dark enough for lines.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#b0568c", "#333333", "#8a6d00"];
const DASHES: [&str; 4] = ["", "8 4", "2.5 3", "9 3 2.5 3"];

/// A logarithmic axis from one power of ten to another.
struct Scale {
    first: i32,
    last: i32,
    top: f64,
    height: f64,
}

impl Scale {
    fn of(lines: &[Series], top: f64, height: f64) -> Self {
        let points = || lines.iter().flat_map(|line| &line.points);
        let lowest = points().map(|p| p.y.min(p.low)).fold(f64::INFINITY, f64::min).clamp(1e-300, 1e300);
        let highest = points().map(|p| p.y.max(p.high)).fold(lowest, f64::max).min(1e300);
        // No marker on the frame.
        let first = (lowest.log10() - 0.04).floor() as i32;
        let last = ((highest.log10() + 0.04).ceil() as i32).max(first + 1);
        Self { first, last, top, height }
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value.max(1e-300).log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        self.top + self.height * (1.0 - share)
    }

    /// The values with a line across the plot, and whether it is written at the axis.
    fn ticks(&self) -> Vec<(f64, bool)> {
        let decades = self.last - self.first;
        let mut ticks = Vec::new();
        for power in self.first..=self.last {
            for digit in 1..=9 {
                let written = digit == 1 || (decades <= 2 && [2, 5].contains(&digit));
                if (power < self.last || digit == 1) && (written || decades <= 6) {
                    ticks.push((f64::from(digit) * 10f64.powi(power), written));
                }
            }
        }
        ticks
    }
}

/// A document with a line through the points of each series, on a scale of powers of ten. `x_name` says what the places
/// along the axis are, `tick` writes a value at the other one.
pub fn line_chart(title: &str, subtitle: &str, x_name: &str, lines: &[Series], tick: impl Fn(f64) -> String) -> String {
    let plot = PLOT.max(LABEL * lines.len() as f64);
    let (width, height) = (WIDTH - LEFT - RIGHT, TOP + plot + BOTTOM);
    let scale = Scale::of(lines, TOP, plot);
    let (right, bottom) = (LEFT + width, TOP + plot);
    let places = || lines.iter().flat_map(|line| &line.points).map(|point| point.x);
    let (first, last) = (places().min().unwrap_or(0), places().max().unwrap_or(0));
    // Half a step of room on both sides: a single place is in the middle.
    let step = width / f64::from(last - first + 1);
    let x = |place: u32| LEFT + (f64::from(place - first) + 0.5) * step;

    let mut svg = chart_head(height, 13, title, subtitle, 14);
    // Writing to a string cannot fail.
    for (value, written) in scale.ticks() {
        let y = scale.y(value);
        let stroke = if written { "#d4d4d4" } else { "#efefef" };
        let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"{stroke}\"/>");
        if written {
            let text = escape(&tick(value));
            let (x, y) = (LEFT - 10.0, y + 4.5);
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y:.1}\" fill=\"#555\" text-anchor=\"end\">{text}</text>");
        }
    }
    if places().next().is_some() {
        for place in first..=last {
            let (x, y) = (x(place), bottom + 20.0);
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" fill=\"#555\" text-anchor=\"middle\">{place}</text>");
        }
    }
    let _ = writeln!(svg, "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#888\"/>");
    let (middle, below) = (LEFT + width / 2.0, bottom + 44.0);
    let _ = writeln!(svg, "<text x=\"{middle:.1}\" y=\"{below}\" text-anchor=\"middle\">{}</text>", escape(x_name));

    for line in lines {
        let _ = writeln!(svg, "<g class=\"line\">{}</g>", drawn(line, &scale, &x));
    }
    for (line, y) in label_places(lines, &scale) {
        label(&mut svg, line, y, right, line.points.last().filter(|p| p.x == last).map(|p| (x(p.x), scale.y(p.y))));
    }
    svg.push_str("</svg>\n");
    svg
}

/// The line with its points and how far they spread.
fn drawn(line: &Series, scale: &Scale, x: &impl Fn(u32) -> f64) -> String {
    let (colour, dashes) = (COLOURS[line.colour % COLOURS.len()], DASHES[line.marker % DASHES.len()]);
    let mut text = String::new();
    for (at, point) in line.points.iter().enumerate() {
        let _ = write!(text, "{}{:.1} {:.1}", if at == 0 { "M" } else { "L" }, x(point.x), scale.y(point.y));
    }
    let mut text = format!(
        "<path d=\"{text}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>"
    );
    for point in &line.points {
        let (x, low, high) = (x(point.x), scale.y(point.low), scale.y(point.high));
        if low - high > 1.0 {
            let _ = write!(
                text,
                "<path d=\"M{0:.1} {low:.1}h6M{1:.1} {low:.1}V{high:.1}M{0:.1} {high:.1}h6\" stroke=\"{colour}\"/>",
                x - 3.0,
                x
            );
        }
        text += &marker(line, x, scale.y(point.y));
    }
    text
}

/// A circle, square, triangle or diamond.
fn marker(line: &Series, x: f64, y: f64) -> String {
    let shape = match line.marker % 4 {
        0 => "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
        1 => "m-4-4h8v8h-8z",
        2 => "m0-5.5 5 9h-10z",
        _ => "m0-5.5 5.5 5.5-5.5 5.5-5.5-5.5z",
    };
    let colour = COLOURS[line.colour % COLOURS.len()];
    format!("<path d=\"M{x:.1} {y:.1}{shape}\" fill=\"{colour}\" stroke=\"#fff\"/>")
}

/// Each line with the middle of its label: beside its last point, as far as there is room for all.
fn label_places<'a>(lines: &'a [Series], scale: &Scale) -> Vec<(&'a Series, f64)> {
    let wanted = |line: &Series| line.points.last().map_or(scale.top, |point| scale.y(point.y));
    let mut places: Vec<(&Series, f64)> = lines.iter().map(|line| (line, wanted(line))).collect();
    places.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut lowest = scale.top + LABEL / 2.0;
    for (_, y) in &mut places {
        *y = y.max(lowest);
        lowest = *y + LABEL;
    }
    let mut highest = scale.top + scale.height - LABEL / 2.0;
    for (_, y) in places.iter_mut().rev() {
        *y = y.min(highest);
        highest = *y - LABEL;
    }
    places
}

/// The label with a piece of its line, and a thread to the last point if that is at the end of the axis.
fn label(svg: &mut String, line: &Series, y: f64, right: f64, end: Option<(f64, f64)>) {
    let (colour, dashes) = (COLOURS[line.colour % COLOURS.len()], DASHES[line.marker % DASHES.len()]);
    let (sample, text) = (right + 18.0, right + 60.0);
    if let Some((x, from)) = end {
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {from:.1}L{right} {from:.1}L{sample} {y:.1}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-opacity=\".35\"/>",
            x + 6.0
        );
    }
    let _ = writeln!(
        svg,
        "<g class=\"label\"><path d=\"M{sample} {y:.1}h34\" stroke=\"{colour}\" stroke-width=\"2\" \
         stroke-dasharray=\"{dashes}\"/>{}<text x=\"{text}\" y=\"{:.1}\" font-weight=\"600\" fill=\"{colour}\">{}</text>\
         <text x=\"{text}\" y=\"{:.1}\" font-size=\"12\" fill=\"#555\">{}</text></g>",
        marker(line, sample + 17.0, y),
        y - 2.0,
        escape(&short(&line.label)),
        y + 13.0,
        escape(&short(&line.detail))
    );
}

/// As much as there is room for.
fn short(text: &str) -> String {
    if text.chars().count() <= CHARACTERS {
        return text.into();
    }
    text.chars().take(CHARACTERS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::axis_time;

    fn line(colour: usize, marker: usize, points: &[(u32, f64)]) -> Series {
        let points = points.iter().map(|&(x, y)| Point { x, y, low: y * 0.9, high: y * 1.1 }).collect();
        Series { label: format!("method {colour}"), detail: "a<b".into(), colour, marker, points }
    }

    fn chart(lines: &[Series]) -> String {
        let svg = line_chart("T & T", "S", "n", lines, axis_time);
        roxmltree::Document::parse(&svg).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        svg
    }

    #[test]
    fn greater_values_are_higher_and_later_ones_further_right() {
        let svg = chart(&[line(0, 0, &[(8, 0.001), (9, 1.0)])]);
        let path = svg.split("<g class=\"line\"><path d=\"M").nth(1).unwrap().split('"').next().unwrap();
        let numbers: Vec<f64> = path.split([' ', 'L']).map(|number| number.parse().unwrap()).collect();
        assert!(numbers[0] < numbers[2] && numbers[1] > numbers[3], "{path}");
        assert!(svg.contains("a&lt;b") && svg.contains("T &amp; T"));
    }

    #[test]
    fn no_line_one_point_and_equal_points_are_drawn_too() {
        chart(&[]);
        chart(&[line(0, 0, &[])]);
        assert!(chart(&[line(0, 0, &[(12, 1.0)])]).contains(">12</text>"));
        chart(&[line(0, 0, &[(12, 1.0), (13, 1.0)]), line(1, 1, &[(12, 1.0), (13, 1.0)])]);
        chart(&[line(0, 0, &[(0, 1e-9), (32, 1e9)])]);
    }

    #[test]
    fn labels_do_not_cover_each_other() {
        for values in [[1.0; 12], std::array::from_fn(|i| 10f64.powi(i as i32 / 3))] {
            let lines: Vec<Series> = values.iter().enumerate().map(|(i, &y)| line(i / 4, i % 4, &[(9, y)])).collect();
            let scale = Scale::of(&lines, TOP, PLOT.max(LABEL * 12.0));
            let places: Vec<f64> = label_places(&lines, &scale).iter().map(|&(_, y)| y).collect();
            assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= LABEL - 1e-6), "{places:?}");
            assert!(places[0] >= TOP && places[11] <= TOP + scale.height, "{places:?}");
        }
    }

    #[test]
    fn long_labels_are_cut() {
        assert_eq!(short("short"), "short");
        assert_eq!(short(&"é".repeat(60)).chars().count(), CHARACTERS);
    }
}
