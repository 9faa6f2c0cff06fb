//! What people read: numbers, boards, drawings.

mod boards;
mod drawing;
mod numbers;
mod shown;
pub mod svg;

pub use boards::{BoardFormat, BoardWriter};
pub use drawing::{Charset, Drawing};
pub use numbers::{axis_time, counted, duration, si, thousands};
pub use shown::{commands_terminal, harmless, shown};

/// The version of the schema of all JSON that is printed, `docs/JSON.md`: greater whenever a field goes, or changes its name,
/// type or meaning. New fields may come.
pub const JSON_SCHEMA: u32 = 2;
