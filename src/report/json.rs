//! The JSON of a count: one object a line, counts as strings because they pass 2^53.

use serde::Serialize;

use crate::backend::{Effort, Place};
use crate::count::Count;
use crate::job::{Doubt, Provenance};
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
    /// What was doubted and where it came from, of counts that were run as a job.
    #[serde(flatten)]
    job: Option<JobReport>,
    version: &'static str,
}

/// What a job adds to the report of a count.
#[derive(Serialize)]
pub struct JobReport {
    /// Prefixes that were done before this run.
    pub resumed_prefixes: u64,
    /// What was recounted, and what went wrong and was put right.
    pub doubt: Doubt,
    /// Which programs and devices did it.
    pub provenance: Vec<Provenance>,
    /// The second count, by another method, where one was asked for; it is equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double_check: Option<SecondCount>,
}

/// A second count of the same board.
#[derive(Serialize)]
pub struct SecondCount {
    /// How it was counted.
    pub method: Method,
    /// How many rows deep its prefixes were.
    pub prefix_rows: u32,
    /// The count.
    pub count: String,
    /// How long it took.
    pub seconds: f64,
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
            job: None,
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// The same report with what a job adds.
    #[must_use]
    pub fn with_job(self, job: JobReport) -> Self {
        Self { job: Some(job), ..self }
    }
}
