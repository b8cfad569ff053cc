//! `reorder_bank`: one bank of the reordering hash (3.3): sets that collect elements of the same memory block, without tags.

use super::element::{Element, Filter, Placed, BEAT, LINE};
use super::fullness::Fullness;
use super::pins::{BankBeat, ReorderBankIn, ReorderBankOut, TakeOrder};
use super::ring_stop::{Credit, Side};
use super::Parameters;
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use crate::units::prim::fp32_add;
use crate::units::prim::queue::Fifo;
use std::collections::VecDeque;

const LOCALS: usize = 32;
const ARRIVALS: usize = 64;
/// Cycles from the reading of a set to the write of what became of the newcomer.
const MINIMUM_LATENCY: u64 = 3;
const ADDITION_LATENCY: u64 = fp32_add::LATENCY as u64 + 2;
/// Elements in flight at most: one enters in each cycle.
const FLIGHTS: usize = ADDITION_LATENCY as usize;
/// Cycles after which it is known whether an element in flight will be merged.
const FINDING: u64 = 2;

/// An element on its way into a set whose elements it is compared with.
#[derive(Clone, Copy, Debug)]
struct Flight {
    /// Cycle in which it entered, and that of the write.
    since: u64,
    due: u64,
    set: usize,
    element: Element,
}

/// The result of an element's arrival at the end of a cycle: the new content of its slot.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    Appended {
        set: usize,
        slot: usize,
        element: Element,
    },
    Merged {
        set: usize,
        slot: usize,
        element: Element,
    },
    /// Merged into an element that stays as it is: nothing is written.
    Dropped,
}

/// A take under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Take {
    None,
    /// Until no element is in flight on the set.
    Waits(TakeOrder),
    /// Groups of slots from `group` on are still to be read, of slots `first` to `end` - 1.
    Reads {
        set: usize,
        group: usize,
        first: usize,
        end: usize,
    },
    /// All has been read; so many cycles until the next take may come.
    Settles(u8),
}

impl Take {
    /// The set that no element may enter.
    fn set(&self) -> Option<usize> {
        match *self {
            Take::Waits(order) => Some(order.set as usize),
            Take::Reads { set, .. } => Some(set),
            Take::None | Take::Settles(_) => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct ReorderBank {
    parameters: Parameters,
    local: Fifo<Placed>,
    /// cw, ccw.
    ring: [Fifo<Placed>; 2],
    /// Direction that does not come next if both wait.
    last: usize,
    credit: Credit,
    stage_1: Option<Placed>,
    stage_2: Option<(usize, Element)>,
    flights: VecDeque<Flight>,
    /// The slots of all sets.
    slots: Vec<Element>,
    fullness: Fullness,
    /// Cycles since reset, but for those in which the whole unit rests.
    now: u64,
    take: Take,
    pointer: usize,
    complete: Option<u32>,
    /// Fullest set and its elements, one and two cycles ago.
    best: [(usize, usize); 2],
    beat: Option<BankBeat>,
    merged: bool,
}

/// Inputs of a bank in a cycle. Elements that are not taken may be offered.
#[derive(Clone, Copy, Debug)]
pub(super) struct BankCycle {
    pub local: Option<Placed>,
    /// cw, ccw.
    pub ring: [Option<Placed>; 2],
    pub take: Option<TakeOrder>,
    pub beat_room: bool,
}

impl ReorderBank {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::iru::REORDER_BANK)?;
        let sets = parameters.bank_sets();
        Ok(ReorderBank {
            parameters: *parameters,
            local: Fifo::new(LOCALS),
            ring: std::array::from_fn(|_| Fifo::new(ARRIVALS)),
            last: 1,
            credit: Credit::default(),
            stage_1: None,
            stage_2: None,
            flights: VecDeque::with_capacity(FLIGHTS),
            slots: vec![Element::default(); sets * LINE],
            fullness: Fullness::new(sets),
            now: 0,
            take: Take::None,
            pointer: 0,
            complete: None,
            best: [(0, 0); 2],
            beat: None,
            merged: false,
        })
    }

    pub(super) fn local_ready(&self) -> bool {
        !self.local.is_full()
    }

    pub(super) fn ring_ready(&self, direction: usize) -> bool {
        !self.ring[direction].is_full()
    }

    pub(super) fn complete(&self) -> Option<u32> {
        self.complete
    }

    /// Set and count.
    pub(super) fn best(&self) -> (u32, u8) {
        let (set, count) = self.best[1];
        (set as u32, count as u8)
    }

    pub(super) fn take_ready(&self) -> bool {
        self.take == Take::None
    }

    pub(super) fn beat(&self) -> &Option<BankBeat> {
        &self.beat
    }

    pub(super) fn merged(&self) -> bool {
        self.merged
    }

    pub(super) fn count(&self) -> u32 {
        self.fullness.total()
    }

    pub(super) fn is_idle(&self) -> bool {
        self.stage_1.is_none()
            && self.stage_2.is_none()
            && self.flights.is_empty()
            && self.local.is_empty()
            && self.ring.iter().all(Fifo::is_empty)
    }

    fn set_in_flight(&self, set: usize) -> bool {
        self.flights.iter().any(|flight| flight.set == set)
    }

    /// Elements in flight that may yet be appended to the set.
    fn coming(&self, set: usize, filter: Filter) -> usize {
        let appended = |flight: &Flight| matches!(self.meet(set, flight.element, filter), Arrival::Appended { .. });
        let may_be = |flight: &Flight| flight.since + FINDING > self.now || appended(flight);
        self.flights.iter().filter(|flight| flight.set == set && may_be(flight)).count()
    }

    /// May the element of stage 2 leave for its set? `reads`: a group of a take is read.
    fn may_leave(&self, set: usize, element: &Element, filter: Filter, reads: bool) -> bool {
        if self.take.set() == Some(set) || self.fullness.is_full(set) {
            return false;
        }
        if filter == Filter::None {
            return true;
        }
        let equal = self.flights.iter().any(|flight| flight.element.index == element.index);
        !reads && !equal && self.fullness.of(set) + self.coming(set, filter) < LINE
    }

    /// A group of the take is read in this cycle.
    fn reads(&self, cycle: &BankCycle) -> bool {
        matches!(self.take, Take::Reads { .. }) && cycle.beat_room
    }

    /// The result of the newcomer's arrival in its set.
    fn meet(&self, set: usize, newcomer: Element, filter: Filter) -> Arrival {
        let held = &self.slots[set * LINE..][..self.fullness.of(set)];
        let equal = (0..).zip(held).find(|(_, element)| element.index == newcomer.index);
        let Some((slot, &element)) = equal else {
            return Arrival::Appended { set, slot: held.len(), element: newcomer };
        };
        match filter {
            Filter::Addition => {
                let secondary = fp32_add::add(element.secondary, newcomer.secondary);
                Arrival::Merged { set, slot, element: Element { secondary, ..element } }
            }
            _ if newcomer.secondary < element.secondary => Arrival::Merged { set, slot, element: newcomer },
            _ => Arrival::Dropped,
        }
    }

    /// The element that enters a set at the end of this cycle.
    fn arrival(&self, filter: Filter) -> Option<Arrival> {
        if filter == Filter::None {
            let may_leave = |(set, element): &(usize, Element)| self.may_leave(*set, element, filter, false);
            let (set, element) = self.stage_2.filter(may_leave)?;
            return Some(Arrival::Appended { set, slot: self.fullness.of(set), element });
        }
        let flight = self.flights.front().filter(|flight| flight.due == self.now)?;
        Some(self.meet(flight.set, flight.element, filter))
    }

    /// The beat of a group of slots.
    fn read_group(&self, set: usize, group: usize, first: usize, end: usize) -> BankBeat {
        let mut beat = BankBeat { last: end <= (group + 1) * BEAT, ..Default::default() };
        for slot in first.max(group * BEAT)..end.min((group + 1) * BEAT) {
            let j = slot % BEAT;
            beat.mask |= 1 << j;
            beat.elements[j] = self.slots[set * LINE + slot];
        }
        beat
    }

    /// The take's part of a cycle: its beat; the set and the occupancy to which it falls.
    fn advance_take(&mut self, cycle: &BankCycle) -> Result<(Option<BankBeat>, Option<(usize, usize)>), Fault> {
        match self.take {
            Take::None => {
                if let Some(order) = cycle.take {
                    self.take = Take::Waits(order);
                    self.pointer = (order.set as usize + 1) % self.parameters.bank_sets();
                }
            }
            Take::Waits(order) => {
                let set = order.set as usize;
                if !self.set_in_flight(set) {
                    let end = self.fullness.of(set);
                    rule(end > 0 && order.count > 0, format_args!("reorder_bank: nothing to take from set {set}"))?;
                    let first = end.saturating_sub(order.count as usize);
                    self.take = Take::Reads { set, group: first / BEAT, first, end };
                    return Ok((None, Some((set, first))));
                }
            }
            Take::Reads { set, group, first, end } => {
                if cycle.beat_room {
                    let beat = self.read_group(set, group, first, end);
                    let next = Take::Reads { set, group: group + 1, first, end };
                    self.take = if beat.last { Take::Settles(2) } else { next };
                    return Ok((Some(beat), None));
                }
            }
            Take::Settles(1) => self.take = Take::None,
            Take::Settles(cycles) => self.take = Take::Settles(cycles - 1),
        }
        Ok((None, None))
    }

    /// The element of stage 2 leaves for its set, if it may.
    fn leave(&mut self, filter: Filter, reads: bool) {
        let Some((set, element)) = self.stage_2 else { return };
        if !self.may_leave(set, &element, filter, reads) {
            return;
        }
        let latency = match filter {
            Filter::None => None,
            Filter::Minimum => Some(MINIMUM_LATENCY),
            Filter::Addition => Some(ADDITION_LATENCY),
        };
        if let Some(latency) = latency {
            self.flights.push_back(Flight { since: self.now, due: self.now + latency, set, element });
        }
        self.stage_2 = None;
    }

    /// Stages and queues, after stage 2's element has left or not.
    fn move_up(&mut self, cycle: &BankCycle) -> Result<(), Fault> {
        if self.stage_2.is_none() {
            self.stage_2 = self.stage_1.take().map(|placed| (placed.place as usize, placed.element));
        }
        let mut took = None;
        let mut took_ring = [false; 2];
        if self.stage_1.is_none() {
            let waits = [0, 1].map(|d| self.ring[d].head().is_some());
            took = self.credit.choose(waits[0] || waits[1], self.local.head().is_some());
            self.stage_1 = match took {
                Some(Side::Ring) => {
                    let direction = if waits == [true; 2] { 1 - self.last } else { waits[1] as usize };
                    self.last = direction;
                    took_ring[direction] = true;
                    self.ring[direction].head()
                }
                Some(Side::Local) => self.local.head(),
                None => None,
            };
        }
        let local = cycle.local.filter(|_| !self.local.is_full());
        self.local.clock(local, took == Some(Side::Local))?;
        for ((queue, element), took) in self.ring.iter_mut().zip(cycle.ring).zip(took_ring) {
            let element = element.filter(|_| !queue.is_full());
            queue.clock(element, took)?;
        }
        Ok(())
    }

    fn store(&mut self, arrival: Arrival, filter: Filter) {
        match arrival {
            Arrival::Appended { set, slot, element } => {
                self.slots[set * LINE + slot] = element;
                self.fullness.change(set, slot + 1);
            }
            Arrival::Merged { set, slot, element } => self.slots[set * LINE + slot] = element,
            Arrival::Dropped => {}
        }
        if filter != Filter::None {
            self.flights.pop_front();
        }
    }

    /// The edge.
    pub(super) fn step(&mut self, cycle: &BankCycle, filter: Filter) -> Result<(), Fault> {
        rule(cycle.take.is_none() || self.take_ready(), "reorder_bank: take while one is under way")?;
        self.best = [self.fullness.fullest(), self.best[0]];
        self.complete = self.fullness.first_full(self.pointer, self.take.set()).map(|set| set as u32);

        let arrival = self.arrival(filter);
        self.leave(filter, self.reads(cycle));
        let (beat, falls) = self.advance_take(cycle)?;
        self.beat = beat;
        if let Some((set, occupancy)) = falls {
            self.fullness.change(set, occupancy);
        }
        self.merged = matches!(arrival, Some(Arrival::Merged { .. } | Arrival::Dropped));
        if let Some(arrival) = arrival {
            self.store(arrival, filter);
        }
        self.move_up(cycle)?;
        self.now += 1;
        Ok(())
    }
}

impl Unit for ReorderBank {
    type In = ReorderBankIn;
    type Out = ReorderBankOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> ReorderBankOut {
        let (best_set, best_count) = self.best();
        ReorderBankOut {
            local_ready: self.local_ready(),
            cw_ready: self.ring_ready(0),
            ccw_ready: self.ring_ready(1),
            complete: self.complete.into(),
            best_set,
            best_count,
            take_ready: self.take_ready(),
            beat: self.beat.into(),
            merged: self.merged,
            count: self.count(),
            idle: self.is_idle(),
        }
    }

    fn clock(&mut self, pins: &ReorderBankIn) -> Result<(), Fault> {
        let cycle = BankCycle {
            local: pins.local.get(),
            ring: [pins.cw.get(), pins.ccw.get()],
            take: pins.take.get(),
            beat_room: pins.beat_room,
        };
        self.step(&cycle, Filter::from_pins(pins.filter)?)
    }

    fn reset(&mut self) {
        *self = Self::new(&self.parameters).expect("parameters that were checked");
    }
}

#[cfg(test)]
mod tests;
