//! `nqueens show`

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;

use nqueens::placement::{Attack, read_columns};
use nqueens::report::Drawing;
use nqueens::report::svg::BoardSheet;
use nqueens::symmetry::{Class, Symmetry};
use nqueens::{Error, Placement};

use super::args::charset;
use super::exit::Failure;
use super::json;

#[derive(Args)]
#[command(after_help = "Example: nqueens show 1,3,0,2 -o board.svg")]
pub struct ShowArgs {
    /// The column of the queen in each row from the top, from 0: `1,3,0,2` or `1 3 0 2`.
    #[arg(required = true, num_args = 1.., allow_negative_numbers = true)]
    columns: Vec<String>,
    /// Draw the board to an SVG file instead of as text.
    #[arg(short, long, value_name = "FILE.svg", value_parser = svg_path)]
    output: Option<PathBuf>,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What there is to say about a list of columns.
#[derive(Serialize)]
struct Report<'a> {
    n: usize,
    columns: &'a [u8],
    solution: bool,
    #[serde(flatten)]
    facts: Facts<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Facts<'a> {
    Solution { symmetry: Class, images: Vec<Image<'a>> },
    Attack { attack: Attack },
}

/// An image, and by what it comes about.
#[derive(Serialize)]
struct Image<'a> {
    columns: &'a [u8],
    by: Vec<Symmetry>,
}

pub fn run(args: &ShowArgs) -> Result<(), Failure> {
    let columns = columns(&args.columns.join(" "))?;
    let placement = match Placement::new(&columns) {
        Ok(placement) => Ok(placement),
        Err(Error::Attacked(attack)) => Err(attack),
        Err(other) => return Err(other.into()),
    };
    let attack = placement.as_ref().err();
    if let Some(path) = &args.output {
        let svg = BoardSheet::single(&columns, attack)?;
        std::fs::write(path, svg).map_err(|error| Failure::File { path: path.clone(), error })?;
    }
    let images = placement.as_ref().map(Placement::distinct_images).unwrap_or_default();
    let facts = match &placement {
        Ok(placement) => Facts::Solution { symmetry: placement.class(), images: image_list(placement, &images) },
        Err(attack) => Facts::Attack { attack: *attack },
    };

    let mut out = std::io::stdout().lock();
    if args.json {
        let report = Report { n: columns.len(), columns: &columns, solution: placement.is_ok(), facts };
        json::line(&mut out, &report)?;
    } else {
        if args.output.is_none() {
            let drawing = Drawing::new(&columns);
            let drawing = attack.map_or(drawing, |&attack| drawing.marked(attack));
            let drawing = if out.is_terminal() { drawing.framed(charset()) } else { drawing };
            writeln!(out, "{drawing}")?;
        }
        if let Facts::Solution { symmetry, images } = &facts {
            writeln!(out, "{}", text(columns.len(), *symmetry, images))?;
        }
    }
    out.flush()?;
    match placement {
        Ok(_) => Ok(()),
        Err(attack) => Err(Error::Attacked(attack).into()),
    }
}

/// The columns as they are written here, by `solve` and by `--json`.
fn columns(text: &str) -> Result<Vec<u8>, Failure> {
    let text = text.trim();
    let list = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text).trim();
    if list.is_empty() {
        return Err(Failure::BadInput("there are no columns: give one for each row, as in 1,3,0,2".into()));
    }
    match read_columns(list) {
        Err(error @ Error::OffBoard { column, n, .. }) if column == n => {
            let hint = from_zero(list).map(|columns| format!(": did you mean {columns}?")).unwrap_or_default();
            Err(Failure::BadInput(format!("{error}; columns count from 0{hint}")))
        }
        read => Ok(read?),
    }
}

/// Columns that count from 1, as they would be from 0.
fn from_zero(list: &str) -> Option<String> {
    let words = list.split([',', ' ']).filter(|word| !word.is_empty());
    let columns: Vec<u32> = words.map(|word| word.parse::<u32>().ok()?.checked_sub(1)).collect::<Option<_>>()?;
    let columns: Vec<String> = columns.iter().map(u32::to_string).collect();
    read_columns(&columns.join(",")).ok().map(|_| columns.join(","))
}

/// The distinct images, each with the symmetries that lead to it.
fn image_list<'a>(placement: &Placement, distinct: &'a [Placement]) -> Vec<Image<'a>> {
    let by = |image: &Placement| Symmetry::ALL.into_iter().filter(|&by| placement.image(by) == *image).collect();
    distinct.iter().map(|image| Image { columns: image.columns(), by: by(image) }).collect()
}

/// The same for a person.
fn text(n: usize, class: Class, images: &[Image<'_>]) -> String {
    let class = match class {
        Class::None => "no rotation or reflection leaves it unchanged",
        Class::HalfTurn => "a half turn leaves it unchanged",
        Class::QuarterTurn => "a quarter turn leaves it unchanged",
    };
    let images_are = match images.len() {
        1 => "its one image".to_string(),
        several => format!("its {several} different images, the canonical one first"),
    };
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["image", "by"]);
    for image in images {
        let columns = image.columns.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let by = image.by.iter().map(|by| by.name()).collect::<Vec<_>>().join(", ");
        table.add_row([columns, by]);
    }
    format!("a solution for n = {n}: {class}\n{images_are}:\n\n{}", table.trim_fmt())
}

/// A file whose name ends in .svg.
pub fn svg_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|e| e.to_str()) {
        Some("svg") => Ok(path),
        _ => Err("the file's name must end in .svg".into()),
    }
}
