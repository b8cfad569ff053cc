//! `ring_stop`: a partition's place on the ring (3.2.2), which goes round both ways.

use super::element::{Access, Element};
use super::iru_hash::{Hasher, Place};
use super::pins::{RingStopIn, RingStopOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use crate::units::prim::queue::Fifo;

const ARRIVALS: usize = 16;
const LOCALS: usize = 32;
/// Elements that others may have before one that waits, see [`Credit`].
const MOST: u8 = 8;

/// Who goes first, the ring or the local side: the ring, but not more than [`MOST`] times while the local side waits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Credit(u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Ring,
    Local,
}

impl Credit {
    /// Who goes, of those that wait; and what follows for the next cycles.
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
    arrival: Fifo<Element>,
    local: Fifo<Element>,
    stage_1: Option<Element>,
    stage_2: Option<(Element, Place)>,
    credit: Credit,
    link: Option<Element>,
    banks: [Option<Element>; 2],
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
    fn send(&mut self, own: u8, link_ready: bool, bank_ready: [bool; 2]) -> (bool, bool) {
        let mut left = false;
        let home = self.stage_2.filter(|(_, place)| place.partition == own);
        for (b, (register, ready)) in self.banks.iter_mut().zip(bank_ready).enumerate() {
            if register.is_none() || ready {
                *register = home.filter(|(_, place)| place.bank as usize == b).map(|(element, _)| element);
                left |= register.is_some();
            }
        }
        if self.link.is_some() && !link_ready {
            return (left, false);
        }
        let (onward, local) = (self.stage_2.filter(|_| home.is_none()), self.local.head());
        let side = self.credit.choose(onward.is_some(), local.is_some());
        self.link = match side {
            Some(Side::Ring) => onward.map(|(element, _)| element),
            Some(Side::Local) => local,
            None => None,
        };
        (left || side == Some(Side::Ring), side == Some(Side::Local))
    }

    fn step(&mut self, cycle: &Passing, hasher: &Hasher, access: &Access, own: u8) {
        let (left, local_goes) = self.send(own, cycle.link_ready, cycle.bank_ready);
        if left {
            self.stage_2 = None;
        }
        let passes = self.stage_2.is_none();
        if passes {
            self.stage_2 = self.stage_1.take().map(|element| (element, hasher.place(element.index, access)));
        }
        let takes = self.stage_1.is_none() && self.arrival.head().is_some();
        if takes {
            self.stage_1 = self.arrival.head();
        }
        let arrival = cycle.arrival.filter(|_| !self.arrival.is_full());
        self.arrival.clock(arrival, takes);
        let local = cycle.local.filter(|_| !self.local.is_full());
        self.local.clock(local, local_goes);
    }
}

/// What comes to one direction in a cycle. Elements that are not taken may be offered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passing {
    pub arrival: Option<Element>,
    pub local: Option<Element>,
    pub link_ready: bool,
    pub bank_ready: [bool; 2],
}

#[derive(Clone, Debug)]
pub struct RingStop {
    parameters: Parameters,
    hasher: Hasher,
    /// cw, ccw.
    directions: [Direction; 2],
}

impl RingStop {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("ring_stop")?;
        let directions = [Direction::new(), Direction::new()];
        Ok(RingStop { parameters: *parameters, hasher: Hasher::new(parameters), directions })
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

    pub(super) fn link(&self, direction: usize) -> &Option<Element> {
        &self.directions[direction].link
    }

    pub(super) fn bank(&self, direction: usize, bank: usize) -> &Option<Element> {
        &self.directions[direction].banks[bank]
    }

    /// The edge.
    pub(super) fn step(&mut self, cycle: &[Passing; 2], access: &Access, own: u8) {
        for (direction, cycle) in self.directions.iter_mut().zip(cycle) {
            direction.step(cycle, &self.hasher, access, own);
        }
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

    fn clock(&mut self, pins: &RingStopIn) {
        let cycle = std::array::from_fn(|d| Passing {
            arrival: pins.arrival[d].get(),
            local: pins.local[d].get(),
            link_ready: pins.link_ready[d],
            bank_ready: pins.bank_ready[d],
        });
        self.step(&cycle, &pins.access, pins.partition);
    }

    fn reset(&mut self) {
        self.directions = [Direction::new(), Direction::new()];
    }
}

#[cfg(test)]
mod tests;
