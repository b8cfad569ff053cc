//! `fixtures/wide_fifo.v` as a unit: its pins, and a model of it.

use sim::unit::{words, Condition, Interface, Pin, Pins, Unit};
use std::collections::VecDeque;

pub const VERILOG: &str = include_str!("../fixtures/wide_fifo.v");

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    pub tag: u16,
    pub stamp: u64,
    /// 100 bits.
    pub wide: u128,
}

#[derive(Clone, Debug, Default)]
pub struct FifoIn {
    pub push: bool,
    pub pop: bool,
    pub entry: Entry,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FifoOut {
    pub valid: bool,
    pub count: u64,
    pub entry: Entry,
}

impl Pins for FifoIn {
    fn store(&self, w: &mut [u64]) {
        let Entry { tag, stamp, wide } = self.entry;
        w.copy_from_slice(&[self.push as u64, self.pop as u64, tag as u64, stamp, wide as u64, (wide >> 64) as u64]);
    }
    fn load(&mut self, w: &[u64]) {
        let entry = Entry { tag: w[2] as u16, stamp: w[3], wide: w[4] as u128 | (w[5] as u128) << 64 };
        *self = FifoIn { push: w[0] == 1, pop: w[1] == 1, entry };
    }
}

impl Pins for FifoOut {
    fn store(&self, w: &mut [u64]) {
        let Entry { tag, stamp, wide } = self.entry;
        w.copy_from_slice(&[self.valid as u64, self.count, tag as u64, stamp, wide as u64, (wide >> 64) as u64]);
    }
    fn load(&mut self, w: &[u64]) {
        let entry = Entry { tag: w[2] as u16, stamp: w[3], wide: w[4] as u128 | (w[5] as u128) << 64 };
        *self = FifoOut { valid: w[0] == 1, count: w[1], entry };
    }
}

pub fn interface() -> Interface {
    let entry = |suffix: &str| {
        [("tag", 16), ("stamp", 40), ("wide", 100)].map(|(name, width)| Pin::new(format!("{name}{suffix}"), width))
    };
    let mut inputs = vec![Pin::new("push", 1), Pin::new("pop", 1)];
    inputs.extend(entry(""));
    let mut outputs = vec![Pin::new("valid", 1), Pin::new("count", 3)];
    outputs.extend(entry("_out").map(|pin| pin.valid_if(Condition::bit("valid", 0))));
    let interface = Interface { inputs, outputs };
    assert_eq!((words(&interface.inputs), words(&interface.outputs)), (6, 6));
    interface
}

#[derive(Clone, Default)]
pub struct Fifo {
    held: VecDeque<Entry>,
    out: FifoOut,
}

impl Unit for Fifo {
    type In = FifoIn;
    type Out = FifoOut;

    fn interface(&self) -> Interface {
        interface()
    }
    fn outputs(&self) -> FifoOut {
        self.out.clone()
    }
    fn clock(&mut self, pins: &FifoIn) {
        let full = self.held.len() == 4;
        let popped = if pins.pop { self.held.pop_front() } else { None };
        if pins.push && !full {
            self.held.push_back(pins.entry.clone());
        }
        self.out =
            FifoOut { valid: popped.is_some(), entry: popped.unwrap_or_default(), count: self.held.len() as u64 };
    }
    fn reset(&mut self) {
        *self = Fifo::default();
    }
}
