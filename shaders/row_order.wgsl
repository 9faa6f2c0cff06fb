// Row order: place one queen a row, from the top down. Twin of
// src/method/row_order/search.rs, step by step.
//
// Each invocation takes a prefix from a counter, finishes it by an iterative depth-first search, writes its count and
// takes the next. After `limits.steps` trips of the loop it saves where it is and continues in the next dispatch.
//
// A trip goes back if it must (or takes a prefix), then places one queen: every trip moves every lane by one node. A
// level is pushed only if squares of it remain, so going back is one read however far it goes. The stack lies in
// workgroup memory as [level][lane]: neighbouring lanes touch neighbouring words.

// Rows of the board, levels of the stack.
override N: u32 = 16u;
override LEVELS: u32 = 12u;

override FULL: u32 = (0xffffffffu >> (31u - (N - 1u) % 32u)) * u32(N != 0u);

// Of each prefix, as its first free row sees it: occupied columns, squares attacked from the left and from the right.
@group(0) @binding(0) var<storage, read> prefixes: array<vec4<u32>>;
// Of each prefix: its completions, low word and high word.
@group(0) @binding(1) var<storage, read_write> counts: array<vec2<u32>>;
// `saved` holds two slots of registers and the stack of an invocation.

// Of each level with squares left to try: those squares, then columns, left and right before its queen.
var<workgroup> stack: array<vec4<u32>, LEVELS * LANES>;

@compute @workgroup_size(LANES)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let invocation = group.x * LANES + lane;
    begin_report(lane);

    var registers = saved[invocation];
    var squares = registers.x;
    var columns = registers.y;
    var left = registers.z;
    var right = registers.w;
    registers = saved[limits.stride + invocation];
    // Index of the prefix at hand plus one; 0: none.
    var prefix = registers.x;
    var height = registers.y;
    var before = registers.zw;
    for (var level = 0u; level < height; level++) {
        stack[level * LANES + lane] = saved[(2u + level) * limits.stride + invocation];
    }

    // Solutions found in this dispatch: at most one a step, so it cannot wrap.
    var found = 0u;
    var steps = 0u;
    while steps < limits.steps {
        if squares == 0u {
            if height != 0u {
                height -= 1u;
                let top = stack[height * LANES + lane];
                squares = top.x;
                columns = top.y;
                left = top.z;
                right = top.w;
            } else {
                if prefix != 0u {
                    counts[prefix - 1u] = add(before, found);
                    prefix = 0u;
                }
                let index = take_prefix();
                if index == limits.prefixes {
                    break;
                }
                prefix = index + 1u;
                let rows = prefixes[index];
                columns = rows.x;
                left = rows.y;
                right = rows.z;
                before = vec2<u32>(0u, 0u);
                found = 0u;
                let free = FULL & ~columns;
                squares = free & ~(left | right);
                if (free & (free - 1u)) == 0u {
                    found = u32(free == 0u || squares != 0u);
                    squares = 0u;
                }
            }
        }
        if squares != 0u {
            let queen = squares & (~squares + 1u);
            squares ^= queen;
            if squares != 0u {
                stack[height * LANES + lane] = vec4<u32>(squares, columns, left, right);
                height += 1u;
            }
            columns |= queen;
            left = (left | queen) << 1u;
            right = (right | queen) >> 1u;
            let free = FULL & ~columns;
            squares = free & ~(left | right);
            // The last row has one free column: it needs no step of its own.
            if (free & (free - 1u)) == 0u {
                found += u32(squares != 0u);
                squares = 0u;
            }
        }
        steps += 1u;
    }

    saved[invocation] = vec4<u32>(squares, columns, left, right);
    saved[limits.stride + invocation] = vec4<u32>(prefix, height, add(before, found));
    for (var level = 0u; level < height; level++) {
        saved[(2u + level) * limits.stride + invocation] = stack[level * LANES + lane];
    }

    report(lane, group.x, prefix != 0u, steps, 0u);
}

// A count of two words plus one of one word.
fn add(count: vec2<u32>, more: u32) -> vec2<u32> {
    let low = count.x + more;
    return vec2<u32>(low, count.y + u32(low < more));
}
