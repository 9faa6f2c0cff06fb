//! What `--json` prints: one object a line, all of one schema, `docs/JSON.md`. Reports of one command are beside it, those of
//! several here. Counts are strings of decimal digits,
//! because they pass 2^53 and JSON readers lose digits there.

use std::io::{self, Write};

use serde::Serialize;

use nqueens::Method;
use nqueens::backend::Stats;
use nqueens::count::Count;
use nqueens::job::{Decimal, Merged, Provenance, ShardPlan, ShardResult, Tally, Verification};
use nqueens::known::{self, Agreement};
use nqueens::report::{JSON_SCHEMA, commands_terminal};

/// Writes an object as a line that says which schema it has.
///
/// # Errors
/// If it cannot be written.
pub fn line(out: &mut impl Write, content: &impl Serialize) -> io::Result<()> {
    #[derive(Serialize)]
    struct Record<'a, T> {
        schema: u32,
        #[serde(flatten)]
        content: &'a T,
    }
    let text = serde_json::to_string(&Record { schema: JSON_SCHEMA, content }).expect("a report is plain data");
    writeln!(out, "{}", escaped(&text))
}

/// The same JSON with escapes for whatever commands a terminal: strings of files and drivers may have anything in them.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        match commands_terminal(character) {
            true => text += &format!("\\u{:04x}", u32::from(character)),
            false => text.push(character),
        }
    }
    text
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
    stats: Stats,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_per_solution: Option<f64>,
    /// What was verified and where it came from.
    #[serde(flatten)]
    job: JobReport,
}

/// What a job adds to the report of a count.
#[derive(Serialize)]
pub struct JobReport {
    /// Prefixes that were done before this run.
    pub resumed_prefixes: u64,
    /// What was recounted, and what went wrong and was put right.
    pub verification: Verification,
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
    #[serde(rename = "prefix_rows")]
    pub depth: u32,
    /// The count.
    pub count: Decimal,
    /// How long it took.
    pub seconds: f64,
}

impl CountReport {
    /// The report of a count, with the unique count if there is one, and what its job adds.
    pub fn new(count: &Count, unique: Option<u128>, job: JobReport) -> Self {
        Self {
            n: count.n,
            count: Decimal(count.solutions),
            unique: unique.map(Decimal),
            known: count.agreement(),
            by: Provenance::new(count.method, &count.device),
            prefix_rows: count.depth,
            prefixes: count.prefixes,
            seconds: count.time.as_secs_f64(),
            startup_seconds: count.startup.as_secs_f64(),
            solutions_per_second: count.solutions_per_second(),
            stats: count.stats.clone(),
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
    fn new(plan: &ShardPlan) -> Self {
        let job = &plan.job;
        let (n, method, prefix_rows) = (job.n, job.method, job.depth);
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
        let estimated_nodes = plan.job.method.properties().counts_nodes.then_some(plan.estimated_nodes);
        Self { plan: PlanReport::new(plan), prefixes: plan.job.prefixes, estimated_nodes }
    }
}

/// Exact sums, and what shows that they fit together.
#[derive(Serialize)]
struct Sums {
    count: Decimal,
    prefixes: u64,
    completions: std::collections::BTreeMap<u32, Decimal>,
    residue: Decimal,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Decimal>,
}

impl Sums {
    fn new(tally: &Tally) -> Self {
        let Tally { prefixes, solutions: count, completions, residue, nodes } = tally.clone();
        let (residue, nodes) = (Decimal(residue.into()), nodes.map(|nodes| Decimal(nodes.into())));
        Self { count, prefixes, completions, residue, nodes }
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
    verification: Verification,
    provenance: Vec<Provenance>,
}

impl ShardReport {
    /// The report of a result of this plan.
    pub fn new(plan: &ShardPlan, result: &ShardResult) -> Self {
        Self {
            plan: PlanReport::new(plan),
            shard: result.shard,
            range: result.range,
            sums: Sums::new(&result.tally),
            seconds: result.milliseconds as f64 / 1e3,
            verification: result.verification.clone(),
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
    verification: Verification,
    provenance: Vec<Provenance>,
}

impl MergeReport {
    /// The report of a merge: the plan, the sum, the number of classes and of further files with the same results.
    pub fn new(plan: &ShardPlan, merged: Merged, unique: u128, duplicates: usize) -> Self {
        Self {
            plan: PlanReport::new(plan),
            sums: Sums::new(&merged.tally),
            unique: Decimal(unique),
            known: known::compare(plan.job.n, merged.tally.solutions.0),
            duplicates,
            device_seconds: merged.milliseconds as f64 / 1e3,
            verification: merged.verification,
            provenance: merged.provenance,
        }
    }
}
