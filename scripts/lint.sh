#!/usr/bin/env bash
# Format, lints and documentation, without a warning.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo fmt --check
cargo clippy --all-targets -- -D warnings
cargo clippy --all-targets --features fault-injection -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet
