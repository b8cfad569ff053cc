//! Legal random inputs of `fetch_arbiter`: fetches that schedulers want until the storage has dealt with their line. Each ask
//! is one that was wanted and stays until it is over, no line is asked for twice in a row, and every scheduler is served in the end.

use super::places::round_robin;
use crate::stimulus::{events, phases, Coverage, Phases, Rng, Stimulus};
use sim::units::gw::parameters::MOST_SCHEDULERS;
use sim::units::gw::pins::{Ask, FetchArbiterIn, FetchArbiterOut, Want};
use sim::units::gw::Parameters;

events! { FetchArbiterStimulus:
    Ask = "an ask",
    InTurn = "asks that are over in successive cycles",
    NoRoom = "an ask waits for room",
    Filling = "an ask waits for a fill",
    OneLine = "several schedulers want the line of the ask",
    AskedNow = "a scheduler is passed over: its line is asked for now",
    AskedBefore = "a scheduler is passed over: its line was asked for in the previous cycle",
    OnlyAsked = "no ask: all want lines that are asked for",
    Again = "a line is asked for again",
    Refused = "a line is asked for again: it found no entry",
    TurnWraps = "the turn wraps",
    All = "all schedulers want different lines",
    Last = "the last scheduler asks",
    Idle = "nobody wants anything",
    Reset = "reset while something is asked for",
}

phases! {
    /// `found`: the storage finds an entry.
    PHASES: Phase (wants, room, fills, found, lines: u32)
    (100, 200, 40, 240, 8)
    (256, 256, 0, 256, 1 << 15)
    (256, 256, 20, 200, 2)
    (20, 256, 100, 256, 4)
    (200, 20, 128, 128, 3)
    (2, 128, 20, 200, 100)
}

/// Cycles from the one in which an ask is over to the first in which a warp that it served wants no more.
const SERVED_AFTER: u64 = 2;

#[derive(Default)]
pub struct FetchArbiterStimulus {
    rng: Rng,
    schedulers: usize,
    places: u32,
    phase: Phases<Phase>,
    cycle: u64,
    wants: [Option<Want>; MOST_SCHEDULERS],
    /// Lines that were dealt with, and when wants of them end.
    served: Vec<(u16, u64)>,
    ask: Option<Ask>,
    was_over: Option<u16>,
    refused: Option<u16>,
    last: Option<u16>,
    pointer: usize,
    findings: Findings,
}

impl FetchArbiterStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        FetchArbiterStimulus {
            rng: Rng::new(seed),
            schedulers: parameters.schedulers,
            places: parameters.places() as u32,
            phase: Phases::new(PHASES, 20..320, 8),
            ..Default::default()
        }
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.ask.is_some());
        self.wants = [None; MOST_SCHEDULERS];
        self.served.clear();
        (self.ask, self.was_over, self.refused, self.last, self.pointer) = (None, None, None, None, 0);
    }

    fn want(&mut self) {
        let now = self.cycle;
        let is_served = |want: &Want| self.served.iter().any(|(line, end)| *line == want.line && *end <= now);
        for want in &mut self.wants[..self.schedulers] {
            let rng = &mut self.rng;
            // Another warp of the scheduler may be served.
            let goes_on = want.is_some_and(|want| !is_served(&want)) && !rng.one_in(8);
            if !goes_on {
                let line = rng.below(self.phase.lines) as u16;
                let new = Want { place: rng.below(self.places) as u8, line };
                *want = self.phase.wants.happens(rng).then_some(new).filter(|want| !is_served(want));
            }
        }
        self.served.retain(|(_, end)| *end > now);
    }

    /// The next ask.
    fn decide(&mut self) {
        let held = self.ask.map(|ask| ask.line);
        let is_free = |want: &Want| Some(want.line) != held && Some(want.line) != self.was_over;
        let mask = |holds: &dyn Fn(&Want) -> bool| {
            let wants = self.wants.iter().enumerate();
            wants.fold(0, |mask, (s, want)| mask | u64::from(want.as_ref().is_some_and(holds)) << s)
        };
        let (wanted, free) = (mask(&|_| true), mask(&is_free));
        let first = round_robin(wanted, self.pointer);
        let chosen = round_robin(free, self.pointer);
        let c = &mut self.findings;
        c.count(Event::Idle, wanted == 0);
        c.count(Event::OnlyAsked, wanted != 0 && free == 0);
        if let (Some(first), Some(chosen)) = (first, chosen) {
            let line = self.wants[first].map(|want| want.line).filter(|_| first != chosen);
            c.count(Event::AskedNow, line.is_some() && line == held);
            c.count(Event::AskedBefore, line.is_some() && line == self.was_over && line != held);
            c.count(Event::TurnWraps, chosen < self.pointer);
            self.pointer = chosen + 1;
        }
        let want = chosen.and_then(|s| Some((s, self.wants[s]?)));
        self.ask = want.map(|(s, want)| Ask { scheduler: s as u8, place: want.place, line: want.line });
        if let Some(ask) = self.ask {
            let same = self.wants.iter().flatten().filter(|want| want.line == ask.line).count();
            c.count(Event::Ask, true);
            c.count(Event::OneLine, same > 1);
            c.count(Event::Again, self.last == Some(ask.line));
            c.count(Event::Refused, self.refused == Some(ask.line));
            c.count(Event::Last, usize::from(ask.scheduler) == self.schedulers - 1);
            self.last = Some(ask.line);
        }
        let mut lines: Vec<_> = self.wants.iter().flatten().map(|want| want.line).collect();
        lines.sort_unstable();
        lines.dedup();
        c.count(Event::All, lines.len() == self.schedulers);
    }

    /// The edge that ends this cycle.
    fn clock(&mut self, room: bool, fills: bool) {
        let over = self.ask.filter(|_| room && !fills).map(|ask| ask.line);
        let c = &mut self.findings;
        c.count(Event::NoRoom, self.ask.is_some() && !room);
        c.count(Event::Filling, self.ask.is_some() && room && fills);
        c.count(Event::InTurn, over.is_some() && self.was_over.is_some());
        if let Some(line) = over {
            let found = self.phase.found.happens(&mut self.rng);
            self.refused = (!found).then_some(line);
            if found {
                self.served.push((line, self.cycle + SERVED_AFTER));
            }
        }
        if self.ask.is_none() || over.is_some() {
            self.decide();
        }
        self.was_over = over;
    }
}

impl Stimulus for FetchArbiterStimulus {
    type In = FetchArbiterIn;
    type Out = FetchArbiterOut;

    fn next(&mut self, outputs: &FetchArbiterOut, pins: &mut FetchArbiterIn) -> bool {
        if outputs.ask.get() != self.ask {
            let text = format!("{:x?} is asked for, due is {:x?}", outputs.ask.get(), self.ask);
            self.findings.complain(text);
        }
        if self.phase.next(&mut self.rng) {
            self.reset();
            return true;
        }
        self.want();
        for (pins, want) in pins.want.iter_mut().zip(&self.wants) {
            pins.show(want);
        }
        pins.fetch_room = self.phase.room.happens(&mut self.rng);
        pins.fill_valid = self.phase.fills.happens(&mut self.rng);
        self.clock(pins.fetch_room, pins.fill_valid);
        self.cycle += 1;
        false
    }

    fn coverage(&self) -> Coverage {
        // One scheduler has nobody to share with or to pass over.
        let of_others = [Event::OneLine, Event::AskedNow, Event::AskedBefore];
        self.findings.coverage_without(&[(self.schedulers == 1, &of_others)])
    }
}
