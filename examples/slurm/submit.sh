#!/bin/bash
# Sends a plan to Slurm: an array with one task a shard, and a merge after it.
#
#   nqueens plan 22 --shards 256 -o plan.json
#   examples/slurm/submit.sh plan.json results --gres=gpu:1 --time=4:00:00
#
# Options after the folder go to sbatch. RUNNING=20 allows that many tasks at a time. With SHARDS=3,7-9 only those are sent.
# Prints the two job numbers.
set -euo pipefail
plan=$(realpath "$1")
results=$(realpath -m "$2")
shift 2
here=$(cd "$(dirname "$0")" && pwd)
export PLAN=$plan RESULTS=$results NQUEENS=${NQUEENS:-$(command -v nqueens)}
mkdir -p "$results/log"
# The plan knows how many shards there are; the array's own count shrinks when only some are sent again.
shards=${SHARDS:-$("$NQUEENS" status "$plan" "$results" --missing)}
if [ -z "$shards" ]; then
    echo "every shard is done or running: see '$NQUEENS status $plan $results'" >&2
    exit 0
fi
array=$(sbatch --parsable --array="$shards${RUNNING:+%$RUNNING}" --output="$results/log/%A_%a.log" "$@" "$here/array.sbatch")
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --output="$results/log/merge-%j.log" \
    "$here/merge.sbatch")
echo "$array $merge"
