//! `ring_stop`: a partition's place on the ring (3.2.2), which goes round both ways.

use super::element::{Bundle, Placed};
use super::pins::{RingStopIn, RingStopOut};
use super::Parameters;
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use crate::units::prim::queue::Fifo;

const ARRIVALS: usize = 16;
const LOCALS: usize = 32;
/// Elements that others may have before one that waits, see [`Credit`].
const MOST: u8 = 8;

/// The arbiter between the ring and the local side: the ring goes first, but not more than [`MOST`] times while the local side waits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Credit(u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Ring,
    Local,
}

impl Credit {
    /// The side that goes, of those that wait. The counter follows.
    #[inline]
    pub fn choose(&mut self, ring_waits: bool, local_waits: bool) -> Option<Side> {
        let local_goes = local_waits && (!ring_waits || self.0 == MOST);
        if local_goes {
            self.0 = 0;
            Some(Side::Local)
        } else if ring_waits {
            self.0 = if local_waits { self.0 + 1 } else { 0 };
            Some(Side::Ring)
        } else {
            None
        }
    }
}

/// One way round.
#[derive(Clone, Debug, Default)]
struct Direction {
    arrival: Fifo<Bundle>,
    local: Fifo<Bundle>,
    /// None of a wide stop.
    stage_1: Option<Bundle>,
    stage_2: Option<Bundle>,
    credit: Credit,
    link: Option<Bundle>,
    banks: [Option<Bundle>; 2],
}

impl Direction {
    fn new() -> Self {
        Direction { arrival: Fifo::new(ARRIVALS), local: Fifo::new(LOCALS), ..Default::default() }
    }

    fn is_empty(&self) -> bool {
        self.stage_1.is_none()
            && self.stage_2.is_none()
            && self.link.is_none()
            && self.banks == [None; 2]
            && self.arrival.is_empty()
            && self.local.is_empty()
    }

    /// Fills the output registers that take; true if stage 2's element left, and if the local head did.
    fn send(&mut self, set_bits: u32, link_ready: bool, bank_ready: [bool; 2]) -> (bool, bool) {
        let mut left = false;
        // Above the set: the bank, and whether the element goes past this partition.
        let above = |bundle: &Bundle| (bundle.first.place >> set_bits) as usize;
        let home = self.stage_2.filter(|bundle| above(bundle) < self.banks.len());
        for (b, (register, ready)) in self.banks.iter_mut().zip(bank_ready).enumerate() {
            if register.is_none() || ready {
                *register = home.filter(|bundle| above(bundle) == b).map(|bundle| lower(bundle, set_bits));
                left |= register.is_some();
            }
        }
        if self.link.is_some() && !link_ready {
            return (left, false);
        }
        let (onward, local) = (self.stage_2.filter(|_| home.is_none()), self.local.head());
        let side = self.credit.choose(onward.is_some(), local.is_some());
        self.link = match side {
            // It is at home in the next partition: no way round is longer than two.
            Some(Side::Ring) => onward.map(|bundle| lower(bundle, set_bits + 1)),
            Some(Side::Local) => local,
            None => None,
        };
        (left || side == Some(Side::Ring), side == Some(Side::Local))
    }

    /// The head of the arrivals enters the first of the stages that is empty; true if there is one.
    fn take_arrival(&mut self, is_wide: bool) -> bool {
        if self.stage_2.is_none() && !is_wide {
            self.stage_2 = self.stage_1.take();
        }
        let first = if is_wide { &mut self.stage_2 } else { &mut self.stage_1 };
        let takes = first.is_none() && self.arrival.head().is_some();
        if takes {
            *first = self.arrival.head();
        }
        takes
    }

    fn step(&mut self, cycle: &Passing, parameters: &Parameters) -> Result<(), Fault> {
        let (left, local_goes) = self.send(parameters.set_bits(), cycle.link_ready, cycle.bank_ready);
        if left {
            self.stage_2 = None;
        }
        let takes = self.take_arrival(parameters.bundle > 1);
        let arrival = cycle.arrival.filter(|_| !self.arrival.is_full()).copied();
        self.arrival.clock(arrival, takes)?;
        let local = cycle.local.filter(|_| !self.local.is_full()).copied();
        self.local.clock(local, local_goes)
    }
}

/// The bundle with so many bits of its place.
fn lower(bundle: Bundle, bits: u32) -> Bundle {
    let place = bundle.first.place & ((1 << bits) - 1);
    Bundle { first: Placed { place, ..bundle.first }, ..bundle }
}

/// Inputs of one direction in a cycle. Bundles that are not taken may be offered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passing<'a> {
    pub arrival: Option<&'a Bundle>,
    pub local: Option<&'a Bundle>,
    pub link_ready: bool,
    pub bank_ready: [bool; 2],
}

#[derive(Clone, Debug)]
pub struct RingStop {
    parameters: Parameters,
    /// cw, ccw.
    directions: [Direction; 2],
}

impl RingStop {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::iru::RING_STOP)?;
        let directions = [Direction::new(), Direction::new()];
        Ok(RingStop { parameters: *parameters, directions })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.directions.iter().all(Direction::is_empty)
    }

    pub(super) fn arrival_ready(&self, direction: usize) -> bool {
        !self.directions[direction].arrival.is_full()
    }

    pub(super) fn local_ready(&self, direction: usize) -> bool {
        !self.directions[direction].local.is_full()
    }

    pub(super) fn link(&self, direction: usize) -> &Option<Bundle> {
        &self.directions[direction].link
    }

    pub(super) fn bank(&self, direction: usize, bank: usize) -> &Option<Bundle> {
        &self.directions[direction].banks[bank]
    }

    /// The edge.
    pub(super) fn step(&mut self, cycle: &[Passing; 2]) -> Result<(), Fault> {
        for (direction, cycle) in self.directions.iter_mut().zip(cycle) {
            direction.step(cycle, &self.parameters)?;
        }
        Ok(())
    }
}

impl Unit for RingStop {
    type In = RingStopIn;
    type Out = RingStopOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> RingStopOut {
        let each = std::array::from_fn::<usize, 2, _>(|d| d);
        RingStopOut {
            arrival_ready: each.map(|d| self.arrival_ready(d)),
            local_ready: each.map(|d| self.local_ready(d)),
            link: each.map(|d| (*self.link(d)).into()),
            bank: each.map(|d| each.map(|b| (*self.bank(d, b)).into())),
            empty: self.is_empty(),
        }
    }

    fn clock(&mut self, pins: &RingStopIn) -> Result<(), Fault> {
        let cycle = std::array::from_fn(|d| Passing {
            arrival: pins.arrival[d].peek(),
            local: pins.local[d].peek(),
            link_ready: pins.link_ready[d],
            bank_ready: pins.bank_ready[d],
        });
        self.step(&cycle)
    }

    fn reset(&mut self) {
        self.directions = [Direction::new(), Direction::new()];
    }
}

#[cfg(test)]
mod tests;
