//! For machines without compression in one instruction: of each mask of lanes the lanes in it, moved to the front, as
//! indices of 32-bit words.

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
