//! Elements on pins.

use crate::pins::group;

/// Bits of an index and of a position: arrays of up to 2^24 elements.
pub const INDEX_BITS: u32 = 24;
/// Elements of a line of memory, of a set, and of a warp.
pub const LINE: usize = 32;
/// Elements of a sector of memory, which are classified together.
pub const GROUP: usize = 8;
/// Elements that a set gives at a time.
pub const BEAT: usize = 4;
/// The lower [`INDEX_BITS`].
pub const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;

group! {
    /// One entry of the arrays that are reordered.
    Element() {
        /// Which element of the target array will be accessed.
        index: u32 = INDEX_BITS,
        secondary: u32 = 32,
        /// Where in the index array it was.
        position: u32 = INDEX_BITS,
    }
}

group! {
    /// An element with what remains to be known of its hash. On the way to a bank: the set. On the ring: the set, the bank
    /// above it, and above this 1 if the element goes past the next partition.
    Placed(bits: u32) {
        element: Element as "",
        place: u16 = bits,
    }
}

group! {
    /// The irregular access that the elements are for.
    Access() {
        /// Address of the target array, in bytes.
        target: u64 = 39,
        /// log2 of the bytes of one of its elements: 0 to 7.
        size: u8 = 3,
    }
}
