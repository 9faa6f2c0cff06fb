#!/usr/bin/env bash
# Runs every test. The GPU tests need a Vulkan, Metal or DX12 device: where there is none, this installs Mesa's software
# Vulkan driver (Debian and Ubuntu, as root or with sudo), or says what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
# Mesa's device-select layer greets a machine without a desktop with an alarming line about XDG_RUNTIME_DIR.
export NODEVICE_SELECT=1

has_device() {
    cargo run --quiet -- devices --json 2>/dev/null | grep -q '"device"'
}

# The tests of what must survive faults bring them about themselves; only such a build can.
export NQUEENS_BUILD_WITH_FAULTS=1
cargo build --all-targets
if ! has_device; then
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    if command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }; then
        echo "No GPU was found: installing Mesa's software Vulkan driver for the GPU tests."
        "${as_root[@]}" apt-get update -qq
        "${as_root[@]}" apt-get install -y --no-install-recommends mesa-vulkan-drivers libvulkan1
    fi
    if ! has_device; then
        echo "No GPU was found, and the GPU tests need one." >&2
        echo "Install a software Vulkan driver: 'mesa-vulkan-drivers' and 'libvulkan1' on Debian and Ubuntu," >&2
        echo "'mesa-vulkan-drivers' and 'vulkan-loader' on Fedora, 'vulkan-swrast' and 'vulkan-icd-loader' on Arch." >&2
        exit 1
    fi
fi
cargo test "$@"
