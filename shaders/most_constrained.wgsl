// Most constrained line first: fill the row or column with the fewest free squares. Twin of
// src/method/most_constrained/search.rs, step by step.
//
// Each invocation takes a prefix from a counter and searches below it down to T free rows. A board that gets there alive
// is a survivor: it goes into a queue, from which plain_tail.wgsl finishes it. After `limits.steps` trips of the loop an
// invocation saves where it is and continues in the next dispatch; the host gives it no more trips than the queue has room
// for.
//
// A trip brings one board: by the next square of the line at hand, of a line further up, or by a new prefix. Then one
// pass over its free rows finds dead ends and the line to fill next. Every trip moves every lane by one board, so lanes
// in step do the same work.
//
// A line is put on the stack only if squares of it remain, at the level of its board: free rows - T - 1. `pending` knows
// which levels are taken, so going back is one read however far it goes. The levels with few free rows, where nearly all
// the work is, lie in workgroup memory, the others in the buffer.

// Rows of the board, levels in workgroup memory, free rows of a survivor.
override N: u32 = 16u;
override LEVELS: u32 = 4u;
override T: u32 = 6u;
// Slots for the rows of the board at hand: a power of 2, at least T.
override SLOTS: u32 = 8u;

// Vectors of a survivor: T rows and two words more.
override VECTORS: u32 = (T + 5u) / 4u;

// Of each prefix: free rows, free columns, antidiagonals (two words); diagonals (two words), 0, 0.
@group(0) @binding(0) var<storage, read> prefixes: array<vec4<u32>>;
// Of each prefix: its completions, low word and high word.
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
// `saved` holds three slots of registers and two slots for each level that lies in workgroup memory; and always two slots
// for each other level.

// The queue. Of each survivor, in as many vectors as that takes: the free squares of each row, the free rows, the prefix.
@group(0) @binding(6) var<storage, read_write> survivors: array<vec4<u32>>;
// Of each prefix: 0 once it has been searched.
@group(0) @binding(7) var<storage, read_write> searched: array<u32>;

// Of each level with squares left to try: the board before its queen, its line and those squares.
var<workgroup> stack: array<vec4<u32>, 2u * LEVELS * LANES>;
// The free squares of the rows of the board at hand. Where there are more than fit, nobody reads them.
var<workgroup> row_squares: array<u32, SLOTS * LANES>;

// Lines are rows from 0, columns from here.
const FIRST_COLUMN: u32 = 32u;

struct Board {
    rows: u32,
    columns: u32,
    antidiagonals: vec2<u32>,
    diagonals: vec2<u32>,
}

// The 32 bits from bit `shift` (0 to 31) of a set of two words, the second of them shifted left by one.
fn window(lines: vec2<u32>, shift: u32) -> u32 {
    return (lines.x >> shift) | (lines.y << (31u - shift));
}

fn shifted(lines: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(lines.x, lines.y << 1u);
}

// A set of two words with one bit.
fn single(bit: u32) -> vec2<u32> {
    let word = 1u << (bit & 31u);
    return select(vec2<u32>(word, 0u), vec2<u32>(0u, word), bit >= 32u);
}

fn free_squares_of_column(board: Board, column: u32) -> u32 {
    // Bit n - 1 - r of the window belongs to row r.
    let mirrored = reverseBits(window(shifted(board.diagonals), column)) >> ((32u - N) & 31u);
    return board.rows & ~(window(shifted(board.antidiagonals), column) | mirrored);
}

fn place(board: Board, row: u32, column: u32) -> Board {
    return Board(
        board.rows & ~(1u << row),
        board.columns & ~(1u << column),
        board.antidiagonals | single(row + column),
        board.diagonals | single(column + N - 1u - row),
    );
}

@compute @workgroup_size(LANES)
fn main(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
) {
    let invocation = group.x * LANES + lane;
    begin_report(lane);

    var words = saved[invocation];
    var more = saved[limits.stride + invocation];
    var board = Board(words.x, words.y, words.zw, more.xy);
    // The line at hand and its squares not yet tried.
    var line = more.z;
    var squares = more.w;
    words = saved[2u * limits.stride + invocation];
    // Index of the prefix at hand plus one; 0: none.
    var prefix = words.x;
    var pending = words.y;
    for (var slot = 0u; slot < 2u * LEVELS; slot++) {
        if ((pending >> (slot / 2u)) & 1u) != 0u {
            stack[slot * LANES + lane] = saved[(3u + slot) * limits.stride + invocation];
        }
    }

    var steps = 0u;
    while steps < limits.steps {
        var is_new = false;
        if squares == 0u {
            if pending != 0u {
                let level = firstTrailingBit(pending);
                pending &= pending - 1u;
                if level < LEVELS {
                    words = stack[2u * level * LANES + lane];
                    more = stack[(2u * level + 1u) * LANES + lane];
                } else {
                    words = saved[(3u + 2u * level) * limits.stride + invocation];
                    more = saved[(4u + 2u * level) * limits.stride + invocation];
                }
                board = Board(words.x, words.y, words.zw, more.xy);
                line = more.z;
                squares = more.w;
            } else {
                if prefix != 0u {
                    searched[prefix - 1u] = 0u;
                    prefix = 0u;
                }
                let index = take_prefix();
                if index == limits.prefixes {
                    break;
                }
                prefix = index + 1u;
                words = prefixes[2u * index];
                more = prefixes[2u * index + 1u];
                board = Board(words.x, words.y, words.zw, more.xy);
                is_new = true;
            }
        }
        if !is_new {
            let square = firstTrailingBit(squares);
            squares &= squares - 1u;
            if squares != 0u {
                let level = countOneBits(board.rows) - (T + 1u);
                pending |= 1u << level;
                words = vec4<u32>(board.rows, board.columns, board.antidiagonals);
                more = vec4<u32>(board.diagonals, line, squares);
                if level < LEVELS {
                    stack[2u * level * LANES + lane] = words;
                    stack[(2u * level + 1u) * LANES + lane] = more;
                } else {
                    saved[(3u + 2u * level) * limits.stride + invocation] = words;
                    saved[(4u + 2u * level) * limits.stride + invocation] = more;
                }
            }
            let is_column = line >= FIRST_COLUMN;
            board = place(board, select(line, square, is_column), select(square, line - FIRST_COLUMN, is_column));
        }
        squares = 0u;

        // Columns free in at least one, two, three and four of the rows; the row with the fewest squares, the innermost
        // of those, as squares << 12 | distance from the middle << 6 | row.
        var one = 0u;
        var two = 0u;
        var three = 0u;
        var four = 0u;
        var fewest = 0xffffffffu;
        var slot = lane;
        let antidiagonals = shifted(board.antidiagonals);
        let diagonals = shifted(board.diagonals);
        for (var rest = board.rows; rest != 0u; rest &= rest - 1u) {
            let row = firstTrailingBit(rest);
            let free = board.columns & ~(window(antidiagonals, row) | window(diagonals, N - 1u - row));
            row_squares[slot] = free;
            slot = (slot + LANES) & (SLOTS * LANES - 1u);
            four |= three & free;
            three |= two & free;
            two |= one & free;
            one |= free;
            let distance = u32(abs(i32(2u * row) - i32(N - 1u)));
            fewest = min(fewest, (countOneBits(free) << 12u) | ((distance << 6u) | row));
        }
        let count = fewest >> 12u;
        if count != 0u && one == board.columns {
            if countOneBits(board.rows) == T {
                if T == 0u {
                    add_one(prefix - 1u);
                } else {
                    survive(board.rows, prefix - 1u, lane);
                }
            } else {
                // A forced row, a forced column, a column of two squares, a row of two, and so on.
                var candidates = select(0u, three & ~four, count > 3u);
                let pairs = two & ~three;
                candidates = select(candidates, pairs, count > 2u && pairs != 0u);
                let forced = one & ~two;
                candidates = select(candidates, forced, count > 1u && forced != 0u);
                if candidates != 0u {
                    let column = firstTrailingBit(candidates);
                    line = FIRST_COLUMN + column;
                    squares = free_squares_of_column(board, column);
                } else {
                    line = fewest & 63u;
                    squares = board.columns & ~(window(antidiagonals, line) | window(diagonals, N - 1u - line));
                }
            }
        }
        steps += 1u;
    }

    saved[invocation] = vec4<u32>(board.rows, board.columns, board.antidiagonals);
    saved[limits.stride + invocation] = vec4<u32>(board.diagonals, line, squares);
    saved[2u * limits.stride + invocation] = vec4<u32>(prefix, pending, 0u, 0u);
    for (var slot = 0u; slot < 2u * LEVELS; slot++) {
        if ((pending >> (slot / 2u)) & 1u) != 0u {
            saved[(3u + slot) * limits.stride + invocation] = stack[slot * LANES + lane];
        }
    }

    report(lane, group.x, prefix != 0u, steps, 0u);
}

// Puts the board whose rows are in `row_squares` into the queue, top row first or bottom row first: whichever end has
// fewer ways to place its first two queens.
fn survive(rows: u32, prefix: u32, lane: u32) {
    let at = atomicAdd(&counters.survivors, 1u);
    let last = (T - 1u) * LANES;
    let second = select(0u, LANES, T > 1u);
    let top = countOneBits(row_squares[lane]) * countOneBits(row_squares[second + lane]);
    let bottom = countOneBits(row_squares[last + lane]) * countOneBits(row_squares[last - second + lane]);
    let from_bottom = bottom < top;
    var slot = select(lane, last + lane, from_bottom);
    let stride = select(LANES, 0u - LANES, from_bottom);
    for (var vector = 0u; vector < VECTORS; vector++) {
        var words = vec4<u32>(0u, 0u, 0u, 0u);
        for (var i = 0u; i < 4u; i++) {
            let word = 4u * vector + i;
            if word < T {
                words[i] = row_squares[slot];
                slot += stride;
            } else if word == T {
                words[i] = select(rows, reverseBits(rows), from_bottom);
            } else if word == T + 1u {
                words[i] = prefix;
            }
        }
        survivors[VECTORS * at + vector] = words;
    }
}

// One more completion of a prefix.
fn add_one(prefix: u32) {
    if atomicAdd(&counts[2u * prefix], 1u) == 0xffffffffu {
        atomicAdd(&counts[2u * prefix + 1u], 1u);
    }
}
