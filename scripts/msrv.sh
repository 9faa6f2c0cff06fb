#!/usr/bin/env bash
# Checks that everything compiles with the oldest Rust that Cargo.toml promises. Needs rustup.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
rustup toolchain install "$version" --profile minimal --no-self-update
# In a folder of its own: the two compilers would throw each other's work away.
CARGO_TARGET_DIR=target/msrv cargo "+$version" check --all-targets --locked
