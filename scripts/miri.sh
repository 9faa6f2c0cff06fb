#!/usr/bin/env bash
# Runs what Miri can run: the library's own logic on small boards, without devices, threads' pools and SIMD. Needs a nightly
# Rust with the component `miri`.
set -euo pipefail
cd "$(dirname "$0")/.."
export MIRIFLAGS=-Zmiri-disable-isolation
cargo +nightly miri test --lib --no-default-features -- \
    board:: symmetry:: attack:: placement:: decimal:: job::ranges job::tally job::format prefixes_are_as_deep \
    the_portable_form nodes_of_the_four_queens
