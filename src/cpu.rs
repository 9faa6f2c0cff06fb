//! The backend that finishes prefixes on threads of this machine's processor.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::backend::{Backend, Effort, OnDone, Place};
use crate::error::{Error, Result};
use crate::memory;
use crate::method::Method;
use crate::plan::Plan;
use crate::prefix::Prefix;
use crate::search::Finished;
use crate::search::half_join::{self, HalfJoin};
use crate::search::lanes::InstructionSet;

/// From this n on half joins were measured to be faster than lanes of AVX2 (docs/ALGORITHM.md).
const HALF_JOIN_PAYS: u32 = 19;

/// Bytes without which they are not.
const HALF_JOIN_ROOM: usize = 2 << 30;

/// Finishes prefixes on threads of this machine's processor.
pub struct Cpu {
    pool: rayon::ThreadPool,
    /// Queens placed, if they are counted.
    nodes: Option<u64>,
    /// Bytes that [`Method::HalfJoin`] may take.
    memory: OnceLock<usize>,
    /// For the plan at hand, if that is its method.
    half_join: Option<HalfJoin>,
}

impl Cpu {
    /// A pool of so many threads; of as many as there are cores if none is given.
    ///
    /// # Errors
    /// If 0 threads are asked for or the operating system does not start them.
    pub fn new(threads: Option<usize>) -> Result<Self> {
        if threads == Some(0) {
            return Err(Error::NoThreads);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .build()
            .map_err(|e| Error::ThreadPool(e.to_string()))?;
        Ok(Self { pool, nodes: None, memory: OnceLock::new(), half_join: None })
    }

    /// Counts nodes too, where the method has nodes.
    #[must_use]
    pub fn counting_nodes(self) -> Self {
        Self { nodes: Some(0), ..self }
    }

    /// Lets [`Method::HalfJoin`] take so many bytes; with `None`, a quarter of what is free when it is first asked for.
    #[must_use]
    pub fn with_memory(self, bytes: impl Into<Option<usize>>) -> Self {
        match bytes.into() {
            Some(bytes) => Self { memory: OnceLock::from(bytes), ..self },
            None => self,
        }
    }

    /// Bytes that [`Method::HalfJoin`] may take.
    pub fn memory(&self) -> usize {
        *self.memory.get_or_init(memory::default)
    }

    /// Runs something on its threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// How many threads it has.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Each thread takes the next prefix when it has finished one: they end together.
    fn in_turn<F: FnMut(&Prefix) -> Finished>(
        &self,
        prefixes: &[Prefix],
        done: OnDone<'_>,
        finisher: impl Fn() -> F + Sync,
    ) -> (Vec<u64>, u64) {
        let next = AtomicUsize::new(0);
        let finished = self.pool.broadcast(|_| {
            let mut finish = finisher();
            let (mut counts, mut nodes) = (Vec::new(), 0);
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(prefix) = prefixes.get(at) else { break };
                let found = finish(prefix);
                counts.push((at, found.solutions));
                nodes += found.nodes;
                done(at..at + 1);
            }
            (counts, nodes)
        });
        let mut counts = vec![0; prefixes.len()];
        let mut all_nodes = 0;
        for (some, nodes) in finished {
            for (at, count) in some {
                counts[at] = count;
            }
            all_nodes += nodes;
        }
        (counts, all_nodes)
    }
}

impl Backend for Cpu {
    fn wanted_prefixes(&self, method: Method) -> u64 {
        // All threads can share one prefix of a half join.
        if method == Method::HalfJoin { 1 } else { 128 * self.threads() as u64 }
    }

    fn prefix_rows(&self, n: u32, method: Method, wanted: u64) -> Option<u32> {
        let join = (method == Method::HalfJoin).then(|| half_join::fastest(n, self.memory(), self.threads(), wanted));
        Some(join??.shape.fixed)
    }

    /// With AVX-512 the lanes keep up with half joins; without AVX2 neither was measured.
    fn fastest(&self, n: u32) -> Method {
        // A half join has no nodes to count.
        let joins = self.nodes.is_none() && n >= HALF_JOIN_PAYS && InstructionSet::best().name() == "avx2";
        if joins && self.memory() >= HALF_JOIN_ROOM { Method::HalfJoin } else { Method::MostConstrained }
    }

    fn batch(&self) -> usize {
        1 << 16
    }

    fn prepare(&mut self, plan: &Plan) -> Result<()> {
        if let Some(nodes) = &mut self.nodes {
            *nodes = 0;
        }
        self.half_join = (plan.method == Method::HalfJoin)
            .then(|| HalfJoin::new(plan.n, plan.prefix_rows, self.memory(), self.threads()));
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, prefixes: &[Prefix], done: OnDone<'_>) -> Result<Vec<u64>> {
        if plan.method == Method::HalfJoin {
            if self.half_join.as_ref().is_none_or(|join| (join.n, join.rows) != (plan.n, plan.prefix_rows)) {
                self.prepare(plan)?;
            }
            let join = self.half_join.as_ref().expect("prepared above");
            if join.many_at_a_time {
                let count = |prefix: &Prefix| Finished { solutions: join.count_prefix(prefix), ..Finished::default() };
                return Ok(self.in_turn(prefixes, done, || count).0);
            }
            let count = |(at, prefix)| {
                let count = join.count_prefix(prefix);
                done(at..at + 1);
                count
            };
            return Ok(self.install(|| prefixes.iter().enumerate().map(count).collect()));
        }
        let counts_nodes = self.nodes.is_some();
        let (counts, nodes) = self.in_turn(prefixes, done, || {
            let mut finisher = plan.method.finisher(counts_nodes);
            move |prefix: &Prefix| finisher.finish(prefix)
        });
        if let Some(sum) = &mut self.nodes {
            *sum += nodes;
        }
        Ok(counts)
    }

    fn place(&self) -> Place {
        Place::Cpu { threads: self.threads() }
    }

    fn effort(&self) -> Effort {
        // A half join places no queens that could be compared with a search's.
        Effort { nodes: self.nodes.filter(|_| self.half_join.is_none()), ..Default::default() }
    }
}
