#!/usr/bin/env bash
# Writes completions/ and man/ anew from the definition of the command line (src/cli). A test says when that is due.
set -euo pipefail
cd "$(dirname "$0")/.."
NQUEENS_WRITE_GENERATED=1 cargo test --quiet --bin nqueens "$@" -- completions_and_man_pages_are_current
