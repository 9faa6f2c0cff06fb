//! The tables that people read.

use std::time::Duration;

use comfy_table::{CellAlignment, ColumnConstraint, Table, TableStyle, Width};

use nqueens::report::{duration, si};

use super::results::Row;

/// The columns of the times with numbers.
const TIMES_NUMBERS: [usize; 5] = [0, 3, 4, 5, 6];

/// The times, row by row.
pub fn times(rows: &[Row], style: TableStyle) -> Table {
    let header = ["n", "backend", "method", "median seconds", "min..max", "solutions/s", "ratio"];
    table(style, Some(header), times_cells(rows), &TIMES_NUMBERS)
}

fn times_cells(rows: &[Row]) -> impl Iterator<Item = [String; 7]> {
    rows.iter().map(|row| {
        [
            row.n.to_string(),
            row.place(),
            row.method.clone(),
            seconds(row.median_seconds),
            format!("{}..{}", seconds(row.min_seconds), seconds(row.max_seconds)),
            si(row.solutions_per_second),
            format!("{:.3}", row.ratio),
        ]
    })
}

/// The same below others, whose columns were so wide.
pub fn more_times(rows: &[Row], style: TableStyle, widths: &[u16]) -> Table {
    let mut table = table(style, None, times_cells(rows), &TIMES_NUMBERS);
    for (column, &width) in table.column_iter_mut().zip(widths) {
        // With what is left free around the content.
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width + 2)));
    }
    table
}

/// The time to the first dispatch of each GPU, if there is one.
pub fn startups(rows: &[Row], style: TableStyle) -> Option<Table> {
    let header =
        ["n", "backend", "method", "open", "compile", "first dispatch", "start-up", "start-up of the first run"];
    let time = |seconds| duration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let cells: Vec<[String; 8]> = rows
        .iter()
        .filter_map(|row| {
            let startup = row.startup.as_ref()?;
            Some([
                row.n.to_string(),
                row.place(),
                row.method.clone(),
                time(startup.open_seconds),
                time(startup.compile_seconds),
                time(startup.first_dispatch_seconds),
                time(startup.total_seconds),
                time(startup.first_total_seconds),
            ])
        })
        .collect();
    (!cells.is_empty()).then(|| table(style, Some(header), cells.into_iter(), &[0, 3, 4, 5, 6, 7]))
}

/// Old and new times, where both are there.
pub fn comparison(rows: &[Row], style: TableStyle) -> Table {
    let header = ["n", "backend", "method", "old median", "new median", "new/old"];
    let cells = rows.iter().filter_map(|row| {
        Some([
            row.n.to_string(),
            row.place(),
            row.method.clone(),
            seconds(row.old_median_seconds?),
            seconds(row.median_seconds),
            format!("{:.3}", row.slowdown?),
        ])
    });
    table(style, Some(header), cells, &[0, 3, 4, 5])
}

/// Four digits of a second, and more of what takes less.
fn seconds(seconds: f64) -> String {
    if seconds < 0.01 { format!("{seconds:.6}") } else { format!("{seconds:.4}") }
}

fn table<const COLUMNS: usize>(
    style: TableStyle,
    header: Option<[&str; COLUMNS]>,
    rows: impl Iterator<Item = [String; COLUMNS]>,
    numbers: &[usize],
) -> Table {
    let mut table = Table::new();
    table.load_style(style);
    if let Some(header) = header {
        table.set_header(header);
    }
    table.add_rows(rows);
    for &column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
