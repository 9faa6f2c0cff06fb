//! What a machine must be able to do before a long job is trusted to it.

use super::queue::Batch;
use super::sealed::{open, seal};
use super::{Checkpoint, Identity, Tally, Verify};
use crate::backend::Backend;
use crate::error::Result;
use crate::known;
use crate::method::Method;
use crate::plan::Plan;

/// Counts some boards on a backend and compares them with the published counts. Gives what is wrong, if anything.
///
/// # Errors
/// If the backend fails.
pub fn selftest(backend: &mut dyn Backend, method: Method, boards: &[u32]) -> Result<std::result::Result<(), String>> {
    for &n in boards {
        let plan = Plan::new(n, method, None, if n < 8 { 1 } else { 200 })?;
        backend.prepare(&plan)?;
        let prefixes: Vec<_> = plan.iter().collect();
        let counts = backend.finish(&plan, &prefixes, &|_| ())?;
        let tally = Tally::of(&prefixes, &counts, None)?;
        if known::solutions(n) != Some(tally.solutions.0) || !tally.is_consistent() {
            let place = backend.place();
            return Ok(Err(format!("{place} counts {} by {method} for n = {n}", tally.solutions.0)));
        }
    }
    Ok(Ok(()))
}

/// Whether a recount finds wrong counts of each kind: one more, a dropped prefix, a flipped bit.
///
/// # Errors
/// If the plan cannot be made.
pub fn check_verify(method: Method) -> Result<std::result::Result<(), String>> {
    let plan = Plan::new(9, method, None, 50)?;
    let batch = Batch { start: 0, prefixes: plan.iter().collect() };
    let mut finisher = method.finisher(false);
    let right: Vec<u64> = batch.prefixes.iter().map(|prefix| finisher.finish(prefix).solutions).collect();
    let verify = Verify { share: 1.0 };
    if !verify.check(method, &batch, &right).1.is_empty() {
        return Ok(Err(format!("two methods disagree about n = 9 by {method}")));
    }
    let at = right.iter().position(|&count| count > 0).unwrap_or(0);
    for wrong in [right[at] + 1, 0, right[at] ^ 1 << 33] {
        let mut counts = right.clone();
        counts[at] = wrong;
        if verify.check(method, &batch, &counts).1.len() != 1 {
            return Ok(Err(format!("a recount by {method} did not notice {wrong} in place of {}", right[at])));
        }
    }
    Ok(Ok(()))
}

/// Whether a damaged checkpoint is noticed, wherever the damage is.
///
/// # Errors
/// If the plan cannot be made.
pub fn check_files() -> Result<std::result::Result<(), String>> {
    let plan = Plan::new(8, Method::RowOrder, None, 20)?;
    let checkpoint = Checkpoint::new(Identity::of(&plan), 0..plan.prefixes);
    let bytes = seal("checkpoint", &checkpoint);
    if open::<Checkpoint>("checkpoint", &bytes).ok().as_ref() != Some(&checkpoint) {
        return Ok(Err("a checkpoint does not read as it was written".into()));
    }
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        if open::<Checkpoint>("checkpoint", &flipped).is_ok() || open::<Checkpoint>("checkpoint", &bytes[..at]).is_ok()
        {
            return Ok(Err(format!("damage at byte {at} of a checkpoint was not noticed")));
        }
    }
    Ok(Ok(()))
}
