//! Where an element belongs, by the definition of docs/iru/fetch.md: what stimulus expects does not come from the model.

use super::elements::block;
use sim::units::iru::element::{Access, Element};
use sim::units::iru::{HashKind, Parameters};

/// A set of the whole unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    pub partition: u8,
    pub bank: u8,
    pub set: u16,
}

/// The home of the block that the access of this element touches.
pub fn home(parameters: &Parameters, element: &Element, access: &Access) -> Home {
    of_block(parameters, block(element, access))
}

fn of_block(parameters: &Parameters, block: u32) -> Home {
    let (partitions, sets) = (parameters.partitions as u32, parameters.sets as u32);
    let (partition, bank, set) = match parameters.hash {
        HashKind::Modulo => (block % partitions, block / partitions % 2, block / (2 * partitions) % (sets / 2)),
        HashKind::Xor => of_hash(folded(block, partitions * sets), sets),
        HashKind::Multiplicative => of_hash(folded(block.wrapping_mul(2_105_409), partitions * sets), sets),
    };
    Home { partition: partition as u8, bank: bank as u8, set: set as u16 }
}

/// Partition, bank and set of a hash, from its upper bits down.
fn of_hash(hash: u32, sets: u32) -> (u32, u32, u32) {
    (hash / sets, hash % sets / (sets / 2), hash % (sets / 2))
}

/// XOR of the digits of a number that is written to the base `hashes`.
fn folded(number: u32, hashes: u32) -> u32 {
    match number {
        0 => 0,
        _ => number % hashes ^ folded(number / hashes, hashes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home_of(hash: HashKind, block: u32) -> Home {
        of_block(&Parameters { partitions: 4, sets: 256, hash, ..Default::default() }, block)
    }

    #[test]
    fn homes_are_those_of_the_page() {
        let home = |partition, bank, set| Home { partition, bank, set };
        assert_eq!(home_of(HashKind::Modulo, 0b11_1_10), home(2, 1, 3));
        // 10 bits: 1 ^ 2 ^ 3.
        assert_eq!(home_of(HashKind::Xor, 1 | 2 << 10 | 3 << 20), home(0, 0, 0));
        assert_eq!(home_of(HashKind::Xor, 0b11_1_000_0101 | 1 << 30), home(3, 1, 4));
        // 2,105,409 = 1 + 2^6 + 2^13 + 2^21: bits 0, 6, 3 and 1 of the hash.
        assert_eq!(home_of(HashKind::Multiplicative, 1), home(0, 0, 0b100_1011));
    }
}
