//! How far a count is and how long it will still take.

use std::io::IsTerminal;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use nqueens::job::Ranges;
use nqueens::plan::Plan;
use nqueens::report::duration;
use nqueens::work::{WorkCurve, time_left};

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

impl Style {
    /// What suits stderr: a bar on a terminal, lines in a log, nothing if that is wanted.
    pub fn of_stderr(quiet: bool) -> Self {
        match quiet {
            true => Self::Silent,
            false if std::io::stderr().is_terminal() => Self::Bar,
            false => Self::Lines,
        }
    }
}

/// Bars come after this time: most counts are done before.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows how far a count is. Told what is finished from any thread.
pub struct Progress<'a> {
    style: Style,
    plan: &'a Plan,
    /// The prefixes that are looked at, and those of them that were done before this run.
    range: Range<u64>,
    done_before: Ranges,
    suggests_checkpoint: bool,
    start: Instant,
    state: Mutex<State>,
}

struct State {
    /// Made when something is first shown: short counts do without.
    work: Option<Work>,
    /// Finished, but not yet part of the share.
    finished: Vec<Range<u64>>,
    share: f64,
    /// When something is to be shown again, from the start.
    due: Duration,
    bar: Option<ProgressBar>,
    suggested: bool,
}

/// The plan's work, the share of it that is looked at, and of that the share done before this run.
struct Work {
    curve: WorkCurve,
    whole: f64,
    before: f64,
}

impl Work {
    fn new(plan: &Plan, range: &Range<u64>, done_before: &Ranges) -> Self {
        let mut work = Self { curve: WorkCurve::new(plan), whole: 1.0, before: 0.0 };
        work.whole = work.share(range).max(1e-9);
        work.before = done_before.iter().map(|range| work.share(&range)).sum();
        work
    }

    fn share(&self, range: &Range<u64>) -> f64 {
        (self.curve.share_before(range.end) - self.curve.share_before(range.start)) / self.whole
    }
}

impl<'a> Progress<'a> {
    /// Progress through all prefixes of a plan.
    pub fn new(plan: &'a Plan, style: Style) -> Self {
        Self::resumed(plan, style, 0..plan.prefixes(), &Ranges::default())
    }

    /// Progress through a range of the prefixes of a plan, some of which were done before.
    pub fn resumed(plan: &'a Plan, style: Style, range: Range<u64>, done: &Ranges) -> Self {
        let due = if style == Style::Lines { Duration::from_secs(10) } else { PATIENCE };
        let state = State { work: None, finished: Vec::new(), share: 0.0, due, bar: None, suggested: false };
        Self {
            style,
            plan,
            range,
            done_before: done.clone(),
            suggests_checkpoint: false,
            start: Instant::now(),
            state: Mutex::new(state),
        }
    }

    /// Says once, if the count takes more than a minute, that it could be saved.
    #[must_use]
    pub fn suggesting_checkpoint(mut self) -> Self {
        self.suggests_checkpoint = true;
        self
    }

    /// These prefixes have been counted.
    pub fn done(&self, prefixes: Range<u64>) {
        if self.style == Style::Silent {
            return;
        }
        let elapsed = self.start.elapsed();
        // A panic elsewhere must not hide behind one here.
        let Ok(mut state) = self.state.lock() else { return };
        state.finished.push(prefixes);
        if elapsed >= state.due {
            self.show(&mut state, elapsed);
        }
    }

    fn show(&self, state: &mut State, elapsed: Duration) {
        let work = state.work.get_or_insert_with(|| Work::new(self.plan, &self.range, &self.done_before));
        state.share += state.finished.drain(..).map(|prefixes| work.share(&prefixes)).sum::<f64>();
        let share = (work.before + state.share).min(1.0);
        let left = time_left(elapsed, state.share, work.before);
        // The first seconds say little about the rest.
        let is_long = elapsed > Duration::from_secs(5) && left > Duration::from_secs(60);
        if self.suggests_checkpoint && is_long && !state.suggested {
            state.suggested = true;
            let hint = || say!("note: with --checkpoint FILE this count could be interrupted and resumed");
            state.bar.as_ref().map_or_else(hint, |bar| bar.suspend(hint));
        }
        let percent = share * 100.0;
        if self.style == Style::Lines {
            say!("{percent:.1} % done after {}, {} left", duration(elapsed), duration(left));
            // Every 10 s at first, then less and less often, at most every 10 minutes.
            state.due = elapsed + (elapsed / 5).clamp(Duration::from_secs(10), Duration::from_secs(600));
            return;
        }
        let bar = state.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr());
            bar.set_style(
                ProgressStyle::with_template("[{wide_bar}] {msg}")
                    .expect("the template is valid")
                    .progress_chars("=> "),
            );
            bar
        });
        // Of a constant width, so that the bar keeps its own.
        bar.set_message(format!("{percent:5.1} % done, {:>12} left", duration(left)));
        bar.set_position((share * 1000.0) as u64);
        state.due = elapsed + Duration::from_millis(100);
    }
}

impl Drop for Progress<'_> {
    /// Leaves the terminal as it was.
    fn drop(&mut self) {
        if let Some(bar) = self.state.get_mut().ok().and_then(|state| state.bar.take()) {
            bar.finish_and_clear();
        }
    }
}

/// A bar of equal steps, on a terminal only.
pub struct Steps {
    bar: ProgressBar,
    start: Instant,
    shown: AtomicBool,
}

impl Steps {
    /// This many steps of this name.
    pub fn new(steps: u64, name: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        let template = format!("[{{wide_bar}}] {{human_pos:>10}} of {{human_len}} {name}, {{eta:>4}} left");
        bar.set_style(ProgressStyle::with_template(&template).expect("the template is valid").progress_chars("=> "));
        Self { bar, start: Instant::now(), shown: AtomicBool::new(false) }
    }

    /// One more is done.
    pub fn done(&self) {
        self.bar.inc(1);
        if self.start.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Steps {
    /// Leaves the terminal as it was.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
