//! `fixtures/wide_fifo.v` as a unit: its pins, and a model of it.

use sim::unit::{words, Condition, Fault, Interface, Pin, Unit};
use sim::units::pins::{group, pins};
use std::collections::VecDeque;

pub const VERILOG: &str = include_str!("../fixtures/wide_fifo.v");

group! {
    Entry {
        tag: u16,
        stamp: u64,
        /// 100 bits.
        wide: u128,
    }
}

pins! {
    FifoIn {
        push: bool,
        pop: bool,
        entry: Entry,
    }
}

pins! {
    FifoOut {
        valid: bool,
        count: u64,
        entry: Entry,
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
        self.out
    }
    fn clock(&mut self, pins: &FifoIn) -> Result<(), Fault> {
        let full = self.held.len() == 4;
        let popped = if pins.pop { self.held.pop_front() } else { None };
        if pins.push && !full {
            self.held.push_back(pins.entry);
        }
        self.out =
            FifoOut { valid: popped.is_some(), entry: popped.unwrap_or_default(), count: self.held.len() as u64 };
        Ok(())
    }
    fn reset(&mut self) {
        *self = Fifo::default();
    }
}
