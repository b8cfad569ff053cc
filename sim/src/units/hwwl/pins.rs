//! Pins of the worklist units, as listed in `docs/hwwl.md`, and their parameters.
//!
//! Arrays over lanes have room for [`MAX_LANES`]; how many are in use follows from the number of words.

use crate::unit::{Condition, Interface, Pin, Pins};

/// Most lanes that a core can have.
pub const MAX_LANES: usize = 32;
/// Bits of a work ID (III-B: 24, "supporting up to 17M unique work IDs").
pub const ID_BITS: u32 = 24;

/// Answer of a pull, two bits a lane (III-A; the tokens in the register are [`WAIT_TOKEN`] and [`DONE_TOKEN`]).
pub mod status {
    pub const NONE: u64 = 0;
    pub const ID: u64 = 1;
    pub const WAIT: u64 = 2;
    pub const DONE: u64 = 3;
}
pub const WAIT_TOKEN: u32 = 0xffff_fffe;
pub const DONE_TOKEN: u32 = 0xffff_ffff;

/// Bits that count 0 ..= `entries` (a power of two).
pub fn count_bits(entries: usize) -> u32 {
    entries.ilog2() + 1
}

fn per_lane(name: &str, lanes: usize, width: u32) -> Vec<Pin> {
    (0..lanes).map(|i| Pin::new(format!("{name}_{i}"), width)).collect()
}

fn bit(word: u64) -> bool {
    word & 1 == 1
}

/// Inputs of `bank`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankIn {
    pub configure: bool,
    pub double: bool,
    pub swap: bool,
    pub pull: bool,
    pub push: bool,
    pub push_id: u32,
    pub wru_pop: bool,
    pub wru_push: bool,
    pub wru_part: bool,
    pub wru_id: u32,
}

/// Outputs of `bank`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankOut {
    pub pull_valid: bool,
    pub wru_valid: bool,
    pub wru_accepted: bool,
    pub id: u32,
    pub overflow: bool,
    pub pull_occupancy: u32,
    pub push_occupancy: u32,
    pub empty: bool,
    pub full: bool,
}

pub fn bank_interface(entries: usize) -> Interface {
    let c = count_bits(entries);
    let flag = |name: &str| Pin::new(name, 1);
    Interface {
        inputs: vec![
            flag("configure"),
            flag("double_buffer"),
            flag("swap"),
            flag("pull"),
            flag("push"),
            Pin::new("push_id", ID_BITS),
            flag("wru_pop"),
            flag("wru_push"),
            flag("wru_part"),
            Pin::new("wru_id", ID_BITS),
        ],
        outputs: vec![
            flag("pull_valid"),
            flag("wru_valid"),
            flag("wru_accepted"),
            Pin::new("id", ID_BITS).valid_if(Condition::bit("pull_valid", 0)).valid_if(Condition::bit("wru_valid", 0)),
            flag("overflow"),
            Pin::new("pull_occupancy", c),
            Pin::new("push_occupancy", c),
            flag("empty"),
            flag("full"),
        ],
    }
}

impl Pins for BankIn {
    #[inline]
    fn store(&self, words: &mut [u64]) {
        words.copy_from_slice(&[
            self.configure as u64,
            self.double as u64,
            self.swap as u64,
            self.pull as u64,
            self.push as u64,
            self.push_id as u64,
            self.wru_pop as u64,
            self.wru_push as u64,
            self.wru_part as u64,
            self.wru_id as u64,
        ]);
    }
    #[inline]
    fn load(&mut self, w: &[u64]) {
        *self = BankIn {
            configure: bit(w[0]),
            double: bit(w[1]),
            swap: bit(w[2]),
            pull: bit(w[3]),
            push: bit(w[4]),
            push_id: w[5] as u32,
            wru_pop: bit(w[6]),
            wru_push: bit(w[7]),
            wru_part: bit(w[8]),
            wru_id: w[9] as u32,
        };
    }
}

impl Pins for BankOut {
    #[inline]
    fn store(&self, words: &mut [u64]) {
        words.copy_from_slice(&[
            self.pull_valid as u64,
            self.wru_valid as u64,
            self.wru_accepted as u64,
            self.id as u64,
            self.overflow as u64,
            self.pull_occupancy as u64,
            self.push_occupancy as u64,
            self.empty as u64,
            self.full as u64,
        ]);
    }
    #[inline]
    fn load(&mut self, w: &[u64]) {
        *self = BankOut {
            pull_valid: bit(w[0]),
            wru_valid: bit(w[1]),
            wru_accepted: bit(w[2]),
            id: w[3] as u32,
            overflow: bit(w[4]),
            pull_occupancy: w[5] as u32,
            push_occupancy: w[6] as u32,
            empty: bit(w[7]),
            full: bit(w[8]),
        };
    }
}

/// Inputs and outputs of `sorter`: the same shape on both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SorterPins {
    pub valid: bool,
    pub items: [u32; MAX_LANES],
}

pub fn sorter_interface(items: usize, width: u32) -> Interface {
    let mut outputs = vec![Pin::new("out_valid", 1)];
    outputs.extend(per_lane("out_item", items, width).into_iter().map(|p| p.valid_if(Condition::bit("out_valid", 0))));
    let mut inputs = vec![Pin::new("in_valid", 1)];
    inputs.extend(per_lane("in_item", items, width));
    Interface { inputs, outputs }
}

impl Pins for SorterPins {
    #[inline]
    fn store(&self, words: &mut [u64]) {
        words[0] = self.valid as u64;
        for (word, item) in words[1..].iter_mut().zip(&self.items) {
            *word = *item as u64;
        }
    }
    #[inline]
    fn load(&mut self, words: &[u64]) {
        self.valid = bit(words[0]);
        for (word, item) in words[1..].iter().zip(&mut self.items) {
            *item = *word as u32;
        }
    }
}

/// Inputs of `wru_sorting`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WruIn {
    pub double: bool,
    pub pull_part: bool,
    pub wru_valid: u32,
    pub wru_accepted: u32,
    pub pull_occupancy: [u32; MAX_LANES],
    pub push_occupancy: [u32; MAX_LANES],
    pub id: [u32; MAX_LANES],
}

/// Outputs of `wru_sorting`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WruOut {
    pub pop: u32,
    pub push: u32,
    pub part: bool,
    pub moving: bool,
    pub push_id: [u32; MAX_LANES],
}

pub fn wru_sorting_interface(lanes: usize, entries: usize) -> Interface {
    let (c, l) = (count_bits(entries), lanes as u32);
    let mut inputs = vec![
        Pin::new("double_buffer", 1),
        Pin::new("pull_part", 1),
        Pin::new("wru_valid", l),
        Pin::new("wru_accepted", l),
    ];
    inputs.extend(per_lane("pull_occupancy", lanes, c));
    inputs.extend(per_lane("push_occupancy", lanes, c));
    inputs.extend(per_lane("id", lanes, ID_BITS));
    let mut outputs = vec![Pin::new("pop", l), Pin::new("push", l), Pin::new("part", 1), Pin::new("moving", 1)];
    outputs.extend((0..l).map(|i| Pin::new(format!("push_id_{i}"), ID_BITS).valid_if(Condition::bit("push", i))));
    Interface { inputs, outputs }
}

impl Pins for WruIn {
    #[inline]
    fn store(&self, words: &mut [u64]) {
        let lanes = (words.len() - 4) / 3;
        words[..4].copy_from_slice(&[
            self.double as u64,
            self.pull_part as u64,
            self.wru_valid as u64,
            self.wru_accepted as u64,
        ]);
        let groups = words[4..].chunks_exact_mut(lanes).zip([&self.pull_occupancy, &self.push_occupancy, &self.id]);
        for (chunk, values) in groups {
            for (word, value) in chunk.iter_mut().zip(values) {
                *word = *value as u64;
            }
        }
    }
    #[inline]
    fn load(&mut self, words: &[u64]) {
        let lanes = (words.len() - 4) / 3;
        self.double = bit(words[0]);
        self.pull_part = bit(words[1]);
        self.wru_valid = words[2] as u32;
        self.wru_accepted = words[3] as u32;
        let values = [&mut self.pull_occupancy, &mut self.push_occupancy, &mut self.id];
        for (chunk, values) in words[4..].chunks_exact(lanes).zip(values) {
            for (word, value) in chunk.iter().zip(values) {
                *value = *word as u32;
            }
        }
    }
}

impl Pins for WruOut {
    #[inline]
    fn store(&self, words: &mut [u64]) {
        words[..4].copy_from_slice(&[self.pop as u64, self.push as u64, self.part as u64, self.moving as u64]);
        for (word, id) in words[4..].iter_mut().zip(&self.push_id) {
            *word = *id as u64;
        }
    }
    #[inline]
    fn load(&mut self, words: &[u64]) {
        self.pop = words[0] as u32;
        self.push = words[1] as u32;
        self.part = bit(words[2]);
        self.moving = bit(words[3]);
        for (word, id) in words[4..].iter().zip(&mut self.push_id) {
            *id = *word as u32;
        }
    }
}

/// Inputs of `hwwl_core`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreIn {
    pub configure: bool,
    pub double: bool,
    pub kernel_end: bool,
    pub pull: u32,
    pub push: u32,
    pub push_id: [u32; MAX_LANES],
}

/// Outputs of `hwwl_core`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreOut {
    /// Two bits a lane, see [`status`].
    pub status: u64,
    pub overflow: u32,
    pub count: u32,
    pub pull_part: bool,
    pub id: [u32; MAX_LANES],
}

impl CoreOut {
    pub fn status(&self, lane: usize) -> u64 {
        self.status >> (2 * lane) & 3
    }
}

pub fn hwwl_core_interface(lanes: usize, entries: usize) -> Interface {
    let l = lanes as u32;
    let mut inputs = vec![
        Pin::new("configure", 1),
        Pin::new("double_buffer", 1),
        Pin::new("kernel_end", 1),
        Pin::new("pull", l),
        Pin::new("push", l),
    ];
    inputs.extend(per_lane("push_id", lanes, ID_BITS));
    let mut outputs = vec![
        Pin::new("status", 2 * l),
        Pin::new("overflow", l),
        Pin::new("count", count_bits(lanes * entries)),
        Pin::new("pull_part", 1),
    ];
    outputs.extend((0..l).map(|i| {
        let is_id = Condition { pin: "status".into(), lsb: 2 * i, width: 2, equals: status::ID };
        Pin::new(format!("id_{i}"), ID_BITS).valid_if(is_id)
    }));
    Interface { inputs, outputs }
}

impl Pins for CoreIn {
    #[inline]
    fn store(&self, words: &mut [u64]) {
        words[..5].copy_from_slice(&[
            self.configure as u64,
            self.double as u64,
            self.kernel_end as u64,
            self.pull as u64,
            self.push as u64,
        ]);
        for (word, id) in words[5..].iter_mut().zip(&self.push_id) {
            *word = *id as u64;
        }
    }
    #[inline]
    fn load(&mut self, words: &[u64]) {
        self.configure = bit(words[0]);
        self.double = bit(words[1]);
        self.kernel_end = bit(words[2]);
        self.pull = words[3] as u32;
        self.push = words[4] as u32;
        for (word, id) in words[5..].iter().zip(&mut self.push_id) {
            *id = *word as u32;
        }
    }
}

impl Pins for CoreOut {
    #[inline]
    fn store(&self, words: &mut [u64]) {
        words[..4].copy_from_slice(&[self.status, self.overflow as u64, self.count as u64, self.pull_part as u64]);
        for (word, id) in words[4..].iter_mut().zip(&self.id) {
            *word = *id as u64;
        }
    }
    #[inline]
    fn load(&mut self, words: &[u64]) {
        self.status = words[0];
        self.overflow = words[1] as u32;
        self.count = words[2] as u32;
        self.pull_part = bit(words[3]);
        for (word, id) in words[4..].iter().zip(&mut self.id) {
            *id = *word as u32;
        }
    }
}
