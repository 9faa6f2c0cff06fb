//! All placements of a block: depth first, straight into buckets by column set.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::diagonals::Side;
use super::shape::Shape;
use super::subsets::Subsets;

/// A placement in a block: its key in the low 48 bits and its group within the bucket above those.
pub type Record = u64;

/// Placements are kept in pieces of this many, so that nothing is copied as lists grow.
pub const PIECE: usize = 512;

/// Placements, each in the bucket of its column set.
#[derive(Debug, Default)]
pub struct Buckets {
    /// Of each bucket: its pieces, all but the last one full.
    pieces: Vec<Vec<Vec<Record>>>,
    /// The last piece of each bucket.
    open: Vec<Vec<Record>>,
    /// Empty pieces to be used again.
    spare: Vec<Vec<Record>>,
    /// The full pieces of all buckets that share a limit, and that limit.
    used: Arc<AtomicUsize>,
    most: usize,
}

impl Buckets {
    /// Empties the buckets and sets how many there are and about how many placements they hold at most, together with all
    /// that count their pieces by the same `used`.
    pub fn reset(&mut self, buckets: usize, most: usize, used: &Arc<AtomicUsize>) {
        self.spare.extend(self.pieces.iter_mut().flat_map(|pieces| pieces.drain(..)));
        self.spare.extend(self.open.drain(..).filter(|piece| piece.capacity() > 0));
        self.spare.iter_mut().for_each(Vec::clear);
        self.open.resize_with(buckets, Vec::new);
        self.pieces.resize_with(buckets, Vec::new);
        self.used = Arc::clone(used);
        self.most = most / PIECE;
    }

    #[inline(always)]
    fn push(&mut self, bucket: usize, record: Record) {
        if self.open[bucket].len() == self.open[bucket].capacity() {
            self.renew(bucket);
        }
        self.open[bucket].push(record);
    }

    #[cold]
    fn renew(&mut self, bucket: usize) {
        let piece = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(PIECE));
        let full = std::mem::replace(&mut self.open[bucket], piece);
        if !full.is_empty() {
            self.used.fetch_add(1, Relaxed);
            self.pieces[bucket].push(full);
        }
    }

    /// Whether there are more placements than allowed, not counting those in unfinished pieces.
    pub fn is_too_large(&self) -> bool {
        self.used.load(Relaxed) > self.most
    }

    /// The placements of a bucket.
    pub fn of_bucket(&self, bucket: usize) -> impl Iterator<Item = &[Record]> + Clone {
        self.pieces[bucket].iter().chain(std::iter::once(&self.open[bucket])).map(Vec::as_slice)
    }

    /// How many placements a bucket has.
    pub fn len(&self, bucket: usize) -> usize {
        self.of_bucket(bucket).map(<[_]>::len).sum()
    }
}

/// Which columns a pass is restricted to: every placement has a queen in each of `needed` and none in `barred`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// Columns that must have a queen of the block.
    pub needed: u32,
    /// Columns that must not.
    pub barred: u32,
}

impl Pass {
    /// The part with a queen in a column.
    pub fn needing(self, column: u32) -> Self {
        Self { needed: self.needed | column, ..self }
    }

    /// The part without one.
    pub fn barring(self, column: u32) -> Self {
        Self { barred: self.barred | column, ..self }
    }
}

/// What a queen on one square adds to a placement: its key, and below that
/// its column among the free ones (32 bits) and its row in the count from the centre, if in a middle column (8 bits each).
#[derive(Clone, Copy, Default)]
struct Queen {
    key: u64,
    place: u64,
}

/// The placements of a block, to be enumerated in parts.
pub struct Block<'a> {
    subsets: &'a Subsets,
    pass: Pass,
    rows: usize,
    /// Of each row, nearest the centre first: the squares that the prefix leaves free, and what a queen adds.
    squares: [u32; 16],
    queens: Box<[[Queen; 32]; 16]>,
}

/// A placement in the first rows of a block.
#[derive(Clone, Copy, Default)]
pub struct Partial {
    depth: usize,
    columns: u32,
    left: u32,
    right: u32,
    sum: Queen,
}

impl<'a> Block<'a> {
    /// The block of one side.
    pub fn new(shape: Shape, side: &Side, subsets: &'a Subsets, pass: Pass) -> Self {
        let rows = shape.block() as usize;
        let mut squares = [0; 16];
        let mut queens = Box::new([[Queen::default(); 32]; 16]);
        let middle = shape.middle_columns();
        for (depth, row) in (0..shape.block()).rev().enumerate() {
            squares[depth] = side.board.free_squares(row) & !pass.barred;
            for column in crate::board::bits(squares[depth]) {
                let below = side.board.free_column_mask & ((1 << column) - 1);
                let mut place = 1u64 << below.count_ones();
                if column == middle[0] {
                    place |= (depth as u64) << 32;
                } else if column == middle[1] {
                    place |= (depth as u64) << 40;
                }
                queens[depth][column as usize] = Queen { key: side.key(row, column), place };
            }
        }
        Self { subsets, pass, rows, squares, queens }
    }

    fn free(&self, partial: &Partial) -> u32 {
        self.squares[partial.depth] & !(partial.columns | partial.left | partial.right)
    }

    fn place(&self, partial: &Partial, column: u32) -> Partial {
        let queen = 1 << column;
        let Queen { key, place } = self.queens[partial.depth & 15][column as usize & 31];
        Partial {
            depth: partial.depth + 1,
            columns: partial.columns | queen,
            left: (partial.left | queen) << 1,
            right: (partial.right | queen) >> 1,
            sum: Queen { key: partial.sum.key | key, place: partial.sum.place | place },
        }
    }

    /// The placements in the first rows, at most `rows` of them and fewer than the block has.
    pub fn parts(&self, rows: usize) -> Vec<Partial> {
        let mut parts = vec![Partial::default()];
        for _ in 0..rows.min(self.rows - 1) {
            parts = parts
                .iter()
                .flat_map(|part| crate::board::bits(self.free(part)).map(|column| self.place(part, column)))
                .collect();
        }
        parts
    }

    /// Completes a part in every way. Stops early if the buckets overflow.
    pub fn complete(&self, part: &Partial, buckets: &mut Buckets) {
        let mut squares = self.free(part);
        let rows = self.rows - part.depth;
        // With as many columns still needed as there are rows left, no others will do.
        let missing = self.pass.needed & !part.columns;
        if missing.count_ones() as usize >= rows {
            squares &= if missing.count_ones() as usize == rows { missing } else { 0 };
        }
        match rows {
            1 => self.finish(part, squares, buckets),
            2 if buckets.is_too_large() => (),
            2 => {
                while squares != 0 {
                    let next = self.place(part, squares.trailing_zeros());
                    squares &= squares - 1;
                    self.finish(&next, self.free(&next), buckets);
                }
            }
            _ => {
                while squares != 0 {
                    self.complete(&self.place(part, squares.trailing_zeros()), buckets);
                    squares &= squares - 1;
                }
            }
        }
    }

    /// The last row.
    #[inline(always)]
    fn finish(&self, part: &Partial, mut squares: u32, buckets: &mut Buckets) {
        let missing = self.pass.needed & !part.columns;
        if missing != 0 {
            squares &= if missing.is_power_of_two() { missing } else { 0 };
        }
        let last = &self.queens[(self.rows - 1) & 15];
        while squares != 0 {
            let queen = last[squares.trailing_zeros() as usize & 31];
            squares &= squares - 1;
            let key = part.sum.key | queen.key;
            let place = part.sum.place | queen.place;
            // With no queen in a middle column its number is 0, so this is also the number of the other.
            let tag = ((place >> 32) as u32 & 0xff).abs_diff((place >> 40) as u32);
            let set = place as u32;
            let group = self.subsets.rank_in_bucket(set) * self.rows as u32 + tag;
            buckets.push(self.subsets.bucket(set), key | u64::from(group) << 48);
        }
    }
}
