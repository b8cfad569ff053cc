//! The pins of a user unit at a memory partition. docs/own-unit.md explains them.

use crate::attach::user_unit::core::pins::{DATA_BYTES, DATA_WORDS, READ_TAG_BITS};
use crate::mem::l2_slice::Access;
use crate::mem::request::Kind;
use crate::unit::{Condition, Interface, Pin, Pins};

/// What a slice was asked for.
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

/// What the partition drives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartitionIn {
    /// The cycle of the cores, which is no pin.
    pub now: u64,
    pub watch_valid: bool,
    pub watch_kind: u8,
    pub watch_core: u8,
    pub watch_address: u64,
    pub watch_hit: bool,
    pub memory_ready: bool,
    pub reply_valid: bool,
    pub reply_tag: u8,
    pub reply_data: [u64; DATA_WORDS],
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

/// What the unit drives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartitionOut {
    pub watch_ready: bool,
    pub memory_valid: bool,
    pub memory_prefetch: bool,
    pub memory_tag: u8,
    pub memory_address: u64,
    pub reply_ready: bool,
    pub busy: bool,
    /// The counters, in the order of their pins.
    pub counters: Vec<u64>,
}

/// Makes 0 of what means nothing in the words of outputs.
pub fn tidy(words: &mut [u64]) {
    if words[1] == 0 {
        words[2..5].fill(0);
    } else if words[2] != 0 {
        words[3] = 0;
    }
}

/// What a request says means something while there is one.
fn pin(name: &str, width: u32) -> Pin {
    match name.strip_prefix("memory_") {
        Some("prefetch" | "tag" | "address") => Pin::new(name, width).valid_if(Condition::bit("memory_valid", 0)),
        _ => Pin::new(name, width),
    }
}

/// The pins of a unit, with these counters behind them.
pub fn interface(counters: &[Pin]) -> Interface {
    let pins = |list: &[(&str, u32)]| list.iter().map(|(name, width)| pin(name, *width)).collect::<Vec<_>>();
    let inputs = pins(&[
        ("watch_valid", 1),
        ("watch_kind", 2),
        ("watch_core", 8),
        ("watch_address", 64),
        ("watch_hit", 1),
        ("memory_ready", 1),
        ("reply_valid", 1),
        ("reply_tag", READ_TAG_BITS),
        ("reply_data", 8 * DATA_BYTES as u32),
    ]);
    let mut outputs = pins(&[
        ("watch_ready", 1),
        ("memory_valid", 1),
        ("memory_prefetch", 1),
        ("memory_tag", READ_TAG_BITS),
        ("memory_address", 64),
        ("reply_ready", 1),
        ("busy", 1),
    ]);
    outputs.extend(counters.iter().cloned());
    Interface { inputs, outputs }
}

impl Pins for PartitionIn {
    fn store(&self, words: &mut [u64]) {
        let (first, data) = words.split_at_mut(8);
        first.copy_from_slice(&[
            self.watch_valid.into(),
            self.watch_kind.into(),
            self.watch_core.into(),
            self.watch_address,
            self.watch_hit.into(),
            self.memory_ready.into(),
            self.reply_valid.into(),
            self.reply_tag.into(),
        ]);
        data.copy_from_slice(&self.reply_data);
    }

    fn load(&mut self, words: &[u64]) {
        let (first, data) = words.split_at(8);
        (self.watch_valid, self.watch_kind, self.watch_core) = (first[0] != 0, first[1] as u8, first[2] as u8);
        (self.watch_address, self.watch_hit, self.memory_ready) = (first[3], first[4] != 0, first[5] != 0);
        (self.reply_valid, self.reply_tag) = (first[6] != 0, first[7] as u8);
        self.reply_data.copy_from_slice(data);
    }
}

impl Pins for PartitionOut {
    fn store(&self, words: &mut [u64]) {
        let (first, counters) = words.split_at_mut(7);
        first.copy_from_slice(&[
            self.watch_ready.into(),
            self.memory_valid.into(),
            self.memory_prefetch.into(),
            self.memory_tag.into(),
            self.memory_address,
            self.reply_ready.into(),
            self.busy.into(),
        ]);
        counters.copy_from_slice(&self.counters);
    }

    fn load(&mut self, words: &[u64]) {
        let (first, counters) = words.split_at(7);
        (self.watch_ready, self.memory_valid, self.memory_prefetch) = (first[0] != 0, first[1] != 0, first[2] != 0);
        (self.memory_tag, self.memory_address) = (first[3] as u8, first[4]);
        (self.reply_ready, self.busy) = (first[5] != 0, first[6] != 0);
        self.counters.clear();
        self.counters.extend_from_slice(counters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::words;

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
