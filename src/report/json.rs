//! What `--json` prints: one object a line, all of one schema, `docs/JSON.md`. Counts are strings of decimal digits,
//! because they pass 2^53 and JSON readers lose digits there.

use std::fmt::Display;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::backend::Effort;
use crate::count::Count;
use crate::job::{Decimal, Doubt, Merged, Provenance, ShardPlan, ShardResult, Tally};
use crate::known::Agreement;
use crate::method::Method;

/// The version of the schema: greater whenever a field goes, or changes its name, type or meaning. New fields may come.
pub const SCHEMA: u32 = 2;

/// Writes an object as a line that says which schema it has.
///
/// # Errors
/// If it cannot be written.
pub fn line(out: &mut impl Write, content: &impl Serialize) -> io::Result<()> {
    #[derive(Serialize)]
    struct Line<'a, T> {
        schema: u32,
        #[serde(flatten)]
        content: &'a T,
    }
    writeln!(out, "{}", serde_json::to_string(&Line { schema: SCHEMA, content }).expect("a report is plain data"))
}

/// Writes a number as a string of its digits.
///
/// # Errors
/// If the serializer fails.
pub fn decimal<S: Serializer>(number: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

/// The same for a number that may be missing.
///
/// # Errors
/// If the serializer fails.
pub fn some_decimal<S: Serializer>(number: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => decimal(number, serializer),
        None => serializer.serialize_none(),
    }
}

/// A finished count.
#[derive(Serialize)]
pub struct CountReport {
    n: u32,
    count: Decimal,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<Decimal>,
    known: Agreement,
    #[serde(flatten)]
    by: Provenance,
    prefix_rows: u32,
    prefixes: u64,
    seconds: f64,
    startup_seconds: f64,
    solutions_per_second: f64,
    #[serde(flatten)]
    effort: Effort,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_per_solution: Option<f64>,
    /// What was doubted and where it came from.
    #[serde(flatten)]
    job: JobReport,
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
    pub count: Decimal,
    /// How long it took.
    pub seconds: f64,
}

impl CountReport {
    /// The report of a count, with the unique count if there is one, the time it took to get ready, and what its job adds.
    pub fn new(count: &Count, unique: Option<u128>, startup: std::time::Duration, job: JobReport) -> Self {
        Self {
            n: count.n,
            count: Decimal(count.solutions),
            unique: unique.map(Decimal),
            known: count.agreement(),
            by: Provenance::of(count.method, &count.place),
            prefix_rows: count.prefix_rows,
            prefixes: count.prefixes,
            seconds: count.time.as_secs_f64(),
            startup_seconds: startup.as_secs_f64(),
            solutions_per_second: count.solutions_per_second(),
            effort: count.effort.clone(),
            nodes_per_solution: count.nodes_per_solution(),
            job,
        }
    }
}

/// The plan that a job is of.
#[derive(Serialize)]
struct PlanReport {
    n: u32,
    method: Method,
    prefix_rows: u32,
    /// The digest of the plan with its cuts.
    plan: String,
    shards: usize,
}

impl PlanReport {
    fn of(plan: &ShardPlan) -> Self {
        let job = &plan.job;
        let (n, method, prefix_rows) = (job.n, job.method, job.prefix_rows);
        Self { n, method, prefix_rows, plan: plan.digest(), shards: plan.shards.len() }
    }
}

/// A plan that was cut.
#[derive(Serialize)]
pub struct CutReport {
    #[serde(flatten)]
    plan: PlanReport,
    prefixes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated_nodes: Option<f64>,
}

impl CutReport {
    /// The report of a plan.
    pub fn new(plan: &ShardPlan) -> Self {
        let nodes = Some(plan.estimated_nodes).filter(|_| plan.job.method != Method::HalfJoin);
        let (prefixes, estimated_nodes) = (plan.job.prefixes, nodes);
        Self { plan: PlanReport::of(plan), prefixes, estimated_nodes }
    }
}

/// Exact sums, and what shows that they fit together.
#[derive(Serialize)]
struct Sums {
    count: Decimal,
    prefixes: u64,
    completions: std::collections::BTreeMap<u32, Decimal>,
    #[serde(serialize_with = "decimal")]
    residue: u64,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "some_decimal")]
    nodes: Option<u64>,
}

impl Sums {
    fn of(tally: &Tally) -> Self {
        let Tally { prefixes, solutions, completions, residue, nodes } = tally.clone();
        Self { count: solutions, prefixes, completions, residue, nodes }
    }
}

/// The result of a shard.
#[derive(Serialize)]
pub struct ShardReport {
    #[serde(flatten)]
    plan: PlanReport,
    shard: usize,
    range: [u64; 2],
    #[serde(flatten)]
    sums: Sums,
    seconds: f64,
    doubt: Doubt,
    provenance: Vec<Provenance>,
}

impl ShardReport {
    /// The report of a result of this plan.
    pub fn new(plan: &ShardPlan, result: &ShardResult) -> Self {
        Self {
            plan: PlanReport::of(plan),
            shard: result.shard,
            range: result.range,
            sums: Sums::of(&result.tally),
            seconds: result.milliseconds as f64 / 1e3,
            doubt: result.doubt.clone(),
            provenance: result.provenance.clone(),
        }
    }
}

/// The sum of all shards.
#[derive(Serialize)]
pub struct MergeReport {
    #[serde(flatten)]
    plan: PlanReport,
    #[serde(flatten)]
    sums: Sums,
    unique: Decimal,
    known: Agreement,
    duplicates: usize,
    device_seconds: f64,
    doubt: Doubt,
    provenance: Vec<Provenance>,
}

impl MergeReport {
    /// The report of a merge: the plan, the sum, the number of classes and of further files with the same results.
    pub fn new(plan: &ShardPlan, merged: Merged, unique: u128, duplicates: usize) -> Self {
        Self {
            plan: PlanReport::of(plan),
            sums: Sums::of(&merged.tally),
            unique: Decimal(unique),
            known: crate::known::compare(plan.job.n, merged.tally.solutions.0),
            duplicates,
            device_seconds: merged.milliseconds as f64 / 1e3,
            doubt: merged.doubt,
            provenance: merged.provenance,
        }
    }
}
