//! Runs a job, or what is left of it: prefixes to the workers, sums from them, saves on the way.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::options::{Moment, Options};
use super::queue::{Queue, enumerate};
use super::worker_pool::{Report, Worker, WorkerPool};
use super::{Checkpoint, JobError, Provenance, Store};
use crate::backend::{Device, Startup, Stats};
use crate::error::{Error, Result};
use crate::plan::Plan;

/// What a finished job took.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// What its devices did.
    pub stats: Stats,
    /// The time to get them ready.
    pub startup: Duration,
    /// The same for each device, as far as it tells.
    pub startups: Vec<Startup>,
    /// The time from the first prefix to the last sum.
    pub time: Duration,
}

/// How long the batches at hand may take once a job with a store is to stop: longer where a GPU works, whose batches are long.
const GRACE: Duration = Duration::from_secs(1);
const GPU_GRACE: Duration = Duration::from_secs(8);

/// How often the job looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// Counts the prefixes that a checkpoint lacks, and adds them to it. With a store it is saved at the start, every now and
/// then, and at the end, be that an error.
///
/// # Errors
/// [`Error::Cancelled`] if it was stopped: what is done is in the checkpoint. Others if a save fails, if a device fails that
/// cannot be replaced, if two methods disagree, or if a sum would pass its range.
///
/// # Panics
/// If there is no device.
pub fn run<'a>(
    plan: &Plan,
    checkpoint: &mut Checkpoint,
    devices: Vec<Box<dyn Device + 'a>>,
    store: Option<&Store>,
    options: &Options<'_>,
) -> Result<Outcome> {
    assert!(!devices.is_empty(), "somebody must do the work");
    if checkpoint.is_complete() {
        return Ok(Outcome { stats: Stats::with_nodes(checkpoint.tally.nodes), ..Outcome::default() });
    }
    let start = Instant::now();
    let workers: Vec<Worker<'_>> =
        devices.into_iter().map(|device| Worker::new(device, plan)).collect::<Result<_>>()?;
    let startup = start.elapsed();
    let startups = workers.iter().map(Worker::startup).collect();
    let mut ledger = Ledger::new(checkpoint, store, options.save_every);
    for worker in &workers {
        ledger.checkpoint.remember(Provenance::new(plan.method(), worker.place()));
    }
    // Before hours of work: can it be saved at all?
    ledger.save()?;
    (options.moment)(Moment::Counting);
    let start = Instant::now();
    let (mut stats, failure) = work(plan, &mut ledger, workers, options);
    // A device that was given up with the last batch, which was redone, takes nothing from a count that is complete.
    let failure = failure
        .filter(|error| !(ledger.checkpoint.is_complete() && matches!(error, Error::Job(JobError::Quarantined(_)))));
    let ended = ledger.end(failure);
    (options.moment)(Moment::Ended);
    ended?;
    if !ledger.checkpoint.is_complete() {
        return Err(match is_to_stop(options) {
            true => Error::Cancelled,
            false => JobError::Inconsistent("some prefixes were never counted".into()).into(),
        });
    }
    if let Some(contradiction) = ledger.checkpoint.contradiction() {
        return Err(JobError::Inconsistent(contradiction.into()).into());
    }
    stats.nodes = ledger.checkpoint.tally.nodes;
    Ok(Outcome { stats, startup, startups, time: start.elapsed() })
}

/// Whether somebody wants it to stop, or its time is over.
fn is_to_stop(options: &Options<'_>) -> bool {
    options.stop.load(Ordering::SeqCst) || options.deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Lets the workers count until nothing is left, or something goes wrong.
fn work(
    plan: &Plan,
    ledger: &mut Ledger<'_>,
    workers: Vec<Worker<'_>>,
    options: &Options<'_>,
) -> (Stats, Option<Error>) {
    let gaps = ledger.checkpoint.done.gaps(ledger.checkpoint.range());
    let (queue, sender) = Queue::new(gaps.iter().map(|gap| gap.end - gap.start).sum());
    let pool = WorkerPool::new(plan, &queue, options, workers.len(), ledger.store.is_some());
    let (mut stats, mut failure) = (Stats::default(), None);
    let grace = if workers.iter().any(|worker| worker.place().is_gpu()) { GPU_GRACE } else { GRACE };
    let (mut stopped, mut told) = (None::<Instant>, false);
    std::thread::scope(|scope| {
        let (pool, queue, gaps) = (&pool, &queue, &gaps);
        let thread = |name: &str| std::thread::Builder::new().name(name.into());
        let enumeration = match thread("prefixes").spawn_scoped(scope, move || enumerate(plan, gaps, queue, &sender)) {
            Ok(enumeration) => enumeration,
            Err(error) => {
                failure = Some(Error::Threads(error));
                return;
            }
        };
        // No device gets ahead of the saves: what is finished and not heard yet would be lost in a crash.
        let (reports, heard) = sync_channel(1);
        for worker in workers {
            let reports = reports.clone();
            if let Err(error) = thread("worker").spawn_scoped(scope, move || pool.work(worker, &reports)) {
                failure.get_or_insert(Error::Threads(error));
                queue.close();
                break;
            }
        }
        drop(reports);
        loop {
            let result = match heard.recv_timeout(GLANCE) {
                Ok(Report::Done { range, tally, verification, place }) => {
                    ledger.checkpoint.verification.add(&verification);
                    ledger.checkpoint.remember(Provenance::new(plan.method(), &place));
                    ledger.checkpoint.add(range, &tally).and_then(|()| ledger.save_if_due())
                }
                Ok(Report::Incident(verification)) => {
                    ledger.checkpoint.verification.add(&verification);
                    Ok(())
                }
                Ok(Report::Failed(error)) => Err(error),
                Ok(Report::Left(own)) => {
                    stats.kernels.extend(own.kernels);
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
            if is_to_stop(options) {
                queue.close();
                let since = stopped.get_or_insert_with(Instant::now);
                if ledger.store.is_some() && failure.is_none() && !told && since.elapsed() >= grace {
                    told = true;
                    match ledger.save() {
                        Ok(()) => (options.moment)(Moment::Saved),
                        Err(error) => failure = Some(error),
                    }
                }
            }
        }
        // Nothing is taken from it any more; the enumeration must not wait for somebody who does.
        queue.close();
        if let Err(error) = enumeration.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
            failure.get_or_insert(error);
        }
    });
    (stats, failure)
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
