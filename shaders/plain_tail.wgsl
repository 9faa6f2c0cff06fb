// The plain tail: the last T rows of a survivor, row by row. Twin of
// src/method/most_constrained/plain_tail.rs, step by step.
//
// Each row's free squares were taken when the survivor was queued; from then on only the new queens matter: their
// columns, and their diagonals, shifted by the gap to the next free row. Each invocation takes a survivor from the queue,
// finishes it and takes the next. After about `limits.steps` trips it saves where it is and continues in the next dispatch.
//
// Survivors are short, so taking one must not cost every trip of every lane: lanes look for work every BURST trips.

// Free rows of a survivor, at least 1.
override T: u32 = 6u;

// Vectors of a survivor: T rows and two words more.
override VECTORS: u32 = (T + 5u) / 4u;

// Trips between two looks for work.
const BURST: u32 = 8u;

// The queue. Of each survivor, in as many vectors as that takes: the free squares of each row, the free rows, the prefix.
@group(0) @binding(0) var<storage, read> survivors: array<vec4<u32>>;
// Of each prefix: its completions, low word and high word.
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
// `saved` holds two slots of registers and the stack of an invocation.

// Of each row: its free squares, and the gap from the row before.
var<workgroup> table: array<vec2<u32>, T * LANES>;
// Of each level with squares left to try: those squares, then columns, left and right before its queen.
var<workgroup> stack: array<vec4<u32>, T * LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let invocation = group.x * LANES + lane;
    begin_report(lane);

    let registers = saved[invocation];
    var squares = registers.x;
    var columns = registers.y;
    var left = registers.z;
    var right = registers.w;
    let more = saved[limits.stride + invocation];
    // Place in the queue of the survivor at hand plus one; 0: none.
    var survivor = more.x;
    var height = more.y;
    // Solutions of the survivor at hand, not yet added to its prefix.
    var found = more.z;
    if survivor != 0u {
        fill_table(survivor - 1u, lane);
    }
    for (var level = 0u; level < height; level++) {
        stack[level * LANES + lane] = saved[(2u + level) * limits.stride + invocation];
    }

    let queued = atomicLoad(&counters.survivors);
    var steps = 0u;
    var done = 0u;
    for (var burst = 0u; burst < limits.steps; burst += BURST) {
        if squares == 0u && height == 0u {
            if survivor != 0u {
                add(prefix_of(survivor - 1u), found);
                survivor = 0u;
                done += 1u;
            }
            // Look before taking, so that the counter cannot wrap however often it is asked.
            if atomicLoad(&counters.taken) >= queued {
                break;
            }
            let at = atomicAdd(&counters.taken, 1u);
            if at >= queued {
                break;
            }
            survivor = at + 1u;
            fill_table(at, lane);
            columns = 0u;
            left = 0u;
            right = 0u;
            found = 0u;
            squares = table[lane].x;
            if T == 1u {
                found = u32(squares != 0u);
                squares = 0u;
            }
        }
        // At most one solution a trip, so it cannot wrap before the next look.
        if found >= 0x80000000u {
            add(prefix_of(survivor - 1u), found);
            found = 0u;
        }
        for (var trip = 0u; trip < BURST; trip++) {
            if squares == 0u {
                if height == 0u {
                    break;
                }
                height -= 1u;
                let top = stack[height * LANES + lane];
                squares = top.x;
                columns = top.y;
                left = top.z;
                right = top.w;
            }
            let queen = squares & (~squares + 1u);
            squares ^= queen;
            if squares != 0u {
                stack[height * LANES + lane] = vec4<u32>(squares, columns, left, right);
                height += 1u;
            }
            columns |= queen;
            let row = countOneBits(columns);
            let next = table[row * LANES + lane];
            left = (left | queen) << next.y;
            right = (right | queen) >> next.y;
            squares = next.x & ~(columns | left | right);
            // The last row has one free column: it needs no step of its own.
            if row == T - 1u {
                found += u32(squares != 0u);
                squares = 0u;
            }
            steps += 1u;
        }
    }

    saved[invocation] = vec4<u32>(squares, columns, left, right);
    saved[limits.stride + invocation] = vec4<u32>(survivor, height, found, 0u);
    for (var level = 0u; level < height; level++) {
        saved[(2u + level) * limits.stride + invocation] = stack[level * LANES + lane];
    }

    report(lane, group.x, survivor != 0u, steps, done);
}

// Takes the rows of a survivor into workgroup memory.
fn fill_table(survivor: u32, lane: u32) {
    let first = VECTORS * survivor;
    var rest = survivors[first + T / 4u][T % 4u];
    var before = 0u;
    for (var i = 0u; i < T; i++) {
        let row = firstTrailingBit(rest);
        rest &= rest - 1u;
        table[i * LANES + lane] = vec2<u32>(survivors[first + i / 4u][i % 4u], row - before);
        before = row;
    }
}

fn prefix_of(survivor: u32) -> u32 {
    return survivors[VECTORS * survivor + (T + 1u) / 4u][(T + 1u) % 4u];
}

// More completions of a prefix.
fn add(prefix: u32, more: u32) {
    if more == 0u {
        return;
    }
    let low = atomicAdd(&counts[2u * prefix], more);
    if low + more < more {
        atomicAdd(&counts[2u * prefix + 1u], 1u);
    }
}
