//! Finishing prefixes on a GPU: choosing a device, a shader of the method's name, slices of bounded work, read-back.

mod cache;
mod device;
mod kernel;
mod pace;
mod slices;
mod stage;

pub use device::{DeviceChoice, DeviceInfo, list};
pub use kernel::TAIL_ROWS;

use std::time::{Duration, Instant};

use crate::backend::{Backend, Effort, OnDone, Place};
use crate::error::Result;
use crate::method::Method;
use crate::plan::Plan;
use crate::prefix::Prefix;
use device::Device;
use kernel::Kernel;
use pace::Pace;
use slices::Paces;

/// How the work is cut into slices. The defaults adapt to the device; tests force them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceOptions {
    /// The steps an invocation takes in a dispatch, instead of as many as make a dispatch last about 100 ms.
    pub steps: Option<u32>,
    /// The number of invocations, instead of as many as suit the device.
    pub invocations: Option<u32>,
    /// The free rows that [`Method::MostConstrained`] leaves to the plain tail, instead of
    /// as many as were measured to be fastest. All of them make it row order on one board of each class of eight.
    pub tail_rows: Option<u32>,
}

/// How long it took until the first dispatch had come back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Startup {
    /// Finding the devices and opening one.
    pub open: Duration,
    /// Compiling the shaders of the plan at hand and taking memory; 0 if that was done for an earlier plan.
    pub compile: Duration,
    /// The first dispatch of each shader, without work: from submitting it to its report. Some drivers compile here.
    pub first_dispatch: Duration,
}

impl Startup {
    /// All of it.
    pub fn total(&self) -> Duration {
        self.open + self.compile + self.first_dispatch
    }
}

/// An opened device, as a backend.
pub struct Gpu {
    device: Device,
    options: SliceOptions,
    startup: Startup,
    /// The pipeline and buffers of the plan at hand.
    kernel: Option<Kernel>,
    paces: Paces,
    effort: Effort,
}

impl Gpu {
    /// Opens a device.
    ///
    /// # Errors
    /// If there is none, none like the one asked for, or its driver refuses.
    pub fn open(choice: &DeviceChoice, options: SliceOptions) -> Result<Self> {
        let start = Instant::now();
        let device = Device::open(choice)?;
        let paces = paces(&device.info, options);
        let startup = Startup { open: start.elapsed(), ..Default::default() };
        Ok(Self { device, options, startup, kernel: None, paces, effort: Effort::default() })
    }

    /// The free rows that the plan at hand leaves to the plain tail, if it has one.
    pub fn tail_rows(&self) -> Option<u32> {
        self.kernel.as_ref().and_then(Kernel::tail_rows)
    }

    /// How long it took to open the device and to get it ready for the plan at hand.
    pub fn startup(&self) -> Startup {
        self.startup
    }

    /// The device that was opened.
    pub fn device(&self) -> &DeviceInfo {
        &self.device.info
    }
}

impl Backend for Gpu {
    /// Many for each invocation, so that few lanes wait at the end for the slowest prefix.
    fn wanted_prefixes(&self, _method: Method) -> u64 {
        32 * u64::from(self.paces.search.invocations())
    }

    fn batch(&self) -> usize {
        kernel::MAX_BATCH
    }

    fn prepare(&mut self, plan: &Plan) -> Result<()> {
        self.effort = Effort::default();
        self.paces = paces(&self.device.info, self.options);
        let start = Instant::now();
        let tail_rows = self.options.tail_rows;
        let kernel = match self.kernel.take().filter(|kernel| kernel.fits(plan, tail_rows)) {
            Some(kernel) => kernel,
            None => Kernel::new(&self.device, plan, tail_rows, self.paces.search.most_invocations())?,
        };
        self.startup.compile = start.elapsed();
        self.paces.search.limit_invocations(kernel.search.stride);
        if let Some(tail) = &kernel.tail {
            self.paces.search.limit_steps(MOST_LOOKS);
            self.paces.tail.limit_invocations(tail.stage.stride);
        }
        // Some drivers compile at the first dispatch: make an empty one now.
        let start = Instant::now();
        if let Some(tail) = &kernel.tail {
            tail.stage.dispatch(&self.device, &kernel.counters, 0, 0, 1)?;
        }
        kernel.search.dispatch(&self.device, &kernel.counters, 0, 0, 1)?;
        self.startup.first_dispatch = start.elapsed();
        if let Some(cache) = &mut self.device.cache {
            cache.save();
        }
        self.kernel = Some(kernel);
        Ok(())
    }

    fn finish(&mut self, plan: &Plan, prefixes: &[Prefix], done: OnDone<'_>) -> Result<Vec<u64>> {
        if !self.kernel.as_ref().is_some_and(|kernel| kernel.fits(plan, self.options.tail_rows)) {
            self.prepare(plan)?;
        }
        let kernel = self.kernel.as_ref().expect("prepared above");
        assert!(prefixes.len() <= kernel.most_prefixes(), "a batch is no larger than the plan or `batch()`");
        let rows = kernel.free_rows();
        let fits =
            |prefix: &Prefix| prefix.board.n == plan.n && rows.contains(&prefix.board.free_row_mask.count_ones());
        assert!(prefixes.iter().all(fits), "prefixes are as deep as the plan says");
        // Taken out while it runs: after an error its buffers hold half-done work and must not be used again.
        let kernel = self.kernel.take().expect("prepared above");
        let counts = slices::run(&self.device, &kernel, prefixes, &mut self.paces, &mut self.effort, done)?;
        self.kernel = Some(kernel);
        Ok(counts)
    }

    fn place(&self) -> Place {
        Place::Gpu { device: Box::new(self.device.info.clone()) }
    }

    fn effort(&self) -> Effort {
        self.effort.clone()
    }
}

/// The start of the SHA-256 of the shaders of a method: counts made by different shaders can be told apart.
pub fn shader_digest(method: Method) -> String {
    use sha2::Digest;
    let hash = sha2::Sha256::digest(kernel::sources(method).concat());
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn paces(device: &DeviceInfo, options: SliceOptions) -> Paces {
    Paces { search: Pace::new(device, options), tail: Pace::new(device, options) }
}

/// The most steps of a search that looks at every row at each of them: with up to 32 trips of an inner loop a step, and
/// some more to queue a survivor, this stays below the 65,535 trips after which some software drivers stop a shader.
const MOST_LOOKS: u32 = 1000;

/// How long the host waits for a dispatch before it gives the device up.
const PATIENCE: Duration = Duration::from_secs(120);
