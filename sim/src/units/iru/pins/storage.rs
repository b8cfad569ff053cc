//! Pins of `sram_1r1w` and `queue`: words of any width up to [`MAX_WIDTH`].

use super::flag;
use crate::unit::{Condition, Interface, Pin, Pins};

/// Most bits of a word.
pub const MAX_WIDTH: u32 = 256;
const WORDS: usize = MAX_WIDTH as usize / 64;

/// A word of up to [`MAX_WIDTH`] bits, least significant first. Bits above the width are 0.
pub type Wide = [u64; WORDS];

/// Inputs of `sram_1r1w`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SramIn {
    pub write: bool,
    pub write_addr: u32,
    pub wdata: Wide,
    pub read: bool,
    pub read_addr: u32,
}

/// Outputs of `sram_1r1w`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SramOut {
    pub rdata: Wide,
}

/// Inputs of `queue`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueIn {
    pub push: bool,
    pub push_data: Wide,
    pub take: bool,
}

/// Outputs of `queue`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueOut {
    pub head_valid: bool,
    pub head_data: Wide,
    pub full: bool,
    pub empty: bool,
}

fn put(wide: &Wide, words: &mut [u64]) {
    words.copy_from_slice(&wide[..words.len()]);
}

fn get(wide: &mut Wide, words: &[u64]) {
    *wide = Wide::default();
    wide[..words.len()].copy_from_slice(words);
}

impl Pins for SramIn {
    fn store(&self, words: &mut [u64]) {
        let n = words.len();
        words[0] = self.write as u64;
        words[1] = self.write_addr as u64;
        put(&self.wdata, &mut words[2..n - 2]);
        words[n - 2] = self.read as u64;
        words[n - 1] = self.read_addr as u64;
    }

    fn load(&mut self, words: &[u64]) {
        let n = words.len();
        self.write = words[0] == 1;
        self.write_addr = words[1] as u32;
        get(&mut self.wdata, &words[2..n - 2]);
        self.read = words[n - 2] == 1;
        self.read_addr = words[n - 1] as u32;
    }
}

impl Pins for SramOut {
    fn store(&self, words: &mut [u64]) {
        put(&self.rdata, words);
    }

    fn load(&mut self, words: &[u64]) {
        get(&mut self.rdata, words);
    }
}

impl Pins for QueueIn {
    fn store(&self, words: &mut [u64]) {
        let n = words.len();
        words[0] = self.push as u64;
        put(&self.push_data, &mut words[1..n - 1]);
        words[n - 1] = self.take as u64;
    }

    fn load(&mut self, words: &[u64]) {
        let n = words.len();
        self.push = words[0] == 1;
        get(&mut self.push_data, &words[1..n - 1]);
        self.take = words[n - 1] == 1;
    }
}

impl Pins for QueueOut {
    fn store(&self, words: &mut [u64]) {
        let n = words.len();
        words[0] = self.head_valid as u64;
        put(&self.head_data, &mut words[1..n - 2]);
        words[n - 2] = self.full as u64;
        words[n - 1] = self.empty as u64;
    }

    fn load(&mut self, words: &[u64]) {
        let n = words.len();
        self.head_valid = words[0] == 1;
        get(&mut self.head_data, &words[1..n - 2]);
        self.full = words[n - 2] == 1;
        self.empty = words[n - 1] == 1;
    }
}

/// Of `entries` words (a power of two, 2 or more) of `width` bits.
pub fn sram_1r1w_interface(width: u32, entries: usize) -> Interface {
    let address = |name: &str| Pin::new(name, entries.ilog2());
    Interface {
        inputs: vec![
            flag("write"),
            address("write_addr"),
            Pin::new("wdata", width),
            flag("read"),
            address("read_addr"),
        ],
        outputs: vec![Pin::new("rdata", width)],
    }
}

/// Of entries of `width` bits.
pub fn queue_interface(width: u32) -> Interface {
    Interface {
        inputs: vec![flag("push"), Pin::new("push_data", width), flag("take")],
        outputs: vec![
            flag("head_valid"),
            Pin::new("head_data", width).valid_if(Condition::bit("head_valid", 0)),
            flag("full"),
            flag("empty"),
        ],
    }
}
