//! How far a count is and how long it will still take.

use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::duration;
use crate::plan::Plan;

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

/// The work of the prefixes of a plan, estimated by probing a sample of them.
struct WorkCurve {
    /// Of each prefix of the sample: its index, and the work of all prefixes before it.
    before: Vec<(u64, f64)>,
    prefixes: u64,
    total: f64,
}

impl WorkCurve {
    /// Random descents a prefix of the sample. Only their sum over many prefixes has to be good.
    const PROBES: u32 = 16;

    fn new(plan: &Plan) -> Self {
        let mut random = fastrand::Rng::with_seed(0);
        let (mut before, mut total) = (Vec::with_capacity(plan.sample.len()), 0.0);
        let ends = plan.sample.iter().skip(1).map(|&(index, _)| index).chain([plan.prefixes]);
        for (&(index, ref prefix), end) in plan.sample.iter().zip(ends) {
            before.push((index, total));
            let probes: f64 = (0..Self::PROBES).map(|_| plan.method.probe(prefix, &mut random)).sum();
            // A prefix that ends at once is work too.
            total += (end - index) as f64 * (1.0 + probes / f64::from(Self::PROBES));
        }
        Self { before, prefixes: plan.prefixes, total }
    }

    /// The share of all work that lies before a prefix.
    fn share_before(&self, index: u64) -> f64 {
        let next = self.before.partition_point(|&(start, _)| start <= index);
        let Some(&(start, work)) = next.checked_sub(1).and_then(|at| self.before.get(at)) else { return 0.0 };
        let (end, work_at_end) = self.before.get(next).copied().unwrap_or((self.prefixes, self.total));
        let within = (index - start) as f64 / ((end - start) as f64).max(1.0);
        ((work + within * (work_at_end - work)) / self.total).min(1.0)
    }
}

/// Shows how far a count is. Told what is finished from any thread.
pub struct Progress<'a> {
    style: Style,
    plan: &'a Plan,
    start: Instant,
    state: Mutex<State>,
}

struct State {
    /// Made when something is first shown: short counts do without.
    curve: Option<WorkCurve>,
    /// Finished, but not yet part of the share.
    finished: Vec<Range<u64>>,
    share: f64,
    /// When something is to be shown again, from the start.
    due: Duration,
    bar: Option<ProgressBar>,
}

impl<'a> Progress<'a> {
    /// Progress through a plan, from now on.
    pub fn new(plan: &'a Plan, style: Style) -> Self {
        let due = if style == Style::Lines { Duration::from_secs(10) } else { Duration::from_secs(1) };
        Self {
            style,
            plan,
            start: Instant::now(),
            state: Mutex::new(State { curve: None, finished: Vec::new(), share: 0.0, due, bar: None }),
        }
    }

    /// These prefixes have been finished.
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
        let curve = state.curve.get_or_insert_with(|| WorkCurve::new(self.plan));
        for prefixes in state.finished.drain(..) {
            state.share += curve.share_before(prefixes.end) - curve.share_before(prefixes.start);
        }
        let share = state.share.clamp(1e-9, 1.0);
        let left = Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 - share) / share).unwrap_or(Duration::MAX);
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
        bar.set_message(text);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;
    use crate::search::row_order;

    #[test]
    fn shares_of_work_are_about_right_all_the_way() {
        let plan = Plan::new(12, Method::RowOrder, Some(3), 0).unwrap();
        let curve = WorkCurve::new(&plan);
        let nodes: Vec<f64> = plan.iter().map(|prefix| row_order::finish(&prefix).nodes as f64).collect();
        let total: f64 = nodes.iter().sum();
        let mut before = 0.0;
        for (index, nodes) in (0..).zip(&nodes) {
            let share = curve.share_before(index);
            assert!((share - before / total).abs() < 0.03, "at {index}: {share}, truly {}", before / total);
            before += nodes;
        }
        assert_eq!(curve.share_before(0), 0.0);
        assert_eq!(curve.share_before(plan.prefixes), 1.0);
    }

    #[test]
    fn a_board_without_prefixes_has_no_work() {
        let plan = Plan::new(3, Method::RowOrder, Some(3), 0).unwrap();
        assert_eq!(plan.prefixes, 0);
        assert_eq!(WorkCurve::new(&plan).share_before(0), 0.0);
    }
}
