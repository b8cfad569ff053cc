//! Legal random inputs of `classifier`: groups of any elements, and four takers. Elements leave by one way in the order in
//! which they came, each once, and to the set that the hash of the page names.

use super::elements::{self, Indices};
use super::handshake::{Sink, Source};
use super::home::{home, Home};
use crate::stimulus::{events, Chance, Coverage, Rng, Stimulus};
use sim::units::iru::element::{Bundle, Element, GROUP, INDEX_BITS, INDEX_MASK};
use sim::units::iru::pins::{ClassifierIn, ClassifierOut, ElementGroup, Offer, BANK_0, BANK_1, CCW, CW};
use sim::units::iru::Parameters;
use std::collections::BTreeMap;

events! { ClassifierStimulus:
    ToBank0 = "an element goes to bank 0",
    ToBank1 = "an element goes to bank 1",
    Cw = "an element goes round clockwise",
    Ccw = "an element goes round counterclockwise",
    AllWays = "four elements leave in one cycle",
    EightOneWay = "eight elements of a group go one way",
    OneEach = "a group of one element",
    Bank0Waits = "an element waits for bank 0",
    Bank1Waits = "an element waits for bank 1",
    CwWaits = "an element waits for the ring clockwise",
    CcwWaits = "an element waits for the ring counterclockwise",
    GroupWaits = "a group waits",
    EveryThird = "a group three cycles after another",
    Together = "several elements of one place leave together",
    Empty = "empty again",
    Reconfigured = "another array",
    Reset = "reset with elements inside",
}

const WAYS: [Event; 4] = [Event::ToBank0, Event::ToBank1, Event::Cw, Event::Ccw];
const WAITS: [Event; 4] = [Event::Bank0Waits, Event::Bank1Waits, Event::CwWaits, Event::CcwWaits];

/// Phases between two resets, about. The unit is another partition behind each.
const RESET_EVERY: u32 = 16;

#[derive(Default)]
pub struct ClassifierStimulus {
    rng: Rng,
    parameters: Parameters,
    indices: Indices,
    comes: Chance,
    takes: [Chance; 4],
    remaining: u32,
    /// Change the array as soon as all is out.
    reconfigure: bool,
    source: Source,
    sinks: [Sink<Bundle>; 4],
    /// Positions of the first and of the next group.
    first: u32,
    position: u32,
    inside: u32,
    /// Cycles since a group was taken.
    since: u32,
    /// Elements by position: what is inside.
    elements: BTreeMap<u32, Element>,
    /// Last element that left by each way: its distance from the first position, and how many of its group have.
    last: [Option<u32>; 4],
    run: [u32; 4],
    /// The last element that left by each way and to each place, and whether its bundle had room for more.
    of_place: BTreeMap<(usize, u16), (u32, bool)>,
    findings: Findings,
}

impl ClassifierStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        ClassifierStimulus {
            indices: Indices::any(&mut rng),
            rng,
            parameters: *parameters,
            takes: [Chance::ALWAYS; 4],
            reconfigure: true,
            since: u32::MAX,
            ..Default::default()
        }
    }

    fn clear(&mut self) {
        self.elements.clear();
        self.first = self.rng.below(1 << INDEX_BITS);
        (self.inside, self.position, self.since) = (0, self.first, u32::MAX);
        (self.last, self.run) = ([None; 4], [0; 4]);
        self.of_place.clear();
        (self.source, self.sinks) = (Source::default(), Default::default());
    }

    fn choose_phase(&mut self) {
        self.remaining = 10 + self.rng.below(200);
        self.indices = Indices::any(&mut self.rng);
        self.comes = self.rng.any_of(&[Chance::ALWAYS, Chance::ALWAYS, Chance(100), Chance(10)]);
        for takes in &mut self.takes {
            *takes = self.rng.any_of(&[Chance::ALWAYS, Chance::ALWAYS, Chance::ALWAYS, Chance(128), Chance(10)]);
        }
        self.reconfigure |= self.rng.one_in(8);
    }

    fn group(&mut self) -> ElementGroup {
        let count = if self.rng.one_in(4) { 1 + self.rng.below(GROUP as u32) } else { GROUP as u32 };
        let position = self.position;
        let (rng, indices) = (&mut self.rng, self.indices);
        ElementGroup {
            count: count as u8,
            position,
            index: std::array::from_fn(|_| indices.draw(rng)),
            secondary: std::array::from_fn(|_| elements::secondary(rng)),
        }
    }

    fn offer(&mut self, ready: bool, pins: &mut Offer<ElementGroup>) {
        let comes = !self.reconfigure && self.comes.happens(&mut self.rng);
        let next = (comes && !self.source.waits()).then(|| self.group());
        self.since = self.since.saturating_add(1);
        if let Some(group) = self.source.put(pins, ready, || next) {
            for i in 0..group.count as usize {
                let position = (group.position + i as u32) & INDEX_MASK;
                let element = Element { index: group.index[i], secondary: group.secondary[i], position };
                self.elements.insert(position, element);
            }
            self.inside += u32::from(group.count);
            self.position = (self.position + GROUP as u32) & INDEX_MASK;
            self.findings.count(Event::OneEach, group.count == 1);
            self.findings.count(Event::EveryThird, self.since == 3);
            self.since = 0;
        }
        self.findings.count(Event::GroupWaits, self.source.waits());
    }

    /// The elements of a bundle are of one group, and no other bundle of their group and place before them had room.
    fn receive_bundle(&mut self, way: usize, bundle: &Bundle, pins: &ClassifierIn) -> Result<(), String> {
        let place = bundle.first.place;
        let group_of = |distance: u32| distance / GROUP as u32;
        let before = self.of_place.get(&(way, place)).copied();
        let first = self.distance(&bundle.first.element);
        if before.is_some_and(|(last, had_room)| had_room && group_of(last) == group_of(first)) {
            return Err(format!("{bundle:x?} leaves behind a bundle that had room"));
        }
        let mut last = before.map(|(last, _)| last);
        for element in bundle.elements() {
            let distance = self.distance(&element);
            if last.is_some_and(|last| last >= distance) || group_of(distance) != group_of(first) {
                return Err(format!("{element:x?} leaves behind one that came later"));
            }
            last = Some(distance);
            self.receive(way, &element, place, pins)?;
        }
        let had_room = bundle.count() < self.parameters.bundle;
        self.of_place.insert((way, place), (last.unwrap_or(first), had_room));
        self.findings.count(Event::Together, bundle.count() > 1);
        Ok(())
    }

    /// Distance of an element from the first.
    fn distance(&self, element: &Element) -> u32 {
        element.position.wrapping_sub(self.first) & INDEX_MASK
    }

    fn receive(&mut self, way: usize, element: &Element, place: u16, pins: &ClassifierIn) -> Result<(), String> {
        if self.elements.remove(&element.position) != Some(*element) {
            return Err(format!("{element:x?} leaves, but did not come like that"));
        }
        self.inside -= 1;
        let distance = self.distance(element);
        // Bundles go in the order of their first elements.
        let is_late = |last: u32| match self.parameters.bundle {
            1 => last >= distance,
            _ => last / GROUP as u32 > distance / GROUP as u32,
        };
        if self.last[way].is_some_and(is_late) {
            return Err(format!("{element:x?} leaves behind one that came later"));
        }
        let same_group = self.last[way].is_some_and(|last| last / GROUP as u32 == distance / GROUP as u32);
        self.run[way] = if same_group { self.run[way] + 1 } else { 1 };
        self.last[way] = Some(distance);
        let wanted = self.way(home(&self.parameters, element, &pins.access), pins.partition);
        if (way, place) != wanted {
            return Err(format!("{element:x?} leaves by way {way} to {place}, but its way and place are {wanted:x?}"));
        }
        self.findings.count(WAYS[way], true);
        self.findings.count(Event::EightOneWay, self.run[way] == GROUP as u32);
        Ok(())
    }

    /// The way to a home from the partition `own`, and the place with which an element goes it.
    fn way(&self, home: Home, own: u8) -> (usize, u16) {
        let (partitions, sets) = (self.parameters.partitions as u8, self.parameters.sets as u16);
        let distance = (home.partition + partitions - own) % partitions;
        let onward = u16::from(partitions == 4 && distance == 2);
        let on_ring = onward * sets + u16::from(home.bank) * sets / 2 + home.set;
        match distance {
            0 => ([BANK_0, BANK_1][usize::from(home.bank)], home.set),
            _ if 2 * distance == partitions => ([CW, CCW][usize::from(own % 2)], on_ring),
            _ if 2 * distance < partitions => (CW, on_ring),
            _ => (CCW, on_ring),
        }
    }

    fn take(&mut self, outputs: &ClassifierOut, pins: &mut ClassifierIn) -> Result<(), String> {
        let before = self.inside;
        for way in [BANK_0, BANK_1, CW, CCW] {
            pins.ready[way] = self.takes[way].happens(&mut self.rng);
            self.findings.count(WAITS[way], outputs.way[way].valid && !pins.ready[way]);
            if let Some(bundle) = self.sinks[way].take(&outputs.way[way], pins.ready[way])? {
                self.receive_bundle(way, &bundle, pins)?;
            }
        }
        self.findings.count(Event::AllWays, before - self.inside >= 4);
        self.findings.count(Event::Empty, before > 0 && self.inside == 0);
        Ok(())
    }

    fn observe(&mut self, outputs: &ClassifierOut, pins: &mut ClassifierIn) -> Result<(), String> {
        if outputs.empty != (self.inside == 0) {
            return Err(format!("empty is {}, but {} elements are inside", outputs.empty, self.inside));
        }
        self.take(outputs, pins)
    }
}

impl Stimulus for ClassifierStimulus {
    type In = ClassifierIn;
    type Out = ClassifierOut;

    fn next(&mut self, outputs: &ClassifierOut, pins: &mut ClassifierIn) -> bool {
        if self.remaining == 0 {
            self.choose_phase();
            if self.rng.one_in(RESET_EVERY) {
                self.findings.count(Event::Reset, self.inside > 0);
                self.clear();
                pins.partition = self.rng.below(self.parameters.partitions as u32) as u8;
                return true;
            }
        }
        self.remaining -= 1;
        let is_new = self.reconfigure && self.inside == 0 && !self.source.waits();
        if is_new {
            self.clear();
            pins.access = elements::access(&mut self.rng);
            self.findings.count(Event::Reconfigured, true);
        }
        let result = self.observe(outputs, pins);
        self.findings.check(result);
        // No group comes in the cycle in which the array is new.
        self.offer(outputs.group_ready, &mut pins.group);
        self.reconfigure &= !is_new;
        false
    }

    fn coverage(&self) -> Coverage {
        // Round a ring of two, even partitions send clockwise and odd ones counterclockwise: in no cycle both.
        let Parameters { partitions, bundle, .. } = self.parameters;
        self.findings
            .coverage_without(&[(partitions == 2 && bundle == 1, &[Event::AllWays]), (bundle == 1, &[Event::Together])])
    }
}
