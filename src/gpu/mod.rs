//! Counting on a GPU: choosing a device, pipelines made of a method's [program](crate::method::gpu_program), slices of bounded
//! work, read-back. wgpu is known to `device.rs`, `pipeline.rs` and `cache.rs` only; without the feature `gpu` there is no
//! device to be found.

#[cfg(not(feature = "gpu"))]
mod absent;
#[cfg(feature = "gpu")]
mod cache;
#[cfg(feature = "gpu")]
mod device;
mod info;
#[cfg(feature = "gpu")]
mod pace;
#[cfg(feature = "gpu")]
mod pipeline;
#[cfg(feature = "gpu")]
mod session;
#[cfg(feature = "gpu")]
mod slices;

#[cfg(not(feature = "gpu"))]
pub use absent::{Gpu, find, list};
#[cfg(feature = "gpu")]
pub use device::{find, list};
pub use info::DeviceInfo;
#[cfg(feature = "gpu")]
pub use session::Gpu;

/// Which device to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The best there is, but none that is emulated on the CPU.
    Hardware,
    /// The best there is.
    Any,
    /// By index, by PCI id, or by a part of the name.
    Named(String),
}

/// How the work is cut into slices. The defaults adapt to the device; tests force them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceOptions {
    /// The steps an invocation takes in a dispatch, instead of as many as make a dispatch last about 100 ms.
    pub steps: Option<u32>,
    /// The number of invocations, instead of as many as suit the device.
    pub invocations: Option<u32>,
    /// The free rows that a search leaves to the plain tail, instead of as many as were measured to be fastest.
    pub tail_rows: Option<u32>,
}
