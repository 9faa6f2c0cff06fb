//! What is to be counted and how it is cut into prefixes. Planning asks no device anything: it is given their
//! [`Capabilities`].

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::capabilities::Capabilities;
use crate::error::{Error, Result};
use crate::known::about_solutions;
use crate::listing::{self, Listing};
use crate::marks::{MAX_MARKS, Mark, stride};
use crate::method::Method;
use crate::prefix::{Prefix, Prefixes, Search};
use crate::problem::Problem;

/// The most prefixes that a plan can have: listing them takes minutes.
pub const MAX_PREFIXES: u64 = 1 << 32;

/// Prefixes of one kind: what a device has to know to get ready for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    problem: Problem,
    method: Method,
    depth: u32,
    prefixes: u64,
}

impl Workload {
    /// This many prefixes of a problem, of this depth.
    pub const fn new(problem: Problem, method: Method, depth: u32, prefixes: u64) -> Self {
        Self { problem, method, depth, prefixes }
    }

    /// What is to be counted.
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Rows and columns of the board.
    pub const fn n(&self) -> u32 {
        self.problem.n()
    }

    /// How prefixes are made and their completions counted.
    pub const fn method(&self) -> Method {
        self.method
    }

    /// How many rows deep the prefixes are.
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// How many prefixes there are.
    pub const fn prefixes(&self) -> u64 {
        self.prefixes
    }
}

/// What a count is made for: how many prefixes it should have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// One go: enough prefixes to keep the devices busy.
    #[default]
    Count,
    /// A job that is saved: enough that each is short beside the time between two saves as well.
    Job,
    /// Shards for this many machines, whatever their devices are: enough for each of them.
    Shards(usize),
}

/// What the caller of [`Plan::new`] wants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes<'a> {
    /// The depth of the prefixes, instead of one that suits the devices.
    pub depth: Option<u32>,
    /// What the count is made for.
    pub purpose: Purpose,
    /// How many prefixes there should be at least, whatever the purpose.
    pub min_prefixes: u64,
    /// Set from outside to end the planning.
    pub stop: Option<&'a AtomicBool>,
}

/// A count to be made: the board, the method, and its prefixes.
#[derive(Clone, Debug)]
pub struct Plan {
    workload: Workload,
    /// Some of the prefixes, evenly spread, with their places in the order of all.
    sample: Vec<(u64, Prefix)>,
    /// The way to each of those, where the method can start there.
    marks: Option<Vec<Mark>>,
}

impl Plan {
    /// A plan for some devices: with prefixes of the depth asked for, or of one that suits the first device and gives enough
    /// of them.
    ///
    /// # Errors
    /// If the depth is out of range, the method cannot start from this board, there would be more than [`MAX_PREFIXES`], or
    /// it was [cancelled](Error::Cancelled).
    pub fn new(problem: &Problem, method: Method, devices: &[Capabilities], wishes: &Wishes<'_>) -> Result<Self> {
        // Whoever cuts a plan into shards waits for nothing else.
        let on_all_threads = matches!(wishes.purpose, Purpose::Shards(_));
        let (max_prefixes, stop) = (MAX_PREFIXES, wishes.stop);
        let lister = Lister { problem: *problem, method, max_prefixes, on_all_threads, stop };
        if let Some(depth) = wishes.depth {
            return lister.with_depth(depth);
        }
        let wanted = wanted(problem.n(), method, devices, wishes.purpose).max(wishes.min_prefixes);
        let best = devices.first().and_then(|device| method.algorithm().forecast(problem, device, wanted));
        best.map_or_else(|| lister.with_prefixes(wanted), |best| lister.with_depth(best.depth))
    }

    /// A plan with prefixes of this depth.
    ///
    /// # Errors
    /// As those of [`new`](Self::new).
    pub fn with_depth(problem: &Problem, method: Method, depth: u32) -> Result<Self> {
        Self::new(problem, method, &[], &Wishes { depth: Some(depth), ..Wishes::default() })
    }

    /// A plan with at least this many prefixes where the board has that many.
    ///
    /// # Errors
    /// As those of [`new`](Self::new).
    pub fn with_prefixes(problem: &Problem, method: Method, min_prefixes: u64) -> Result<Self> {
        Self::new(problem, method, &[], &Wishes { min_prefixes, ..Wishes::default() })
    }

    /// The plan that a file speaks of; `None` if it cannot have as many prefixes as the file says. A file can say anything:
    /// listing takes no longer than a plan of that many prefixes could need.
    ///
    /// # Errors
    /// If the depth is out of range.
    pub(crate) fn from_record(problem: &Problem, method: Method, depth: u32, prefixes: u64) -> Result<Option<Self>> {
        let n = problem.n();
        if depth > n {
            return Err(Error::Depth { depth, n });
        }
        if prefixes > MAX_PREFIXES {
            return Ok(None);
        }
        // Deep prefixes of a large board are few and far between: the way to them is what takes long. It has more boards
        // than there are prefixes, but not 64 times as many at one depth.
        let max_prefixes = (64 * (prefixes + 1)).min(MAX_PREFIXES);
        let lister = Lister { problem: *problem, method, max_prefixes, on_all_threads: false, stop: None };
        // A queen attacks at most three squares of a line: at a third of the board there are no dead ends yet.
        for shallower in n / 3 + 1..depth {
            if method.algorithm().round_depth(n, shallower) == shallower && lister.list(shallower)?.is_none() {
                return Ok(None);
            }
        }
        lister.list(depth)
    }

    /// The plan that a file with marks speaks of, without listing its prefixes: those between two marks are checked when they
    /// are counted. `None` if these are not marks of such a plan.
    pub(crate) fn from_marks(
        problem: &Problem,
        method: Method,
        depth: u32,
        prefixes: u64,
        marks: &[Mark],
    ) -> Option<Self> {
        let (n, algorithm) = (problem.n(), method.algorithm());
        let is_possible = depth <= max_marked_depth(n) && algorithm.round_depth(n, depth) == depth;
        let stride = stride(prefixes);
        if !is_possible || prefixes > MAX_PREFIXES || marks.len() as u64 != prefixes.div_ceil(stride) {
            return None;
        }
        let mut all = algorithm.search(problem, depth, None)?;
        // The first one is the first of all, and each comes after the one before it.
        let first = all.next().is_some().then(|| all.path());
        let is_first = first.as_deref() == marks.first().map(Mark::path);
        if !is_first || !marks.is_sorted_by(|one, next| one < next) {
            return None;
        }
        let prefix_at = |mark: &Mark| algorithm.search(problem, depth, Some(mark.path()))?.next();
        let prefix_at = |(place, mark)| Some((place * stride, prefix_at(mark)?));
        let sample = (0..).zip(marks).map(prefix_at).collect::<Option<_>>()?;
        let workload = Workload::new(*problem, method, depth, prefixes);
        Some(Self { workload, sample, marks: Some(marks.to_vec()) })
    }

    /// Marks to make the same plan from without listing it, where that pays.
    pub fn marks(&self) -> Option<&[Mark]> {
        /// Fewer are listed in some hundredths of a second.
        const MIN_MARKED: u64 = 1 << 17;
        let pays = self.prefixes() >= MIN_MARKED && self.depth() <= max_marked_depth(self.n());
        self.marks.as_deref().filter(|_| pays)
    }

    /// What a device has to know to get ready for it.
    pub const fn workload(&self) -> &Workload {
        &self.workload
    }

    /// What is to be counted.
    pub const fn problem(&self) -> &Problem {
        self.workload.problem()
    }

    /// Rows and columns of the board.
    pub const fn n(&self) -> u32 {
        self.workload.n()
    }

    /// How prefixes are made and their completions counted.
    pub const fn method(&self) -> Method {
        self.workload.method
    }

    /// How many rows deep the prefixes are.
    pub const fn depth(&self) -> u32 {
        self.workload.depth
    }

    /// How many prefixes there are.
    pub const fn prefixes(&self) -> u64 {
        self.workload.prefixes
    }

    /// Some of them, evenly spread, with their places in the order of all.
    pub(crate) fn sample(&self) -> &[(u64, Prefix)] {
        &self.sample
    }

    /// All prefixes, in their one order.
    pub fn iter(&self) -> impl Iterator<Item = Prefix> + Send + use<> {
        self.method().algorithm().prefixes(self.problem(), self.depth())
    }

    /// The last place, up to this one, at which listing can start.
    pub(crate) fn start_before(&self, index: u64) -> u64 {
        let last = self.marks.as_ref().map_or(0, |marks| (marks.len() as u64).saturating_sub(1));
        let stride = stride(self.prefixes());
        (index / stride).min(last) * stride
    }

    /// The prefixes from such a place on.
    pub(crate) fn iter_from(&self, start: u64) -> Prefixes {
        let algorithm = self.method().algorithm();
        let at = (start / stride(self.prefixes())) as usize;
        let mark = self.marks.as_ref().and_then(|marks| marks.get(at)).map(Mark::path);
        match algorithm.search(self.problem(), self.depth(), mark) {
            Some(search) => search,
            None => algorithm.prefixes(self.problem(), self.depth()),
        }
    }

    /// The prefixes at some places, in order, listed on all threads where listing can start in between.
    pub(crate) fn prefixes_at(&self, places: &[u64]) -> Vec<(u64, Prefix)> {
        let stretches: Vec<&[u64]> = places.chunk_by(|&a, &b| self.start_before(a) == self.start_before(b)).collect();
        let listed = stretches.par_iter().map(|places| {
            let mut at = self.start_before(places[0]);
            let mut prefixes = self.iter_from(at);
            let mut prefix_at = |place| {
                let prefix = prefixes.nth((place - at) as usize)?;
                at = place + 1;
                Some((place, prefix))
            };
            places.iter().filter_map(|&place| prefix_at(place)).collect::<Vec<_>>()
        });
        listed.collect::<Vec<_>>().concat()
    }

    /// Whether neighbouring prefixes from a place on are those that the sample has there.
    pub(crate) fn agrees(&self, start: u64, prefixes: &[Prefix]) -> bool {
        let from = self.sample.partition_point(|&(index, _)| index < start);
        let there = self.sample[from..].iter().map(|(index, prefix)| (index - start, prefix));
        let mut there = there.take_while(|&(at, _)| at < prefixes.len() as u64);
        there.all(|(at, prefix)| prefixes[at as usize] == *prefix)
    }
}

/// Plans are marked down to this depth: where dead ends are many, the way from one mark to the next can take for ever, and a
/// file can say anything.
const fn max_marked_depth(n: u32) -> u32 {
    n / 2
}

/// A search that cannot say where it is.
struct Unmarked(Prefixes);

impl Iterator for Unmarked {
    type Item = Prefix;

    fn next(&mut self) -> Option<Prefix> {
        self.0.next()
    }
}

impl Search for Unmarked {
    fn path(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// The method that is the fastest on a device for a count with this purpose.
pub fn fastest_method(n: u32, device: &Capabilities, purpose: Purpose) -> Method {
    let devices = std::slice::from_ref(device);
    Method::fastest_in_pieces(n, device, |method| wanted(n, method, devices, purpose))
}

/// How many prefixes a plan should have.
fn wanted(n: u32, method: Method, devices: &[Capabilities], purpose: Purpose) -> u64 {
    /// No more than can be listed in seconds.
    const MAX_JOB: u64 = 1 << 24;
    /// Where nobody asked for more: each shard lists those before its own.
    const MAX_SHARDS: u64 = 1 << 25;
    /// Small boards are for trying out: prefixes that are shorter than their enumeration help nobody.
    const TRIED_OUT: u32 = 16;
    let properties = method.properties();
    let by_devices = method.prefixes_for(devices);
    let by_work = ((about_solutions(n) / properties.solutions_per_prefix).min(MAX_JOB as f64)) as u64;
    match purpose {
        Purpose::Count => by_devices,
        Purpose::Job => by_devices.max(by_work),
        Purpose::Shards(shards) => {
            let shards = shards as u64;
            let wanted = properties.prefixes_per_shard.saturating_mul(shards).min(MAX_SHARDS).max(by_work);
            if n < TRIED_OUT { wanted.min(16u64.saturating_mul(shards)).max(1 << 10) } else { wanted }
        }
    }
}

/// Lists the prefixes of a plan.
struct Lister<'a> {
    problem: Problem,
    method: Method,
    max_prefixes: u64,
    on_all_threads: bool,
    stop: Option<&'a AtomicBool>,
}

impl Lister<'_> {
    fn with_depth(&self, depth: u32) -> Result<Plan> {
        let n = self.problem.n();
        if depth > n {
            return Err(Error::Depth { depth, n });
        }
        self.list(depth)?.ok_or(Error::TooManyPrefixes { depth, n, most: self.max_prefixes })
    }

    /// The shallowest plan with this many prefixes. They grow in number with their depth, up to a point: small boards may
    /// never have as many as are wanted.
    fn with_prefixes(&self, min_prefixes: u64) -> Result<Plan> {
        let mut best = self.with_depth(0)?;
        for depth in 1..=self.problem.n() {
            if best.prefixes() >= min_prefixes {
                break;
            }
            let deeper = self.with_depth(depth)?;
            if deeper.prefixes() < best.prefixes() {
                break;
            }
            best = deeper;
        }
        Ok(best)
    }

    /// `None` if there are more prefixes than there may be.
    fn list(&self, depth: u32) -> Result<Option<Plan>> {
        let (algorithm, properties) = (self.method.algorithm(), self.method.properties());
        if !properties.any_board && self.problem.board().queens() > 0 {
            return Err(Error::GivenBoard(properties.name));
        }
        let (mut prefixes, mut stride, mut sample) = (0, 1, Vec::with_capacity(MAX_MARKS));
        let depth = algorithm.round_depth(self.problem.n(), depth);
        let workload = |prefixes| Workload::new(self.problem, self.method, depth, prefixes);
        if self.on_all_threads
            && let Some(listing) = listing::list(&self.problem, self.method, depth, self.max_prefixes, self.stop)
        {
            let Listing { prefixes, sample, marks } = listing?;
            return Ok(Some(Plan { workload: workload(prefixes), sample, marks: Some(marks) }));
        }
        let search = algorithm.search(&self.problem, depth, None);
        let mut marks = search.is_some().then(Vec::new);
        let mut search =
            search.unwrap_or_else(|| Box::new(Unmarked(algorithm.prefixes(&self.problem, depth))) as Box<dyn Search>);
        while let Some(prefix) = search.next() {
            if prefixes == self.max_prefixes {
                return Ok(None);
            }
            if prefixes % 1024 == 0 && self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Error::Cancelled);
            }
            if prefixes % stride == 0 {
                if sample.len() == MAX_MARKS {
                    stride *= 2;
                    sample.retain(|&(index, _)| index % stride == 0);
                    if let Some(marks) = &mut marks {
                        *marks = marks.drain(..).step_by(2).collect();
                    }
                }
                if prefixes % stride == 0 {
                    sample.push((prefixes, prefix));
                    if let Some(marks) = &mut marks {
                        marks.push(Mark::new(search.path()));
                    }
                }
            }
            prefixes += 1;
        }
        Ok(Some(Plan { workload: workload(prefixes), sample, marks }))
    }
}

#[cfg(test)]
mod tests;
