//! What the unit is built with.

use super::units::{HashKind, IRU};
use crate::parameters;

parameters! {
    /// The default is the paper's (Table 1).
    Parameters of IRU {
        /// Partitions, one beside each memory partition.
        partitions: usize,
        /// Sets of a partition, in two banks.
        sets: usize,
        hash: HashKind,
        /// Cycles after which a request is answered from incomplete sets.
        timeout: u32,
        /// Requests that a partition's queue holds, and that all cores may have on their way.
        requests: usize,
        /// Consecutive lines of 128 bytes in one memory partition.
        interleave: usize,
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
