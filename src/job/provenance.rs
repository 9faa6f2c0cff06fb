//! Who made a count, and what was noticed on the way.

use serde::{Deserialize, Serialize};

use crate::backend::Place;
use crate::gpu;
use crate::method::Method;

/// The program and the device that did a part of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of this program.
    pub program: String,
    /// The method.
    pub method: Method,
    /// `CPU, 8 threads`, or the name of the GPU.
    pub device: String,
    /// The GPU's driver.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub driver: String,
    /// The GPU's PCI id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pci: String,
    /// The start of the SHA-256 of the shaders that ran.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub shader: String,
}

impl Provenance {
    /// This program, on this device.
    pub fn of(method: Method, place: &Place) -> Self {
        let (driver, pci, shader) = match place {
            Place::Cpu { .. } => Default::default(),
            Place::Gpu { device } => (device.driver.clone(), device.pci.clone(), gpu::shader_digest(method)),
        };
        Self { program: env!("CARGO_PKG_VERSION").into(), method, device: place.to_string(), driver, pci, shader }
    }
}

/// What was recounted, and what went wrong and was put right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// Prefixes that were recounted on the CPU by another method.
    pub recounted: u64,
    /// Of those, with another count than the device's.
    pub mismatches: u64,
    /// Batches that were redone on the CPU because of that.
    pub batches_redone: u64,
    /// Times that a device failed and its batch was done again.
    pub device_losses: u64,
    /// Devices that were given up, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<String>,
}

impl Doubt {
    /// Whether anything went wrong.
    pub fn is_clean(&self) -> bool {
        *self == Self { recounted: self.recounted, ..Self::default() }
    }

    /// Adds what was noticed elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.recounted = self.recounted.saturating_add(other.recounted);
        self.mismatches = self.mismatches.saturating_add(other.mismatches);
        self.batches_redone = self.batches_redone.saturating_add(other.batches_redone);
        self.device_losses = self.device_losses.saturating_add(other.device_losses);
        for reason in &other.given_up {
            if !self.given_up.contains(reason) {
                self.given_up.push(reason.clone());
            }
        }
    }
}
