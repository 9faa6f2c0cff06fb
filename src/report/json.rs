//! The JSON of a count: one object a line, counts as strings because they pass 2^53.

use serde::Serialize;

use crate::backend::{Effort, Place};
use crate::count::Count;
use crate::known::Agreement;
use crate::method::Method;

/// A finished count.
#[derive(Serialize)]
pub struct CountReport {
    n: u32,
    /// The number of solutions.
    count: String,
    method: Method,
    #[serde(flatten)]
    place: Place,
    prefix_rows: u32,
    prefixes: u64,
    seconds: f64,
    /// Opening the device and compiling the shader.
    startup_seconds: f64,
    solutions_per_second: f64,
    /// `equal` to the published count, `different`, or `unknown` where none is published.
    known: Agreement,
    /// What each shader did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stages: Option<Effort>,
    version: &'static str,
}

impl CountReport {
    /// The report of a count, with the time it took to get ready.
    pub fn new(count: &Count, startup: std::time::Duration) -> Self {
        Self {
            n: count.n,
            count: count.solutions.to_string(),
            method: count.method,
            place: count.place.clone(),
            prefix_rows: count.prefix_rows,
            prefixes: count.prefixes,
            seconds: count.time.as_secs_f64(),
            startup_seconds: startup.as_secs_f64(),
            solutions_per_second: count.solutions_per_second(),
            known: count.agreement(),
            stages: (!count.effort.stages.is_empty()).then(|| count.effort.clone()),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}
