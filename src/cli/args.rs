//! Options that several subcommands share, and how they are resolved.

use clap::{Args, ValueEnum};

use nqueens::backend::{Backend, Cpu, Place};
use nqueens::board::MAX_N;
use nqueens::gpu::{self, DeviceChoice, Gpu, SliceOptions};
use nqueens::job::{Member, Reopen};
use nqueens::report::Charset;
use nqueens::{Error, Method};

use super::exit::Failure;

/// From this n on a GPU gains more than the few tenths of a second that opening it takes.
const GPU_PAYS: u32 = 18;

/// Where to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendChoice {
    /// A hardware GPU where there is one and n is large enough, else the CPU.
    Auto,
    /// A GPU, be it emulated.
    Gpu,
    /// The CPU.
    Cpu,
}

/// How to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodChoice {
    /// The fastest measured.
    Auto,
    /// Rows from the top down, halved by the mirror symmetry: the baseline.
    RowOrder,
    /// The row or column with the fewest free squares, once for each class of eight symmetric boards.
    MostConstrained,
    /// Both halves of the board, each on its own, joined over the rows between them; on the CPU only, in much memory.
    HalfJoin,
}

impl MethodChoice {
    /// The method for a board of n on a backend.
    pub fn resolve(self, n: u32, backend: &dyn Backend) -> Method {
        match self {
            Self::Auto => backend.fastest(n),
            Self::RowOrder => Method::RowOrder,
            Self::MostConstrained => Method::MostConstrained,
            Self::HalfJoin => Method::HalfJoin,
        }
    }
}

impl From<Method> for MethodChoice {
    fn from(method: Method) -> Self {
        match method {
            Method::RowOrder => Self::RowOrder,
            Method::MostConstrained => Self::MostConstrained,
            Method::HalfJoin => Self::HalfJoin,
        }
    }
}

/// The options that choose a backend.
#[derive(Args)]
pub struct BackendArgs {
    /// Where to count.
    #[arg(short, long, value_enum, default_value_t = BackendChoice::Auto, help_heading = "Where")]
    pub backend: BackendChoice,
    /// The GPU to use, as `nqueens devices` lists them.
    ///
    /// By its index, a part of its name, or its PCI id. `count` and `run` share the work among several: a list with commas,
    /// or `all`.
    #[arg(short, long, value_name = "INDEX|NAME|PCI|all", help_heading = "Where")]
    pub device: Option<String>,
    /// CPU threads [default: all cores].
    #[arg(short, long, value_parser = threads, allow_negative_numbers = true, help_heading = "Where")]
    pub threads: Option<usize>,
    /// Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free].
    #[arg(long, value_name = "BYTES", value_parser = memory, allow_negative_numbers = true, help_heading = "Where")]
    pub memory: Option<usize>,
}

impl BackendArgs {
    /// The CPU, as these options want it.
    pub fn cpu(&self) -> Result<Cpu, Failure> {
        Ok(Cpu::new(self.threads)?.with_memory(self.memory))
    }

    /// Opens the backend for a board of n and a method, to count nodes too or not. Says on stderr if it is an emulated GPU.
    pub fn open(&self, n: u32, method: MethodChoice, stats: bool) -> Result<Box<dyn Backend>, Failure> {
        let wants_gpu = self.backend == BackendChoice::Gpu || self.device.is_some();
        if self.backend == BackendChoice::Cpu && self.device.is_some() {
            return Err(Failure::BadInput("--device names a GPU and cannot be used with --backend cpu".into()));
        }
        if wants_gpu && self.threads.is_some() {
            return Err(Failure::BadInput("--threads is for the CPU and cannot be used with a GPU".into()));
        }
        if wants_gpu && self.memory.is_some() {
            return Err(Failure::BadInput("--memory is for half-join on the CPU and cannot be used with a GPU".into()));
        }
        if wants_gpu && method == MethodChoice::HalfJoin {
            return Err(Error::CpuOnly(Method::HalfJoin).into());
        }
        let cpu = || -> Result<Box<dyn Backend>, Failure> {
            let cpu = self.cpu()?;
            Ok(Box::new(if stats { cpu.counting_nodes() } else { cpu }))
        };
        match self.backend {
            BackendChoice::Cpu => cpu(),
            _ if method == MethodChoice::HalfJoin => cpu(),
            _ if wants_gpu => Ok(Box::new(self.open_gpu(DeviceChoice::Any)?)),
            _ if n >= GPU_PAYS && self.threads.is_none() && self.memory.is_none() => {
                match self.open_gpu(DeviceChoice::Hardware) {
                    Ok(gpu) => Ok(Box::new(gpu)),
                    Err(Error::NoAdapter) => cpu(),
                    Err(error) => {
                        say!("note: counting on the CPU, because {error}");
                        cpu()
                    }
                }
            }
            _ => cpu(),
        }
    }

    /// Opens the backends that share a job: one, or a GPU for each device of a list. Each comes with how to open it again.
    pub fn open_crew(&self, n: u32, method: MethodChoice, stats: bool) -> Result<Vec<Member>, Failure> {
        let devices = match self.device.as_deref() {
            Some(text) if text.trim() == "all" => all_devices()?,
            Some(list) if list.contains(',') => list.split(',').map(|device| device.trim().to_string()).collect(),
            _ => return Ok(vec![self.member(self.open(n, method, stats)?, stats)]),
        };
        let each = devices.into_iter().map(|device| {
            let one = Self { device: Some(device), ..*self };
            Ok(self.member(one.open(n, method, stats)?, stats))
        });
        each.collect()
    }

    /// Opens the device that was asked for, or else the best of this choice.
    pub fn open_gpu(&self, otherwise: DeviceChoice) -> Result<Gpu, Error> {
        let choice = self.device.clone().map_or(otherwise, DeviceChoice::Named);
        let gpu = Gpu::open(&choice, SliceOptions::default())?;
        if gpu.device().emulated {
            say!("note: '{}' is emulated on the CPU: its counts are right, its speed says nothing", gpu.device().name);
        }
        Ok(gpu)
    }

    /// A backend, and how to open the same one again.
    fn member(&self, backend: Box<dyn Backend>, stats: bool) -> Member {
        let memory = self.memory;
        let reopen: Reopen = match backend.place() {
            Place::Cpu { threads } => Box::new(move || {
                let cpu = Cpu::new(Some(threads))?.with_memory(memory);
                Ok(Box::new(if stats { cpu.counting_nodes() } else { cpu }))
            }),
            Place::Gpu { device } => {
                // A loss can change the order of devices, not their PCI ids.
                let name = if device.pci.is_empty() { device.index.to_string() } else { device.pci.clone() };
                Box::new(move || Ok(Box::new(Gpu::open(&DeviceChoice::Named(name.clone()), SliceOptions::default())?)))
            }
        };
        Member { backend, reopen }
    }
}

/// Every hardware device once, by index; where there is none, every emulated one.
fn all_devices() -> Result<Vec<String>, Failure> {
    let devices = gpu::list();
    let hardware = devices.iter().any(|device| !device.emulated);
    let mut chosen: Vec<&gpu::DeviceInfo> = Vec::new();
    for device in devices.iter().filter(|device| device.emulated != hardware) {
        // One card behind two interfaces is one card.
        if device.pci.is_empty() || chosen.iter().all(|other| other.pci != device.pci) {
            chosen.push(device);
        }
    }
    if chosen.is_empty() {
        return Err(Error::NoAdapter.into());
    }
    Ok(chosen.iter().map(|device| device.index.to_string()).collect())
}

/// What the terminal can show, by its locale.
pub fn charset() -> Charset {
    if supports_unicode::supports_unicode() { Charset::Unicode } else { Charset::Ascii }
}

/// A board's n, 0 to 32.
pub fn board_size(text: &str) -> Result<u32, String> {
    match text.trim().parse() {
        Ok(n) if n <= MAX_N => Ok(n),
        _ => Err(format!("n must be a whole number from 0 to {MAX_N}")),
    }
}

/// A number of threads, 1 to 1024.
fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("the number of threads must be from 1 to 1024; leave the option out to use all cores".into()),
    }
}

/// `512M`, `16G`: at least [`LEAST_MEMORY`].
pub fn memory(text: &str) -> Result<usize, String> {
    let help = || "memory is a whole number and a unit, at least 64M: 512M, 4G".to_string();
    let digits = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(help)?;
    let number: usize = text[..digits].parse().map_err(|_| help())?;
    let unit = match text[digits..].to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(help()),
    };
    number.checked_mul(unit).filter(|&bytes| bytes >= LEAST_MEMORY).ok_or_else(help)
}

/// Less than any board that takes long would be counted in.
const LEAST_MEMORY: usize = 64 << 20;
