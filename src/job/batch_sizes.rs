//! How many prefixes the next batch should have.

use std::time::Duration;

use crate::capabilities::Capabilities;

/// The sizes of the batches of one device.
pub(super) struct BatchSizes {
    size: usize,
    min: usize,
    max: usize,
    /// How long a batch should last, if progress is saved after it.
    aim: Option<Duration>,
}

impl BatchSizes {
    /// Where progress is saved a batch lasts a quarter of the time between two saves, but no longer than suits the device: a
    /// signal waits for it.
    pub fn new(device: &Capabilities, save_every: Option<Duration>) -> Self {
        let longest = Duration::from_secs_f64(device.max_batch_seconds);
        let aim = save_every.map(|save_every| (save_every / 4).min(longest));
        let max = device.max_batch.max(1);
        let min = device.min_batch.clamp(1, max);
        Self { size: if aim.is_some() { min } else { max }, min, max, aim }
    }

    /// The size of the next batch where `left` prefixes are left to share among `workers`.
    pub fn next(&self, left: u64, workers: usize) -> usize {
        let share = match workers {
            0 | 1 => left,
            _ => left / (2 * workers as u64),
        };
        self.size.min(usize::try_from(share).unwrap_or(usize::MAX)).max(self.min)
    }

    /// Learns from a batch of this many prefixes.
    pub fn learn(&mut self, prefixes: usize, took: Duration) {
        if let Some(aim) = self.aim {
            let ratio = (aim.as_secs_f64() / took.as_secs_f64().max(1e-6)).clamp(0.1, 4.0);
            self.size = ((prefixes as f64 * ratio) as usize).clamp(self.min, self.max);
        }
    }

    /// After a loss: a smaller batch may be what the device can do.
    pub fn shrink(&mut self) {
        self.min = (self.min / 2).max(1);
        self.size = (self.size / 2).max(self.min);
    }
}
