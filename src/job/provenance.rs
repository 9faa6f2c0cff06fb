//! Who made a count, and what was noticed on the way.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::identity::hex;
use crate::capabilities::Capabilities;
use crate::method::Method;
use crate::version::{COMMIT, VERSION};

/// The program and the device that made a count or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of this program.
    pub program: String,
    /// The commit it was built from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub commit: String,
    /// The method.
    pub method: Method,
    /// `cpu` or `gpu`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub backend: String,
    /// `CPU, 8 threads`, or the name of the GPU.
    pub device: String,
    /// The CPU's threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
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
    pub fn new(method: Method, device: &Capabilities) -> Self {
        Self {
            program: VERSION.into(),
            commit: COMMIT.into(),
            method,
            backend: device.backend().into(),
            device: device.to_string(),
            threads: device.threads(),
            driver: device.driver.clone(),
            pci: device.pci.clone(),
            shader: if device.is_gpu() { shader_digest(method) } else { String::new() },
        }
    }
}

/// The start of the SHA-256 of the shaders of a method: counts made by different shaders can be told apart.
fn shader_digest(method: Method) -> String {
    let shaders = method.properties().shaders.concat();
    hex(&Sha256::digest(shaders)[..8])
}

/// What was recounted, and what went wrong and was put right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Verification {
    /// Prefixes that were recounted on the CPU by another method.
    pub recounted: u64,
    /// Of those, with another count than the device's.
    pub mismatches: u64,
    /// Batches that were redone on the CPU because of that.
    pub batches_redone: u64,
    /// Times that a device failed and its batch was counted again.
    pub device_losses: u64,
    /// Devices that were given up, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<String>,
}

impl Verification {
    /// Adds what was noticed elsewhere.
    pub(crate) fn add(&mut self, other: &Self) {
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
