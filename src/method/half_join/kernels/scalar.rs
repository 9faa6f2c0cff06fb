//! Plain Rust: the twin that the vector kernels are tested against.

use super::{Kept, Keys, Test};

pub fn filter(keys: Keys, bounds: &[u32], test: Test, kept: Kept) -> usize {
    let mut count = 0;
    for (segment, end) in bounds.windows(2).zip(kept.ends) {
        for i in segment[0] as usize..segment[1] as usize {
            let high = keys.high.get(i).copied().unwrap_or(0);
            kept.low[count] = keys.low[i].rotate_left(test.rotate);
            if let Some(kept) = kept.high.get_mut(count) {
                *kept = high;
            }
            // No branch: what fails is overwritten.
            count += usize::from((keys.low[i] & test.low) | u32::from(high & test.high) == 0);
        }
        *end = count as u32;
    }
    count
}

pub fn pairs(a: &[u32], b: &[u32]) -> u64 {
    a.iter().map(|&x| b.iter().map(|&y| u32::from(x & y == 0)).sum::<u32>()).map(u64::from).sum()
}
