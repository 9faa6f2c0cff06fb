//! Every shader parses and validates, joined with what all have, without a device.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use nqueens::internals::gpu_program::COMMON;

#[test]
fn every_shader_is_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
    let mut shaders = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("common.wgsl") {
            continue;
        }
        let source = [COMMON, &std::fs::read_to_string(&path).unwrap()].concat();
        let module = naga::front::wgsl::parse_str(&source)
            .unwrap_or_else(|e| panic!("{}: {}", path.display(), e.emit_to_string(&source)));
        // What every GPU can do, and nothing more.
        Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|e| panic!("{}: {}", path.display(), e.emit_to_string(&source)));
        assert!(module.entry_points.iter().any(|e| e.name == "main"), "{}", path.display());
        shaders += 1;
    }
    assert!(shaders > 0, "no shader was found in {folder}");
}
