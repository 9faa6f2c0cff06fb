//! What a machine must be able to do before a long job is trusted to it.

use super::format::{decode, encode};
use super::queue::Batch;
use super::{Checkpoint, Identity, Tally, Verify};
use crate::backend::{Control, Cpu, Device};
use crate::error::Result;
use crate::known;
use crate::method::Method;
use crate::plan::Plan;
use crate::problem::Problem;

/// What a check found: nothing, or what is wrong.
pub type Finding = std::result::Result<(), String>;

/// Counts some boards on a device and compares them with the published counts.
///
/// # Errors
/// If the device fails.
pub fn selftest(device: &mut dyn Device, method: Method, boards: &[u32]) -> Result<Finding> {
    for &n in boards {
        let plan = Plan::with_prefixes(&Problem::empty(n)?, method, if n < 8 { 1 } else { 200 })?;
        let prefixes: Vec<_> = plan.iter().collect();
        let counts = device.prepare(plan.workload())?.count(&prefixes, &Control::none())?;
        let tally = Tally::from_batch(&prefixes, &counts, None)?;
        if known::solutions(n) != Some(tally.solutions.0) || !tally.is_consistent() {
            let place = device.capabilities();
            return Ok(Err(format!("{place} counts {} by {method} for n = {n}", tally.solutions.0)));
        }
    }
    Ok(Ok(()))
}

/// Whether a recount finds wrong counts of each kind: one more, a dropped prefix, a flipped bit.
///
/// # Errors
/// If the plan cannot be made.
pub fn check_verify(cpu: &mut Cpu, method: Method) -> Result<Finding> {
    let plan = Plan::with_prefixes(&Problem::empty(9)?, method, 50)?;
    let batch = Batch { start: 0, prefixes: plan.iter().collect() };
    let right = cpu.prepare(plan.workload())?.count(&batch.prefixes, &Control::none())?;
    let check = |counts: &[u64]| cpu.install(|| Verify { share: 1.0 }.check(method, &batch, counts).1.len());
    if check(&right) > 0 {
        return Ok(Err(format!("two methods disagree about n = 9 by {method}")));
    }
    let at = right.iter().position(|&count| count > 0).unwrap_or(0);
    for wrong in [right[at] + 1, 0, right[at] ^ 1 << 33] {
        let mut counts = right.clone();
        counts[at] = wrong;
        if check(&counts) != 1 {
            return Ok(Err(format!("a recount by {method} did not notice {wrong} in place of {}", right[at])));
        }
    }
    Ok(Ok(()))
}

/// Whether a damaged checkpoint is noticed, wherever the damage is.
///
/// # Errors
/// If the plan cannot be made.
pub fn check_files() -> Result<Finding> {
    let plan = Plan::with_prefixes(&Problem::empty(8)?, Method::RowOrder, 20)?;
    let checkpoint = Checkpoint::new(Identity::new(&plan), 0..plan.prefixes());
    let bytes = encode("checkpoint", &checkpoint);
    let decoded = |bytes: &[u8]| decode::<Checkpoint>("checkpoint", bytes).ok();
    if decoded(&bytes).as_ref() != Some(&checkpoint) {
        return Ok(Err("a checkpoint does not read as it was written".into()));
    }
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        if decoded(&flipped).is_some() || decoded(&bytes[..at]).is_some() {
            return Ok(Err(format!("damage at byte {at} of a checkpoint was not noticed")));
        }
    }
    Ok(Ok(()))
}
