//! Legal random inputs of `reorder_bank`: three sources of elements, and takes of complete and of fullest sets. Every element comes
//! out at most once, as it went in or, with the addition, with its index; what is inside is what came, less what left or
//! was merged; and nothing but room puts off the reads of a take.

use super::elements::{self, block, Indices, FILTERS};
use super::handshake::Source;
use crate::stimulus::{events, phases, Chance, Coverage, Rng, Stimulus};
use sim::units::iru::element::{Access, Bundle, Element, Filter, Placed, INDEX_MASK, LINE};
use sim::units::iru::pins::{BankBeat, Offer, ReorderBankIn, ReorderBankOut, TakeOrder};
use sim::units::iru::Parameters;

events! { ReorderBankStimulus:
    Local = "an element from the classifier",
    Cw = "an element from clockwise",
    Ccw = "an element from counterclockwise",
    LocalFull = "the local queue is full",
    CwFull = "the clockwise queue is full",
    CcwFull = "the counterclockwise queue is full",
    AllFull = "all queues are full",
    Credit = "an element from the classifier goes after eight of the ring",
    SetFilled = "a set is complete",
    TurnWraps = "the complete set after the one taken is a lower one",
    Conflict = "elements of different blocks come out of one set",
    MergedMinimum = "a duplicate is merged: minimum",
    MergedAddition = "a duplicate is merged: addition",
    RepeatedMinimum = "merges in one set, one straight after the other: minimum",
    RepeatedAddition = "merges in one set, one straight after the other: addition",
    TakeComplete = "a take from a complete set",
    TakeBest = "a take from a fullest set",
    TakeMore = "a take of more elements than there are",
    TakeOne = "a take of one element",
    WithinGroup = "a take that begins within a group of slots",
    InFlight = "a take waits for elements in flight",
    MergedInTurn = "duplicates of different elements of one set are merged in cycles that follow each other",
    Together = "several elements come together",
    SeveralMerged = "several elements of a bundle are merged in one cycle",
    Apart = "equal elements come out of one set although there is a filter",
    NoRoom = "a take waits for room",
    Flows = "elements come in all cycles of a take",
    AllComplete = "every set is complete",
    Emptied = "empty again",
    NoFilter = "filter: none",
    Minimum = "filter: minimum",
    Addition = "filter: addition",
    Reset = "reset with elements inside",
}

/// Local, cw, ccw.
const CAME: [Event; 3] = [Event::Local, Event::Cw, Event::Ccw];
const FULL: [Event; 3] = [Event::LocalFull, Event::CwFull, Event::CcwFull];

/// Elements in flight at most: with the addition, one for each cycle up to the write.
const MOST_IN_FLIGHT: u64 = 6;

phases! {
    /// Order of `comes`: local, cw, ccw.
    PHASES: Phase (comes: [u16; 3], takes, room)
    ([256, 256, 256], 256, 256)
    ([100, 100, 100], 256, 256)
    ([256, 256, 256], 0, 256)
    ([200, 40, 40], 4, 256)
    ([0, 256, 256], 100, 128)
    ([256, 0, 0], 256, 256)
    ([60, 60, 60], 256, 60)
    ([20, 0, 20], 10, 256)
    ([0, 0, 0], 256, 256)
    ([256, 256, 256], 20, 256)
}

/// Everything is taken, nothing comes.
const DRAIN: Phase = Phase { comes: [0; 3], takes: Chance::ALWAYS, room: Chance(200) };

/// Everything comes, nothing is taken.
const FILL: Phase = Phase { comes: [256; 3], takes: Chance::NEVER, room: Chance::ALWAYS };

/// A take under way.
#[derive(Clone, Debug)]
struct Take {
    since: u64,
    set: u32,
    beats: u32,
    elements: u32,
    count: u32,
    block: Option<u32>,
    flows: bool,
    index: Option<u32>,
}

#[derive(Default)]
pub struct ReorderBankStimulus {
    rng: Rng,
    sets: u32,
    /// Most elements that come together.
    bundle: usize,
    /// Tells which elements are of one block, and so of one set.
    access: Access,
    phase: Phase,
    /// Only complete sets are taken from.
    patient: bool,
    remaining: u32,
    indices: Indices,
    /// While all sets are filled: the indices that have not come yet.
    fill: Option<Vec<u32>>,
    filter: Filter,
    /// Another filter or array as soon as nothing is inside.
    reconfigure: bool,
    cycle: u64,
    sources: [Source; 3],
    /// Elements of the ring that came in while one from the classifier waited, and all queues were full.
    passed: u32,
    /// By number.
    elements: Vec<Element>,
    is_out: Vec<bool>,
    merged: usize,
    out: usize,
    take: Option<Take>,
    last_taken: Option<u32>,
    had_room: bool,
    /// All that has come since the bank was empty has one index.
    single: bool,
    /// The same: indices of one block, of which there are several.
    one_set: bool,
    last_merge: u64,
    findings: Findings,
}

impl ReorderBankStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        ReorderBankStimulus {
            indices: Indices::any(&mut rng),
            rng,
            sets: parameters.bank_sets() as u32,
            bundle: parameters.bundle,
            phase: DRAIN,
            reconfigure: true,
            ..Default::default()
        }
    }

    fn inside(&self) -> usize {
        self.elements.len() - self.merged - self.out
    }

    fn clear(&mut self) {
        self.elements.clear();
        self.is_out.clear();
        self.fill = None;
        (self.merged, self.out, self.take, self.last_taken) = (0, 0, None, None);
    }

    fn choose_phase(&mut self) {
        self.fill = None;
        self.reconfigure |= self.rng.one_in(4);
        self.phase = self.rng.any_of(PHASES);
        self.patient = self.rng.one_in(3);
        // Long enough that sets fill.
        self.remaining = 20 + self.rng.below(600 + 30 * self.sets);
        if self.inside() == 0 || self.rng.one_in(2) {
            self.indices = Indices::any(&mut self.rng);
        }
        self.single &= self.indices.is_single() && self.inside() == 0;
        self.one_set = false;
        if self.reconfigure {
            (self.phase, self.patient) = (DRAIN, false);
            self.remaining = 100_000;
        }
    }

    fn reconfigure(&mut self, pins: &mut ReorderBankIn) {
        self.clear();
        (self.reconfigure, self.remaining) = (false, 0);
        self.choose_phase();
        self.filter = FILTERS[self.rng.below(3) as usize];
        pins.filter = self.filter.to_pins();
        self.access = elements::access(&mut self.rng);
        self.single = self.indices.is_single();
        self.one_set = !self.single && self.indices.are_of_one_block(&self.access);
        self.findings.count([Event::NoFilter, Event::Minimum, Event::Addition][self.filter as usize], true);
        if !self.single && self.rng.one_in(12) {
            self.fill_all();
        }
    }

    /// Every set gets as many elements as it holds, of blocks that follow each other.
    fn fill_all(&mut self) {
        let mut missing = vec![LINE; self.sets as usize];
        let (step, mut index) = (128 >> self.access.size, self.rng.draw() as u32);
        let mut fill = Vec::new();
        while fill.len() < self.capacity() {
            index = index.wrapping_add(step) & INDEX_MASK;
            let place = self.place(&Element { index, ..Default::default() });
            if let Some(left) = missing[usize::from(place)].checked_sub(1) {
                missing[usize::from(place)] = left;
                fill.push(index);
            }
        }
        (self.phase, self.single, self.one_set) = (FILL, false, false);
        self.remaining = 2 * fill.len() as u32 + 100;
        self.fill = Some(fill);
    }

    /// Elements that all sets hold.
    fn capacity(&self) -> usize {
        LINE * self.sets as usize
    }

    fn place(&self, element: &Element) -> u16 {
        elements::place(element, &self.access, self.sets.ilog2())
    }

    /// An element of this index and secondary value, and perhaps others of its set. While all sets are filled it is alone.
    fn bundle(&mut self, index: u32, secondary: u32) -> Bundle {
        let position = elements::position(self.elements.len() as u32);
        let element = Element { index, secondary, position };
        let place = self.place(&element);
        let most = if self.fill.is_some() { 1 } else { self.bundle };
        let (indices, access, set_bits) = (self.indices, self.access, self.sets.ilog2());
        let mut number = self.elements.len() as u32;
        let next = |rng: &mut Rng| {
            number += 1;
            let (index, secondary) = (indices.draw(rng), elements::secondary(rng));
            Element { index, secondary, position: elements::position(number) }
        };
        let is_beside = |element: &Element| elements::place(element, &access, set_bits) == place;
        elements::bundle(&mut self.rng, Placed { element, place }, most, next, is_beside)
    }

    fn send(&mut self, outputs: &ReorderBankOut, pins: &mut ReorderBankIn) {
        let readies = [outputs.local_ready, outputs.cw_ready, outputs.ccw_ready];
        let mut came = [false; 3];
        for (i, offer) in [&mut pins.local, &mut pins.cw, &mut pins.ccw].into_iter().enumerate() {
            let is_next = !self.sources[i].waits() && Chance(self.phase.comes[i]).happens(&mut self.rng);
            let index = match &mut self.fill {
                Some(fill) if is_next => fill.pop(),
                _ => is_next.then(|| self.indices.draw(&mut self.rng)),
            };
            let secondary = elements::secondary(&mut self.rng);
            let next = index.map(|index| self.bundle(index, secondary));
            self.findings.count(Event::Together, next.is_some_and(|bundle| bundle.count() > 1));
            self.elements.extend(next.iter().flat_map(Bundle::elements));
            self.is_out.resize(self.elements.len(), false);
            came[i] = self.sources[i].put(offer, readies[i], || next).is_some();
            self.findings.count(CAME[i], came[i]);
            self.findings.count(FULL[i], !readies[i]);
        }
        self.findings.count(Event::AllFull, readies == [false; 3]);
        // Where all queues are full and all offer, elements come in as others leave the queues.
        let [local, cw, ccw] = came;
        let all_offer = pins.local.valid && pins.cw.valid && pins.ccw.valid;
        let one = u32::from(local) + u32::from(cw) + u32::from(ccw) <= 1;
        self.findings.count(Event::Credit, all_offer && one && local && self.passed == 8);
        self.passed = if all_offer && one && !local { self.passed + u32::from(cw || ccw) } else { 0 };
    }

    fn order(&mut self, outputs: &ReorderBankOut, pins: &mut ReorderBankIn) {
        pins.beat_room = self.phase.room.happens(&mut self.rng);
        pins.take.valid = false;
        if !outputs.take_ready || !self.phase.takes.happens(&mut self.rng) {
            return;
        }
        let complete = outputs.complete.get().filter(|_| self.rng.one_in(2));
        let best = (outputs.best_count > 0 && !self.patient).then_some(outputs.best_set);
        let Some(set) = complete.or(best) else { return };
        let there = if complete.is_some() { LINE as u32 } else { u32::from(outputs.best_count) };
        let count = match self.rng.below(4) {
            0 => LINE as u32,
            1 => there,
            2 => 1,
            _ => 1 + self.rng.below(LINE as u32),
        };
        let first = complete.is_some();
        let c = &mut self.findings;
        c.count(Event::TakeComplete, first);
        c.count(Event::TakeBest, !first);
        c.count(Event::TakeMore, count > there);
        c.count(Event::TakeOne, count == 1);
        pins.take = Offer::some(TakeOrder { set, count: count as u8 });
        self.last_taken = Some(set);
        self.take =
            Some(Take { since: self.cycle, set, beats: 0, elements: 0, count, block: None, flows: true, index: None });
    }

    fn receive(&mut self, beat: &BankBeat) -> Result<(), String> {
        let Some(take) = &mut self.take else { return Err(format!("{beat:x?}, but nothing is taken")) };
        self.findings.count(Event::WithinGroup, take.beats == 0 && beat.mask & 1 == 0);
        take.beats += 1;
        for (j, element) in beat.elements.iter().enumerate() {
            if beat.mask >> j & 1 == 0 {
                continue;
            }
            take.elements += 1;
            self.out += 1;
            let at = elements::number(element.position) as usize;
            let fits = self.elements.get(at).is_some_and(|came| {
                let sum = Element { secondary: element.secondary, ..*came };
                *element == if self.filter == Filter::Addition { sum } else { *came }
            });
            if !fits || std::mem::replace(&mut self.is_out[at], true) {
                return Err(format!("{element:x?} comes out of set {}, but is not inside", take.set));
            }
            let block = block(element, &self.access);
            self.findings.count(Event::Conflict, take.block.is_some_and(|other| other != block));
            take.block = Some(block);
            let is_apart = take.index == Some(element.index) && self.filter != Filter::None;
            self.findings.count(Event::Apart, is_apart);
            take.index = Some(element.index);
        }
        if beat.mask == 0 || take.elements > take.count {
            return Err(format!("{beat:x?}: {} elements of a take of {}", take.elements, take.count));
        }
        if beat.last {
            self.findings.count(Event::Flows, take.flows && take.beats > 4);
            self.take = None;
        }
        Ok(())
    }

    /// A take that did not go on in the cycle before.
    fn wait(&mut self) -> Result<(), String> {
        let Some(take) = &mut self.take else { return Ok(()) };
        // From the second cycle after `take` slots are read; with filter perhaps from when the last element in flight is in.
        let reads = take.beats > 0 || self.cycle >= take.since + 3;
        let in_flight = self.filter != Filter::None && take.beats == 0 && self.cycle < take.since + 3 + MOST_IN_FLIGHT;
        self.findings.count(Event::NoRoom, reads && !self.had_room);
        self.findings.count(Event::InFlight, reads && self.had_room && in_flight);
        match reads && self.had_room && !in_flight {
            true => Err(format!("a read of set {} is put off", take.set)),
            false => Ok(()),
        }
    }

    fn observe(&mut self, outputs: &ReorderBankOut, pins: &ReorderBankIn) -> Result<(), String> {
        if outputs.merged > 0 {
            self.merged += outputs.merged.count_ones() as usize;
            self.findings.count(Event::SeveralMerged, outputs.merged.count_ones() > 1);
            let (event, repeated, cycles) = match self.filter {
                Filter::Addition => (Event::MergedAddition, Event::RepeatedAddition, 7),
                _ => (Event::MergedMinimum, Event::RepeatedMinimum, 4),
            };
            self.findings.count(event, true);
            self.findings.count(Event::MergedInTurn, self.one_set && self.cycle - self.last_merge == 1);
            self.findings.count(repeated, self.single && self.cycle - self.last_merge == cycles);
            self.last_merge = self.cycle;
        }
        let all = outputs.count as usize == self.capacity();
        self.findings.count(Event::AllComplete, all);
        self.findings.count(Event::SetFilled, outputs.complete.valid);
        let lower = outputs.complete.get().is_some_and(|set| self.last_taken.is_some_and(|last| set < last));
        self.findings.count(Event::TurnWraps, lower);
        match outputs.beat.get() {
            Some(beat) => self.receive(&beat)?,
            None => self.wait()?,
        }
        let waiting = self.sources.iter().filter(|source| source.waits()).count();
        let inside = self.inside() - waiting;
        if outputs.idle && outputs.take_ready && outputs.count as usize != inside {
            return Err(format!("count is {}, but {inside} elements are inside", outputs.count));
        }
        if let Some(take) = &mut self.take {
            take.flows &= pins.local.valid || pins.cw.valid || pins.ccw.valid;
        }
        Ok(())
    }
}

impl Stimulus for ReorderBankStimulus {
    type In = ReorderBankIn;
    type Out = ReorderBankOut;

    fn next(&mut self, outputs: &ReorderBankOut, pins: &mut ReorderBankIn) -> bool {
        let result = self.observe(outputs, pins);
        self.findings.check(result);
        if self.remaining == 0 {
            self.choose_phase();
            if self.rng.one_in(64) {
                self.findings.count(Event::Reset, self.inside() > 0);
                self.clear();
                self.sources = Default::default();
                (self.cycle, self.last_merge, self.reconfigure) = (0, 0, true);
                return true;
            }
        }
        self.remaining -= 1;
        let waits = self.sources.iter().any(Source::waits);
        if self.reconfigure && outputs.idle && outputs.take_ready && outputs.count == 0 && !waits {
            self.findings.count(Event::Emptied, !self.elements.is_empty());
            self.reconfigure(pins);
        }
        self.order(outputs, pins);
        self.send(outputs, pins);
        self.had_room = pins.beat_room;
        self.cycle += 1;
        false
    }

    fn coverage(&self) -> Coverage {
        let narrow = [Event::RepeatedMinimum, Event::RepeatedAddition];
        let wide = [Event::Together, Event::SeveralMerged, Event::Apart];
        self.findings.coverage_without(&[(self.bundle > 1, &narrow), (self.bundle == 1, &wide)])
    }
}
