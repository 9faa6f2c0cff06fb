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
    /// Solutions up to rotation and reflection, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<String>,
    #[serde(flatten)]
    effort: Effort,
    /// Nodes over all solutions, where nodes were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_per_solution: Option<f64>,
    version: &'static str,
}

impl CountReport {
    /// The report of a count, with the unique count if there is one, and the time it took to get ready.
    pub fn new(count: &Count, unique: Option<u128>, startup: std::time::Duration) -> Self {
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
            unique: unique.map(|unique| unique.to_string()),
            effort: count.effort.clone(),
            nodes_per_solution: count.nodes_per_solution(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}
