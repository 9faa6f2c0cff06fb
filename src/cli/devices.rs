//! `nqueens devices`

use std::io::Write;

use clap::Args;

use nqueens::gpu::{self, DeviceInfo};

use super::exit::Failure;
use super::json;

#[derive(Args)]
#[command(after_help = "Example: nqueens devices")]
pub struct DevicesArgs {
    /// One JSON object a device, a line each.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &DevicesArgs) -> Result<(), Failure> {
    let devices = gpu::list();
    let mut out = std::io::stdout().lock();
    if args.json {
        for device in &devices {
            json::line(&mut out, device)?;
        }
        return Ok(out.flush()?);
    }
    if devices.is_empty() {
        say!("no GPU was found: install a Vulkan, Metal or DX12 driver; counting works on the CPU without one");
        return Ok(());
    }
    for device in &devices {
        writeln!(out, "{}", text(device))?;
    }
    Ok(out.flush()?)
}

/// A device in lines of less than 80 columns, whatever its driver has to say.
fn text(device: &DeviceInfo) -> String {
    let kind = if device.emulated { "a software renderer on the CPU" } else { device.kind };
    let pci = if device.pci.is_empty() { String::new() } else { format!(", PCI {}", device.pci) };
    let [fewest, most] = device.subgroup_sizes;
    let lanes = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
    format!(
        "{}  {}\n   {kind}, {}{pci}\n   driver {}\n   buffers of {} MiB, workgroups of {} with {} KiB, {lanes} lanes",
        device.index,
        device.name,
        device.api,
        device.driver,
        device.max_binding_bytes >> 20,
        device.max_workgroup_invocations,
        device.max_workgroup_bytes >> 10,
    )
}
