#!/usr/bin/env bash
# What a GPU does with this program, measured within minutes: devices, self-test, agreement with the CPU, speed of each
# method, occupancy, and the size of a slice that suits it. Writes one Markdown and one JSON file.
#
#   scripts/gpu_report.sh [-p PROGRAM] [-d DEVICE] [-o FOLDER] [-s SECONDS]
#
# PROGRAM is the binary [default: nqueens beside this script, in target/release, or on the PATH]: it may be copied to a machine
# without Rust together with this script. DEVICE is as in `nqueens devices` [default: the best]; FOLDER is where the files
# go [default: docs/benchmarks, or here]; SECONDS is the time for all of it [default: 450, at least 5].
set -euo pipefail
export LC_ALL=C
# Mesa's device-select layer greets a machine without a desktop with an alarming line about XDG_RUNTIME_DIR.
export NODEVICE_SELECT=1

fail() {
    echo "gpu_report.sh: $*" >&2
    exit "${code:-2}"
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program='' device='' folder='' seconds=450
while getopts 'p:d:o:s:h' option; do
    case $option in
        p) program=$OPTARG ;;
        d) device=$OPTARG ;;
        o) folder=$OPTARG ;;
        s) seconds=$OPTARG ;;
        h) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0"; exit ;;
        *) fail "see -h" ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 0 ] || fail "'$1' is not understood: see -h"
[[ $seconds =~ ^[0-9]{1,5}$ ]] && [ "$seconds" -ge 5 ] || fail "-s takes a number of seconds from 5"
if [ -z "$program" ]; then
    for candidate in "$here/nqueens" "$here/../target/release/nqueens" nqueens; do
        program=$(command -v "$candidate" || true)
        [ -z "$program" ] || break
    done
fi
command -v "${program:-no program}" >/dev/null || fail "there is no nqueens to run: give it with -p"
if [ -z "$folder" ]; then
    folder=$here/../docs/benchmarks
    [ -d "$folder" ] || folder=.
fi
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The time left, in whole seconds.
left() { echo $((seconds - SECONDS)); }

# Runs the program for at most this many seconds; 124 if it was ended. `timeout` is not everywhere.
limited() {
    local limit=$1 status=0 process watch
    shift
    if [ "$limit" -lt 1 ]; then return 124; fi
    "$program" "$@" &
    process=$!
    (
        trap 'kill "$nap"; exit' TERM
        sleep "$limit" & nap=$!
        wait "$nap" && kill "$process"
    ) > /dev/null 2>&1 &
    watch=$!
    wait "$process" || status=$?
    kill "$watch" 2>/dev/null && wait "$watch" 2>/dev/null || true
    [ "$status" != 143 ] || status=124
    return "$status"
}

# The last value of a member of the first line that has it: a text or a number.
member() {
    sed -n -e "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" -e t -e "s/.*\"$1\": *\([^\",}]*\).*/\1/p" | head -n 1
}

# Lines of JSON as the elements of an array.
elements() { paste -s -d , - ; }

say() { echo "[$SECONDS s] $*" >&2; }

[ -n "$device" ] && on=(--backend gpu --device "$device") || on=(--backend gpu)
failures=0
failed() {
    failures=$((failures + 1))
    say "FAILED: $*"
}

say "devices"
"$program" devices --json > "$scratch/devices"
[ -s "$scratch/devices" ] || { code=3; fail "no GPU was found"; }
"$program" devices > "$scratch/devices.txt"
limited "$(left)" count 4 "${on[@]}" --json > "$scratch/device" 2> "$scratch/error" || {
    code=4
    fail "the device does not count a board of n = 4: $(cat "$scratch/error")"
}
name=$(member device < "$scratch/device")
version=$(member program < "$scratch/device")

say "self-test"
status=0
limited $((seconds / 5)) selftest > "$scratch/selftest.txt" 2>&1 || status=$?
case $status in
    0) selftest=passed ;;
    124) selftest="not ended in time" ;;
    *) selftest="failed with code $status"; failed "selftest" ;;
esac

# Each prefix is finished on the GPU and again on the CPU by another method, and both must be equal.
say "agreement with the CPU"
methods='row-order most-constrained'
: > "$scratch/agreement"
for n in 1 4 5 6 7 8 9 10 11 12 13 14 15; do
    for method in $methods; do
        [ "$SECONDS" -lt $((seconds * 3 / 10)) ] || break 2
        status=0
        limited $((seconds * 4 / 10 - SECONDS)) count "$n" "${on[@]}" --method "$method" --verify 100% --json \
            > "$scratch/one" 2> "$scratch/error" || status=$?
        if [ "$status" = 0 ] && [ "$(member mismatches < "$scratch/one")" = 0 ]; then
            cat "$scratch/one" >> "$scratch/agreement"
        elif [ "$status" != 124 ]; then
            failed "n = $n by $method: code $status, $(cat "$scratch/error")"
        fi
    done
done

# Each method as far as its runs fit; the file is written anew after each n, so what is ended in between loses nothing.
say "speed"
budget=$((seconds * 65 / 100 - SECONDS))
[ "$budget" -ge 1 ] || budget=1
repetitions=3
[ "$seconds" -ge 120 ] || repetitions=1
first=12
[ "$seconds" -ge 60 ] || first=9
each=()
for method in $methods; do each+=(--method "$method"); done
status=0
limited $((budget + seconds / 20 + 1)) bench "$first..=24" "${on[@]}" "${each[@]}" --repetitions "$repetitions" \
    --time-limit "$budget" --export "$scratch/bench.json" --export "$scratch/bench.md" --export "$scratch/bench.svg" \
    > /dev/null 2> "$scratch/error" || status=$?
[ "$status" = 0 ] || [ "$status" = 124 ] || failed "bench: $(tail -n 1 "$scratch/error")"

# Each n that a method was measured at on the GPU, with its time and start-up.
measured() {
    [ -s "$scratch/bench.json" ] || return 0
    awk -F'": ' -v method="\"$1\"," '
        /"n":/ { n = $2 + 0 } /"method":/ { ours = $2 == method } /"with_startup":/ { whole = $2 == "true," }
        /"backend":/ { gpu = $2 == "\"gpu\"," } /"median_seconds":/ { if (gpu && ours && whole) print n, $2 + 0 }
    ' "$scratch/bench.json"
}

say "occupancy"
: > "$scratch/occupancy"
: > "$scratch/occupancy.txt"
for method in $methods; do
    read -r n _ < <(measured "$method" | tail -n 1) || continue
    # `|| true`: one that does not end in time is left out.
    limited $((seconds * 75 / 100 - SECONDS)) count "$n" "${on[@]}" --method "$method" --stats --json \
        2> "$scratch/error" > "$scratch/one" && cat "$scratch/one" >> "$scratch/occupancy" &&
        { echo "n = $n by $method:"; grep -E ' steps?, ' "$scratch/error"; } >> "$scratch/occupancy.txt" || true
done

# A slice is its invocations times their steps. By itself the program finds the steps by the clock: is another size better?
say "slices"
: > "$scratch/slices"
: > "$scratch/slices.md"
share=$(($(left) * 9 / 10 / 2))
for method in $methods; do
    # All runs of nine sizes, some of them a few times slower than the default, must fit.
    read -r n _ < <(measured "$method" | awk -v most="$share" -v runs=$((1 + repetitions)) '$2 * runs * 9 * 1.5 < most' | tail -n 1) || continue
    limited "$share" bench "$n" "${on[@]}" --gpu-only --method "$method" --repetitions "$repetitions" --json --slice-steps 250,1000,4000,16000 \
        --invocations 4096,32768,262144,1048576 --export "$scratch/one.md" > "$scratch/one" 2> "$scratch/error" || continue
    grep '"with_startup":false' "$scratch/one" >> "$scratch/slices"
    grep '^|' "$scratch/one.md" | awk '/open/ { exit } !/with start-up/' >> "$scratch/slices.md"
    grep '"with_startup":false' "$scratch/one" |
        sed 's/.*"n":\([0-9]*\),.*"median_seconds":\([^,]*\).*/\2 \1 &/; s/ {.*"slice_steps":\([0-9]*\).*/ \1 steps/
            s/ {.*"invocations":\([0-9]*\).*/ \1 invocations/; s/ {.*/ the default/' | sort -g | head -n 1 |
        { read -r time n best; printf '\nBest by %s at n = %s: %s, %s s.\n\n' "$method" "$n" "$best" "$time"; } >> "$scratch/slices.md"
done

safe=$(printf %s "$name" | tr -cs 'A-Za-z0-9' - | sed 's/^-*//; s/-*$//')
base=$folder/$(date -u +%Y-%m-%d)-gpu-report-${safe:-device}
json_bench=null
[ ! -s "$scratch/bench.json" ] || json_bench=$(cat "$scratch/bench.json")
cat > "$base.json" <<JSON
{"format":"nqueens gpu report","version":1,"program":"$version","date":"$(date -u +%Y-%m-%dT%H:%M:%SZ)","seconds":$SECONDS,
"devices":[$(elements < "$scratch/devices")],
"selftest":"$selftest",
"failures":$failures,
"agreement":[$(elements < "$scratch/agreement")],
"bench":$json_bench,
"occupancy":[$(elements < "$scratch/occupancy")],
"slices":[$(elements < "$scratch/slices")]}
JSON
{
    echo "# $name"
    echo
    echo "nqueens $version, $(date -u +%Y-%m-%d), \`scripts/gpu_report.sh\` in $SECONDS s: $failures failures."
    echo
    echo '## Devices'
    echo
    echo '```'
    cat "$scratch/devices.txt"
    echo '```'
    echo
    echo "## Self-test: $selftest"
    echo
    echo '```'
    cat "$scratch/selftest.txt"
    echo '```'
    echo
    echo '## Agreement with the CPU'
    echo
    echo 'Every prefix counted on the GPU and again on the CPU by another method: equal.'
    echo
    echo '| n | method | prefixes recounted |'
    echo '|---|---|---|'
    while read -r line; do
        echo "| $(member n <<< "$line") | $(member method <<< "$line") | $(member recounted <<< "$line") |"
    done < "$scratch/agreement"
    echo
    echo '## Speed'
    echo
    [ ! -s "$scratch/bench.md" ] || sed '1,2d' "$scratch/bench.md"
    [ -s "$scratch/bench.md" ] || echo 'No time was left for it.'
    echo
    echo '## Occupancy'
    echo
    echo '```'
    cat "$scratch/occupancy.txt"
    echo '```'
    echo
    echo '## Size of a slice'
    echo
    echo 'The first row is what the program finds by itself; in each other one thing is fixed.'
    echo
    [ ! -s "$scratch/slices.md" ] || cat "$scratch/slices.md"
    [ -s "$scratch/slices.md" ] || echo 'No time was left for it.'
} > "$base.md"
say "written: $base.md and $base.json"
[ "$failures" = 0 ] || { code=1; fail "$failures checks failed"; }
