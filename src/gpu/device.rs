//! Listing, choosing and opening devices.

use std::sync::{Arc, Mutex};

use super::cache::PipelineCache;
use super::{DeviceChoice, DeviceInfo};
use crate::error::{Error, Result};

/// The devices of this machine.
pub fn list() -> Vec<DeviceInfo> {
    adapters().iter().enumerate().map(|(index, adapter)| info(index, adapter)).collect()
}

fn info(index: usize, adapter: &wgpu::Adapter) -> DeviceInfo {
    let info = adapter.get_info();
    let limits = adapter.limits();
    DeviceInfo {
        index,
        name: info.name,
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "cpu",
            wgpu::DeviceType::Other => "other",
        },
        api: info.backend.to_string(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_string(),
        pci: info.device_pci_bus_id,
        emulated: info.device_type == wgpu::DeviceType::Cpu,
        max_binding_bytes: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
        max_workgroup_bytes: limits.max_compute_workgroup_storage_size,
        max_workgroup_invocations: limits.max_compute_invocations_per_workgroup,
        max_workgroups: limits.max_compute_workgroups_per_dimension,
        subgroup_sizes: [info.subgroup_min_size, info.subgroup_max_size],
    }
}

fn adapters() -> Vec<wgpu::Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY))
}

/// The device of a choice, without opening it.
///
/// # Errors
/// If there is none, or several are meant.
pub fn find(choice: &DeviceChoice) -> Result<DeviceInfo> {
    let mut devices = list();
    choose(&devices, choice).map(|index| devices.swap_remove(index))
}

fn choose(devices: &[DeviceInfo], choice: &DeviceChoice) -> Result<usize> {
    let best = |emulated: bool| {
        let candidates = devices.iter().filter(|d| emulated || !d.emulated);
        candidates.min_by_key(|d| d.rank()).map(|d| d.index).ok_or(Error::NoAdapter)
    };
    let wanted = match choice {
        DeviceChoice::Hardware => return best(false),
        DeviceChoice::Any => return best(true),
        DeviceChoice::Named(wanted) => wanted.trim(),
    };
    if devices.is_empty() {
        return Err(Error::NoAdapter);
    }
    // An index comes before a number in a name.
    if let Some(index) = wanted.parse().ok().filter(|&index: &usize| index < devices.len()) {
        return Ok(index);
    }
    let one_line = |devices: &mut dyn Iterator<Item = &DeviceInfo>| {
        devices.map(|d| format!("{}: {}", d.index, d.name)).collect::<Vec<_>>().join(", ")
    };
    let fitting: Vec<&DeviceInfo> = devices.iter().filter(|d| !wanted.is_empty() && d.fits(wanted)).collect();
    match fitting[..] {
        [] => Err(Error::UnknownDevice { wanted: wanted.into(), found: one_line(&mut devices.iter()) }),
        // One card behind two interfaces is one card.
        [first, ref rest @ ..] if rest.iter().all(|d| !d.pci.is_empty() && d.pci == first.pci) => Ok(first.index),
        _ => Err(Error::AmbiguousDevice { wanted: wanted.into(), found: one_line(&mut fitting.iter().copied()) }),
    }
}

/// An opened device with its queue, and what its driver has complained of.
pub(super) struct OpenDevice {
    pub info: DeviceInfo,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub cache: Option<Mutex<PipelineCache>>,
    fault: Arc<Mutex<Option<String>>>,
}

impl OpenDevice {
    pub fn open(choice: &DeviceChoice) -> Result<Self> {
        let adapters = adapters();
        let infos: Vec<_> = adapters.iter().enumerate().map(|(i, adapter)| info(i, adapter)).collect();
        let index = choose(&infos, choice)?;
        let (info, adapter) = (infos[index].clone(), &adapters[index]);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("nqueens"),
            // The defaults would bind the device to the least that any GPU has.
            required_limits: adapter.limits(),
            required_features: adapter.features() & wgpu::Features::PIPELINE_CACHE,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|e| Error::Device { device: info.name.clone(), reason: e.to_string() })?;
        // The default handlers panic; these keep the first complaint until the host looks.
        let fault = Arc::new(Mutex::new(None));
        let report = |fault: &Arc<Mutex<Option<String>>>, reason: String| {
            if let Ok(mut first) = fault.lock() {
                first.get_or_insert(reason);
            }
        };
        let heard = Arc::clone(&fault);
        device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| report(&heard, e.to_string())));
        let heard = Arc::clone(&fault);
        device.set_device_lost_callback(move |why, text| {
            if why != wgpu::DeviceLostReason::Destroyed {
                report(&heard, format!("the device was lost: {text}"));
            }
        });
        let cache = PipelineCache::open(&device, &adapter.get_info(), &info).map(Mutex::new);
        Ok(Self { info, device, queue, cache, fault })
    }

    /// An error with the driver's words.
    pub fn error(&self, reason: impl std::fmt::Display) -> Error {
        Error::Device { device: self.info.name.clone(), reason: reason.to_string() }
    }

    /// Keeps what the driver has compiled.
    pub fn save_cache(&self) {
        // Without the cache of a thread that panicked the next run compiles once more.
        if let Some(Ok(mut cache)) = self.cache.as_ref().map(Mutex::lock) {
            cache.save();
        }
    }

    /// Makes the device fail, for tests.
    pub fn destroy(&self) {
        self.device.destroy();
    }

    /// The first complaint of the driver, if there was any.
    pub fn check(&self) -> Result<()> {
        match self.fault.lock().map(|fault| fault.clone()) {
            Ok(None) => Ok(()),
            Ok(Some(reason)) => Err(self.error(reason)),
            Err(_) => Err(self.error("its error handler panicked")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(index: usize, name: &str, kind: &'static str, pci: &str) -> DeviceInfo {
        DeviceInfo {
            index,
            name: name.into(),
            kind,
            api: "vulkan".into(),
            driver: String::new(),
            pci: pci.into(),
            emulated: kind == "cpu",
            max_binding_bytes: 0,
            max_workgroup_bytes: 0,
            max_workgroup_invocations: 0,
            max_workgroups: 0,
            subgroup_sizes: [0, 0],
        }
    }

    fn named(devices: &[DeviceInfo], wanted: &str) -> Result<usize> {
        choose(devices, &DeviceChoice::Named(wanted.into()))
    }

    #[test]
    fn a_device_is_found_by_index_name_or_pci_id() {
        let devices = [
            device(0, "Emulator", "cpu", ""),
            device(1, "Fast 9000", "discrete", "0000:01:00.0"),
            device(2, "Fast 9000", "discrete", "0000:02:00.0"),
            device(3, "Small", "integrated", "0000:00:02.0"),
            device(4, "Small (other interface)", "integrated", "0000:00:02.0"),
        ];
        assert_eq!(named(&devices, "2").unwrap(), 2);
        assert_eq!(named(&devices, "emul").unwrap(), 0);
        assert_eq!(named(&devices, "0000:02:00.0").unwrap(), 2);
        assert_eq!(named(&devices, "small").unwrap(), 3);
        assert!(matches!(named(&devices, "fast"), Err(Error::AmbiguousDevice { .. })));
        // A number that is no index is a part of a name.
        assert!(matches!(named(&devices, "9000"), Err(Error::AmbiguousDevice { .. })));
        assert_eq!(named(&devices[..2], "9000").unwrap(), 1);
        for unknown in ["99", "slow", "", "0000:09:00.0"] {
            assert!(matches!(named(&devices, unknown), Err(Error::UnknownDevice { .. })), "{unknown}");
        }
        assert_eq!(choose(&devices, &DeviceChoice::Hardware).unwrap(), 1);
        assert_eq!(choose(&devices[..1], &DeviceChoice::Any).unwrap(), 0);
        assert!(matches!(choose(&devices[..1], &DeviceChoice::Hardware), Err(Error::NoAdapter)));
        assert!(matches!(named(&[], "0"), Err(Error::NoAdapter)));
    }
}
