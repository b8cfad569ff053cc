//! Legal random inputs of `data_replier`: two banks (the model's), which elements fill, cores, and the other partitions. Every
//! request is answered or forwarded, with as many elements as it has lanes or, when all is empty, fewer; every element that
//! a bank gives is in a reply.

use super::elements::{self, Indices};
use super::handshake::Source;
use super::requests::{Part, Requests};
use crate::stimulus::{events, phases, Chance, Phases, Rng, Stimulus};
use sim::unit::Unit;
use sim::units::iru::element::{Access, Bundle, Element, Placed, LINE};
use sim::units::iru::pins::{BankView, DataReplierIn, DataReplierOut, ReorderBankIn, Reply};
use sim::units::iru::{Parameters, ReorderBank};
use std::collections::VecDeque;

events! { DataReplierStimulus:
    Complete0 = "a take from a complete set of bank 0",
    Complete1 = "a take from a complete set of bank 1",
    BothComplete = "a take while both banks have a complete set",
    Timeout = "a take after a timeout",
    AtTheEnd = "a take from what is left at the end",
    TopUp = "a reply from more than one set",
    FewerLanes = "a take of fewer elements than the set has",
    Whole = "a reply of 32 elements",
    Disabled = "a reply that leaves lanes without element",
    Nothing = "a reply without any element",
    Forward = "a request is forwarded",
    ForwardRest = "the rest of a request is forwarded",
    TokenPasses = "a token for another partition passes",
    TokenComes = "a token for this partition",
    TokenBeforeInput = "a token comes before a request of a core",
    RequestWaits = "a request waits",
    MostRequests = "as many requests as the unit may have",
    ReplyWaits = "a beat of a reply waits",
    NoRoom = "no room for a beat",
    Rich = "elements to spare",
    RichAtTheEnd = "elements to spare at the end",
    StartWhileEnding = "a request comes after start, before the end of the job before is over",
    Restart = "start",
    Reset = "reset with requests inside",
}

phases! {
    PHASES: Phase (fills, asks, token, rich, takes)
    (256, 20, 4, 0, 256)
    (200, 256, 30, 10, 256)
    (60, 60, 60, 60, 256)
    (256, 0, 0, 0, 256)
    (30, 10, 2, 0, 256)
    (256, 60, 60, 0, 60)
    (10, 100, 200, 200, 200)
    (256, 256, 256, 4, 256)
    (100, 20, 0, 256, 256)
    (256, 100, 10, 0, 10)
}

/// Cycles at rest before a start.
const REST: u32 = 16;

#[derive(Default)]
pub struct DataReplierStimulus {
    rng: Rng,
    parameters: Parameters,
    phase: Phases<Phase>,
    indices: Indices,
    banks: Vec<ReorderBank>,
    access: Access,
    bank_pins: [ReorderBankIn; 2],
    sources: [Source; 2],
    /// Phases until no element comes any more.
    phases: u32,
    /// Cycles for which nothing has been on its way to a set, and for which no set has held anything.
    quiet: u32,
    vacant: u32,
    /// Cycles since start for which the job before seems to be ending still.
    lag: u32,
    requests: Requests,
    /// The cycle before was a reset: of the other partitions, too.
    was_reset: bool,
    /// `last` of the beats that have come from the banks and are not in a reply yet.
    beats: VecDeque<(u8, bool)>,
    /// Sets of the part that is being taken.
    sets: u32,
    findings: Findings,
}

impl DataReplierStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let bank = || ReorderBank::new(parameters).expect("the unit has been made with these parameters");
        let mut stimulus = DataReplierStimulus {
            indices: Indices::any(&mut rng),
            rng,
            parameters: *parameters,
            phase: Phases::new(PHASES, 20..620, 128),
            banks: vec![bank(), bank()],
            requests: Requests::new(parameters, 3),
            was_reset: true,
            ..Default::default()
        };
        stimulus.fill();
        stimulus
    }

    /// Draws the job: number of phases, access and filter.
    fn fill(&mut self) {
        self.phases = 1 + self.rng.below(12);
        self.access = elements::access(&mut self.rng);
        let filter = self.rng.below(3) as u8;
        for pins in &mut self.bank_pins {
            pins.filter = filter;
        }
    }

    fn is_filling(&self) -> bool {
        self.phases > 0
    }

    fn begin_phase(&mut self) {
        self.phases = self.phases.saturating_sub(1);
        self.indices = Indices::any(&mut self.rng);
        if !self.is_filling() {
            // All that is left is asked for, sooner or later.
            self.phase.asks = self.rng.any_of(&[Chance::NEVER, Chance(10), Chance(60), Chance::ALWAYS]);
        }
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.requests.outstanding > 0);
        self.banks.iter_mut().for_each(Unit::reset);
        self.sources = Default::default();
        (self.quiet, self.vacant, self.lag, self.sets) = (0, 0, 0, 0);
        self.requests.reset();
        self.was_reset = true;
        self.beats.clear();
        self.fill();
    }

    fn element(&mut self) -> Bundle {
        let element = Element {
            index: self.indices.draw(&mut self.rng),
            secondary: elements::secondary(&mut self.rng),
            position: self.rng.draw() as u32 & 0xff_ffff,
        };
        Bundle::of(Placed { element, place: elements::place(&element, &self.access, self.parameters.set_bits()) })
    }

    /// The banks' cycle: what they show, and what they get.
    fn serve(&mut self, outputs: &DataReplierOut, pins: &mut DataReplierIn) {
        let mut all_idle = !self.is_filling();
        let mut count = 0;
        for b in 0..2 {
            let out = self.banks[b].outputs();
            // Pins that go with `beat_valid` keep their values after the last beat.
            let mut beat = pins.banks[b].beat;
            beat.show(&out.beat.get());
            pins.banks[b] = BankView {
                complete: out.complete,
                best_set: out.best_set,
                best_count: out.best_count,
                take_ready: out.take_ready,
                beat,
            };
            if let Some(beat) = out.beat.get() {
                self.beats.push_back((beat.mask, beat.last));
            }
            let fills = self.is_filling() && !self.sources[b].waits() && self.phase.fills.happens(&mut self.rng);
            let next = fills.then(|| self.element());
            let bank = &mut self.bank_pins[b];
            self.sources[b].put(&mut bank.local, out.local_ready, || next);
            (bank.take, bank.beat_room) = (outputs.takes[b], outputs.beat_room);
            self.banks[b].clock(bank).unwrap();
            all_idle &= out.idle && !bank.local.valid;
            count += out.count;
        }
        self.quiet = if all_idle { self.quiet + 1 } else { 0 };
        self.vacant = if count == 0 { self.vacant + 1 } else { 0 };
        self.lag = self.lag.saturating_sub(1);
        // Registers lie between the banks and these pins.
        pins.ending = self.quiet > 2 || self.lag > 0;
        pins.all_empty = self.vacant > 2;
    }

    /// Takes, which were decided by what the banks showed in the cycle before.
    fn observe_takes(&mut self, outputs: &DataReplierOut, pins: &DataReplierIn) -> Result<(), String> {
        for b in 0..2 {
            let Some(order) = outputs.takes[b].get() else { continue };
            let view = &pins.banks[b];
            let complete = view.complete.get() == Some(order.set);
            if !complete && (order.set, true) != (view.best_set, order.count <= view.best_count) {
                return Err(format!("{order:?} of bank {b}, which shows {view:?}"));
            }
            let there = if complete { LINE as u8 } else { view.best_count };
            let filling = self.is_filling();
            let c = &mut self.findings;
            c.count([Event::Complete0, Event::Complete1][b], complete);
            c.count(Event::BothComplete, pins.banks.iter().all(|view| view.complete.valid));
            c.count(Event::Timeout, !complete && filling);
            c.count(Event::AtTheEnd, !complete && pins.ending);
            c.count(Event::FewerLanes, order.count < there);
        }
        Ok(())
    }

    fn receive(&mut self, reply: &Reply) -> Result<(), String> {
        if reply.mask != 0 {
            let Some((mask, last)) = self.beats.pop_front() else {
                return Err(format!("{reply:x?} is not from a bank"));
            };
            if mask != reply.mask {
                return Err(format!("{reply:x?}, but the bank's mask is {mask:x}"));
            }
            self.sets += u32::from(last);
        }
        if let Some(Part { elements, lanes }) = self.requests.receive(reply)? {
            let c = &mut self.findings;
            c.count(Event::TopUp, self.sets > 1);
            c.count(Event::Whole, elements == 32);
            c.count(Event::Disabled, reply.last && elements < lanes);
            c.count(Event::Nothing, reply.last && elements == 0);
            c.count(Event::ForwardRest, !reply.last);
            self.sets = 0;
        }
        Ok(())
    }

    fn ask(&mut self, outputs: &DataReplierOut, pins: &mut DataReplierIn) {
        let (requests, rng, c) = (&mut self.requests, &mut self.rng, &mut self.findings);
        let asks = requests.ask(rng, self.phase.asks, &mut pins.request, outputs.request_ready);
        c.count(Event::MostRequests, asks && requests.outstanding == self.parameters.requests);
        c.count(Event::StartWhileEnding, asks && self.lag > 0);
        c.count(Event::RequestWaits, requests.cores.waits());
        let tokens = if std::mem::take(&mut self.was_reset) { Chance::NEVER } else { self.phase.token };
        let comes = requests.token(rng, tokens, &mut pins.token, pins.partition);
        c.count(Event::TokenComes, comes);
        c.count(Event::TokenBeforeInput, comes && !outputs.request_ready);
    }

    fn observe(&mut self, outputs: &DataReplierOut, pins: &mut DataReplierIn) -> Result<(), String> {
        self.findings.count(Event::TokenPasses, self.requests.passes.is_some());
        let forwards = self.requests.observe_token(outputs.token.get(), pins.partition)?;
        self.findings.count(Event::Forward, forwards);
        self.observe_takes(outputs, pins)?;
        pins.reply_ready = self.phase.takes.happens(&mut self.rng);
        if let Some(reply) = self.requests.take(&outputs.reply, pins.reply_ready)? {
            self.receive(&reply)?;
        }
        self.serve(outputs, pins);
        let c = &mut self.findings;
        c.count(Event::ReplyWaits, outputs.reply.valid && !pins.reply_ready);
        c.count(Event::NoRoom, !outputs.beat_room);
        c.count(Event::Rich, outputs.rich);
        c.count(Event::RichAtTheEnd, outputs.rich && pins.ending);
        Ok(())
    }

    /// At the end of a job: rest, then start.
    fn restart(&mut self, pins: &mut DataReplierIn) {
        pins.start = false;
        let over = pins.ending && pins.all_empty && self.lag == 0;
        if !over || self.requests.outstanding > 0 || self.is_filling() {
            return;
        }
        self.requests.rest += 1;
        if self.requests.rest > REST {
            self.findings.count(Event::Restart, true);
            pins.start = true;
            self.lag = self.rng.below(4);
            (self.requests.rest, self.quiet) = (0, 0);
            self.phase.ends_in(0);
            self.fill();
        }
    }
}

impl Stimulus for DataReplierStimulus {
    type In = DataReplierIn;
    type Out = DataReplierOut;

    fn next(&mut self, outputs: &DataReplierOut, pins: &mut DataReplierIn) -> bool {
        if self.phase.begins(&mut self.rng) {
            self.begin_phase();
            if self.phase.resets(&mut self.rng) {
                self.reset();
                pins.partition = self.rng.below(self.parameters.partitions as u32) as u8;
                return true;
            }
        }
        let result = self.observe(outputs, pins);
        self.findings.check(result);
        self.restart(pins);
        self.ask(outputs, pins);
        let others = ((1u8 << self.parameters.partitions) - 1) & !(1 << pins.partition);
        pins.rich =
            self.phase.rich.of_each(&mut self.rng, u32::from(others)) as u8 | u8::from(outputs.rich) << pins.partition;
        self.requests.was_rich = pins.rich;
        false
    }
}
