//! What people and programs read: numbers, progress, JSON.

pub mod json;
mod numbers;
mod progress;

pub use numbers::{duration, si, thousands};
pub use progress::{Progress, Style};
