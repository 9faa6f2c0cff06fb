//! An opened GPU as a device, and its sessions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::device::OpenDevice;
use super::pace::Pace;
use super::pipeline::Pipelines;
use super::slices::{self, Paces};
use super::{DeviceChoice, DeviceInfo, SliceOptions};
use crate::backend::{Capabilities, Control, Device, Session, Startup, Stats};
use crate::error::{Error, Result};
use crate::method::gpu_program::GpuProgram;
use crate::plan::Workload;
use crate::prefix::Prefix;

/// An opened GPU.
pub struct Gpu {
    device: Arc<OpenDevice>,
    capabilities: Capabilities,
    options: SliceOptions,
    opened_in: Duration,
}

impl std::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gpu").field("device", &self.device.info).field("options", &self.options).finish_non_exhaustive()
    }
}

impl Gpu {
    /// Opens a device.
    ///
    /// # Errors
    /// If there is none, none like the one asked for, or its driver refuses.
    pub fn open(choice: &DeviceChoice, options: SliceOptions) -> Result<Self> {
        let start = Instant::now();
        let device = OpenDevice::open(choice)?;
        let capabilities = device.info.capabilities(Pace::new(&device.info, options).invocations());
        Ok(Self { device: Arc::new(device), capabilities, options, opened_in: start.elapsed() })
    }

    /// The device that was opened.
    pub fn info(&self) -> &DeviceInfo {
        &self.device.info
    }
}

impl Device for Gpu {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn prepare(&mut self, workload: &Workload) -> Result<Box<dyn Session>> {
        let (start, device) = (Instant::now(), Arc::clone(&self.device));
        let algorithm = workload.method().algorithm();
        let program = algorithm.gpu_program(workload.problem(), workload.depth(), self.options.tail_rows);
        let program = program.ok_or(Error::CpuOnly(algorithm.properties().name))?;
        let pace = Pace::new(&device.info, self.options);
        let mut paces = Paces { search: pace.clone(), tail: pace };
        let batch = workload.prefixes().clamp(1, self.capabilities.max_batch as u64);
        let pipelines = Pipelines::new(&device, &program, batch, paces.search.max_invocations())?;
        let compile = start.elapsed();
        paces.search.limit_invocations(pipelines.search.stride);
        program.search.max_steps.into_iter().for_each(|most| paces.search.limit_steps(most));
        // Some drivers compile at the first dispatch: make an empty one now.
        let start = Instant::now();
        if let Some(tail) = &pipelines.tail {
            paces.tail.limit_invocations(tail.stride);
            pipelines.dispatch(&device, tail, 0, 1)?;
        }
        pipelines.dispatch_search(&device, 0, 0, 1)?;
        let startup = Startup { open: self.opened_in, compile, first_dispatch: start.elapsed() };
        device.save_cache();
        let n = workload.n();
        Ok(Box::new(GpuSession { device, n, program, pipelines, paces, startup, stats: Stats::default() }))
    }

    fn reopen(&self) -> Result<Box<dyn Device>> {
        let choice = DeviceChoice::Named(self.device.info.stable_name());
        Ok(Box::new(Self::open(&choice, self.options)?))
    }
}

struct GpuSession {
    device: Arc<OpenDevice>,
    n: u32,
    program: GpuProgram,
    pipelines: Pipelines,
    paces: Paces,
    startup: Startup,
    stats: Stats,
}

impl Session for GpuSession {
    fn count(&mut self, prefixes: &[Prefix], control: &Control<'_>) -> Result<Vec<u64>> {
        let Self { device, program, pipelines, paces, stats, .. } = self;
        assert!(prefixes.len() <= pipelines.max_prefixes(), "a batch is no larger than the workload or `max_batch`");
        let fits = |prefix: &Prefix| prefix.board.n == self.n && program.free_rows.contains(&prefix.board.free_rows());
        assert!(prefixes.iter().all(fits), "prefixes are as deep as the workload says");
        slices::run(device, (program, pipelines), prefixes, paces, stats, control)
    }

    fn stats(&self) -> Stats {
        self.stats.clone()
    }

    fn startup(&self) -> Startup {
        self.startup
    }
}
