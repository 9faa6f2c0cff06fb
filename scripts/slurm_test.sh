#!/usr/bin/env bash
# Tries the Slurm scripts for real: starts a one-node Slurm on this machine's loopback, counts n = 14 by an array of four
# shards, kills a task in its middle, requeues, resubmits, merges, compares with the published count, and stops every daemon
# that it started. Debian or Ubuntu, as root; elsewhere it says why it does nothing. Takes about a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "slurm_test: needs root on Debian or Ubuntu to start a Slurm of its own: not run here"
    exit 0
fi
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
    apt-get update -qq
    apt-get install -y --no-install-recommends slurm-wlm munge >/dev/null
fi

# With faults on demand: each of the few batches is made to last, so that there is a middle to kill a task in.
NQUEENS_BUILD_WITH_FAULTS=1 cargo build --quiet
export NQUEENS=$PWD/target/debug/nqueens
examples=$PWD/examples/slurm

D=$(mktemp -d /tmp/nqueens-slurm.XXXXXX)
say() { echo "[$(date +%T)] $*"; }
stop() {
    local status=$?
    [ $status = 0 ] || { say "FAILED ($status)"; tail -n 20 "$D"/log/*.log "$D"/results/log/*.log 2>/dev/null || true; }
    scancel --user=root 2>/dev/null || true
    # Each by the number that it wrote down itself.
    for daemon in slurmd slurmctld munged; do
        local file=$D/run/$daemon.pid pid
        [ -f "$file" ] || continue
        pid=$(cat "$file")
        kill "$pid" 2>/dev/null || continue
        for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
        kill -0 "$pid" 2>/dev/null && kill -9 "$pid"
        say "stopped $daemon ($pid)"
    done
    rm -rf "$D"
    exit $status
}
trap stop EXIT

# The user that munge's tools trust must be able to reach the socket.
chmod 755 "$D"
mkdir -p "$D"/{run,log,state,spool,results}
head -c 1024 /dev/urandom >"$D/munge.key"
chmod 600 "$D/munge.key"
host=$(hostname -s)
cat >"$D/slurm.conf" <<CONF
ClusterName=nqueens
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$D/run/munge.sock,cred_expire=5
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool
SlurmctldPidFile=$D/run/slurmctld.pid
SlurmdPidFile=$D/run/slurmd.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MpiDefault=none
ReturnToService=2
KillWait=5
MinJobAge=300
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$D/slurm.conf

munged --key-file="$D/munge.key" --socket="$D/run/munge.sock" --pid-file="$D/run/munged.pid" \
    --log-file="$D/log/munged.log" --seed-file="$D/run/munged.seed"
slurmctld -c -i
slurmd -c
until sinfo -h -o %T 2>/dev/null | grep -q idle; do sleep 0.2; done
say "a Slurm of one node is up: $(sinfo -h -o '%n %T, %c CPUs')"

plan=$D/plan.json
results=$D/results
"$NQUEENS" plan 14 --shards 4 -o "$plan"
export NQUEENS_OPTIONS="--backend cpu --threads 1 --save-every 100ms" NQUEENS_FAULTS=slow=2500
read -r array merge < <("$examples/submit.sh" "$plan" "$results")
say "sent: array $array, merge $merge"
state() { squeue -h -t all -o '%T' -j "$1" 2>/dev/null | head -n 1; }
# Processes of a shard, by its number on their command line: of this plan only.
program() { ps -eo pid=,args= | awk -v plan="$plan" -v shard="$1" '$2 ~ /nqueens$/ && $4 == plan && $6 == shard { print $1 }'; }
# A shard is in its middle: a tenth of it is done.
middle() { until "$NQUEENS" status "$plan" "$results" --json | grep -q "\"shard\":$1,\"share_done\":0\\.[1-9]"; do sleep 0.1; done; }

# A task killed in its middle goes back into the queue and on from its checkpoint.
middle 0
pid=$(program 0)
say "shard 0 runs as process $pid: killing it with -9"
kill -9 $pid
# A task preempted: Slurm sends TERM, the shard saves, and runs again.
middle 1
say "requeueing shard 1, which sends TERM"
scontrol requeue "${array}_1"
"$NQUEENS" status "$plan" "$results"
# A task cancelled is not requeued: it must be sent again.
middle 3
say "cancelling shard 3"
scancel "${array}_3"

for shard in 0 1 2; do until [ -f "$results/shard-00000$shard.json" ]; do sleep 0.2; done; done
until [ "$(state "${array}_3")" = CANCELLED ]; do sleep 0.2; done
say "shards 0, 1 and 2 are done; missing: $("$NQUEENS" status "$plan" "$results" --missing)"
"$NQUEENS" merge "$plan" "$results" && exit 1
[ "$("$NQUEENS" status "$plan" "$results" --missing)" = 3 ]
unset NQUEENS_FAULTS
read -r array merge < <("$examples/resubmit.sh" "$plan" "$results")
say "sent what was missing: array $array, merge $merge"
until [ "$(state "$merge")" = COMPLETED ]; do
    case $(state "$merge") in FAILED | CANCELLED) exit 1 ;; esac
    sleep 0.2
done
say "merge $merge: $(cat "$results/log/merge-$merge.log")"
cat "$results"/log/*_*.log | grep -E 'resuming|back into|stopped by' | sort | uniq -c
count=$("$NQUEENS" merge "$plan" "$results")
say "n = 14: $count"
[ "$count" = 365596 ]
grep -qs 'resuming:' "$results"/log/*_0.log
grep -qs 'resuming:' "$results"/log/*_1.log
grep -qs 'resuming:' "$results"/log/*_3.log
say "passed"
