//! `reorder_bank`: one bank of the reordering hash (3.3): sets that collect elements of the same memory block, without tags.

use super::element::{Bundle, Element, Filter, BEAT, LINE};
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
/// Bundles in flight at most: one enters in each cycle.
const FLIGHTS: usize = ADDITION_LATENCY as usize;
/// Cycles after which it is known whether the elements of a flight will be merged.
const FINDING: u64 = 2;

/// A bundle on its way into a set whose elements it is compared with.
#[derive(Clone, Copy, Debug)]
struct Flight {
    /// Cycle in which it entered, and that of the write.
    since: u64,
    due: u64,
    bundle: Bundle,
    /// Bit l: the l-th element is compared with nothing, since an equal one went just before it.
    apart: u8,
}

impl Flight {
    fn set(&self) -> usize {
        self.bundle.first.place as usize
    }

    /// Each element, and whether it is apart.
    fn elements(&self) -> impl Iterator<Item = (Element, bool)> + '_ {
        self.bundle.elements().enumerate().map(|(l, element)| (element, self.apart >> l & 1 == 1))
    }
}

/// The result of an element's arrival at the end of a cycle: the new content of its slot.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    Appended,
    Merged {
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
    local: Fifo<Bundle>,
    /// cw, ccw.
    ring: [Fifo<Bundle>; 2],
    /// Direction that does not come next if both wait.
    last: usize,
    credit: Credit,
    stage_1: Option<Bundle>,
    stage_2: Option<Bundle>,
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
    /// Bit l: the l-th element of a bundle was.
    merged: u8,
}

/// Inputs of a bank in a cycle. Bundles that are not taken may be offered.
#[derive(Clone, Copy, Debug)]
pub(super) struct BankCycle<'a> {
    pub local: Option<&'a Bundle>,
    /// cw, ccw.
    pub ring: [Option<&'a Bundle>; 2],
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
            merged: 0,
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

    pub(super) fn merged(&self) -> u8 {
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
        self.flights.iter().any(|flight| flight.set() == set)
    }

    /// Elements in flight that may yet be appended to the set.
    fn coming(&self, set: usize) -> usize {
        let may_append = |flight: &Flight| {
            let is_unknown = flight.since + FINDING > self.now;
            let appends =
                |(element, apart): &(Element, bool)| is_unknown || *apart || self.slot_of(set, element).is_none();
            flight.elements().filter(appends).count()
        };
        self.flights.iter().filter(|flight| flight.set() == set).map(may_append).sum()
    }

    /// Elements that are equal to one in flight to their set, or to one before them in the bundle, by their bits. A bank of width 1
    /// looks at all flights: equals have one set, if what comes is what a hash made.
    fn apart(&self, bundle: &Bundle) -> u8 {
        let goes_there = |flight: &&Flight| self.parameters.bundle == 1 || flight.set() == bundle.first.place as usize;
        let flights = || self.flights.iter().filter(goes_there);
        let in_flight = |index: u32| flights().flat_map(Flight::elements).any(|(e, _)| e.index == index);
        let is_apart = |l: usize, element: Element| {
            let before = bundle.elements().take(l).any(|e| e.index == element.index);
            before || in_flight(element.index)
        };
        bundle.elements().enumerate().fold(0, |bits, (l, element)| bits | (is_apart(l, element) as u8) << l)
    }

    /// The number of elements of stage 2's bundle that leave for their set, and which are apart: all are without a filter. `read`: the
    /// group of a take that is read. Where not all are sure of a slot, the first leaves alone.
    fn leaving(&self, bundle: &Bundle, filter: Filter, read: Option<usize>) -> Option<(usize, u8)> {
        let (set, filters) = (bundle.first.place as usize, filter != Filter::None);
        if self.take.set() == Some(set) || self.fullness.is_full(set) {
            return None;
        }
        if filters && read.is_some_and(|group| self.filter_reads(set, group)) {
            return None;
        }
        let apart = if filters { self.apart(bundle) } else { u8::MAX };
        // A bank of width 1 holds an element back while its equal is in flight.
        if filters && self.parameters.bundle == 1 && apart != 0 {
            return None;
        }
        match self.fullness.of(set) + self.coming(set) {
            used if used + bundle.count() <= LINE => Some((bundle.count(), apart)),
            used => (used < LINE).then_some((1, apart)),
        }
    }

    /// The group of the take that is read in this cycle.
    fn group_read(&self, cycle: &BankCycle) -> Option<usize> {
        match self.take {
            Take::Reads { group, .. } if cycle.beat_room => Some(group),
            _ => None,
        }
    }

    /// The filter needs slots of this group for an element of the set: a bank of width 1 reads the whole set, a wider one the slots
    /// that hold something.
    fn filter_reads(&self, set: usize, group: usize) -> bool {
        self.parameters.bundle == 1 || self.fullness.of(set) > group * BEAT
    }

    /// The lowest slot of the set whose element has this one's index.
    fn slot_of(&self, set: usize, element: &Element) -> Option<usize> {
        self.slots[set * LINE..][..self.fullness.of(set)].iter().position(|held| held.index == element.index)
    }

    /// The result of the newcomer's arrival in its set.
    fn meet(&self, set: usize, newcomer: Element, filter: Filter) -> Arrival {
        let Some(slot) = self.slot_of(set, &newcomer) else { return Arrival::Appended };
        let element = self.slots[set * LINE + slot];
        match filter {
            Filter::Addition => {
                let secondary = fp32_add::add(element.secondary, newcomer.secondary);
                Arrival::Merged { slot, element: Element { secondary, ..element } }
            }
            _ if newcomer.secondary < element.secondary => Arrival::Merged { slot, element: newcomer },
            _ => Arrival::Dropped,
        }
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

    /// Elements of stage 2 leave, as [`Self::leaving`] says. Without a filter they are in their set at the end of the cycle: then they
    /// are what this gives, as a flight of no cycles.
    fn leave(&mut self, filter: Filter, leaving: Option<(usize, u8)>) -> Option<Flight> {
        let ((count, apart), bundle) = leaving.zip(self.stage_2)?;
        let all = count == bundle.count();
        self.stage_2 = if all { None } else { bundle.rest() };
        let bundle = if all { bundle } else { Bundle::of(bundle.first) };
        let latency = match filter {
            Filter::None => 0,
            Filter::Minimum => MINIMUM_LATENCY,
            Filter::Addition => ADDITION_LATENCY,
        };
        let flight = Flight { since: self.now, due: self.now + latency, bundle, apart };
        if latency == 0 {
            return Some(flight);
        }
        self.flights.push_back(flight);
        None
    }

    /// Stages and queues, after stage 2's element has left or not.
    fn move_up(&mut self, cycle: &BankCycle) -> Result<(), Fault> {
        if self.stage_2.is_none() {
            self.stage_2 = self.stage_1.take();
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
        let local = cycle.local.filter(|_| !self.local.is_full()).copied();
        self.local.clock(local, took == Some(Side::Local))?;
        for ((queue, element), took) in self.ring.iter_mut().zip(cycle.ring).zip(took_ring) {
            let element = element.filter(|_| !queue.is_full()).copied();
            queue.clock(element, took)?;
        }
        Ok(())
    }

    /// The elements of a flight that ends come into their set. Gives which of them were merged, by their bits.
    fn land(&mut self, flight: &Flight, filter: Filter) -> u8 {
        let set = flight.set();
        let mut merged = 0;
        for (l, (newcomer, is_apart)) in flight.elements().enumerate() {
            let arrival = if is_apart { Arrival::Appended } else { self.meet(set, newcomer, filter) };
            match arrival {
                Arrival::Appended => {
                    let slot = self.fullness.of(set);
                    self.slots[set * LINE + slot] = newcomer;
                    self.fullness.change(set, slot + 1);
                }
                Arrival::Merged { slot, element } => self.slots[set * LINE + slot] = element,
                Arrival::Dropped => {}
            }
            merged |= (!matches!(arrival, Arrival::Appended) as u8) << l;
        }
        merged
    }

    /// The edge.
    pub(super) fn step(&mut self, cycle: &BankCycle, filter: Filter) -> Result<(), Fault> {
        rule(cycle.take.is_none() || self.take_ready(), "reorder_bank: take while one is under way")?;
        self.best = [self.fullness.fullest(), self.best[0]];
        self.complete = self.fullness.first_full(self.pointer, self.take.set()).map(|set| set as u32);

        let leaving = self.stage_2.and_then(|bundle| self.leaving(&bundle, filter, self.group_read(cycle)));
        let landed = self.leave(filter, leaving);
        let (beat, falls) = self.advance_take(cycle)?;
        self.beat = beat;
        if let Some((set, occupancy)) = falls {
            self.fullness.change(set, occupancy);
        }
        let landed = landed.or_else(|| self.flights.pop_front_if(|flight| flight.due == self.now));
        self.merged = landed.map_or(0, |flight| self.land(&flight, filter));
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
            local: pins.local.peek(),
            ring: [pins.cw.peek(), pins.ccw.peek()],
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
