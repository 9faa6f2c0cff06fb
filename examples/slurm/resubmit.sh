#!/bin/bash
# Sends the shards again that nobody has done or is doing, and a merge after them.
#
#   examples/slurm/resubmit.sh plan.json results --gres=gpu:1 --time=4:00:00
#
# Harmless if a task of the first array is still queued: whoever comes second finds the result there, or exits with 75
# while the other works on it and goes back into the queue.
set -euo pipefail
exec "$(dirname "$0")/submit.sh" "$@"
