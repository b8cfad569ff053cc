//! Legal random inputs of `pair_scheduler`: places that are ready until they issue, waves that are offered until they issue,
//! and paths that have room when they like. What issues follows from what was ready, pairs before singles before waves,
//! but a wave that is old enough before all; and nothing issues only if nothing can go.

use super::places::{all, round_robin, some, those};
use crate::traffic::{bits, events, phases, Chance, Phases, Rng, Traffic};
use sim::units::gw::pins::{PairSchedulerIn, PairSchedulerOut, WaveOffer};
use sim::units::gw::Parameters;

events! { PairSchedulerTraffic:
    Pair = "a pair",
    EvenAlone = "an even half alone",
    OddAlone = "an odd half alone",
    Wave = "a wave that nobody keeps waiting",
    Urgent = "a wave by the age cap, before warps",
    WaveWaits = "a wave waits for warps",
    UrgentWaits = "an urgent wave waits for room",
    NoneReady = "nothing is ready",
    NoRoom = "all that is ready waits for room",
    Leaves = "the only ones that are ready issue in this very cycle",
    PairFirst = "a pair goes before the single whose turn it is",
    PairWaits = "of two pairs the second waits",
    Split = "halves of equal pc go alone: pairs are off",
    OtherPc = "both halves can go, but not as a pair",
    HalfScalar = "a half goes alone: the other one is scalar",
    TurnWraps = "the turn wraps",
    Sp = "an issue on path SP",
    Sfu = "an issue on path SFU",
    Dp = "an issue on path DP",
    Memory = "an issue on path memory",
    Reset = "reset while something issues",
}

phases! {
    /// There are `pcs` different pcs.
    PHASES: Phase (comes, scalar, offers, urgent, room, pcs: u32)
    (100, 20, 128, 4, 200, 4)
    (256, 0, 200, 2, 256, 1)
    (256, 60, 256, 20, 128, 64)
    (5, 60, 128, 20, 256, 4)
    (2, 0, 20, 4, 256, 2)
    (20, 20, 100, 20, 30, 8)
    (10, 200, 256, 0, 200, 2)
    (256, 100, 60, 60, 40, 16)
}

/// What issues in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Issue {
    #[default]
    Nothing,
    /// Halves of a pair: even in bit 0.
    Halves(u8, usize),
    Wave(usize),
}

impl Issue {
    fn places(self) -> u64 {
        match self {
            Issue::Halves(halves, pair) => u64::from(halves) << (2 * pair),
            _ => 0,
        }
    }
}

#[derive(Default)]
pub struct PairSchedulerTraffic {
    rng: Rng,
    places: usize,
    entries: u32,
    phase: Phases<Phase>,
    pairs_on: bool,
    held: u64,
    ready: u64,
    scalar: u64,
    pcs: Vec<u16>,
    /// SWID and path.
    offer: Option<(usize, usize)>,
    urgent: bool,
    pointer: usize,
    expected: Issue,
    /// Issued in the cycle before.
    left: u64,
    findings: Findings,
}

/// A path for each pc.
fn path(pc: u16) -> usize {
    usize::from(pc % 4)
}

impl PairSchedulerTraffic {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        PairSchedulerTraffic {
            rng: Rng::new(seed),
            places: parameters.places(),
            entries: parameters.swst as u32,
            phase: Phases::new(PHASES, 20..420, 8),
            pairs_on: true,
            pcs: vec![0; 64],
            ..Default::default()
        }
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.expected != Issue::Nothing);
        (self.held, self.ready, self.left, self.pointer) = (0, 0, 0, 0);
        (self.offer, self.expected) = (None, Issue::Nothing);
        self.pairs_on = !self.rng.one_in(4);
    }

    /// Pairs whose halves are held at one pc, a bit at their even half.
    fn same(&self) -> u64 {
        let both = self.held & self.held >> 1;
        those(both & EVEN, |even| self.pcs[even] == self.pcs[even + 1])
    }

    /// Warps move on: to the next pc, or anywhere.
    fn move_on(&mut self) {
        let rng = &mut self.rng;
        for place in bits(self.left) {
            let next = if rng.one_in(4) { rng.draw() as u16 } else { self.pcs[place] + 1 };
            self.pcs[place] = next % self.phase.pcs as u16;
        }
        let free = all(self.places) & !self.ready & !self.left;
        self.held &= !some(rng, Chance(20), free);
        self.held |= some(rng, Chance(128), free);
        let new = some(rng, self.phase.comes, self.held & free);
        self.ready |= new;
        self.scalar = self.scalar & !new | some(rng, self.phase.scalar, new);
    }

    fn offer(&mut self) {
        let rng = &mut self.rng;
        if self.offer.is_none() && self.phase.offers.happens(rng) {
            self.offer = Some((rng.below(self.entries) as usize, rng.below(4) as usize));
            self.urgent = false;
        }
        self.urgent |= self.phase.urgent.happens(rng);
    }

    /// Places whose path has room.
    fn with_room(&self, places: u64, room: u8) -> u64 {
        those(places, |place| room >> path(self.pcs[place]) & 1 == 1)
    }

    /// What the next cycle issues.
    fn decide(&mut self, now: Issue, room: u8) -> Issue {
        let warps = self.ready & !self.scalar;
        let can = self.with_room(warps, room) & !now.places();
        let wave = self.offer.filter(|(swid, path)| room >> path & 1 == 1 && now != Issue::Wave(*swid));
        let pairs = self.same() & can & can >> 1;
        let (single, pair) = (round_robin(can, self.pointer), round_robin(pairs, self.pointer & !1));
        let c = &mut self.findings;
        c.count(Event::UrgentWaits, self.offer.is_some() && self.urgent && wave.is_none() && can != 0);
        c.count(Event::NoneReady, self.ready == 0 && self.offer.is_none());
        c.count(Event::NoRoom, warps != 0 && warps & now.places() == 0 && can == 0 && wave.is_none());
        c.count(Event::Leaves, warps != 0 && warps & !now.places() == 0 && wave.is_none());
        if let Some((swid, _)) = wave.filter(|_| self.urgent) {
            c.count(Event::Urgent, can != 0);
            return Issue::Wave(swid);
        }
        c.count(Event::WaveWaits, wave.is_some() && can != 0);
        if let Some(even) = pair.filter(|_| self.pairs_on) {
            c.count(Event::PairFirst, single != Some(even) && single != Some(even + 1));
            c.count(Event::PairWaits, pairs.count_ones() > 1);
            c.count(Event::TurnWraps, even < self.pointer & !1);
            self.pointer = even + 2;
            return Issue::Halves(3, even / 2);
        }
        if let Some(place) = single {
            let other = place ^ 1;
            c.count(Event::Split, pairs >> (place & !1) & 1 == 1);
            c.count(Event::OtherPc, can >> other & 1 == 1 && self.pcs[place] != self.pcs[other]);
            c.count(Event::HalfScalar, self.ready & self.scalar & 1 << other != 0);
            c.count(Event::TurnWraps, place < self.pointer);
            self.pointer = place + 1;
            return Issue::Halves(1 << (place & 1), place / 2);
        }
        c.count(Event::Wave, wave.is_some());
        wave.map_or(Issue::Nothing, |(swid, _)| Issue::Wave(swid))
    }

    fn observe(&mut self, outputs: &PairSchedulerOut) -> Result<Issue, String> {
        let halves = u8::from(outputs.halves.even) | u8::from(outputs.halves.odd) << 1;
        let now = match (halves, outputs.wave.get()) {
            (0, None) => Issue::Nothing,
            (0, Some(swid)) => Issue::Wave(swid.into()),
            (_, None) => Issue::Halves(halves, outputs.halves.pair.into()),
            (_, Some(_)) => return Err(format!("halves and a wave issue at once: {outputs:x?}")),
        };
        if now != self.expected {
            return Err(format!("{now:?} issues, due was {:?}", self.expected));
        }
        let c = &mut self.findings;
        c.count(Event::Pair, halves == 3);
        c.count(Event::EvenAlone, halves == 1);
        c.count(Event::OddAlone, halves == 2);
        let used = match now {
            Issue::Halves(..) => round_robin(now.places(), 0).map(|place| path(self.pcs[place])),
            _ => None,
        };
        if let Some(path) = used {
            c.count([Event::Sp, Event::Sfu, Event::Dp, Event::Memory][path], true);
        }
        Ok(now)
    }

    fn put(&self, pins: &mut PairSchedulerIn) {
        (pins.ready, pins.scalar) = (self.ready, self.scalar);
        pins.same = bits(self.same()).fold(0, |mask, even| mask | 1 << (even / 2));
        for place in 0..self.places {
            pins.path[place] = path(self.pcs[place]) as u8;
        }
        let urgent = self.urgent;
        pins.offer.show(&self.offer.map(|(swid, path)| WaveOffer { swid: swid as u8, path: path as u8, urgent }));
        pins.pairs_on = self.pairs_on;
    }
}

/// The even half of every pair.
const EVEN: u64 = 0x5555_5555_5555_5555;

impl Traffic for PairSchedulerTraffic {
    type In = PairSchedulerIn;
    type Out = PairSchedulerOut;

    fn next(&mut self, outputs: &PairSchedulerOut, pins: &mut PairSchedulerIn) -> bool {
        let now = self.observe(outputs).unwrap_or_else(|text| {
            self.findings.complain(text);
            Issue::Nothing
        });
        if self.phase.next(&mut self.rng) {
            self.reset();
            return true;
        }
        self.move_on();
        self.offer();
        pins.room = self.phase.room.of_each(&mut self.rng, 15) as u8;
        self.put(pins);
        self.expected = self.decide(now, pins.room);
        self.left = now.places();
        self.ready &= !self.left;
        if matches!(now, Issue::Wave(_)) {
            self.offer = None;
        }
        false
    }
}
