//! Sizes that no worklist exceeds, and what is fixed in all.

/// Most lanes that a core can have.
pub const MAX_LANES: usize = 32;
/// Most cores of a system.
pub const MAX_CORES: usize = 16;
/// Most banks that one redistribution unit, and items that one sorter can have.
pub const MAX_BANKS: usize = 64;
/// IDs of a line of memory: 128 bytes, four an ID.
pub const LINE_IDS: usize = 32;
