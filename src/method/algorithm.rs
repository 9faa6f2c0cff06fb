//! What a method is: everything that the rest of the program asks of it.

use std::sync::atomic::AtomicBool;

use super::descent::Choice;
use super::gpu_program::GpuProgram;
use crate::board::Board;
use crate::capabilities::Capabilities;
use crate::prefix::{Completions, Prefix, Prefixes, Search};
use crate::problem::Problem;

/// What can be said of a method without running it.
#[derive(Clone, Copy, Debug)]
pub struct Properties {
    /// Its name on the command line and in files.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Whether it places queens one by one, so that they can be counted and compared with those of other methods.
    pub counts_nodes: bool,
    /// Whether it can start from any board, or from the empty one only.
    pub any_board: bool,
    /// The version of the weights by which counts of single prefixes are weighted by symmetry, if they are: then they are not
    /// the numbers of their completions, and only the sum over all prefixes, with weights of one version, means something.
    pub weights: Option<u32>,
    /// Whether its prefixes are few, large, and take about as long as each other, rather than many and small.
    pub few_large_prefixes: bool,
    /// Prefixes that keep a CPU thread busy; with `few_large_prefixes` all threads can share one.
    pub prefixes_per_thread: u64,
    /// Solutions, in about, of a prefix that a lane is done with in a few seconds: a job's prefixes are no larger.
    pub solutions_per_prefix: f64,
    /// Prefixes of a shard, at least, that keep a device busy.
    pub prefixes_per_shard: u64,
    /// The shaders that it runs on a GPU; none if it runs on the CPU only. Their digest is part of a count's provenance.
    pub shaders: &'static [&'static str],
}

/// What a method's cost model says of a whole count.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    /// The depth of the prefixes.
    pub depth: u32,
    /// Nanoseconds on one core.
    pub nanoseconds: f64,
}

/// The free rows of a sample's prefixes where this is the most that suits the method: the smallest boards are counted whole.
pub fn sample_free_rows(n: u32, most: u32) -> u32 {
    if n <= 8 { n } else { most.min(n - 4) }
}

/// A way to enumerate prefixes and to count their completions.
pub trait Algorithm: Sync {
    /// What can be said of it without running it.
    fn properties(&self) -> &'static Properties;

    /// The prefixes with (at least) `depth` queens, in their one fixed order.
    ///
    /// # Panics
    /// If `depth` is greater than `n`.
    fn prefixes(&self, problem: &Problem, depth: u32) -> Prefixes;

    /// The same prefixes, from the one at the end of a path (`Search::path`) on, or all. `None` if no prefix has that path, or
    /// if the method cannot start at one.
    ///
    /// # Panics
    /// If `depth` is greater than `n`.
    fn search(&self, _problem: &Problem, _depth: u32, _from: Option<&[u8]>) -> Option<Box<dyn Search>> {
        None
    }

    /// The same prefixes, but only those that go on from one of at least two and at most so many queens; `None` if the method
    /// cannot.
    fn search_below(&self, _problem: &Problem, _prefix: &Prefix, _depth: u32) -> Option<Box<dyn Search>> {
        None
    }

    /// The depth that prefixes have which are to have this one at least.
    fn round_depth(&self, _n: u32, depth: u32) -> u32 {
        depth
    }

    /// The depth that suits a device best where there are to be this many prefixes at least, and what a count would take then;
    /// `None` where any depth that gives so many will do.
    fn forecast(&self, _problem: &Problem, _device: &Capabilities, _min_prefixes: u64) -> Option<Forecast> {
        None
    }

    /// The line that the enumeration of prefixes fills next.
    fn next_line(&self, board: &Board) -> Choice;

    /// A board with these queens, `(row, column)`, as a prefix, be it the one of its orbit that is enumerated or another.
    fn prefix(&self, problem: &Problem, board: Board, queens: &[(u32, u32)]) -> Prefix;

    /// A random, unbiased estimate of the work below a prefix, in nodes, or 1 where all prefixes take about as long.
    fn probe(&self, prefix: &Prefix, random: &mut fastrand::Rng) -> f64;

    /// Free rows of the prefixes whose completions a sample counts exactly: enough that the method is as fast there as in a
    /// whole count, few enough that ten thousand of them take seconds.
    fn sample_free_rows(&self, n: u32) -> u32;

    /// Nanoseconds of a device for each solution, in about, as measured: to choose a method by. `None` where it does not run
    /// there or was never the fastest.
    fn nanoseconds_per_solution(&self, n: u32, device: &Capabilities) -> Option<f64>;

    /// Its form for the CPU, for prefixes of one depth, on as many threads and with as much memory as these capabilities
    /// have.
    fn cpu_program(&self, problem: &Problem, depth: u32, cpu: &Capabilities) -> Box<dyn CpuProgram>;

    /// Its form for a GPU, for prefixes of one depth, if it has shaders. `tail_rows`: the free rows left to the plain tail,
    /// instead of as many as were measured to be fastest.
    fn gpu_program(&self, _problem: &Problem, _depth: u32, _tail_rows: Option<u32>) -> Option<GpuProgram> {
        None
    }

    /// The CPU form that takes the same steps as the shaders, where that is another one than the fastest.
    fn twin(&self) -> Option<Box<dyn Solver>> {
        None
    }

    /// The count of a prefix by another way than this method's own.
    fn recount(&self, prefix: &Prefix) -> u64;
}

/// A method's form for the CPU, shared by its threads.
pub trait CpuProgram: Send + Sync {
    /// What counts the completions of prefixes on one thread; with [`shares_threads`](Self::shares_threads) on all of the
    /// pool it is called in.
    fn solver(&self) -> Box<dyn Solver + '_>;

    /// Whether all threads are to work on one prefix at a time rather than each on one of its own.
    fn shares_threads(&self) -> bool {
        false
    }
}

/// Looks on while a prefix is counted.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Is told the share of the prefix that is done, from 0 to 1, now and then, by any thread, where prefixes take long.
    pub done: &'a (dyn Fn(f64) + Sync),
    /// Ends the count when it is set.
    pub stop: &'a AtomicBool,
}

impl<'a> Watch<'a> {
    /// One that is told nothing.
    pub const fn until(stop: &'a AtomicBool) -> Self {
        Self { done: &|_| (), stop }
    }
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("stop", self.stop).finish_non_exhaustive()
    }
}

/// Counts the completions of one prefix after the other; it keeps buffers.
pub trait Solver {
    /// The completions of a prefix. `None` if it was stopped before the end.
    ///
    /// # Panics
    /// If they are more than a `u64` holds.
    fn count_completions(&mut self, prefix: &Prefix, watch: Watch<'_>) -> Option<Completions>;
}

/// Any function that counts completions, and is done before anybody wants to stop it.
impl<F: FnMut(&Prefix) -> Completions> Solver for F {
    fn count_completions(&mut self, prefix: &Prefix, _watch: Watch<'_>) -> Option<Completions> {
        Some(self(prefix))
    }
}
