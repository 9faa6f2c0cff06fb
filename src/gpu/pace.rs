//! How much work a dispatch gets: enough to be worth its start, little enough for every watchdog.

use std::time::Duration;

use super::SliceOptions;
use super::info::DeviceInfo;

/// The most steps of an invocation in a dispatch. Some software drivers silently stop a shader after 65,535 trips of
/// its loops; the loops that save and restore the stack need a few.
const MAX_STEPS: u32 = 50_000;
const MIN_STEPS: u32 = 64;
/// The time a dispatch should take, and below which it gets more invocations when it cannot get more steps.
const AIM: Duration = Duration::from_millis(100);
const SHORT: Duration = Duration::from_millis(50);

/// The steps and the invocations of the next dispatch.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    steps: u32,
    invocations: u32,
    max_invocations: u32,
    max_steps: u32,
    fixed_steps: bool,
    fixed_invocations: bool,
}

impl Pace {
    pub fn new(device: &DeviceInfo, options: SliceOptions) -> Self {
        // An emulated device has a vector of lanes a core, a GPU tens of thousands of them.
        let (first, most) = if device.emulated { (1 << 10, 1 << 12) } else { (1 << 16, 1 << 18) };
        Self {
            steps: options.steps.unwrap_or(1024).clamp(1, MAX_STEPS),
            invocations: options.invocations.unwrap_or(first).max(1),
            max_invocations: options.invocations.unwrap_or(most).max(1),
            max_steps: MAX_STEPS,
            fixed_steps: options.steps.is_some(),
            fixed_invocations: options.invocations.is_some(),
        }
    }

    pub fn steps(&self) -> u32 {
        self.steps
    }

    pub fn invocations(&self) -> u32 {
        self.invocations
    }

    pub fn max_invocations(&self) -> u32 {
        self.max_invocations
    }

    /// Keeps the invocations within what there is memory for.
    pub fn limit_invocations(&mut self, most: u32) {
        self.max_invocations = self.max_invocations.min(most);
        self.invocations = self.invocations.min(most);
    }

    /// Keeps the steps of a dispatch below a bound of the shader's own.
    pub fn limit_steps(&mut self, most: u32) {
        self.max_steps = self.max_steps.min(most);
        self.steps = self.steps.min(most);
    }

    /// Learns from a dispatch that took so long with all its lanes busy.
    pub fn learn(&mut self, took: Duration) {
        let ratio = (AIM.as_secs_f64() / took.as_secs_f64().max(1e-6)).clamp(0.25, 4.0);
        if !self.fixed_steps {
            self.steps = ((f64::from(self.steps) * ratio) as u32).clamp(MIN_STEPS, self.max_steps);
        }
        if !self.fixed_invocations && self.steps == self.max_steps && took < SHORT {
            self.invocations = self.invocations.saturating_mul(2).min(self.max_invocations);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(options: SliceOptions) -> Pace {
        Pace {
            steps: options.steps.unwrap_or(1024),
            invocations: options.invocations.unwrap_or(1 << 16),
            max_invocations: options.invocations.unwrap_or(1 << 18),
            max_steps: MAX_STEPS,
            fixed_steps: options.steps.is_some(),
            fixed_invocations: options.invocations.is_some(),
        }
    }

    /// Lets a device of this many lanes and steps a second run until the pace settles.
    fn settled(lanes: u32, speed: f64) -> (Pace, Duration) {
        let mut pace = pace(SliceOptions::default());
        let took = |pace: &Pace| {
            Duration::from_secs_f64(f64::from(pace.steps) * f64::from(pace.invocations.div_ceil(lanes)) / speed)
        };
        for _ in 0..30 {
            pace.learn(took(&pace));
        }
        let took = took(&pace);
        (pace, took)
    }

    #[test]
    fn slow_devices_get_fewer_steps_and_fast_ones_more_invocations() {
        let (pace, took) = settled(256, 1e7);
        assert!(pace.steps < MAX_STEPS && pace.invocations == 1 << 16, "{pace:?}");
        assert!((SHORT..2 * AIM).contains(&took), "{took:?}");
        let (pace, took) = settled(1 << 16, 1e7);
        assert!(pace.steps > 1024 && pace.invocations == 1 << 18 && took < 2 * AIM, "{pace:?} {took:?}");
    }

    #[test]
    fn forced_values_stay() {
        let mut pace = pace(SliceOptions { steps: Some(7), invocations: Some(64), tail_rows: None });
        pace.learn(Duration::from_micros(1));
        assert_eq!((pace.steps(), pace.invocations()), (7, 64));
    }
}
