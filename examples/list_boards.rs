//! Lists the solutions of the eight queens up to rotation and reflection, and says how symmetric each is.
//!
//! `cargo run --example list_boards`

use nqueens::report::{Charset, Drawing};
use nqueens::solutions;

fn main() -> nqueens::Result<()> {
    for (number, board) in (1..).zip(solutions::unique(8)?) {
        let images = board.distinct_images().len();
        println!("{number}: columns {board}, {images} different images");
        println!("{}", Drawing::new(board.columns()).framed(Charset::Ascii));
    }
    Ok(())
}
