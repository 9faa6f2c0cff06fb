//! `nqueens solve`

use std::io::{BufWriter, IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use nqueens::Placement;
use nqueens::report::svg::{BoardSheet, MAX_BOARDS};
use nqueens::report::{BoardFormat, BoardWriter, counted, duration, thousands};
use nqueens::solutions::{self, solutions};
use nqueens::symmetry::Class;

use super::args::{board_size, charset};
use super::exit::Failure;

/// A reader of a pipe does not wait longer than this for boards that have been found.
const FLUSH: Duration = Duration::from_millis(100);

#[derive(Args)]
#[command(after_help = "Example: nqueens solve 8 --unique --format columns")]
pub struct SolveArgs {
    /// Rows and columns of the board, 0 to 32.
    #[arg(value_parser = board_size, allow_negative_numbers = true)]
    n: u32,
    /// How the boards are written.
    #[arg(short, long, value_enum, default_value_t = Format::Board)]
    format: Format,
    /// Stop after this many boards.
    #[arg(short, long, value_name = "K", allow_negative_numbers = true)]
    limit: Option<u64>,
    /// Leave out the first boards of those that would be written.
    #[arg(short, long, value_name = "K", default_value_t = 0, allow_negative_numbers = true)]
    skip: u64,
    /// Only one of the rotated and reflected images of each board: the first.
    #[arg(short, long)]
    unique: bool,
    /// Only boards that this rotation leaves unchanged.
    ///
    /// Those of the quarter turn are among those of the half turn.
    #[arg(long, value_enum, value_name = "TURN")]
    symmetry: Option<Turn>,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Nothing but the boards.
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Drawn with a frame on a terminal, else as letters Q and `.`, an empty line between boards.
    Board,
    /// One JSON array of boards, each an array of strings.
    Leetcode,
    /// The queens' columns, a board a line: 1 3 0 2.
    Columns,
    /// One JSON object a line.
    Json,
    /// One SVG drawing of all boards, 10,000 at most.
    Svg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Turn {
    /// By 180 degrees.
    HalfTurn,
    /// By 90 degrees.
    QuarterTurn,
}

pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    let start = Instant::now();
    let stdout = std::io::stdout().lock();
    let terminal = stdout.is_terminal();
    let format = match if args.json { Format::Json } else { args.format } {
        Format::Board if terminal => BoardFormat::Framed(charset()),
        Format::Board => BoardFormat::Letters,
        Format::Leetcode => BoardFormat::Leetcode,
        Format::Columns => BoardFormat::Columns,
        Format::Json => BoardFormat::Json,
        // The size of a drawing comes before its boards, so they are found twice: counted, then drawn.
        Format::Svg => {
            let boards = args.boards()?.take(MAX_BOARDS as usize + 1).count() as u64;
            BoardFormat::Svg(BoardSheet::new(args.n, boards)?)
        }
    };
    let mut writer = BoardWriter::new(BufWriter::with_capacity(1 << 16, stdout), format)?;
    let mut flushed = start;
    for placement in args.boards()? {
        writer.write(&placement)?;
        if terminal || flushed.elapsed() > FLUSH {
            writer.flush()?;
            flushed = Instant::now();
        }
    }
    let written = writer.written();
    writer.finish()?.flush()?;
    if !args.quiet {
        say!("{}", args.summary(written, start.elapsed()));
    }
    Ok(())
}

impl SolveArgs {
    /// The boards to be written.
    fn boards(&self) -> nqueens::Result<Box<dyn Iterator<Item = Placement>>> {
        let mut boards: Box<dyn Iterator<Item = Placement>> = match self.symmetry {
            None => Box::new(solutions(self.n)?),
            Some(Turn::HalfTurn) => Box::new(solutions::symmetric(self.n, Class::HalfTurn)?),
            Some(Turn::QuarterTurn) => Box::new(solutions::symmetric(self.n, Class::QuarterTurn)?),
        };
        if self.unique {
            boards = Box::new(solutions::canonical(boards));
        }
        let whole = |boards: u64| usize::try_from(boards).unwrap_or(usize::MAX);
        let limit = self.limit.map_or(usize::MAX, whole);
        Ok(Box::new(boards.skip(whole(self.skip)).take(limit)))
    }

    /// How many boards of what kind were written, for a person.
    fn summary(&self, written: u64, time: Duration) -> String {
        let kind = match (self.symmetry, self.unique) {
            (None, false) => "",
            (None, true) => " up to rotation and reflection",
            (Some(Turn::HalfTurn), false) => " unchanged by a half turn",
            (Some(Turn::QuarterTurn), false) => " unchanged by a quarter turn",
            (Some(Turn::HalfTurn), true) => " unchanged by a half turn, up to rotation and reflection",
            (Some(Turn::QuarterTurn), true) => " unchanged by a quarter turn, up to rotation and reflection",
        };
        let solutions = match written {
            0 => "no solutions".to_string(),
            _ => counted(written, "solution", "solutions"),
        };
        let skipped =
            if self.skip > 0 { format!(" after skipping {}", thousands(self.skip.into())) } else { String::new() };
        let stopped = match self.limit {
            Some(limit) if limit == written => format!(", stopped at the limit of {}", thousands(limit.into())),
            _ => String::new(),
        };
        format!("n = {}: {solutions}{kind}{skipped}{stopped}, in {}", self.n, duration(time))
    }
}
