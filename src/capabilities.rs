//! What a device can do, as plain data: all that planning asks of it.

use std::fmt;

/// What kind of device it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// Threads of this machine's processor.
    Cpu,
    /// A GPU behind Vulkan, Metal or DX12.
    Gpu,
    /// A software renderer: right counts on the CPU, no speed.
    EmulatedGpu,
}

/// What a device is and what it can do.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Capabilities {
    /// What kind it is.
    pub kind: DeviceKind,
    /// Its name for people: `CPU, 8 threads`, or what a GPU's driver calls it.
    pub name: String,
    /// The driver's name and version; empty for the CPU.
    pub driver: String,
    /// The PCI id, `domain:bus:device.function`; empty where there is none.
    pub pci: String,
    /// Prefixes that it works on at a time: threads or invocations.
    pub lanes: usize,
    /// Prefixes for each lane that keep it busy to the end.
    pub prefixes_per_lane: u64,
    /// The most prefixes that one [`Session::count`](crate::backend::Session::count) takes.
    pub max_batch: usize,
    /// The fewest that are worth one where a signal is not to wait long: below that most lanes would be idle.
    pub min_batch: usize,
    /// Seconds that a batch should last at most where a signal has to wait for its end.
    pub max_batch_seconds: f64,
    /// Bytes that a method may take.
    pub memory: usize,
    /// The instructions of the CPU that are used, such as `avx2`; empty for a GPU.
    pub instruction_set: &'static str,
    /// Whether nodes are to be counted, where the method has nodes.
    pub counts_nodes: bool,
}

impl Capabilities {
    /// Those of a CPU with this many threads.
    pub fn cpu(threads: usize) -> Self {
        let name = if threads == 1 { "CPU, 1 thread".into() } else { format!("CPU, {threads} threads") };
        Self {
            kind: DeviceKind::Cpu,
            name,
            driver: String::new(),
            pci: String::new(),
            lanes: threads,
            prefixes_per_lane: 1,
            max_batch: 1 << 16,
            min_batch: threads,
            max_batch_seconds: 1.0,
            memory: 1 << 30,
            instruction_set: "",
            counts_nodes: false,
        }
    }

    /// Those of a GPU of this name that runs this many lanes: many prefixes for each, so that few wait at the end for the
    /// slowest.
    pub fn gpu(name: impl Into<String>, lanes: usize) -> Self {
        let prefixes_per_lane = 32;
        Self {
            kind: DeviceKind::Gpu,
            name: name.into(),
            driver: String::new(),
            pci: String::new(),
            lanes,
            prefixes_per_lane,
            max_batch: 1 << 21,
            min_batch: lanes * prefixes_per_lane as usize / 8,
            max_batch_seconds: 10.0,
            memory: 256 << 20,
            instruction_set: "",
            counts_nodes: true,
        }
    }

    /// Whether it is a GPU, be it an emulated one.
    pub fn is_gpu(&self) -> bool {
        self.kind != DeviceKind::Cpu
    }

    /// `cpu` or `gpu`.
    pub fn backend(&self) -> &'static str {
        if self.is_gpu() { "gpu" } else { "cpu" }
    }

    /// The threads of a CPU.
    pub fn threads(&self) -> Option<usize> {
        (!self.is_gpu()).then_some(self.lanes)
    }
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.kind == DeviceKind::EmulatedGpu { f.write_str(" (emulated)") } else { Ok(()) }
    }
}
