//! How far a count is and how long it will still take.

use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::duration;
use crate::job::Ranges;
use crate::plan::Plan;
use crate::work::WorkCurve;

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Not at all.
    Silent,
    /// A bar on the terminal, after the first second.
    Bar,
    /// A line now and then, for a log.
    Lines,
}

/// Shows how far a count is. Told what is finished from any thread.
pub struct Progress {
    style: Style,
    curve: WorkCurve,
    /// The share of the plan's work that is looked at, and of that the share done before this run.
    whole: f64,
    before: f64,
    suggests_checkpoint: bool,
    start: Instant,
    state: Mutex<State>,
}

struct State {
    share: f64,
    /// When something is to be shown again, from the start.
    due: Duration,
    bar: Option<ProgressBar>,
    suggested: bool,
}

impl Progress {
    /// Progress through a plan, from now on.
    pub fn new(plan: &Plan, style: Style) -> Self {
        Self::resumed(plan, style, 0..plan.prefixes, &Ranges::default())
    }

    /// Progress through a range of the prefixes of a plan, some of which were done before.
    pub fn resumed(plan: &Plan, style: Style, range: Range<u64>, done: &Ranges) -> Self {
        let due = if style == Style::Lines { Duration::from_secs(10) } else { Duration::from_secs(1) };
        let curve = WorkCurve::new(plan);
        let share = |range: Range<u64>| curve.share_before(range.end) - curve.share_before(range.start);
        let whole = share(range).max(1e-9);
        let before = done.iter().map(share).sum::<f64>() / whole;
        Self {
            style,
            curve,
            whole,
            before,
            suggests_checkpoint: false,
            start: Instant::now(),
            state: Mutex::new(State { share: before, due, bar: None, suggested: false }),
        }
    }

    /// Says once, if the count takes more than a minute, that it could be saved.
    #[must_use]
    pub fn suggesting_checkpoint(mut self) -> Self {
        self.suggests_checkpoint = true;
        self
    }

    /// These prefixes have been finished.
    pub fn done(&self, prefixes: Range<u64>) {
        if self.style == Style::Silent {
            return;
        }
        let share = self.curve.share_before(prefixes.end) - self.curve.share_before(prefixes.start);
        let elapsed = self.start.elapsed();
        // A panic elsewhere must not hide behind one here.
        let Ok(mut state) = self.state.lock() else { return };
        state.share += share / self.whole;
        if elapsed >= state.due {
            self.show(&mut state, elapsed);
        }
    }

    fn show(&self, state: &mut State, elapsed: Duration) {
        let share = state.share.clamp(1e-9, 1.0);
        let this_run = (share - self.before).max(1e-9);
        let left = elapsed.as_secs_f64() * (1.0 - share) / this_run;
        let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
        // The first seconds say little about the rest.
        let is_long = elapsed > Duration::from_secs(5) && left > Duration::from_secs(60);
        if self.suggests_checkpoint && is_long && !state.suggested {
            state.suggested = true;
            let hint = || eprintln!("note: with --checkpoint FILE this count could be interrupted and gone on with");
            state.bar.as_ref().map_or_else(hint, |bar| bar.suspend(hint));
        }
        let text = format!("{:5.1} % done, {} left", share * 100.0, duration(left));
        if self.style == Style::Lines {
            eprintln!("{} after {}", text.trim_start(), duration(elapsed));
            // Every 10 s at first, then less and less often, at most every 10 minutes.
            state.due = elapsed + (elapsed / 5).clamp(Duration::from_secs(10), Duration::from_secs(600));
            return;
        }
        let bar = state.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr());
            bar.set_style(
                ProgressStyle::with_template("[{bar:30}] {msg}").expect("the template is valid").progress_chars("=> "),
            );
            bar
        });
        bar.set_position((share * 1000.0) as u64);
        bar.set_message(text);
        state.due = elapsed + Duration::from_millis(100);
    }
}

impl Drop for Progress {
    /// Leaves the terminal as it was.
    fn drop(&mut self) {
        if let Some(bar) = self.state.get_mut().ok().and_then(|state| state.bar.take()) {
            bar.finish_and_clear();
        }
    }
}
