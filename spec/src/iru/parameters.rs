//! Parameters of the unit.

use crate::parameter::Parameter;
use crate::{choice, parameters};

choice! {
    /// Function from the number of a memory block to the number of a set (3.3).
    HashKind {
        /// The block's number times 2,105,409, then folded by XOR.
        Multiplicative = "multiplicative",
        /// The block number's lowest bits: those of the partition, above them the bank, above that the set.
        Modulo = "modulo",
        /// The block's number folded by XOR.
        Xor = "xor",
    }
}

pub const PARTITIONS: Parameter =
    Parameter::new("partitions", "memory partitions, an IRU partition each", 4).must_be("2 or 4", |v| v == 2 || v == 4);

pub const SETS: Parameter = Parameter::new("sets", "sets of 32 elements in a partition", 256)
    .must_be("a power of two from 4 to 1024", |v| v.is_power_of_two() && (4..=1024).contains(&v));

pub const HASH: Parameter = Parameter::new("hash", "hash: 0 multiplicative, 1 modulo, 2 xor", 0)
    .must_be("0 (multiplicative), 1 (modulo) or 2 (xor)", |v| v < HashKind::ALL.len() as u64);

pub const TIMEOUT: Parameter =
    Parameter::new("timeout", "cycles after which a request no longer waits for a complete set", 256)
        .must_be("from 16 to 65535", |v| (16..=65535).contains(&v));

pub const REQUESTS: Parameter = Parameter::new("requests", "requests that a partition holds", 1024)
    .must_be("a power of two from 16 to 4096", |v| v.is_power_of_two() && (16..=4096).contains(&v));

pub const INTERLEAVE: Parameter =
    Parameter::new("interleave", "lines of 128 bytes of an array that lie side by side in a partition", 2)
        .must_be("1, 2, 4 or 8", |v| [1, 2, 4, 8].contains(&v));

pub const LINK: Parameter =
    Parameter::new("link", "cycles of the way between neighbouring partitions; 0: none but wires", 0)
        .must_be("from 0 to 8", |v| v <= 8);

/// Chunks that the paper has: "8 on-the-fly prefetches".
pub const CHUNKS: Parameter = Parameter::new("chunks", "chunks of 32 elements that a partition has under way", 8)
    .must_be("8, 16, 32 or 64", |v| [8, 16, 32, 64].contains(&v));

/// Elements of one set that travel, and are taken by a bank, together. The paper has no bundles.
pub const BUNDLE: Parameter =
    Parameter::new("bundle", "elements of one set that a bank takes and the ring carries in a cycle", 1)
        .must_be("1, 2 or 4", |v| [1, 2, 4].contains(&v))
        .extra();

parameters! {
    /// The default is the paper's (Table 1).
    Parameters {
        /// Partitions, one per memory partition.
        partitions: usize = PARTITIONS,
        /// Sets of a partition, in two banks.
        sets: usize = SETS,
        hash: HashKind = HASH,
        /// Cycles after which a request is answered from incomplete sets.
        timeout: u32 = TIMEOUT,
        /// Requests that a partition's queue holds, and that all cores may have on their way.
        requests: usize = REQUESTS,
        /// Consecutive lines of 128 bytes in one memory partition.
        interleave: usize = INTERLEAVE,
        /// Cycles of the way between neighbouring partitions.
        link: usize = LINK,
        /// Chunks of 32 elements that a prefetcher has under way.
        chunks: usize = CHUNKS,
        /// Most elements of a bundle.
        bundle: usize = BUNDLE,
    }
}

impl Parameters {
    /// Bits of a hash: one value for each set of all partitions.
    pub fn hash_bits(&self) -> u32 {
        (self.partitions * self.sets).ilog2()
    }

    /// Bits of a partition's number.
    pub fn partition_bits(&self) -> u32 {
        self.partitions.ilog2()
    }

    /// Bits of the tag of a line that a prefetcher asks for: the chunk's slot, and below it if the line is of the secondary array.
    pub fn tag_bits(&self) -> u32 {
        self.chunks.ilog2() + 1
    }

    /// Bits of the number of a set in its bank.
    pub fn set_bits(&self) -> u32 {
        self.bank_sets().ilog2()
    }

    /// Bits of an element's place on the ring: set, bank, and whether it goes past the next partition.
    pub fn ring_place_bits(&self) -> u32 {
        self.set_bits() + 2
    }

    /// Sets of each of the two banks.
    pub fn bank_sets(&self) -> usize {
        self.sets / 2
    }
}
