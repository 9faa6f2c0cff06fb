//! What several tests share.
#![allow(dead_code)] // each test file uses a part of it

use nqueens::gpu::{DeviceChoice, Gpu, SliceOptions};

/// A000170 from the OEIS, for n = 0 to 18: written here once more so that the tests do not trust the library's table.
pub const KNOWN: [u128; 19] =
    [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624];

/// The best device there is. Without one these tests fail: `scripts/test.sh` installs a software device.
pub fn emulated_or_real_gpu(options: SliceOptions) -> Gpu {
    Gpu::open(&DeviceChoice::Any, options).expect("GPU tests need a Vulkan device: run ./scripts/test.sh")
}
