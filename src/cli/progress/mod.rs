//! How far a command is and how long it will still take. A thread of its own draws, by the clock: whatever takes long is seen
//! to go on, also where nothing can be told of it.

mod look;

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use nqueens::job::Ranges;
use nqueens::plan::Plan;
use nqueens::report::si;
use nqueens::work::{WorkCurve, time_left};

use super::say;
use look::{Look, hour_after};

/// What `--progress` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressChoice {
    /// A bar on a terminal, lines elsewhere.
    Auto,
    /// A line that is drawn anew.
    Bar,
    /// A line now and then.
    Lines,
    /// Nothing.
    None,
}

/// The option of the commands that show progress.
#[derive(clap::Args)]
pub struct ProgressArgs {
    /// How progress is shown on stderr: auto, bar, lines or none.
    ///
    /// A bar is drawn anew in one line of a terminal; lines come after 10 s and then less and less often. `auto` is a bar on
    /// a terminal that can draw one, and lines elsewhere.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ProgressChoice::Auto)]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    pub progress: ProgressChoice,
}

impl ProgressArgs {
    /// What suits stderr.
    pub const AUTO: Self = Self { progress: ProgressChoice::Auto };

    /// How progress is shown, unless nothing is to be said.
    pub fn style(&self, quiet: bool) -> Style {
        // Windows has no such variable.
        let can_draw =
            || cfg!(windows) || std::env::var_os("TERM").is_some_and(|term| term != "dumb" && !term.is_empty());
        match self.progress {
            _ if quiet => Style::Silent,
            ProgressChoice::None => Style::Silent,
            ProgressChoice::Bar => Style::Bar,
            ProgressChoice::Lines => Style::Lines,
            ProgressChoice::Auto if std::io::stderr().is_terminal() && can_draw() => Style::Bar,
            ProgressChoice::Auto => Style::Lines,
        }
    }
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Not at all.
    Silent,
    /// In one line of a terminal.
    Bar,
    /// A line now and then, for a log.
    Lines,
}

impl Style {
    /// When something is first shown: most counts are done before.
    fn first(self) -> Duration {
        Duration::from_millis(if self == Self::Bar { 500 } else { 10_000 })
    }

    /// When something is shown after what was shown at `now`; both since the start.
    fn after(self, now: Duration) -> Duration {
        match self {
            // As often as a clock.
            Self::Bar => now + Duration::from_millis(200),
            // Less and less often.
            _ => now + (now / 5).clamp(Duration::from_secs(10), Duration::from_secs(600)),
        }
    }
}

/// Shows what a command is doing, until it is dropped.
pub struct Progress {
    shared: Arc<Shared>,
    ticker: Option<JoinHandle<()>>,
}

struct Shared {
    style: Style,
    start: Instant,
    state: Mutex<State>,
    wake: Condvar,
}

struct State {
    ended: bool,
    what: &'static str,
    since: Instant,
    expected: Option<Duration>,
    meter: Meter,
}

/// What is known of how far it is.
enum Meter {
    Nothing,
    Steps { done: u64, all: u64, unit: &'static str },
    Prefixes(Box<Prefixes>),
}

impl Progress {
    /// Says that this is being done.
    pub fn new(style: Style, what: &'static str) -> Self {
        let now = Instant::now();
        let state = State { ended: false, what, since: now, expected: None, meter: Meter::Nothing };
        let shared = Arc::new(Shared { style, start: now, state: Mutex::new(state), wake: Condvar::new() });
        let ticking = Arc::clone(&shared);
        // Where no thread can be started there is no progress to be seen.
        let ticker = (style != Style::Silent)
            .then(|| std::thread::Builder::new().name("progress".into()).spawn(move || ticking.tick()).ok())
            .flatten();
        Self { shared, ticker }
    }

    /// Something else is being done now, and nothing is known of how far it is.
    pub fn begin(&self, what: &'static str) {
        self.set(what, Meter::Nothing);
    }

    /// So many steps are to be done.
    pub fn begin_steps(&self, what: &'static str, all: u64, unit: &'static str) {
        self.set(what, Meter::Steps { done: 0, all, unit });
    }

    /// A range of the prefixes of a plan is to be counted, of which some were before. It is expected to take so long.
    pub fn begin_count(&self, plan: &Plan, range: Range<u64>, done: &Ranges, expected: Option<Duration>) {
        if self.ticker.is_some() {
            self.set("counting", Meter::Prefixes(Box::new(Prefixes::new(plan, range, done))));
            self.shared.lock().expected = expected;
        }
    }

    fn set(&self, what: &'static str, meter: Meter) {
        let mut state = self.shared.lock();
        (state.what, state.since, state.expected, state.meter) = (what, Instant::now(), None, meter);
    }

    /// Something else is done for a while, without another meter.
    pub fn says(&self, what: &'static str) {
        self.shared.lock().what = what;
    }

    /// One step is done.
    pub fn step(&self) {
        if let Meter::Steps { done, .. } = &mut self.shared.lock().meter {
            *done += 1;
        }
    }

    /// These prefixes have been counted.
    pub fn done(&self, range: Range<u64>) {
        if self.ticker.is_some()
            && let Meter::Prefixes(prefixes) = &mut self.shared.lock().meter
        {
            prefixes.done(range);
        }
    }

    /// This share of a prefix has been counted.
    pub fn part(&self, prefix: u64, share: f64) {
        if self.ticker.is_some()
            && let Meter::Prefixes(prefixes) = &mut self.shared.lock().meter
        {
            prefixes.parts.insert(prefix, share);
        }
    }
}

impl Drop for Progress {
    /// Leaves the terminal as it was.
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.wake.notify_all();
        if let Some(ticker) = self.ticker.take() {
            let _ = ticker.join();
            if self.shared.style == Style::Bar {
                say::status("");
            }
        }
    }
}

impl Shared {
    /// A panic elsewhere must not hide behind one here.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows what there is to see whenever it is time for it.
    fn tick(&self) {
        let mut due = self.style.first();
        let mut state = self.lock();
        while !state.ended {
            let now = self.start.elapsed();
            if now >= due {
                let look = state.look();
                due = self.style.after(now);
                drop(state);
                match self.style {
                    Style::Bar => say::status(&look.in_columns(columns())),
                    _ => say!("{}", look.in_a_log()),
                }
                state = self.lock();
                continue;
            }
            state = self.wake.wait_timeout(state, due - now).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl State {
    fn look(&mut self) -> Look {
        let elapsed = self.since.elapsed();
        let mut look = Look { what: self.what, elapsed, ..Look::default() };
        let per_second = |done: u64| si(done as f64 / elapsed.as_secs_f64().max(1e-3));
        match &mut self.meter {
            Meter::Nothing => (),
            Meter::Steps { done, all, unit } => {
                let share = *done as f64 / (*all).max(1) as f64;
                look.share = Some(share);
                look.left = (share > 0.0).then(|| time_left(elapsed, share, 0.0));
                look.rate = Some(format!("{} {unit}/s", per_second(*done)));
            }
            Meter::Prefixes(prefixes) => {
                let (share, before) = prefixes.shares();
                // Until the first share is heard of, what was expected has to do.
                if share > 0.0 {
                    look.share = Some((before + share).min(1.0));
                    look.left = Some(time_left(elapsed, share, before));
                } else if let Some(expected) = self.expected {
                    look.left = Some(expected.saturating_sub(elapsed)).filter(|left| !left.is_zero());
                }
                if prefixes.finished >= MIN_FOR_A_RATE {
                    look.rate = Some(format!("{} prefixes/s", per_second(prefixes.finished)));
                }
            }
        }
        look.ends = look.left.and_then(hour_after);
        look
    }
}

/// Fewer prefixes say nothing of how fast it is.
const MIN_FOR_A_RATE: u64 = 100;

/// Prefixes of a plan, and what of them is done.
struct Prefixes {
    plan: Plan,
    /// Those that are looked at, and those of them that were done before this run.
    range: Range<u64>,
    done_before: Ranges,
    /// Made when something is first shown: short counts do without.
    work: Option<Work>,
    /// Finished, but not yet part of the share.
    unheard: Vec<Range<u64>>,
    finished: u64,
    share: f64,
    /// The shares of single prefixes that are not finished.
    parts: BTreeMap<u64, f64>,
}

impl Prefixes {
    fn new(plan: &Plan, range: Range<u64>, done: &Ranges) -> Self {
        Self {
            plan: plan.clone(),
            range,
            done_before: done.clone(),
            work: None,
            unheard: Vec::new(),
            finished: 0,
            share: 0.0,
            parts: BTreeMap::new(),
        }
    }

    fn done(&mut self, range: Range<u64>) {
        self.finished += range.end - range.start;
        if !self.parts.is_empty() {
            self.parts.retain(|prefix, _| !range.contains(prefix));
        }
        match self.unheard.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.unheard.push(range),
        }
    }

    /// The share that this run has done, and the one before it.
    fn shares(&mut self) -> (f64, f64) {
        let work = self.work.get_or_insert_with(|| Work::new(&self.plan, &self.range, &self.done_before));
        self.share += self.unheard.drain(..).map(|range| work.share(&range)).sum::<f64>();
        let parts: f64 = self.parts.iter().map(|(&at, part)| part * work.share(&(at..at + 1))).sum();
        (self.share + parts, work.before)
    }
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

/// The columns of the terminal that can be written to: in the last one some terminals begin a new line.
fn columns() -> usize {
    let columns = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
    columns.saturating_sub(1)
}
