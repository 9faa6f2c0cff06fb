#!/usr/bin/env bash
# Runs the tests of the code that has `unsafe` blocks, the lanes and the kernels of the half join, under the address
# sanitizer: reads and writes beside their buffers end the run. Linux on x86-64; the library alone, so it builds in seconds.
# The sanitizer is an unstable option of the compiler, which the stable one takes with RUSTC_BOOTSTRAP.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(rustc -vV | sed -n 's/^host: //p')" != x86_64-unknown-linux-gnu ]; then
    echo "sanitize: for Linux on x86-64 only: not run here"
    exit 0
fi
export RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=target/sanitize
cargo test --target x86_64-unknown-linux-gnu --lib --no-default-features -- method:: job::verify
