//! The results as a file: Markdown, CSV, JSON or a chart.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use comfy_table::presets::ASCII_MARKDOWN;

use nqueens::report::axis_time;
use nqueens::report::svg::{Point, Series, line_chart};

use super::results::{Results, Row};
use super::tables;

/// Writes the results in the form that the file's name says.
pub fn export(path: &Path, results: &Results) -> std::io::Result<()> {
    let text = match path.extension().and_then(|e| e.to_str()) {
        Some("json") => serde_json::to_string_pretty(results)? + "\n",
        Some("csv") => csv(&results.rows),
        Some("svg") => chart(results),
        _ => markdown(results),
    };
    std::fs::write(path, text)
}

/// Whether a file can be written, without changing it. Nobody wants to hear after an hour that it cannot.
pub fn check_writable(path: &Path) -> std::io::Result<()> {
    let is_new = !path.exists();
    drop(std::fs::OpenOptions::new().append(true).create(true).open(path)?);
    if is_new { std::fs::remove_file(path) } else { Ok(()) }
}

/// A file whose name ends in a known format.
pub fn export_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|e| e.to_str()) {
        Some("md" | "csv" | "json" | "svg") => Ok(path),
        _ => Err("the file's name must end in .md, .csv, .json or .svg".into()),
    }
}

fn markdown(results: &Results) -> String {
    let mut text = String::from("# nqueens bench\n\n");
    for (word, value) in results.environment.lines() {
        let _ = writeln!(text, "- {word}: {value}");
    }
    let _ = writeln!(text, "- {}", how(results));
    let _ = writeln!(text, "\n{}", tables::times(&results.rows, ASCII_MARKDOWN));
    if let Some(table) = tables::startups(&results.rows, ASCII_MARKDOWN) {
        let _ =
            writeln!(text, "\nStart-up, medians: until the first dispatch, an empty one, has come back.\n\n{table}");
    }
    text
}

/// How it was measured.
fn how(results: &Results) -> String {
    let runs = match results.repetitions {
        1 => "1 run".to_string(),
        runs => format!("median and min..max of {runs} runs"),
    };
    format!("{runs} of each method and backend in turn, after {} that is not counted", results.warm_ups)
}

fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "n,backend,method,median_seconds,min_seconds,max_seconds,solutions_per_second,ratio,count,repetitions\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{},\"{}\",{},{:.9},{:.9},{:.9},{:.0},{:.4},{},{}",
            row.n,
            row.place().replace('"', "\"\""),
            row.method,
            row.median_seconds,
            row.min_seconds,
            row.max_seconds,
            row.solutions_per_second,
            row.ratio,
            row.count,
            row.repetitions
        );
    }
    text
}

/// Time by n: a line for each method and backend, a colour for each method, a marker for each backend.
fn chart(results: &Results) -> String {
    let mut methods: Vec<String> = Vec::new();
    let mut places: Vec<String> = Vec::new();
    let mut lines: Vec<Series> = Vec::new();
    for row in results.rows.iter().filter(|row| !row.with_startup) {
        let colour = index(&mut methods, row.method.clone());
        let marker = index(&mut places, row.place());
        let point = Point { x: row.n, y: row.median_seconds, low: row.min_seconds, high: row.max_seconds };
        match lines.iter_mut().find(|line| (line.colour, line.marker) == (colour, marker)) {
            Some(line) => line.points.push(point),
            None => {
                let (label, detail) = (row.method.clone(), row.place());
                lines.push(Series { label, detail, colour, marker, points: vec![point] });
            }
        }
    }
    let (environment, runs) = (&results.environment, results.repetitions);
    let cpu: String = environment.cpu.chars().take(60).collect();
    let date = environment.date.get(..10).unwrap_or_default();
    let subtitle = format!("{cpu}, {date}; medians of {runs} runs, bars from the least to the greatest");
    line_chart("Time to count the solutions of n queens", &subtitle, "n", &lines, axis_time)
}

/// Where a name is in a list, which it is added to if it is new.
fn index(names: &mut Vec<String>, name: String) -> usize {
    names.iter().position(|other| *other == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}
