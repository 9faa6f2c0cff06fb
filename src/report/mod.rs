//! What people and programs read: numbers, progress, boards, drawings, JSON.

mod boards;
mod drawing;
pub mod json;
mod numbers;
mod progress;
pub mod svg;

pub use boards::{BoardFormat, BoardWriter};
pub use drawing::Drawing;
pub use numbers::{duration, si, thousands};
pub use progress::{Progress, Style};
