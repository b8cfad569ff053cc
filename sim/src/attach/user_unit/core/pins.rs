//! The pins of a user unit at a core. docs/own-unit.md explains them.

use crate::ptx::isa::WARP_SIZE;
use crate::unit::{Condition, Interface, Pin, Pins};

/// Bits of `request_tag` and `answer_tag`.
pub const TAG_BITS: u32 = 6;
/// Bits of `memory_tag` and `reply_tag`.
pub const READ_TAG_BITS: u32 = 4;
/// Bytes of the largest access to memory.
pub const DATA_BYTES: usize = 32;
/// 64-bit words of `memory_data` and `reply_data`.
pub const DATA_WORDS: usize = DATA_BYTES / 8;
/// How the name of a counter begins.
pub const COUNTER: &str = "stat_";

/// What the core drives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreIn {
    /// The cycle of the core, which is no pin.
    pub now: u64,
    /// Lanes of a warp, which are no pin either.
    pub lanes: usize,
    pub request_valid: bool,
    pub request_operation: u8,
    pub request_tag: u8,
    pub request_warp: u8,
    pub request_lanes: u32,
    pub request_a: [u32; WARP_SIZE],
    pub request_b: [u32; WARP_SIZE],
    pub answer_ready: bool,
    pub memory_ready: bool,
    pub reply_valid: bool,
    pub reply_tag: u8,
    pub reply_data: [u64; DATA_WORDS],
}

/// What the unit drives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreOut {
    /// Lanes of a warp, which are no pin.
    pub lanes: usize,
    pub request_ready: bool,
    pub answer_valid: bool,
    pub answer_tag: u8,
    pub answer_lanes: u32,
    pub answer_data: [u32; WARP_SIZE],
    pub memory_valid: bool,
    pub memory_write: bool,
    pub memory_tag: u8,
    pub memory_size: u8,
    pub memory_address: u64,
    pub memory_data: [u64; DATA_WORDS],
    pub reply_ready: bool,
    pub busy: bool,
    /// The counters, in the order of their pins.
    pub counters: Vec<u64>,
}

/// What an answer and a request to memory say means something while there is one.
fn pin(name: &str, width: u32) -> Pin {
    let valid = match name {
        "answer_tag" | "answer_lanes" | "answer_data" => "answer_valid",
        "memory_write" | "memory_tag" | "memory_size" | "memory_address" | "memory_data" => "memory_valid",
        _ => return Pin::new(name, width),
    };
    Pin::new(name, width).valid_if(Condition::bit(valid, 0))
}

/// Makes 0 of what means nothing in the words of outputs: answers of lanes that get none, and what is not written.
pub fn tidy(lanes: usize, words: &mut [u64]) {
    let (answer, memory) = words.split_at_mut(4 + lanes.div_ceil(2));
    let answered = if answer[1] != 0 { answer[3] } else { 0 };
    if answer[1] == 0 {
        answer[2..4].fill(0);
    }
    for lane in (0..lanes).filter(|lane| answered >> lane & 1 == 0) {
        answer[4 + lane / 2] &= u64::from(u32::MAX) << (32 * (1 - lane % 2));
    }
    match (memory[0], memory[1]) {
        (0, _) => memory[1..5 + DATA_WORDS].fill(0),
        (_, 0) => memory[5..5 + DATA_WORDS].fill(0),
        _ => {
            memory[2] = 0;
            let bits = 8 << memory[3].min(5);
            for (word, data) in memory[5..5 + DATA_WORDS].iter_mut().enumerate() {
                let kept = (bits as usize).saturating_sub(64 * word).min(64) as u32;
                *data &= u64::MAX.checked_shr(64 - kept).unwrap_or(0);
            }
        }
    }
}

/// The pins of a unit for warps of so many lanes, with these counters behind them.
pub fn interface(lanes: usize, counters: &[Pin]) -> Interface {
    let pins = |list: &[(&str, u32)]| list.iter().map(|(name, width)| pin(name, *width)).collect::<Vec<_>>();
    let (of_lanes, words, data) = (lanes as u32, 32 * lanes as u32, 8 * DATA_BYTES as u32);
    let inputs = pins(&[
        ("request_valid", 1),
        ("request_operation", 8),
        ("request_tag", TAG_BITS),
        ("request_warp", 8),
        ("request_lanes", of_lanes),
        ("request_a", words),
        ("request_b", words),
        ("answer_ready", 1),
        ("memory_ready", 1),
        ("reply_valid", 1),
        ("reply_tag", READ_TAG_BITS),
        ("reply_data", data),
    ]);
    let mut outputs = pins(&[
        ("request_ready", 1),
        ("answer_valid", 1),
        ("answer_tag", TAG_BITS),
        ("answer_lanes", of_lanes),
        ("answer_data", words),
        ("memory_valid", 1),
        ("memory_write", 1),
        ("memory_tag", READ_TAG_BITS),
        ("memory_size", 3),
        ("memory_address", 64),
        ("memory_data", data),
        ("reply_ready", 1),
        ("busy", 1),
    ]);
    outputs.extend(counters.iter().cloned());
    Interface { inputs, outputs }
}

/// Lanes side by side, as many as `words` has.
fn store_lanes(lanes: &[u32], words: &mut [u64]) {
    for (word, pair) in words.iter_mut().zip(lanes.chunks(2)) {
        *word = pair.iter().rev().fold(0, |word, lane| word << 32 | u64::from(*lane));
    }
}

fn load_lanes(words: &[u64], lanes: &mut [u32]) {
    for (pair, word) in lanes.chunks_mut(2).zip(words) {
        pair.iter_mut().enumerate().for_each(|(half, lane)| *lane = (word >> (32 * half)) as u32);
    }
}

impl Pins for CoreIn {
    fn store(&self, words: &mut [u64]) {
        let wide = self.lanes.div_ceil(2);
        let (first, rest) = words.split_at_mut(5);
        first.copy_from_slice(&[
            self.request_valid.into(),
            self.request_operation.into(),
            self.request_tag.into(),
            self.request_warp.into(),
            self.request_lanes.into(),
        ]);
        let (a, rest) = rest.split_at_mut(wide);
        let (b, rest) = rest.split_at_mut(wide);
        store_lanes(&self.request_a[..self.lanes], a);
        store_lanes(&self.request_b[..self.lanes], b);
        let (last, data) = rest.split_at_mut(4);
        last.copy_from_slice(&[
            self.answer_ready.into(),
            self.memory_ready.into(),
            self.reply_valid.into(),
            self.reply_tag.into(),
        ]);
        data.copy_from_slice(&self.reply_data);
    }

    fn load(&mut self, words: &[u64]) {
        let wide = self.lanes.div_ceil(2);
        let (first, rest) = words.split_at(5);
        (self.request_valid, self.request_operation) = (first[0] != 0, first[1] as u8);
        (self.request_tag, self.request_warp, self.request_lanes) = (first[2] as u8, first[3] as u8, first[4] as u32);
        let (a, rest) = rest.split_at(wide);
        let (b, rest) = rest.split_at(wide);
        load_lanes(a, &mut self.request_a[..self.lanes]);
        load_lanes(b, &mut self.request_b[..self.lanes]);
        let (last, data) = rest.split_at(4);
        (self.answer_ready, self.memory_ready) = (last[0] != 0, last[1] != 0);
        (self.reply_valid, self.reply_tag) = (last[2] != 0, last[3] as u8);
        self.reply_data.copy_from_slice(data);
    }
}

impl Pins for CoreOut {
    fn store(&self, words: &mut [u64]) {
        let wide = self.lanes.div_ceil(2);
        let (first, rest) = words.split_at_mut(4);
        first.copy_from_slice(&[
            self.request_ready.into(),
            self.answer_valid.into(),
            self.answer_tag.into(),
            self.answer_lanes.into(),
        ]);
        let (answer, rest) = rest.split_at_mut(wide);
        store_lanes(&self.answer_data[..self.lanes], answer);
        let (memory, rest) = rest.split_at_mut(5);
        memory.copy_from_slice(&[
            self.memory_valid.into(),
            self.memory_write.into(),
            self.memory_tag.into(),
            self.memory_size.into(),
            self.memory_address,
        ]);
        let (data, rest) = rest.split_at_mut(DATA_WORDS);
        data.copy_from_slice(&self.memory_data);
        (rest[0], rest[1]) = (self.reply_ready.into(), self.busy.into());
        rest[2..].copy_from_slice(&self.counters);
    }

    fn load(&mut self, words: &[u64]) {
        let wide = self.lanes.div_ceil(2);
        let (first, rest) = words.split_at(4);
        (self.request_ready, self.answer_valid) = (first[0] != 0, first[1] != 0);
        (self.answer_tag, self.answer_lanes) = (first[2] as u8, first[3] as u32);
        let (answer, rest) = rest.split_at(wide);
        load_lanes(answer, &mut self.answer_data[..self.lanes]);
        let (memory, rest) = rest.split_at(5);
        (self.memory_valid, self.memory_write) = (memory[0] != 0, memory[1] != 0);
        (self.memory_tag, self.memory_size, self.memory_address) = (memory[2] as u8, memory[3] as u8, memory[4]);
        let (data, rest) = rest.split_at(DATA_WORDS);
        self.memory_data.copy_from_slice(data);
        (self.reply_ready, self.busy) = (rest[0] != 0, rest[1] != 0);
        self.counters.clear();
        self.counters.extend_from_slice(&rest[2..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::words;

    #[test]
    fn what_means_nothing_is_zero() {
        let lanes = 4;
        let given = |answer: [u64; 4], memory: [u64; 4]| {
            let mut words = [answer.to_vec(), vec![u64::MAX; 2], memory.to_vec(), vec![u64::MAX; 8]].concat();
            tidy(lanes, &mut words);
            words
        };
        let all = u64::MAX;
        let answered = given([0, 1, 7, 0b0110], [0, 1, 9, 3]);
        assert_eq!(answered, [0, 1, 7, 6, 0xffff_ffff << 32, 0xffff_ffff, 0, 0, 0, 0, 0, 0, 0, 0, 0, all, all, all]);
        let written = given([1, 0, 7, 0b0110], [1, 1, 9, 2]);
        assert_eq!(written, [1, 0, 0, 0, 0, 0, 1, 1, 0, 2, all, 0xffff_ffff, 0, 0, 0, all, all, all]);
        let large = given([1, 0, 7, 0b0110], [1, 1, 9, 4]);
        assert_eq!(large[10..15], [all, all, all, 0, 0]);
        let read = given([1, 0, 7, 0b0110], [1, 0, 9, 5]);
        assert_eq!(read[6..15], [1, 0, 9, 5, all, 0, 0, 0, 0]);
    }

    #[test]
    fn pins_come_back_from_their_words() {
        for lanes in [4, 16, 32] {
            let interface = interface(lanes, &[Pin::new("stat_a", 7), Pin::new("stat_b", 64)]);
            let mut given: Vec<u64> = (1..=words(&interface.inputs) as u64).map(|n| n << 32 | n).collect();
            // Pins of one word have no high half.
            let wide = lanes / 2;
            given[..5].iter_mut().for_each(|word| *word = 1);
            given[5 + 2 * wide..9 + 2 * wide].iter_mut().for_each(|word| *word = 1);
            let (mut pins, mut back) = (CoreIn { lanes, ..CoreIn::default() }, vec![0; given.len()]);
            pins.load(&given);
            pins.store(&mut back);
            assert_eq!(given, back);
            assert_eq!(pins.request_a[..2], [6, 6]);

            let mut given: Vec<u64> = (1..=words(&interface.outputs) as u64).map(|n| n << 32 | n).collect();
            given[..4].iter_mut().for_each(|word| *word = 1);
            given[4 + wide..8 + wide].iter_mut().for_each(|word| *word = 1);
            given[13 + wide..15 + wide].iter_mut().for_each(|word| *word = 1);
            let (mut pins, mut back) = (CoreOut { lanes, ..CoreOut::default() }, vec![0; given.len()]);
            pins.load(&given);
            pins.store(&mut back);
            assert_eq!(given, back);
            assert_eq!(pins.counters.len(), 2);
        }
    }
}
