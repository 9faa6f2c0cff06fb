//! Where something was measured: what a reader needs to know before comparing it with anything.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

use nqueens::backend::Cpu;
use nqueens::gpu::DeviceInfo;
use nqueens::version::{COMMIT, VERSION};

/// A machine and the program that ran on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// When, in UTC, as RFC 3339 writes it.
    pub date: String,
    /// The version of this program.
    pub program: String,
    /// The git commit that it was built from.
    pub commit: String,
    /// The processor's name.
    pub cpu: String,
    /// Its architecture.
    pub architecture: String,
    /// The best of the instruction sets that this program has code for.
    pub instruction_set: String,
    /// Physical cores, where the operating system tells.
    pub cores: Option<usize>,
    /// Threads that this process may run at a time.
    pub threads: usize,
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// The operating system and its kernel.
    pub os: String,
    /// Processes that wanted a core over the last minute, on average: much above 0 before a measurement disturbs it.
    /// Absent where the operating system does not tell.
    pub load: Option<f64>,
    /// The GPUs that take part.
    pub gpus: Vec<GpuDriver>,
}

/// A GPU and its driver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuDriver {
    /// The name its driver gives it.
    pub name: String,
    /// The driver's name and version.
    pub driver: String,
    /// `vulkan`, `metal` or `dx12`.
    pub api: String,
}

impl Environment {
    /// This machine now, with these GPUs of it.
    pub fn here(gpus: &[&DeviceInfo]) -> Self {
        let refresh = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(refresh);
        let unknown = || "unknown".to_string();
        let os = [System::long_os_version(), System::kernel_version()];
        Self {
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            program: VERSION.into(),
            commit: COMMIT.into(),
            cpu: system.cpus().first().map_or_else(unknown, |cpu| cpu.brand().trim().to_string()),
            architecture: System::cpu_arch(),
            instruction_set: Cpu::instruction_set().into(),
            cores: System::physical_core_count(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: system.total_memory(),
            os: os.into_iter().flatten().collect::<Vec<_>>().join(", kernel "),
            load: cfg!(unix).then(|| System::load_average().one),
            gpus: gpus
                .iter()
                .map(|gpu| GpuDriver { name: gpu.name.clone(), driver: gpu.driver.clone(), api: gpu.api.clone() })
                .collect(),
        }
    }

    /// What it says, line by line: a word and its value.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let cores = self.cores.map_or(String::new(), |cores| format!("{cores} cores, "));
        let cpu =
            format!("{} ({}, {}), {cores}{} threads", self.cpu, self.architecture, self.instruction_set, self.threads);
        let mut lines = vec![
            ("date", self.date.clone()),
            ("program", format!("nqueens {} ({})", self.program, self.commit)),
            ("CPU", cpu),
            ("memory", format!("{:.1} GiB", self.memory_bytes as f64 / f64::from(1 << 30))),
            ("system", self.os.clone()),
        ];
        if let Some(load) = self.load {
            lines.push(("load before", format!("{load:.2}")));
        }
        lines.extend(self.gpus.iter().map(|gpu| ("GPU", format!("{}; {} through {}", gpu.name, gpu.driver, gpu.api))));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_a_processor_memory_and_a_date() {
        let here = Environment::here(&[]);
        assert!(here.threads >= 1 && here.memory_bytes > 1 << 20 && !here.cpu.is_empty(), "{here:?}");
        assert!(here.date.starts_with("20") && here.date.ends_with('Z'), "{here:?}");
        let again: Environment = serde_json::from_str(&serde_json::to_string(&here).unwrap()).unwrap();
        assert_eq!(again, here);
    }
}
