//! What people and programs read: numbers, boards, drawings, JSON.

mod boards;
mod drawing;
pub mod json;
mod numbers;
pub mod svg;

pub use boards::{BoardFormat, BoardWriter};
pub use drawing::{Charset, Drawing};
pub use numbers::{duration, si, thousands};
