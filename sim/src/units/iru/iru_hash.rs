//! `iru_hash`: where an element belongs (3.3): the number of the memory block that its access will touch, hashed.

use super::element::{Access, INDEX_MASK};
use super::pins::{IruHashIn, IruHashOut};
use super::{HashKind, Parameters};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

/// Odd, with four bits set.
const MULTIPLIER: u32 = 2_105_409;

/// A set of the whole unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub partition: u8,
    pub bank: u8,
    pub set: u16,
}

/// The function, without its registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hasher {
    kind: HashKind,
    bits: u32,
    partition_bits: u32,
    set_bits: u32,
}

impl Hasher {
    pub fn new(parameters: &Parameters) -> Self {
        Hasher {
            kind: parameters.hash,
            bits: parameters.hash_bits(),
            partition_bits: parameters.partition_bits(),
            set_bits: parameters.set_bits(),
        }
    }

    /// XOR of the pieces of [`Hasher::bits`] bits.
    #[inline]
    fn fold(&self, mut x: u32) -> u32 {
        let mut folded = 0;
        while x != 0 {
            folded ^= x;
            x >>= self.bits;
        }
        folded & ((1 << self.bits) - 1)
    }

    /// The lowest bits of the block become the highest of the hash: neighbouring blocks lie in different partitions.
    #[inline]
    fn spread(&self, block: u32) -> u32 {
        let low = |word: u32, bits: u32| word & ((1 << bits) - 1);
        let partition = low(block, self.partition_bits);
        let bank = low(block >> self.partition_bits, 1);
        let set = low(block >> (self.partition_bits + 1), self.set_bits);
        (partition << 1 | bank) << self.set_bits | set
    }

    #[inline]
    fn of_block(&self, block: u32) -> u32 {
        match self.kind {
            HashKind::Multiplicative => self.fold(block.wrapping_mul(MULTIPLIER)),
            HashKind::Modulo => self.spread(block),
            HashKind::Xor => self.fold(block),
        }
    }

    #[inline]
    pub fn place(&self, index: u32, access: &Access) -> Place {
        let hash = self.of_block(block(index, access));
        Place {
            partition: (hash >> (self.set_bits + 1)) as u8,
            bank: (hash >> self.set_bits & 1) as u8,
            set: (hash & ((1 << self.set_bits) - 1)) as u16,
        }
    }
}

/// Number of the block of 128 bytes in which the accessed element lies: bits 38 to 7 of its address.
#[inline]
fn block(index: u32, access: &Access) -> u32 {
    ((access.target + (((index & INDEX_MASK) as u64) << access.size)) >> 7) as u32
}

#[derive(Clone, Debug)]
pub struct IruHash {
    parameters: Parameters,
    hasher: Hasher,
    block: u32,
    hash: u32,
}

impl IruHash {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::iru::IRU_HASH)?;
        Ok(IruHash { parameters: *parameters, hasher: Hasher::new(parameters), block: 0, hash: 0 })
    }
}

impl Unit for IruHash {
    type In = IruHashIn;
    type Out = IruHashOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> IruHashOut {
        IruHashOut { hash: self.hash }
    }

    fn clock(&mut self, pins: &IruHashIn) -> Result<(), Fault> {
        if pins.enable_2 {
            self.hash = self.hasher.of_block(self.block);
        }
        if pins.enable_1 {
            self.block = block(pins.index, &pins.access);
        }
        Ok(())
    }

    /// The registers are not reset.
    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [HashKind; 3] = [HashKind::Multiplicative, HashKind::Modulo, HashKind::Xor];

    /// Bit i of the hash, by the definition: of the bits of the word with the numbers i, i + H, i + 2 H, ...
    fn reference(kind: HashKind, partitions: u128, bits: u32, address: u128) -> u32 {
        let block = (address >> 7) % (1 << 32);
        let lowest = block % (2 * partitions);
        let first = (lowest % partitions * 2 + lowest / partitions) * (1 << bits) / (2 * partitions);
        let rotated = first + block % (1 << bits) / (2 * partitions);
        let (word, span) = match kind {
            HashKind::Multiplicative => ((block + (block << 6) + (block << 13) + (block << 21)) % (1 << 32), 32),
            HashKind::Modulo => (rotated, bits),
            HashKind::Xor => (block, 32),
        };
        let bit = |i| (i..span).step_by(bits as usize).filter(|at| word >> at & 1 == 1).count() as u32 % 2;
        (0..bits).map(|i| bit(i) << i).sum()
    }

    /// Hashes of 10 bits: partition 1, bank 1, set 0; and partition 2 of the same.
    const BLOCK_5: u32 = 0b01_1_000_0000;
    const BLOCK_6: u32 = 0b10_1_000_0000;

    #[test]
    fn two_stages_that_each_wait_for_their_enable() {
        let mut unit = IruHash::new(&Parameters { hash: HashKind::Modulo, ..Default::default() }).unwrap();
        let pins =
            |index, enable_1, enable_2| IruHashIn { index, access: Access { target: 0, size: 7 }, enable_1, enable_2 };
        unit.clock(&pins(5, true, false)).unwrap();
        unit.clock(&pins(6, true, true)).unwrap();
        assert_eq!(unit.outputs().hash, BLOCK_5);
        unit.clock(&pins(7, false, false)).unwrap();
        assert_eq!(unit.outputs().hash, BLOCK_5);
        unit.clock(&pins(8, false, true)).unwrap();
        assert_eq!(unit.outputs().hash, BLOCK_6);
    }

    #[test]
    fn elements_of_one_block_share_a_set() {
        let hasher = Hasher::new(&Parameters::default());
        let access = Access { target: 1 << 20, size: 2 };
        for block in 0..500 {
            let place = hasher.place(32 * block, &access);
            assert!((0..32).all(|i| hasher.place(32 * block + i, &access) == place));
        }
    }

    #[test]
    fn of_modulo_the_lowest_bits_name_the_partition_the_next_the_bank() {
        let hasher = Hasher::new(&Parameters { hash: HashKind::Modulo, ..Default::default() });
        let place = hasher.place(0b11_1_10, &Access { target: 0, size: 7 });
        assert_eq!(place, Place { partition: 2, bank: 1, set: 3 });
    }

    proptest! {
        #[test]
        fn hashes_are_those_of_the_definition(
            index in 0..1u32 << 24,
            target in 0..1u64 << 39,
            size in 0..8u8,
            kind in prop::sample::select(KINDS.to_vec()),
            partitions in prop::sample::select(vec![2usize, 4]),
            sets in 2..11u32,
        ) {
            let parameters = Parameters { partitions, sets: 1 << sets, hash: kind, ..Default::default() };
            let mut unit = IruHash::new(&parameters).unwrap();
            let pins = IruHashIn { index, access: Access { target, size }, enable_1: true, enable_2: true };
            unit.clock(&pins).unwrap();
            unit.clock(&pins).unwrap();
            let address = target as u128 + index as u128 * 2u128.pow(size as u32);
            prop_assert_eq!(unit.outputs().hash, reference(kind, partitions as u128, parameters.hash_bits(), address));
        }
    }
}
