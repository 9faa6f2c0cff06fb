//! What people and programs read: numbers, boards, drawings, JSON, the machine.

mod boards;
mod drawing;
mod environment;
pub mod json;
mod numbers;
pub mod svg;

pub use boards::{BoardFormat, BoardWriter};
pub use drawing::{Charset, Drawing};
pub use environment::{Environment, GpuDriver};
pub use numbers::{axis_time, duration, si, thousands};
