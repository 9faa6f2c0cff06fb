//! What the methods' AVX2 code shares: whether there is AVX2, and tables in place of the compression that it lacks: of each mask
//! of lanes the lanes in it, moved to the front, as indices of 32-bit words.

/// Whether this machine has AVX2 and the instructions that are compiled in together with it.
pub fn is_here() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// Lanes of one word.
pub static WORDS: [[u32; 8]; 256] = table(1);
/// Lanes of two words.
pub static PAIRS: [[u32; 8]; 16] = table(2);
/// Lanes of two words, of which the low ones are wanted.
pub static LOW: [[u32; 8]; 16] = {
    let mut table = [[0; 8]; 16];
    let mut mask = 0;
    while mask < table.len() {
        let mut at = 0;
        while at < 4 {
            table[mask][at] = PAIRS[mask][2 * at];
            at += 1;
        }
        mask += 1;
    }
    table
};

/// Indices for lanes of so many words.
const fn table<const MASKS: usize>(words: usize) -> [[u32; 8]; MASKS] {
    let mut table = [[0; 8]; MASKS];
    let mut mask = 0;
    while mask < MASKS {
        let (mut word, mut at) = (0, 0);
        while word < 8 {
            if mask >> (word / words) & 1 == 1 {
                table[mask][at] = word as u32;
                at += 1;
            }
            word += 1;
        }
        mask += 1;
    }
    table
}
