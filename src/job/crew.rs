//! The devices that share a job: each takes batches from the queue, finishes them, has a sample of them recounted, and
//! tries again or is given up when it fails.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use super::queue::{Batch, Queue};
use super::run::Options;
use super::{Doubt, JobError, Tally};
use crate::backend::{Backend, Cpu, Effort, Place};
use crate::error::{Error, Result};
use crate::fault;
use crate::plan::Plan;

/// A backend that takes part in a job, [prepared](Backend::prepare) for its plan, and how to open it anew after a loss.
pub struct Member {
    /// The backend.
    pub backend: Box<dyn Backend>,
    /// Opens the same device once more.
    pub reopen: Reopen,
}

/// Opens a device once more.
pub type Reopen = Box<dyn Fn() -> Result<Box<dyn Backend>> + Send>;

/// What a person should hear of while a job runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A device failed; its batch is done again.
    Failed {
        /// Which device.
        device: String,
        /// What its driver said.
        reason: String,
        /// How often in a row.
        times: u32,
    },
    /// A recount found another count; the batch is redone on the CPU.
    Mismatch {
        /// Which device.
        device: String,
        /// The prefix, by its place in the order of the plan.
        prefix: u64,
        /// By the device.
        counted: u64,
        /// By the recount.
        recounted: u64,
    },
    /// A device is not used any more.
    GivenUp {
        /// Which device.
        device: String,
        /// Why.
        reason: &'static str,
        /// Whether the CPU takes its place, because no other device is left.
        on_cpu: bool,
    },
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Failed { device, reason, times } => {
                write!(f, "{device} failed ({reason}); its batch is done again (failure {times} of {MOST_FAILURES})")
            }
            Self::Mismatch { device, prefix, counted, recounted } => write!(
                f,
                "{device} counted {counted} completions of prefix {prefix}, a recount on the CPU {recounted}; its batch is \
                 redone on the CPU"
            ),
            Self::GivenUp { device, reason, on_cpu } => {
                let then = if *on_cpu { "the job goes on on the CPU" } else { "the other devices go on" };
                write!(f, "{device} {reason} and is not used any more; {then}")
            }
        }
    }
}

/// Failures in a row, without a finished batch between them, after which a device is given up.
const MOST_FAILURES: u32 = 3;

/// Batches with a wrong count after which a device is given up.
const MOST_OFFENCES: u32 = 2;

/// What a member tells the job.
pub(super) enum Report {
    /// A batch is finished.
    Done { range: std::ops::Range<u64>, tally: Tally, doubt: Doubt, place: Place },
    /// Something went wrong and was put right.
    Doubt(Doubt),
    /// Nothing can be done about this.
    Failed(Error),
    /// The member has left: what it did.
    Left(Effort),
}

/// What all members share.
pub(super) struct Crew<'a> {
    pub plan: &'a Plan,
    pub queue: &'a Queue,
    pub options: &'a Options<'a>,
    /// How many members there were.
    pub size: usize,
    /// How many are left.
    pub left: AtomicUsize,
    /// Whether progress is saved, so that batches must be small.
    pub saves: bool,
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

impl Crew<'_> {
    /// Works until nothing is left to do.
    pub fn work(&self, mut member: Member, reports: &SyncSender<Report>) {
        let _guard = CloseOnPanic(self.queue);
        fault::job_begins();
        // The job has ended if nobody listens.
        let tell = |report| drop(reports.send(report));
        let mut sizes = Sizes::new(&*member.backend, self);
        let (mut failures, mut offences) = (0, 0);
        while let Some(batch) = self.queue.take(sizes.next(self.queue.left(), self.size)) {
            let place = member.backend.place();
            let start = Instant::now();
            let error = match self.finish(&mut *member.backend, &batch) {
                Ok((mut counts, nodes)) => {
                    failures = 0;
                    sizes.learn(batch.prefixes.len(), start.elapsed());
                    let checked = self.check(&batch, &mut counts, &place);
                    match checked.and_then(|doubt| Ok((Tally::of(&batch.prefixes, &counts, nodes)?, doubt))) {
                        Ok((mut tally, doubt)) => {
                            if doubt.mismatches > 0 {
                                offences += 1;
                                tally.nodes = None;
                            }
                            tell(Report::Done { range: batch.range(), tally, doubt, place: place.clone() });
                            self.queue.finished();
                            None
                        }
                        Err(error) => Some((error, batch)),
                    }
                }
                Err(error) => Some((error, batch)),
            };
            let (reason, error) = match error {
                None if offences < MOST_OFFENCES => continue,
                None => ("counted wrongly", JobError::Quarantined(place.to_string()).into()),
                Some((error, batch)) if is_loss(&error) => {
                    self.queue.give_back(batch);
                    if self.recover(&mut member, &error, &place, &mut failures, &tell) {
                        sizes.shrink();
                        continue;
                    }
                    ("failed too often", error)
                }
                Some((error, batch)) => {
                    self.queue.give_back(batch);
                    self.queue.close();
                    tell(Report::Failed(error));
                    break;
                }
            };
            if !self.replace(&mut member, reason, error, &place, &tell) {
                break;
            }
            sizes = Sizes::new(&*member.backend, self);
            (failures, offences) = (0, 0);
        }
        tell(Report::Left(member.backend.effort()));
    }

    /// The counts of a batch, and the queens placed where they were counted.
    fn finish(&self, backend: &mut dyn Backend, batch: &Batch) -> Result<(Vec<u64>, Option<u64>)> {
        fault::slow_down();
        let before = backend.effort().nodes;
        let place = |at: usize| batch.start + at as u64;
        let done = |r: std::ops::Range<usize>| (self.options.progress)(place(r.start)..place(r.end));
        let mut counts = backend.finish(self.plan, &batch.prefixes, &done)?;
        fault::falsify(&mut counts);
        let after = backend.effort().nodes;
        // A device that was prepared anew has begun to count at 0 again.
        Ok((counts, after.map(|after| after.checked_sub(before.unwrap_or(0)).unwrap_or(after))))
    }

    /// Recounts a sample. If that finds a wrong count, the whole batch is counted again on the CPU.
    fn check(&self, batch: &Batch, counts: &mut Vec<u64>, place: &Place) -> Result<Doubt> {
        let Some(verify) = self.options.verify else { return Ok(Doubt::default()) };
        let (recounted, mismatches) = verify.check(self.plan.method, batch, counts);
        let mut doubt = Doubt { recounted, mismatches: mismatches.len() as u64, ..Doubt::default() };
        let Some(first) = mismatches.first() else { return Ok(doubt) };
        let prefix = |at: usize| batch.start + at as u64;
        (self.options.event)(&Event::Mismatch {
            device: place.to_string(),
            prefix: prefix(first.at),
            counted: first.counted,
            recounted: first.recounted,
        });
        doubt.batches_redone = 1;
        *counts = Cpu::new(None)?.finish(self.plan, &batch.prefixes, &|_| ())?;
        match mismatches.iter().find(|mismatch| counts[mismatch.at] != mismatch.recounted) {
            None => Ok(doubt),
            Some(wrong) => Err(JobError::Disagreement {
                prefix: prefix(wrong.at),
                counted: counts[wrong.at],
                recounted: wrong.recounted,
            }
            .into()),
        }
    }

    /// Opens a lost device again. False once it has failed too often.
    fn recover(
        &self,
        member: &mut Member,
        error: &Error,
        place: &Place,
        failures: &mut u32,
        tell: &impl Fn(Report),
    ) -> bool {
        let mut reason = error.to_string();
        loop {
            *failures += 1;
            (self.options.event)(&Event::Failed { device: place.to_string(), reason, times: *failures });
            tell(Report::Doubt(Doubt { device_losses: 1, ..Doubt::default() }));
            if *failures >= MOST_FAILURES {
                return false;
            }
            std::thread::sleep(self.options.pause_after_loss * *failures);
            let opened = (member.reopen)().and_then(|mut backend| backend.prepare(self.plan).map(|()| backend));
            match opened {
                Ok(backend) => {
                    member.backend = backend;
                    return true;
                }
                Err(error) => reason = error.to_string(),
            }
        }
    }

    /// Gives a device up. The last one is replaced by the CPU, if that is wanted.
    fn replace(
        &self,
        member: &mut Member,
        reason: &'static str,
        error: Error,
        place: &Place,
        tell: &impl Fn(Report),
    ) -> bool {
        let given_up = vec![format!("{place} {reason}")];
        tell(Report::Doubt(Doubt { given_up, ..Doubt::default() }));
        let last = self.left.fetch_sub(1, Ordering::SeqCst) == 1;
        let on_cpu = last && self.options.falls_back_to_cpu && matches!(place, Place::Gpu { .. });
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
        let cpu = Cpu::new(None);
        match cpu {
            Ok(cpu) => {
                member.backend = Box::new(cpu);
                member.reopen = Box::new(|| Ok(Box::new(Cpu::new(None)?)));
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

/// How many prefixes the next batch should have.
struct Sizes {
    size: usize,
    least: usize,
    most: usize,
    /// How long a batch should last, if progress is saved after it.
    aim: Option<Duration>,
}

impl Sizes {
    /// Where progress is saved a batch lasts a quarter of the time between two saves, but not more than a second on the
    /// CPU and 10 seconds on a GPU: a signal waits for it. A GPU always gets a few prefixes for each of its lanes, however
    /// long they take: below that most of it would be idle.
    fn new(backend: &dyn Backend, crew: &Crew<'_>) -> Self {
        let most = backend.batch();
        let (longest, least) = match backend.place() {
            Place::Cpu { threads } => (Duration::from_secs(1), threads),
            Place::Gpu { .. } => (Duration::from_secs(10), (backend.wanted_prefixes(crew.plan.method) / 8) as usize),
        };
        let aim = crew.saves.then(|| (crew.options.save_every / 4).min(longest));
        let least = least.clamp(1, most);
        Self { size: if aim.is_some() { least } else { most }, least, most, aim }
    }

    /// The size of the next batch where so many prefixes are left to share among so many members.
    fn next(&self, left: u64, members: usize) -> usize {
        let share = match members {
            0 | 1 => left,
            _ => left / (2 * members as u64),
        };
        self.size.min(usize::try_from(share).unwrap_or(usize::MAX)).max(self.least)
    }

    fn learn(&mut self, prefixes: usize, took: Duration) {
        if let Some(aim) = self.aim {
            let ratio = (aim.as_secs_f64() / took.as_secs_f64().max(1e-6)).clamp(0.1, 4.0);
            self.size = ((prefixes as f64 * ratio) as usize).clamp(self.least, self.most);
        }
    }

    /// After a loss: a smaller batch may be what the device can do.
    fn shrink(&mut self) {
        self.least = (self.least / 2).max(1);
        self.size = (self.size / 2).max(self.least);
    }
}
