//! What people and programs read: numbers, progress, boards, drawings, JSON, the machine.

mod boards;
mod drawing;
mod environment;
pub mod json;
mod numbers;
mod progress;
pub mod svg;

pub use boards::{BoardFormat, BoardWriter};
pub use drawing::Drawing;
pub use environment::{Environment, GpuDriver};
pub use numbers::{axis_time, duration, si, thousands};
pub use progress::{Progress, Style};
