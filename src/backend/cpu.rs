//! The device that counts on threads of this machine's processor.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::memory::default_memory;
use super::{Capabilities, Control, Device, Session, Stats};
use crate::error::{Error, Result};
use crate::method::CpuProgram;
use crate::method::algorithm::Watch;
use crate::method::most_constrained::lanes::InstructionSet;
use crate::plan::Workload;
use crate::prefix::{Completions, Prefix};

/// Threads of this machine's processor.
#[derive(Debug)]
pub struct Cpu {
    pool: Arc<rayon::ThreadPool>,
    capabilities: Capabilities,
}

impl Cpu {
    /// A pool of this many threads; of as many as there are cores if none is given.
    ///
    /// # Errors
    /// If 0 threads are asked for or the operating system does not start them.
    pub fn new(threads: Option<usize>) -> Result<Self> {
        if threads == Some(0) {
            return Err(Error::NoThreads);
        }
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build().map_err(Error::ThreadPool)?;
        let (instruction_set, memory) = (Self::instruction_set(), default_memory());
        let capabilities = Capabilities { instruction_set, memory, ..Capabilities::cpu(pool.current_num_threads()) };
        Ok(Self { pool: Arc::new(pool), capabilities })
    }

    /// The best instruction set that this CPU has and the program has code for.
    pub fn instruction_set() -> &'static str {
        InstructionSet::best().name()
    }

    /// Counts nodes too, where the method has nodes.
    #[must_use]
    pub fn counting_nodes(mut self, counts_nodes: bool) -> Self {
        self.capabilities.counts_nodes = counts_nodes;
        self
    }

    /// Lets methods take this many bytes rather than a quarter of what is free.
    #[must_use]
    pub fn with_memory(mut self, bytes: Option<usize>) -> Self {
        self.capabilities.memory = bytes.unwrap_or(self.capabilities.memory);
        self
    }

    /// Runs something on its threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }
}

impl Device for Cpu {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn prepare(&mut self, workload: &Workload) -> Result<Box<dyn Session>> {
        let algorithm = workload.method().algorithm();
        let program = algorithm.cpu_program(workload.problem(), workload.depth(), &self.capabilities);
        let counts_nodes = self.capabilities.counts_nodes && algorithm.properties().counts_nodes;
        Ok(Box::new(CpuSession { pool: Arc::clone(&self.pool), program, nodes: counts_nodes.then_some(0) }))
    }

    fn reopen(&self) -> Result<Box<dyn Device>> {
        Ok(Box::new(Self { pool: Arc::clone(&self.pool), capabilities: self.capabilities.clone() }))
    }
}

struct CpuSession {
    pool: Arc<rayon::ThreadPool>,
    program: Box<dyn CpuProgram>,
    /// Queens placed, if they are counted.
    nodes: Option<u64>,
}

impl Session for CpuSession {
    fn count(&mut self, prefixes: &[Prefix], control: &Control<'_>) -> Result<Vec<u64>> {
        let next = AtomicUsize::new(0);
        // Each thread takes the next prefix when it is done with one: they end together.
        let work = || {
            // Made for the first prefix only: its buffers are large, and there may be more threads than prefixes.
            let mut solver = None;
            let mut found: Vec<(usize, Completions)> = Vec::new();
            loop {
                control.check()?;
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(prefix) = prefixes.get(at) else { return Ok(found) };
                let solver = solver.get_or_insert_with(|| self.program.solver());
                let part = |share| control.part(at as u64, share);
                let watch = Watch { done: &part, stop: control.stop() };
                let completions = solver.count_completions(prefix, watch).ok_or(Error::Cancelled)?;
                found.push((at, completions));
                control.done(at as u64..at as u64 + 1);
            }
        };
        let found: Vec<Result<Vec<_>>> = match self.program.shares_threads() {
            true => vec![self.pool.install(work)],
            false => self.pool.broadcast(|_| work()),
        };
        let (mut counts, mut nodes) = (vec![0; prefixes.len()], 0);
        for thread in found {
            for (at, completions) in thread? {
                counts[at] = completions.solutions;
                nodes += completions.nodes;
            }
        }
        if let Some(sum) = &mut self.nodes {
            *sum += nodes;
        }
        Ok(counts)
    }

    fn stats(&self) -> Stats {
        Stats::with_nodes(self.nodes)
    }
}
