//! What people and programs read: numbers, progress, drawings, JSON.
mod drawing;
pub mod json;
mod numbers;
mod progress;

pub use drawing::Drawing;
pub use numbers::{duration, si, thousands};
pub use progress::{Progress, Style};
