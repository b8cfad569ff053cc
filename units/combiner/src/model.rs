//! The combiner's behaviour: a list of lanes and sums, one of which comes out a cycle.

use crate::pins::{CombinerIn, CombinerOut};
use sim::unit::{Fault, Interface, Unit};
use sim::units::parameter::ParameterError;
use sim::units::pins::interface;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub struct Combiner {
    lanes: usize,
    /// Values of the lanes that have not come out: the first lane of each key, and the sum.
    sums: VecDeque<(u8, u32)>,
    out: CombinerOut,
}

impl Combiner {
    pub fn new(lanes: usize) -> Result<Self, ParameterError> {
        crate::COMBINER.checked(&[("lanes", lanes as u64)])?;
        Ok(Combiner {
            lanes,
            sums: VecDeque::with_capacity(lanes),
            out: CombinerOut { ready: true, ..Default::default() },
        })
    }

    fn start(&mut self, pins: &CombinerIn) {
        assert!(self.sums.is_empty(), "combiner: start while not ready");
        assert!(pins.mask != 0, "combiner: start without a lane");
        let lanes = || (0..self.lanes).filter(|lane| pins.mask >> lane & 1 == 1);
        for lane in lanes() {
            let same = |other: &usize| pins.key[*other] == pins.key[lane];
            if lanes().find(same) == Some(lane) {
                let sum = lanes().filter(same).fold(0, |sum, other| pins.value[other].wrapping_add(sum));
                self.sums.push_back((lane as u8, sum));
            }
        }
    }
}

impl Unit for Combiner {
    type In = CombinerIn;
    type Out = CombinerOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(self.lanes)
    }

    fn outputs(&self) -> CombinerOut {
        self.out
    }

    fn clock(&mut self, pins: &CombinerIn) -> Result<(), Fault> {
        let sum = self.sums.pop_front();
        self.out.out_valid = sum.is_some();
        if let Some((lane, sum)) = sum {
            (self.out.out_lane, self.out.out_value, self.out.out_last) = (lane, sum, self.sums.is_empty());
        }
        if pins.start {
            self.start(pins);
        }
        self.out.ready = self.sums.is_empty();
        Ok(())
    }

    fn reset(&mut self) {
        self.sums.clear();
        self.out = CombinerOut { ready: true, ..CombinerOut::default() };
    }

    fn is_quiet(&self) -> bool {
        self.out.ready && !self.out.out_valid
    }
}
