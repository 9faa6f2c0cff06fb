//! Finishing a prefix on the CPU: one file a method, each the twin of the shader of the same name.

pub mod half_join;
pub mod lanes;
pub mod most_constrained;
pub mod plain_tail;
pub mod reference;
pub mod row_order;
pub mod symmetric;

/// What a finished search found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// The solutions that complete the prefix.
    pub solutions: u64,
    /// The queens placed on the way, those of the last row included.
    pub nodes: u64,
    /// Of those, the queens placed by the plain tail.
    pub tail_nodes: u64,
}
