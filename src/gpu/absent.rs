//! What there is of GPUs in a build without them.

use super::{DeviceChoice, DeviceInfo, SliceOptions};
use crate::backend::{Capabilities, Device, Session};
use crate::error::{Error, Result};
use crate::plan::Workload;

/// The devices of this machine: none that this build could use.
pub fn list() -> Vec<DeviceInfo> {
    Vec::new()
}

/// The device of a choice: there is none.
///
/// # Errors
/// Always.
pub fn find(_choice: &DeviceChoice) -> Result<DeviceInfo> {
    Err(Error::BuiltWithoutGpu)
}

/// An opened GPU: there is none.
#[derive(Clone, Copy, Debug)]
pub enum Gpu {}

impl Gpu {
    /// Opens no device.
    ///
    /// # Errors
    /// Always.
    pub fn open(_choice: &DeviceChoice, _options: SliceOptions) -> Result<Self> {
        Err(Error::BuiltWithoutGpu)
    }

    /// The device that was opened.
    pub fn info(&self) -> &DeviceInfo {
        match *self {}
    }
}

impl Device for Gpu {
    fn capabilities(&self) -> &Capabilities {
        match *self {}
    }

    fn prepare(&mut self, _workload: &Workload) -> Result<Box<dyn Session>> {
        match *self {}
    }

    fn reopen(&self) -> Result<Box<dyn Device>> {
        match *self {}
    }
}
