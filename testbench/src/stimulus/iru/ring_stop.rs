//! Legal random inputs of `ring_stop`: neighbours and a classifier that send, neighbours and banks that take. Every element
//! leaves once, by its own direction, in order with those that came the same way, and none waits behind more than eight others.

use super::elements::{self, Indices};
use super::handshake::{Sink, Source};
use crate::stimulus::{events, phases, Chance, Coverage, Rng, Stimulus};
use sim::units::iru::element::{Bundle, Element, Placed};
use sim::units::iru::pins::{Offer, RingStopIn, RingStopOut};
use sim::units::iru::Parameters;
use std::collections::VecDeque;

events! { RingStopStimulus:
    OnwardCw = "an element goes on clockwise",
    OnwardCcw = "an element goes on counterclockwise",
    LocalCw = "a local element sets out clockwise",
    LocalCcw = "a local element sets out counterclockwise",
    HomeCw = "an element from clockwise is at home",
    HomeCcw = "an element from counterclockwise is at home",
    ContendCw = "the ring goes before a local element, clockwise",
    ContendCcw = "the ring goes before a local element, counterclockwise",
    CreditCw = "a local element goes after eight of the ring, clockwise",
    CreditCcw = "a local element goes after eight of the ring, counterclockwise",
    SeveralOut = "four elements leave in one cycle",
    LinkWaits = "an element waits for a link",
    BankWaits = "an element waits for a bank",
    ArrivalFull = "an arrival queue is full",
    LocalFull = "a local queue is full",
    AllFull = "all queues are full",
    Together = "several elements come together",
    Empty = "empty again",
    Reset = "reset with elements inside",
}

/// Events of both directions.
const ONWARD: [Event; 2] = [Event::OnwardCw, Event::OnwardCcw];
const LOCAL: [Event; 2] = [Event::LocalCw, Event::LocalCcw];
const HOME: [Event; 2] = [Event::HomeCw, Event::HomeCcw];
const CONTEND: [Event; 2] = [Event::ContendCw, Event::ContendCcw];
const AFTER_CREDIT: [Event; 2] = [Event::CreditCw, Event::CreditCcw];

/// Ring elements that may go before a local one that waits.
const CREDIT: u32 = 8;
/// Cycles from an element's coming to its being seen on a link, if it is local and nothing is before it.
const LOCAL_LATENCY: u64 = 3;

/// State of one direction.
#[derive(Clone, Debug, Default)]
struct Way {
    arrivals: Source,
    locals: Source,
    link: Sink<Bundle>,
    banks: [Sink<Bundle>; 2],
    /// From the neighbour, in order.
    ring: VecDeque<Bundle>,
    /// From the classifier, in order, with the cycle in which each came.
    local: VecDeque<(Bundle, u64)>,
    /// Ring elements that have gone before the local one that waits.
    passed: u32,
}

impl Way {
    fn inside(&self) -> usize {
        self.ring.len() + self.local.len()
    }
}

phases! {
    /// `onward`: what arrives goes on round the ring.
    PHASES: Phase (arrives, sets_out, link, banks, onward)
    (256, 256, 256, 256, 128)
    (256, 128, 256, 256, 256)
    (128, 256, 128, 200, 128)
    (60, 60, 256, 256, 128)
    (0, 0, 256, 256, 128)
    (256, 256, 4, 256, 200)
    (256, 256, 200, 4, 128)
    (256, 10, 256, 128, 240)
    (256, 60, 200, 256, 250)
}

#[derive(Default)]
pub struct RingStopStimulus {
    rng: Rng,
    parameters: Parameters,
    phases: [Phase; 2],
    indices: [Indices; 2],
    remaining: u32,
    /// Nothing comes until all are out.
    drains: bool,
    cycle: u64,
    /// Elements that came.
    number: u32,
    ways: [Way; 2],
    findings: Findings,
}

impl RingStopStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        RingStopStimulus {
            indices: [0, 1].map(|_| Indices::any(&mut rng)),
            rng,
            parameters: *parameters,
            phases: [PHASES[0]; 2],
            ..Default::default()
        }
    }

    fn inside(&self) -> usize {
        self.ways.iter().map(Way::inside).sum()
    }

    fn choose_phase(&mut self) {
        self.remaining = 10 + self.rng.below(300);
        for d in 0..2 {
            self.phases[d] = self.rng.any_of(PHASES);
            self.indices[d] = Indices::any(&mut self.rng);
        }
        self.drains |= self.rng.one_in(8);
    }

    /// Any elements: the stop sees their place alone.
    fn bundle(&mut self, d: usize) -> Bundle {
        let (indices, number) = (self.indices[d], &mut self.number);
        let mut next = |rng: &mut Rng| {
            *number = number.wrapping_add(1);
            Element {
                index: indices.draw(rng),
                secondary: elements::secondary(rng),
                position: elements::position(*number),
            }
        };
        let element = next(&mut self.rng);
        let below = self.parameters.ring_place_bits() - 1;
        let onward = u32::from(self.phases[d].onward.happens(&mut self.rng));
        let place = (onward << below | self.rng.below(1 << below)) as u16;
        let first = Placed { element, place };
        let bundle = elements::bundle(&mut self.rng, first, self.parameters.bundle, next, |_| true);
        self.findings.count(Event::Together, bundle.count() > 1);
        bundle
    }

    /// A bundle with this chance, unless one waits.
    fn next(&mut self, d: usize, chance: Chance, source: Source) -> Option<Bundle> {
        let comes = !self.drains && chance.happens(&mut self.rng);
        (comes && !source.waits()).then(|| self.bundle(d))
    }

    fn send(&mut self, d: usize, outputs: &RingStopOut, pins: &mut RingStopIn) {
        let phase = self.phases[d];
        let next = self.next(d, phase.arrives, self.ways[d].arrivals);
        let way = &mut self.ways[d];
        let came = way.arrivals.put(&mut pins.arrival[d], outputs.arrival_ready[d], || next);
        way.ring.extend(came);
        let next = self.next(d, phase.sets_out, self.ways[d].locals);
        let way = &mut self.ways[d];
        let came = way.locals.put(&mut pins.local[d], outputs.local_ready[d], || next);
        way.local.extend(came.map(|element| (element, self.cycle)));
    }

    /// Element on the link: seen for the first time, it went there in the cycle before.
    fn observe_link(&mut self, d: usize, out: &Offer<Bundle>, ready: bool) -> Result<u32, String> {
        let way = &mut self.ways[d];
        let taken = way.link.take(out, ready)?;
        if way.link.is_new {
            let waits = way.local.front().is_some_and(|(_, came)| came + LOCAL_LATENCY <= self.cycle);
            if way.local.front().is_some_and(|(local, _)| *local == out.item) {
                way.local.pop_front();
                self.findings.count(LOCAL[d], true);
                self.findings.count(AFTER_CREDIT[d], way.passed == CREDIT);
                way.passed = 0;
            } else if remove(&mut way.ring, &out.item, self.parameters.set_bits() + 1, 1) {
                way.passed = if waits { way.passed + 1 } else { 0 };
                self.findings.count(ONWARD[d], true);
                self.findings.count(CONTEND[d], waits);
            } else {
                return Err(format!("{:x?} goes on, but did not come", out.item));
            }
            if way.passed > CREDIT {
                return Err(format!("{} elements of the ring go before {:x?}", way.passed, way.local[0]));
            }
        }
        self.findings.count(Event::LinkWaits, out.valid && !ready);
        Ok(u32::from(taken.is_some()))
    }

    fn observe(&mut self, d: usize, outputs: &RingStopOut, pins: &mut RingStopIn) -> Result<u32, String> {
        let phase = self.phases[d];
        pins.link_ready[d] = phase.link.happens(&mut self.rng);
        let mut left = self.observe_link(d, &outputs.link[d], pins.link_ready[d])?;
        for b in 0..2 {
            let ready = phase.banks.happens(&mut self.rng);
            pins.bank_ready[d][b] = ready;
            let (way, out) = (&mut self.ways[d], &outputs.bank[d][b]);
            let set_bits = self.parameters.set_bits();
            let taken = way.banks[b].take(out, ready)?;
            left += u32::from(taken.is_some());
            if way.banks[b].is_new && !remove(&mut way.ring, &out.item, set_bits, b as u16) {
                return Err(format!("{:x?} goes to a bank, but did not come", out.item));
            }
            self.findings.count(HOME[d], taken.is_some());
            self.findings.count(Event::BankWaits, out.valid && !ready);
        }
        Ok(left)
    }

    fn observe_all(&mut self, outputs: &RingStopOut, pins: &mut RingStopIn) -> Result<(), String> {
        let before = self.inside();
        let left = self.observe(0, outputs, pins)? + self.observe(1, outputs, pins)?;
        let holds = self.inside() > 0 || outputs.link.iter().any(|out| out.valid);
        let holds = holds || outputs.bank.iter().flatten().any(|out| out.valid);
        if outputs.empty == holds {
            return Err(format!("empty is {}, but {} elements are inside", outputs.empty, self.inside()));
        }
        let (arrivals, locals) = (outputs.arrival_ready, outputs.local_ready);
        let c = &mut self.findings;
        c.count(Event::SeveralOut, left >= 4);
        c.count(Event::ArrivalFull, arrivals.contains(&false));
        c.count(Event::LocalFull, locals.contains(&false));
        c.count(Event::AllFull, arrivals == [false; 2] && locals == [false; 2]);
        c.count(Event::Empty, before > 0 && self.ways.iter().all(|way| way.inside() == 0));
        Ok(())
    }
}

/// Takes the oldest element out, which must be this one; its place had `above` over the `bits` that go on with it.
fn remove(queue: &mut VecDeque<Bundle>, left: &Bundle, bits: u32, above: u16) -> bool {
    let first = Placed { place: left.first.place | above << bits, ..left.first };
    let came = Bundle { first, ..*left };
    left.first.place >> bits == 0 && queue.pop_front() == Some(came)
}

impl Stimulus for RingStopStimulus {
    type In = RingStopIn;
    type Out = RingStopOut;

    fn next(&mut self, outputs: &RingStopOut, pins: &mut RingStopIn) -> bool {
        self.cycle += 1;
        if self.remaining == 0 {
            self.choose_phase();
            if self.rng.one_in(64) {
                self.findings.count(Event::Reset, self.inside() > 0);
                self.ways = Default::default();
                return true;
            }
        }
        self.remaining -= 1;
        let waits = self.ways.iter().any(|way| way.arrivals.waits() || way.locals.waits());
        self.drains &= !outputs.empty || self.inside() > 0 || waits;
        let result = self.observe_all(outputs, pins);
        self.findings.check(result);
        for d in 0..2 {
            self.send(d, outputs, pins);
        }
        false
    }

    fn coverage(&self) -> Coverage {
        self.findings.coverage_without(&[(self.parameters.bundle == 1, &[Event::Together])])
    }
}
