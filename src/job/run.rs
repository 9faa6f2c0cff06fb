//! Runs a job, or what is left of it: prefixes to the crew, sums from it, saves on the way.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::crew::{Crew, Event, Member, Report};
use super::queue::{Queue, enumerate};
use super::{Checkpoint, JobError, Provenance, Store, Verify};
use crate::backend::Effort;
use crate::error::{Error, Result};
use crate::plan::Plan;

/// How a job is run.
pub struct Options<'a> {
    /// The time between two saves.
    pub save_every: Duration,
    /// The part of the work that is recounted, if any.
    pub verify: Option<Verify>,
    /// Whether the CPU goes on when the last device was given up.
    pub falls_back_to_cpu: bool,
    /// The time to wait before a lost device is opened again, twice that the second time: drivers need it to come back.
    pub pause_after_loss: Duration,
    /// Set from outside to end the job early, after the batches at hand.
    pub stop: &'a AtomicBool,
    /// Told which prefixes are finished, by their places in the order of the plan.
    pub progress: &'a (dyn Fn(Range<u64>) + Sync),
    /// Told what goes wrong and is put right.
    pub event: &'a (dyn Fn(&Event) + Sync),
}

/// How a job ended that did not fail.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// All prefixes are done.
    Complete(Effort),
    /// It was stopped; what is done is in the checkpoint.
    Stopped,
}

/// How often the job looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// Works on the prefixes that a checkpoint lacks, and adds them to it. With a store it is saved at the start, every now and
/// then, and at the end, be that an error.
///
/// # Errors
/// If a save fails, if a device fails that cannot be replaced, if two methods disagree, or if a sum would pass its range.
///
/// # Panics
/// If there is no member.
pub fn run(
    plan: &Plan,
    checkpoint: &mut Checkpoint,
    crew: Vec<Member>,
    store: Option<&Store>,
    options: &Options<'_>,
) -> Result<Ended> {
    assert!(!crew.is_empty(), "somebody must do the work");
    let mut ledger = Ledger::new(checkpoint, store, options.save_every);
    for member in &crew {
        ledger.checkpoint.remember(Provenance::of(plan.method, &member.backend.place()));
    }
    // Before hours of work: can it be saved at all?
    ledger.save()?;
    let gaps = ledger.checkpoint.done.gaps(ledger.checkpoint.range());
    let (queue, sender) = Queue::new(gaps.iter().map(|gap| gap.end - gap.start).sum());
    let shared = Crew {
        plan,
        queue: &queue,
        options,
        size: crew.len(),
        left: AtomicUsize::new(crew.len()),
        saves: store.is_some(),
    };
    let mut effort = Effort::default();
    let mut failure: Option<Error> = None;
    std::thread::scope(|scope| {
        let (shared, gaps) = (&shared, &gaps);
        scope.spawn(move || enumerate(plan, gaps, &sender));
        // No device gets ahead of the saves: what is finished and not heard yet would be lost in a crash.
        let (reports, heard) = sync_channel(1);
        for member in crew {
            let reports = reports.clone();
            scope.spawn(move || shared.work(member, &reports));
        }
        drop(reports);
        loop {
            let result = match heard.recv_timeout(GLANCE) {
                Ok(Report::Done { range, tally, doubt, place }) => {
                    ledger.checkpoint.doubt.add(&doubt);
                    ledger.checkpoint.remember(Provenance::of(plan.method, &place));
                    ledger.checkpoint.add(range, &tally).and_then(|()| ledger.save_if_due())
                }
                Ok(Report::Doubt(doubt)) => {
                    ledger.checkpoint.doubt.add(&doubt);
                    Ok(())
                }
                Ok(Report::Failed(error)) => Err(error),
                Ok(Report::Left(own)) => {
                    effort.stages.extend(own.stages);
                    Ok(())
                }
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Err(error) = result {
                // The first error is the cause of those after it.
                failure.get_or_insert(error);
                queue.close();
            }
            if options.stop.load(Ordering::SeqCst) {
                queue.close();
            }
        }
        // Nothing is taken from it any more; the enumeration must not wait for somebody who does.
        queue.close();
    });
    // A device that was given up with the last batch, which was redone, takes nothing from a count that is complete.
    let failure = failure
        .filter(|error| !(ledger.checkpoint.is_complete() && matches!(error, Error::Job(JobError::Quarantined(_)))));
    ledger.end(failure)?;
    match ledger.checkpoint.is_complete() {
        true => {
            if let Some(contradiction) = ledger.checkpoint.contradiction() {
                return Err(JobError::Inconsistent(contradiction.into()).into());
            }
            effort.nodes = ledger.checkpoint.tally.nodes;
            Ok(Ended::Complete(effort))
        }
        false if options.stop.load(Ordering::SeqCst) => Ok(Ended::Stopped),
        false => Err(JobError::Inconsistent("some prefixes were never counted".into()).into()),
    }
}

/// The checkpoint with the time, and where it is saved.
struct Ledger<'a> {
    checkpoint: &'a mut Checkpoint,
    store: Option<&'a Store>,
    save_every: Duration,
    start: Instant,
    milliseconds_before: u64,
    saved: Instant,
    cannot_save: bool,
}

impl<'a> Ledger<'a> {
    fn new(checkpoint: &'a mut Checkpoint, store: Option<&'a Store>, save_every: Duration) -> Self {
        let (start, milliseconds_before) = (Instant::now(), checkpoint.milliseconds);
        Self { checkpoint, store, save_every, start, milliseconds_before, saved: start, cannot_save: false }
    }

    fn save_if_due(&mut self) -> Result<()> {
        if self.saved.elapsed() >= self.save_every { self.save() } else { Ok(()) }
    }

    fn save(&mut self) -> Result<()> {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.checkpoint.milliseconds = self.milliseconds_before.saturating_add(milliseconds(self.start.elapsed()));
        if let Some(store) = self.store.filter(|_| !self.cannot_save) {
            // A clock before 1970 only spoils what `status` shows.
            self.checkpoint.saved_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
            self.checkpoint.save_every = milliseconds(self.save_every);
            // The error is reported once; the job ends with it.
            self.cannot_save = true;
            store.save(self.checkpoint)?;
            self.cannot_save = false;
        }
        self.saved = Instant::now();
        Ok(())
    }

    /// The last save, whatever happened; an error that ended the job comes first.
    fn end(&mut self, failure: Option<Error>) -> Result<()> {
        let saved = self.save();
        match failure {
            Some(error) => Err(error),
            None => saved,
        }
    }
}
