//! The prefixes still to be done, handed out in batches to whoever asks; a batch that could not be finished comes back.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::{JobError, Result};
use crate::plan::Plan;
use crate::prefix::Prefix;

/// Neighbouring prefixes.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The place of the first one in the order of the plan.
    pub start: u64,
    /// The prefixes.
    pub prefixes: Vec<Prefix>,
}

impl Batch {
    /// Their places in the order of the plan.
    pub fn range(&self) -> Range<u64> {
        self.start..self.start + self.prefixes.len() as u64
    }
}

/// What several devices share. The list of prefixes is never kept whole.
pub struct Queue {
    inner: Mutex<Inner>,
    changed: Condvar,
    /// Beside the lock, which whoever waits for the enumeration holds.
    closed: AtomicBool,
}

struct Inner {
    /// Small batches as they are enumerated; `None` once it is closed.
    source: Option<Receiver<Batch>>,
    /// What was taken from the source or given back, and not handed out yet.
    waiting: Vec<Batch>,
    /// Batches that somebody works on: they may come back.
    out: usize,
    /// Prefixes not handed out yet.
    left: u64,
}

/// Prefixes that are enumerated ahead, at most.
const AHEAD: usize = 1 << 20;

impl Queue {
    /// The queue, and where its prefixes are to be sent from: [`enumerate`] does that on a thread of its own.
    pub fn new(prefixes: u64) -> (Self, SyncSender<Batch>) {
        // The channel takes memory for all it can hold: no more than there will be.
        let ahead = (AHEAD as u64 / piece(prefixes) as u64).min(prefixes);
        let (sender, source) = sync_channel(ahead as usize);
        let inner = Inner { source: Some(source), waiting: Vec::new(), out: 0, left: prefixes };
        (Self { inner: Mutex::new(inner), changed: Condvar::new(), closed: AtomicBool::new(false) }, sender)
    }

    /// The next batch of at most `size` prefixes. Waits while the last ones are with others, who may give them back;
    /// `None` once all are finished or the queue is closed.
    pub fn take(&self, size: usize) -> Option<Batch> {
        let mut inner = self.lock();
        loop {
            inner.source.as_ref()?;
            if let Some(batch) = inner.next(size.max(1)) {
                inner.out += 1;
                inner.left -= batch.prefixes.len() as u64;
                return Some(batch);
            }
            if inner.out == 0 {
                return None;
            }
            inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A batch that was taken is finished.
    pub fn finished(&self) {
        self.lock().out -= 1;
        self.changed.notify_all();
    }

    /// A batch that was taken is not finished: somebody else may have it.
    pub fn give_back(&self, batch: Batch) {
        let mut inner = self.lock();
        inner.out -= 1;
        inner.left += batch.prefixes.len() as u64;
        inner.waiting.push(batch);
        drop(inner);
        self.changed.notify_all();
    }

    /// Hands out nothing more, and lets the enumeration end.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.lock().source = None;
        self.changed.notify_all();
    }

    /// Whether nothing more is handed out.
    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Prefixes not handed out yet.
    pub fn left(&self) -> u64 {
        self.lock().left
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic elsewhere is reported where it happened; here only whole batches move.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn next(&mut self, size: usize) -> Option<Batch> {
        let source = self.source.as_ref()?;
        let mut batch = self.waiting.pop().or_else(|| source.recv().ok())?;
        while batch.prefixes.len() < size
            && let Some(more) = self.waiting.pop().or_else(|| source.recv().ok())
        {
            if more.start != batch.range().end {
                self.waiting.push(more);
                break;
            }
            batch.prefixes.extend(more.prefixes);
        }
        if batch.prefixes.len() > size {
            let prefixes = batch.prefixes.split_off(size);
            self.waiting.push(Batch { start: batch.range().end, prefixes });
        }
        Some(batch)
    }
}

/// How many prefixes are enumerated at a time.
fn piece(prefixes: u64) -> usize {
    (prefixes / 256).clamp(1, 4096) as usize
}

/// Sends the prefixes of some ranges, in order, until the queue is closed.
///
/// # Errors
/// If they are not those that the plan's marks say.
pub fn enumerate(plan: &Plan, ranges: &[Range<u64>], queue: &Queue, sender: &SyncSender<Batch>) -> Result<()> {
    let wrong = || JobError::Marks { n: plan.n(), depth: plan.depth() }.into();
    let piece = piece(ranges.iter().map(|range| range.end - range.start).sum());
    let (mut prefixes, mut at) = (plan.iter_from(0), 0);
    for range in ranges {
        let start = plan.start_before(range.start);
        if start > at {
            (prefixes, at) = (plan.iter_from(start), start);
        }
        while at < range.start && prefixes.next().is_some() {
            at += 1;
            if at % 1024 == 0 && queue.is_closed() {
                return Ok(());
            }
        }
        while at < range.end {
            let size = piece.min(usize::try_from(range.end - at).unwrap_or(piece));
            let batch = Batch { start: at, prefixes: prefixes.by_ref().take(size).collect() };
            let end = batch.range().end;
            // Before anybody counts them.
            if end == at || !plan.agrees(at, &batch.prefixes) || (end == plan.prefixes() && prefixes.next().is_some()) {
                return Err(wrong());
            }
            at = end;
            if sender.send(batch).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;
    use crate::problem::Problem;

    #[test]
    fn a_small_job_takes_little_memory() {
        // The channel once took 46 MB for a million batches, whatever the job.
        let (_queue, sender) = Queue::new(3);
        let batch = || Batch { start: 0, prefixes: Vec::new() };
        assert!((0..3).all(|_| sender.try_send(batch()).is_ok()));
        assert!(sender.try_send(batch()).is_err());
    }

    #[test]
    fn every_prefix_is_handed_out_once_whatever_comes_back() {
        let plan = Plan::with_depth(&Problem::empty(11).unwrap(), Method::RowOrder, 3).unwrap();
        let all: Vec<Prefix> = plan.iter().collect();
        let ranges = [3..50, 60..61, 100..plan.prefixes()];
        let wanted: Vec<u64> = ranges.iter().cloned().flatten().collect();
        let mut random = fastrand::Rng::with_seed(1);
        let (queue, sender) = Queue::new(wanted.len() as u64);
        std::thread::scope(|scope| {
            let (plan, ranges, queue) = (&plan, &ranges, &queue);
            scope.spawn(move || enumerate(plan, ranges, queue, &sender).unwrap());
            let mut seen = Vec::new();
            while let Some(batch) = queue.take(random.usize(1..40)) {
                if random.bool() {
                    queue.give_back(batch);
                    continue;
                }
                for (index, prefix) in batch.range().zip(&batch.prefixes) {
                    assert_eq!(all[index as usize], *prefix);
                    seen.push(index);
                }
                queue.finished();
            }
            seen.sort_unstable();
            assert_eq!(seen, wanted);
            assert_eq!(queue.left(), 0);
            queue.close();
        });
    }

    #[test]
    fn a_closed_queue_lets_everybody_go() {
        let plan = Plan::with_depth(&Problem::empty(14).unwrap(), Method::RowOrder, 6).unwrap();
        let (queue, sender) = Queue::new(plan.prefixes());
        std::thread::scope(|scope| {
            let (queue, plan) = (&queue, &plan);
            scope.spawn(move || enumerate(plan, std::slice::from_ref(&(0..plan.prefixes())), queue, &sender).unwrap());
            let batch = queue.take(10).unwrap();
            scope.spawn(move || assert!(queue.take(usize::MAX).is_some() || queue.take(1).is_none()));
            queue.give_back(batch);
            queue.close();
            assert_eq!(queue.take(10), None);
        });
    }
}
