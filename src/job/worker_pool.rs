//! The worker pool of a job: a worker for each device takes batches from the queue, counts them, has a sample of them
//! recounted, and tries again or is given up when its device fails.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use super::batch_sizes::BatchSizes;
use super::options::{Event, MAX_FAILURES, Options};
use super::queue::{Batch, Queue};
use super::{JobError, Tally, Verification};
use crate::backend::{Capabilities, Control, Cpu, Device, Session, Startup, Stats};
use crate::error::{Error, Result};
use crate::fault;
use crate::plan::Plan;

/// A device that takes part in a job, ready for its plan.
pub(super) struct Worker<'a> {
    device: Box<dyn Device + 'a>,
    session: Box<dyn Session>,
}

impl<'a> Worker<'a> {
    /// Gets a device ready.
    pub fn new(mut device: Box<dyn Device + 'a>, plan: &Plan) -> Result<Self> {
        let session = device.prepare(plan.workload())?;
        Ok(Self { device, session })
    }

    /// The device.
    pub fn place(&self) -> &Capabilities {
        self.device.capabilities()
    }

    /// How long it took to get it ready.
    pub fn startup(&self) -> Startup {
        self.session.startup()
    }

    /// Opens the device anew.
    fn reopened(&self, plan: &Plan) -> Result<Self> {
        Worker::new(self.device.reopen()?, plan)
    }
}

/// Batches with a wrong count after which a device is given up.
const MAX_WRONG_BATCHES: u32 = 2;

/// What a worker tells the job.
pub(super) enum Report {
    /// A batch is finished.
    Done { range: std::ops::Range<u64>, tally: Tally, verification: Verification, place: Box<Capabilities> },
    /// Something went wrong and was put right.
    Incident(Verification),
    /// Nothing can be done about this.
    Failed(Error),
    /// The worker has left: what it did.
    Left(Stats),
}

/// What all workers share.
pub(super) struct WorkerPool<'a> {
    plan: &'a Plan,
    queue: &'a Queue,
    options: &'a Options<'a>,
    /// How many workers there were.
    size: usize,
    /// How many are left.
    left: AtomicUsize,
    /// Whether progress is saved, so that batches must be small, and are counted to their end when the job is stopped.
    saves: bool,
    /// What recounts, once something is recounted.
    cpu: OnceLock<Cpu>,
}

/// Closes the queue if its thread panics: else the others would wait for a batch that never comes.
struct CloseOnPanic<'a>(&'a Queue);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

/// How a batch ended that was not simply counted.
enum Trouble {
    /// Its device counted wrongly too often; the batch itself was counted anew.
    Untrusted,
    /// It was not counted.
    Uncounted(Error, Batch),
}

impl<'a> WorkerPool<'a> {
    pub fn new(plan: &'a Plan, queue: &'a Queue, options: &'a Options<'a>, size: usize, saves: bool) -> Self {
        Self { plan, queue, options, size, left: AtomicUsize::new(size), saves, cpu: OnceLock::new() }
    }

    /// Works until nothing is left to do.
    pub fn work(&self, mut worker: Worker<'_>, reports: &SyncSender<Report>) {
        let _guard = CloseOnPanic(self.queue);
        fault::job_begins();
        // The job has ended if nobody listens.
        let tell = |report| drop(reports.send(report));
        let mut sizes = self.sizes(worker.place());
        let (mut failures, mut wrong_batches) = (0, 0);
        while let Some(batch) = self.queue.take(sizes.next(self.queue.left(), self.size)) {
            let trouble = match self.count(&mut worker, &batch, &mut sizes, &mut wrong_batches) {
                Ok(done) => {
                    failures = 0;
                    tell(done);
                    self.queue.finished();
                    if wrong_batches < MAX_WRONG_BATCHES {
                        continue;
                    }
                    Trouble::Untrusted
                }
                Err(error) => Trouble::Uncounted(error, batch),
            };
            let (reason, error) = match trouble {
                Trouble::Untrusted => ("counted wrongly", JobError::Quarantined(worker.place().to_string()).into()),
                Trouble::Uncounted(error, batch) if is_loss(&error) => {
                    self.queue.give_back(batch);
                    if self.recover(&mut worker, &error, &mut failures, &tell) {
                        sizes.shrink();
                        continue;
                    }
                    ("failed too often", error)
                }
                Trouble::Uncounted(error, batch) => {
                    self.queue.give_back(batch);
                    self.queue.close();
                    // Whoever cancelled the job knows.
                    if !matches!(error, Error::Cancelled) {
                        tell(Report::Failed(error));
                    }
                    break;
                }
            };
            if !self.replace(&mut worker, reason, error, &tell) {
                break;
            }
            sizes = self.sizes(worker.place());
            (failures, wrong_batches) = (0, 0);
        }
        tell(Report::Left(worker.session.stats()));
    }

    fn sizes(&self, place: &Capabilities) -> BatchSizes {
        BatchSizes::new(place, self.saves.then_some(self.options.save_every))
    }

    /// Counts a batch and verifies it.
    fn count(
        &self,
        worker: &mut Worker<'_>,
        batch: &Batch,
        sizes: &mut BatchSizes,
        wrong_batches: &mut u32,
    ) -> Result<Report> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        fault::slow_down();
        let (start, before) = (Instant::now(), worker.session.stats().nodes);
        let done = |r: std::ops::Range<u64>| (self.options.progress)(batch.start + r.start..batch.start + r.end);
        let part = |at: u64, share: f64| (self.options.part)(batch.start + at, share);
        let stop = if self.saves { &NEVER } else { self.options.stop };
        let mut counts = worker.session.count(&batch.prefixes, &Control::new(stop, &done).with_parts(&part))?;
        fault::falsify(&mut counts);
        let mut nodes = worker.session.stats().nodes.map(|after| after - before.unwrap_or(0));
        sizes.learn(batch.prefixes.len(), start.elapsed());
        let verification = self.verify(batch, &mut counts, worker.place())?;
        if verification.mismatches > 0 {
            *wrong_batches += 1;
            nodes = None;
        }
        let tally = Tally::from_batch(&batch.prefixes, &counts, nodes)?;
        Ok(Report::Done { range: batch.range(), tally, verification, place: Box::new(worker.place().clone()) })
    }

    /// Recounts a sample. If that finds a wrong count, the whole batch is counted again on the CPU.
    fn verify(&self, batch: &Batch, counts: &mut Vec<u64>, place: &Capabilities) -> Result<Verification> {
        let Some(verify) = self.options.verify else { return Ok(Verification::default()) };
        let cpu = self.cpu()?;
        (self.options.recounting)(true);
        let (recounted, mismatches) = cpu.install(|| verify.check(self.plan.method(), batch, counts));
        (self.options.recounting)(false);
        let mut verification = Verification { recounted, mismatches: mismatches.len() as u64, ..Default::default() };
        let Some(first) = mismatches.first() else { return Ok(verification) };
        let prefix = |at: usize| batch.start + at as u64;
        (self.options.event)(&Event::Mismatch {
            device: place.to_string(),
            prefix: prefix(first.at),
            counted: first.counted,
            recounted: first.recounted,
        });
        verification.batches_redone = 1;
        let mut session = cpu.reopen()?.prepare(self.plan.workload())?;
        *counts = session.count(&batch.prefixes, &Control::none())?;
        match mismatches.iter().find(|mismatch| counts[mismatch.at] != mismatch.recounted) {
            None => Ok(verification),
            Some(wrong) => Err(JobError::Disagreement {
                prefix: prefix(wrong.at),
                counted: counts[wrong.at],
                recounted: wrong.recounted,
            }
            .into()),
        }
    }

    /// The CPU that recounts; opened when it is first needed.
    fn cpu(&self) -> Result<&Cpu> {
        if let Some(cpu) = self.cpu.get() {
            return Ok(cpu);
        }
        let cpu = (self.options.open_cpu)()?;
        Ok(self.cpu.get_or_init(|| cpu))
    }

    /// Opens a lost device again. False once it has failed too often.
    fn recover(&self, worker: &mut Worker<'_>, error: &Error, failures: &mut u32, tell: &impl Fn(Report)) -> bool {
        let mut reason = error.with_causes();
        loop {
            *failures += 1;
            let device = worker.place().to_string();
            (self.options.event)(&Event::Failed { device, reason, times: *failures });
            tell(Report::Incident(Verification { device_losses: 1, ..Default::default() }));
            if *failures >= MAX_FAILURES {
                return false;
            }
            std::thread::sleep(self.options.pause_after_loss * *failures);
            match worker.reopened(self.plan) {
                Ok(opened) => {
                    *worker = opened;
                    return true;
                }
                Err(error) => reason = error.with_causes(),
            }
        }
    }

    /// Gives a device up. The last one is replaced by the CPU, if that is wanted.
    fn replace(&self, worker: &mut Worker<'_>, reason: &'static str, error: Error, tell: &impl Fn(Report)) -> bool {
        let place = worker.place();
        let given_up = vec![format!("{place} {reason}")];
        tell(Report::Incident(Verification { given_up, ..Default::default() }));
        let last = self.left.fetch_sub(1, Ordering::SeqCst) == 1;
        let on_cpu = last && self.options.falls_back_to_cpu && place.is_gpu();
        if last && !on_cpu {
            self.queue.close();
            tell(Report::Failed(error));
            return false;
        }
        (self.options.event)(&Event::GivenUp { device: place.to_string(), reason, on_cpu });
        if !on_cpu {
            return false;
        }
        self.left.fetch_add(1, Ordering::SeqCst);
        match (self.options.open_cpu)().and_then(|cpu| Worker::new(Box::new(cpu), self.plan)) {
            Ok(on_cpu) => {
                *worker = on_cpu;
                true
            }
            Err(error) => {
                self.queue.close();
                tell(Report::Failed(error));
                false
            }
        }
    }
}

/// Whether an error is the device's, so that another try or another device may help.
fn is_loss(error: &Error) -> bool {
    matches!(error, Error::Device { .. } | Error::LostDispatch { .. })
}
