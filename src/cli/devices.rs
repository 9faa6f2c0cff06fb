//! `nqueens devices`

use std::io::Write;

use clap::Args;
use comfy_table::{Table, presets};

use nqueens::gpu;
use nqueens::report::json;

use super::exit::Failure;

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
        eprintln!("no GPU was found: install a Vulkan, Metal or DX12 driver; counting works on the CPU without one");
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["index", "name", "type", "api", "driver", "PCI id", "buffer", "workgroup", "lanes"]);
    for d in &devices {
        let kind = if d.emulated { "cpu (emulated)" } else { d.kind };
        let pci = if d.pci.is_empty() { "-" } else { &d.pci };
        let [fewest, most] = d.subgroup_sizes;
        table.add_row([
            d.index.to_string(),
            d.name.clone(),
            kind.to_string(),
            d.api.clone(),
            d.driver.clone(),
            pci.to_string(),
            format!("{} MiB", d.max_binding_bytes >> 20),
            format!("{} KiB, {}", d.max_workgroup_bytes >> 10, d.max_workgroup_invocations),
            if fewest == most { fewest.to_string() } else { format!("{fewest}-{most}") },
        ]);
    }
    writeln!(out, "{}", table.trim_fmt())?;
    Ok(out.flush()?)
}
