//! The pins of a user unit at a core. docs/own-unit.md explains them.

use crate::attach::user_unit::pins::user_pins;
use crate::ptx::isa::WARP_SIZE;
use crate::unit::{Interface, Pin};

/// Bits of `request_tag` and `answer_tag`.
pub const TAG_BITS: u32 = 6;
/// Bits of `memory_tag` and `reply_tag`.
pub const READ_TAG_BITS: u32 = 4;
/// Bytes of the largest access to memory.
pub const DATA_BYTES: usize = 32;
/// 64-bit words of `memory_data` and `reply_data`.
pub const DATA_WORDS: usize = DATA_BYTES / 8;
/// Prefix of a counter's name.
pub const COUNTER: &str = "stat_";

user_pins! {
    /// Inputs of a unit at a core, which the core drives.
    CoreIn (lanes: |pins| pins.lanes) {
        /// The cycle of the core.
        now: u64,
        /// Lanes of a warp.
        lanes: usize,
    }
    pins {
        request_valid: bool = 1,
        request_operation: u8 = 8,
        request_tag: u8 = TAG_BITS,
        request_warp: u8 = 8,
        request_lanes: u32 = lanes as u32,
        request_a: [u32; WARP_SIZE] = 32 * lanes as u32,
        request_b: [u32; WARP_SIZE] = 32 * lanes as u32,
        answer_ready: bool = 1,
        memory_ready: bool = 1,
        reply_valid: bool = 1,
        reply_tag: u8 = READ_TAG_BITS,
        reply_data: [u64; DATA_WORDS] = 8 * DATA_BYTES as u32,
    }
}

user_pins! {
    /// Outputs of a unit at a core.
    CoreOut (lanes: |pins| pins.lanes) {
        /// Lanes of a warp.
        lanes: usize,
    }
    pins {
        request_ready: bool = 1,
        answer_valid: bool = 1,
        answer_tag if answer_valid: u8 = TAG_BITS,
        answer_lanes if answer_valid: u32 = lanes as u32,
        answer_data if answer_valid: [u32; WARP_SIZE] = 32 * lanes as u32,
        memory_valid: bool = 1,
        memory_write if memory_valid: bool = 1,
        memory_tag if memory_valid: u8 = READ_TAG_BITS,
        memory_size if memory_valid: u8 = 3,
        memory_address if memory_valid: u64 = 64,
        memory_data if memory_valid: [u64; DATA_WORDS] = 8 * DATA_BYTES as u32,
        reply_ready: bool = 1,
        busy: bool = 1,
    }
    counters
}

/// The pins of a unit for warps of so many lanes, with these counters after them.
pub fn interface(lanes: usize, counters: &[Pin]) -> Interface {
    Interface { inputs: CoreIn::list(lanes), outputs: [&CoreOut::list(lanes), counters].concat() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{words, Pins};

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
