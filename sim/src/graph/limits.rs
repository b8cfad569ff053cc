//! Limits of a graph and of the lengths of its edges.

/// Most nodes of a graph: a work ID has 24 bits (HWWL, III-B).
pub const MAX_NODES: u64 = 1 << 24;

/// The largest length of an edge, and of a shortest path: the kernels add up 32 bits, and 2^32 - 1 is a node that is not reached.
pub const MAX_LENGTH: u32 = u32::MAX - 1;
