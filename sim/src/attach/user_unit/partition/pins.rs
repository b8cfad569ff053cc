//! The pins of a user unit at a memory partition. docs/own-unit.md explains them.

use crate::attach::user_unit::core::pins::{DATA_BYTES, DATA_WORDS, READ_TAG_BITS};
use crate::attach::user_unit::pins::user_pins;
use crate::mem::l2_slice::Access;
use crate::mem::request::Kind;
use crate::unit::{Interface, Pin};

/// Kinds of request to a slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watched {
    #[default]
    Read,
    Write,
    Atomic,
    /// An instruction or a constant.
    Code,
}

impl From<Kind> for Watched {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Atomic => Watched::Atomic,
            Kind::Instruction | Kind::Constant => Watched::Code,
            kind if kind.is_write() => Watched::Write,
            _ => Watched::Read,
        }
    }
}

user_pins! {
    /// Inputs of a unit at a partition, which the partition drives.
    PartitionIn (_lanes: |_| 0) {
        /// The cycle of the cores.
        now: u64,
    }
    pins {
        watch_valid: bool = 1,
        watch_kind: u8 = 2,
        watch_core: u8 = 8,
        watch_address: u64 = 64,
        watch_hit: bool = 1,
        memory_ready: bool = 1,
        reply_valid: bool = 1,
        reply_tag: u8 = READ_TAG_BITS,
        reply_data: [u64; DATA_WORDS] = 8 * DATA_BYTES as u32,
    }
}

impl PartitionIn {
    /// Puts an access on the pins.
    pub fn watch(&mut self, access: Option<&Access>) {
        self.watch_valid = access.is_some();
        if let Some(Access { request, hit }) = access {
            self.watch_kind = Watched::from(request.kind) as u8;
            (self.watch_core, self.watch_address, self.watch_hit) = (request.core as u8, request.address, *hit);
        }
    }
}

user_pins! {
    /// Outputs of a unit at a partition.
    PartitionOut (_lanes: |_| 0) {}
    pins {
        watch_ready: bool = 1,
        memory_valid: bool = 1,
        memory_prefetch if memory_valid: bool = 1,
        memory_tag if memory_valid: u8 = READ_TAG_BITS,
        memory_address if memory_valid: u64 = 64,
        reply_ready: bool = 1,
        busy: bool = 1,
    }
    counters
}

/// The pins of a unit, with these counters after them.
pub fn interface(counters: &[Pin]) -> Interface {
    Interface { inputs: PartitionIn::list(0), outputs: [&PartitionOut::list(0), counters].concat() }
}

/// Makes 0 of what means nothing in the words of outputs.
pub fn tidy(words: &mut [u64]) {
    if words[1] == 0 {
        words[2..5].fill(0);
    } else if words[2] != 0 {
        words[3] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{words, Pins};

    #[test]
    fn pins_come_back_from_their_words() {
        let interface = interface(&[Pin::new("stat_a", 7), Pin::new("stat_b", 64)]);
        let mut inputs: Vec<u64> = (1..=words(&interface.inputs) as u64).collect();
        [0, 4, 5, 6].into_iter().for_each(|bit| inputs[bit] = 1);
        let (mut pins, mut back) = (PartitionIn::default(), vec![0; inputs.len()]);
        pins.load(&inputs);
        pins.store(&mut back);
        assert_eq!(inputs, back);
        let mut outputs: Vec<u64> = (1..=words(&interface.outputs) as u64).collect();
        [0, 1, 2, 5, 6].into_iter().for_each(|bit| outputs[bit] = 1);
        let (mut pins, mut back) = (PartitionOut { counters: vec![0; 2], ..PartitionOut::default() }, vec![0; 9]);
        pins.load(&outputs);
        pins.store(&mut back);
        assert_eq!(outputs, back);
        assert_eq!((pins.memory_address, pins.counters), (5, vec![8, 9]));
    }
}
