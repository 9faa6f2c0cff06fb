// What every shader has: limits of a dispatch, counters, where invocations save their state, and the report of a workgroup.
// Joined before each shader when the program is built; WGSL has no include.

// Invocations of a workgroup.
override LANES: u32 = 64u;

struct Limits {
    // Prefixes in this batch, steps an invocation may take in this dispatch, invocations that `saved` has room for.
    prefixes: u32,
    steps: u32,
    stride: u32,
}

struct Counters {
    // Prefixes taken, survivors put into the queue, survivors taken from it.
    prefixes: atomic<u32>,
    survivors: atomic<u32>,
    taken: atomic<u32>,
}

@group(0) @binding(2) var<uniform> limits: Limits;
@group(0) @binding(3) var<storage, read_write> counters: Counters;
// Of each invocation between two dispatches, as [slot][invocation].
@group(0) @binding(4) var<storage, read_write> saved: array<vec4<u32>>;
// Of each workgroup: lanes that have not finished, steps taken by all, steps taken by the busiest lane, survivors
// finished.
@group(0) @binding(5) var<storage, read_write> reports: array<vec4<u32>>;

var<workgroup> lanes_busy: atomic<u32>;
var<workgroup> steps_taken: atomic<u32>;
var<workgroup> steps_longest: atomic<u32>;
var<workgroup> survivors_finished: atomic<u32>;

// Clears the sums of the workgroup. The barrier of `report` comes between this and their use.
fn begin_report(lane: u32) {
    if lane == 0u {
        atomicStore(&lanes_busy, 0u);
        atomicStore(&steps_taken, 0u);
        atomicStore(&steps_longest, 0u);
        atomicStore(&survivors_finished, 0u);
    }
}

// Adds up what the lanes of a workgroup did, once all of them have come here.
fn report(lane: u32, group: u32, is_busy: bool, steps: u32, finished: u32) {
    workgroupBarrier();
    atomicAdd(&lanes_busy, u32(is_busy));
    atomicAdd(&steps_taken, steps);
    atomicMax(&steps_longest, steps);
    atomicAdd(&survivors_finished, finished);
    workgroupBarrier();
    if lane == 0u {
        reports[group] = vec4<u32>(
            atomicLoad(&lanes_busy),
            atomicLoad(&steps_taken),
            atomicLoad(&steps_longest),
            atomicLoad(&survivors_finished),
        );
    }
}

// The next prefix of the batch, from 0; `limits.prefixes` where none is left.
fn take_prefix() -> u32 {
    // Look before taking, so that the counter cannot wrap however often it is asked.
    if atomicLoad(&counters.prefixes) >= limits.prefixes {
        return limits.prefixes;
    }
    return min(atomicAdd(&counters.prefixes, 1u), limits.prefixes);
}
