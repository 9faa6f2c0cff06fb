#!/usr/bin/env bash
# Format, lints and documentation, without a warning.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo fmt --check
cargo clippy --all-targets -- -D warnings
NQUEENS_BUILD_WITH_FAULTS=1 cargo clippy --all-targets -- -D warnings
# The library alone, and the program without GPUs.
cargo clippy --lib --no-default-features -- -D warnings
cargo clippy --bins --no-default-features --features cli -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet
# Figures are current, and ratios in the README are those of their times.
python3 docs/figures/make.py --check
