//! Options that several subcommands share, and how they are resolved.

use std::path::Path;

use clap::builder::{PossibleValue, RangedU64ValueParser};
use clap::{Args, ValueEnum};

use nqueens::backend::{Cpu, Device};
use nqueens::board::MAX_N;
use nqueens::gpu::{self, DeviceChoice, DeviceInfo, Gpu, SliceOptions};
use nqueens::plan::{Purpose, fastest_method};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodChoice {
    /// The fastest measured.
    Auto,
    /// This one.
    Method(Method),
}

impl ValueEnum for MethodChoice {
    fn value_variants<'a>() -> &'a [Self] {
        const VARIANTS: [MethodChoice; 1 + Method::ALL.len()] = {
            let mut variants = [MethodChoice::Auto; 1 + Method::ALL.len()];
            let mut i = 0;
            while i < Method::ALL.len() {
                variants[i + 1] = MethodChoice::Method(Method::ALL[i]);
                i += 1;
            }
            variants
        };
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Auto => PossibleValue::new("auto").help("The fastest measured"),
            Self::Method(method) => PossibleValue::new(method.name()).help(method.properties().summary),
        })
    }
}

impl MethodChoice {
    /// The method for a board of n on a device.
    pub fn resolve(self, n: u32, device: &dyn Device) -> Method {
        self.resolve_for(n, device, Purpose::Count)
    }

    /// The method for a count with this purpose.
    pub fn resolve_for(self, n: u32, device: &dyn Device, purpose: Purpose) -> Method {
        match self {
            Self::Auto => fastest_method(n, device.capabilities(), purpose),
            Self::Method(method) => method,
        }
    }

    /// The method that was chosen and runs on the CPU only, if it is one of those.
    fn cpu_only(self) -> Option<Method> {
        match self {
            Self::Method(method) if !method.runs_on_gpu() => Some(method),
            _ => None,
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
    /// By its index, a part of its name, or its PCI id.
    #[arg(short, long, value_name = "INDEX|NAME|PCI", help_heading = "Where")]
    pub device: Option<String>,
    /// CPU threads [default: all cores].
    #[arg(short, long, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024), help_heading = "Where")]
    #[arg(allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free].
    #[arg(long, value_name = "BYTES", value_parser = memory, allow_negative_numbers = true, help_heading = "Where")]
    pub memory: Option<usize>,
}

impl BackendArgs {
    /// The CPU, as these options want it.
    pub fn cpu(&self) -> Result<Cpu, Error> {
        Ok(Cpu::new(self.threads)?.with_memory(self.memory))
    }

    /// Opens the device for a board of n and a method, to count nodes too or not. Says on stderr if it is an emulated GPU.
    pub fn open(&self, n: u32, method: MethodChoice, stats: bool) -> Result<Box<dyn Device>, Failure> {
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
        self.check_one_device()?;
        let cpu_only = method.cpu_only();
        if let Some(method) = cpu_only.filter(|_| wants_gpu) {
            return Err(Error::CpuOnly(method.name()).into());
        }
        let cpu = || -> Result<Box<dyn Device>, Failure> { Ok(Box::new(self.cpu()?.counting_nodes(stats))) };
        match self.backend {
            BackendChoice::Cpu => cpu(),
            _ if cpu_only.is_some() => cpu(),
            _ if wants_gpu => Ok(Box::new(self.open_gpu(DeviceChoice::Any)?)),
            _ if n >= GPU_PAYS && self.threads.is_none() && self.memory.is_none() => {
                match self.open_gpu(DeviceChoice::Hardware) {
                    Ok(gpu) => Ok(Box::new(gpu)),
                    Err(Error::NoAdapter | Error::BuiltWithoutGpu) => cpu(),
                    Err(error) => {
                        say!("note: counting on the CPU, because {}", error.with_causes());
                        cpu()
                    }
                }
            }
            _ => cpu(),
        }
    }

    /// Where one device is used there is no `all`.
    pub fn check_one_device(&self) -> Result<(), Failure> {
        match self.device.as_deref().map(str::trim) {
            Some("all") => Err(Failure::BadInput("--device all is for count and run: give one device here".into())),
            _ => Ok(()),
        }
    }

    /// Opens the devices that share a job: one, or a GPU for each of a list.
    pub fn open_all(&self, n: u32, method: MethodChoice, stats: bool) -> Result<Vec<Box<dyn Device>>, Failure> {
        let devices = match self.device.as_deref() {
            Some(text) if text.trim() == "all" => all_devices()?,
            Some(list) if list.contains(',') => listed(list, &|device| Ok(gpu::find(&named(device))?.index))?,
            _ => return Ok(vec![self.open(n, method, stats)?]),
        };
        devices.into_iter().map(|device| Self { device: Some(device), ..*self }.open(n, method, stats)).collect()
    }

    /// Opens the GPU that was asked for, or else the best of this choice.
    pub fn open_gpu(&self, otherwise: DeviceChoice) -> Result<Gpu, Error> {
        let choice = self.device.clone().map_or(otherwise, DeviceChoice::Named);
        let gpu = Gpu::open(&choice, SliceOptions::default())?;
        if gpu.info().emulated {
            say!("note: '{}' is emulated on the CPU: its counts are right, its speed says nothing", gpu.info().name);
        }
        Ok(gpu)
    }
}

fn named(device: &str) -> DeviceChoice {
    DeviceChoice::Named(device.into())
}

/// The indices of the devices of a list with commas, each once. Names have commas too, so as much of the list as can be is
/// taken as one name.
fn listed(list: &str, find: &dyn Fn(&str) -> Result<usize, Error>) -> Result<Vec<String>, Failure> {
    let parts: Vec<&str> = list.split(',').collect();
    let (mut at, mut devices) = (0, Vec::new());
    while at < parts.len() {
        if parts[at].trim().is_empty() {
            at += 1;
            continue;
        }
        let long =
            (at + 2..=parts.len()).rev().find_map(|end| Some((end, find(parts[at..end].join(",").trim()).ok()?)));
        let (end, index) = match long {
            Some(found) => found,
            None => (at + 1, find(parts[at].trim())?),
        };
        devices.push(index.to_string());
        at = end;
    }
    if devices.is_empty() {
        return Err(Failure::BadInput("--device is an empty list".into()));
    }
    if let Some(twice) =
        devices.iter().enumerate().find_map(|(at, device)| devices[..at].contains(device).then_some(device))
    {
        return Err(Failure::BadInput(format!("--device names the device {twice} twice: a device counts once")));
    }
    Ok(devices)
}

/// Every hardware device once, by index; where there is none, every emulated one.
fn all_devices() -> Result<Vec<String>, Failure> {
    let devices = gpu::list();
    let hardware = devices.iter().any(|device| !device.emulated);
    let mut chosen: Vec<&DeviceInfo> = Vec::new();
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

/// `512M`, `16G`: at least [`MIN_MEMORY`].
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
    number.checked_mul(unit).filter(|&bytes| bytes >= MIN_MEMORY).ok_or_else(help)
}

/// Less than any board that takes long would be counted in.
const MIN_MEMORY: usize = 64 << 20;
/// Refuses `-`, which elsewhere stands for stdin or stdout: these files are renamed and locked.
pub fn no_dash(path: &Path) -> Result<(), Failure> {
    match path.as_os_str() == "-" {
        true => Err(Failure::BadInput("'-' is not a file here: give a name, or ./- for a file of that name".into())),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_devices_may_have_names_with_commas() {
        let names = ["Fast 9000", "emulator (LLVM 15.0.7, 256 bits)", "Slow"];
        let find = |wanted: &str| {
            let index = wanted.parse().ok().filter(|&index: &usize| index < names.len());
            let named = names.iter().position(|name| name.contains(wanted));
            index.or(named).ok_or_else(|| Error::UnknownDevice { wanted: wanted.into(), found: names.join("; ") })
        };
        for (list, expected) in [
            ("0,2", Some("0 2")),
            ("0,", Some("0")),
            ("emulator (LLVM 15.0.7, 256 bits)", Some("1")),
            ("2, emulator (LLVM 15.0.7, 256 bits), Fast", Some("2 1 0")),
            ("0,0", None),
            ("0,Fast", None),
            ("0,nothing", None),
            (",", None),
        ] {
            assert_eq!(listed(list, &find).ok().map(|devices| devices.join(" ")).as_deref(), expected, "{list}");
        }
    }
}
