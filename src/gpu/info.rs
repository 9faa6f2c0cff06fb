//! What a GPU is: what its driver says, without opening it.

use crate::backend::{Capabilities, DeviceKind};

/// What is worth knowing about a device before a job is given to it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// Its place in the list of devices.
    pub index: usize,
    /// The name its driver gives it.
    #[serde(rename = "device")]
    pub name: String,
    /// `discrete`, `integrated`, `virtual`, `cpu` or `other`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `vulkan`, `metal` or `dx12`.
    pub api: String,
    /// The driver's name and version.
    pub driver: String,
    /// `domain:bus:device.function`, or empty where there is none.
    pub pci: String,
    /// Whether it is a software renderer: right counts on the CPU, no speed.
    pub emulated: bool,
    /// Bytes a shader can reach in one buffer.
    pub max_binding_bytes: u64,
    /// Bytes of workgroup memory.
    pub max_workgroup_bytes: u32,
    /// Invocations in a workgroup.
    pub max_workgroup_invocations: u32,
    /// Workgroups in a dispatch, along one dimension.
    pub max_workgroups: u32,
    /// Lanes that run in step: the fewest and the most.
    pub subgroup_sizes: [u32; 2],
}

impl DeviceInfo {
    /// How good a choice it is when the user has none: the smaller the better.
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "no device is opened"))]
    pub(super) fn rank(&self) -> usize {
        ["discrete", "integrated", "virtual", "other", "cpu"].iter().position(|&k| k == self.kind).unwrap_or(4)
    }

    /// Whether `wanted` is its PCI id or a part of its name.
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "no device is opened"))]
    pub(super) fn fits(&self, wanted: &str) -> bool {
        let wanted = wanted.to_lowercase();
        (!self.pci.is_empty() && self.pci.to_lowercase() == wanted) || self.name.to_lowercase().contains(&wanted)
    }

    /// The name that finds this very device again. A loss can change the order of devices, not their PCI ids.
    pub fn stable_name(&self) -> String {
        if self.pci.is_empty() { self.index.to_string() } else { self.pci.clone() }
    }

    /// What it can do with this many invocations at a time.
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "no device is opened"))]
    pub(super) fn capabilities(&self, invocations: u32) -> Capabilities {
        let kind = if self.emulated { DeviceKind::EmulatedGpu } else { DeviceKind::Gpu };
        let (driver, pci) = (self.driver.clone(), self.pci.clone());
        Capabilities { kind, driver, pci, ..Capabilities::gpu(self.name.clone(), invocations as usize) }
    }
}
