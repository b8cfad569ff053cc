//! Legal random inputs of `swfu`: scalars that are ready until their wave issues, waves that issue after they were offered, and
//! come to their end in any order. Each warp is in one wave at most, with others of its group at its pc, and leaves in it.

use super::places::{all, group, round_robin, some, those};
use crate::traffic::{bits, events, phases, Chance, Coverage, Phases, Rng, Traffic};
use sim::units::gw::pins::{SwfuIn, SwfuOut};
use sim::units::gw::Parameters;

events! { SwfuTraffic:
    Allocate = "a wave is allocated",
    AllocateSeveral = "a wave is allocated for several warps",
    Join = "a warp joins a wave",
    JoinSeveral = "several warps join a wave",
    Closed = "a wave beside an issued one of its pc and group",
    Closing = "a wave beside one of its pc and group that issues in this cycle",
    OtherGroup = "a wave beside one of its pc of another group",
    OtherPc = "a wave beside one of its group at another pc",
    TableFull = "the table is full",
    FullOfIssued = "the table is full of issued waves",
    FreedTooLate = "the table is full as a wave comes to its end",
    Aged = "a wave reaches the age cap",
    Issue = "a wave issues",
    IssueUrgent = "a wave issues by the age cap",
    Whole = "a wave of a whole group issues",
    Alone = "a wave of one warp issues",
    Release = "a wave is released",
    OutOfOrder = "a wave is released before an older one",
    Vector = "a warp is ready, but not scalar",
    LastGroup = "a wave of the last group is allocated",
    TurnWraps = "the turn wraps",
    Emptied = "empty again",
    Reset = "reset with waves inside",
}

phases! {
    /// There are `pcs` different pcs.
    PHASES: Phase (comes, scalar, issues, ends, pcs: u32)
    (20, 200, 128, 40, 3)
    (100, 256, 256, 200, 1)
    (40, 256, 10, 20, 2)
    (10, 128, 0, 20, 4)
    (3, 256, 256, 256, 1)
    (256, 256, 60, 256, 40)
    (30, 200, 256, 2, 2)
    (0, 0, 60, 60, 1)
    (2, 100, 20, 60, 8)
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Wave {
    group: usize,
    mask: u64,
    pc: u16,
    issued: bool,
    age: u32,
    /// Number of its allocation.
    number: u64,
}

impl Wave {
    fn is_open(&self) -> bool {
        !self.issued
    }
}

#[derive(Default)]
pub struct SwfuTraffic {
    rng: Rng,
    places: usize,
    wave: usize,
    age_cap: u32,
    phase: Phases<Phase>,
    ready: u64,
    scalar: u64,
    pcs: Vec<u16>,
    waves: Vec<Option<Wave>>,
    allocated: u64,
    pointer: usize,
    table_full: bool,
    /// On offer in the cycle before, and whether it was urgent.
    offered: Option<(usize, bool)>,
    findings: Findings,
}

fn path(pc: u16) -> u8 {
    pc as u8 % 4
}

impl SwfuTraffic {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        SwfuTraffic {
            rng: Rng::new(seed),
            places: parameters.places(),
            wave: parameters.wave,
            age_cap: parameters.age_cap.into(),
            phase: Phases::new(PHASES, 20..420, 16),
            pcs: vec![0; 64],
            waves: vec![None; parameters.swst],
            ..Default::default()
        }
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.waves.iter().flatten().next().is_some());
        self.waves.fill(None);
        (self.ready, self.scalar, self.pointer) = (0, 0, 0);
        (self.table_full, self.offered) = (false, None);
    }

    fn places_of(&self, wave: &Wave) -> u64 {
        wave.mask << (wave.group * self.wave)
    }

    fn joined(&self) -> u64 {
        self.waves.iter().flatten().filter(|wave| wave.is_open()).fold(0, |all, wave| all | self.places_of(wave))
    }

    /// The open wave that was allocated first.
    fn oldest(&self) -> Option<(usize, &Wave)> {
        let open = self.waves.iter().enumerate().filter_map(|(swid, wave)| Some((swid, wave.as_ref()?)));
        open.filter(|(_, wave)| wave.is_open()).min_by_key(|(_, wave)| wave.number)
    }

    fn observe(&self, outputs: &SwfuOut) -> Result<(), String> {
        let oldest = self.oldest();
        let offer = oldest.map(|(swid, wave)| (swid, path(wave.pc), wave.age == self.age_cap));
        let shown = outputs.offer.get().map(|offer| (usize::from(offer.swid), offer.path, offer.urgent));
        if offer != shown {
            return Err(format!("on offer is {shown:?}, due is {offer:?}"));
        }
        for (swid, wave) in self.waves.iter().enumerate() {
            let shown = outputs.wave[swid].get();
            let shown = shown.map(|pins| (usize::from(pins.group), u64::from(pins.mask), pins.pc));
            let wave = wave.map(|wave| (wave.group, wave.mask, wave.pc));
            if shown != wave {
                return Err(format!("wave {swid} is {shown:x?}, due is {wave:x?}"));
            }
        }
        if outputs.joined != self.joined() {
            return Err(format!("joined are {:#x}, due are {:#x}", outputs.joined, self.joined()));
        }
        if outputs.table_full != self.table_full {
            return Err(format!("table_full is {}", outputs.table_full));
        }
        Ok(())
    }

    /// Warps get ready; those without a wave leave.
    fn warps(&mut self) {
        let rng = &mut self.rng;
        let vector = self.ready & !self.scalar;
        let leaves = some(rng, Chance(60), vector);
        let new = some(rng, self.phase.comes, all(self.places) & !self.ready);
        for place in bits(new) {
            self.pcs[place] = rng.below(self.phase.pcs) as u16;
        }
        self.ready = self.ready & !leaves | new;
        // What is not ready is perhaps scalar from before.
        self.scalar = self.scalar & !new | some(rng, self.phase.scalar, new);
        self.findings.count(Event::Vector, self.ready & !self.scalar != 0);
    }

    /// The wave that issues in this cycle.
    fn issue(&mut self) -> Option<usize> {
        let issues = self.phase.issues.happens(&mut self.rng);
        let (swid, urgent) = self.offered.filter(|(_, urgent)| issues || *urgent && self.rng.one_in(4))?;
        let wave = self.waves[swid]?;
        let c = &mut self.findings;
        c.count(Event::Issue, true);
        c.count(Event::IssueUrgent, urgent);
        c.count(Event::Whole, wave.mask == all(self.wave));
        c.count(Event::Alone, wave.mask.count_ones() == 1);
        Some(swid)
    }

    /// The wave that is over in this cycle.
    fn end(&mut self) -> Option<usize> {
        let issued = those(all(self.waves.len()), |swid| self.waves[swid].is_some_and(|wave| wave.issued));
        if issued == 0 || !self.phase.ends.happens(&mut self.rng) {
            return None;
        }
        let swid = round_robin(issued, self.rng.below(self.waves.len() as u32) as usize)?;
        let number = self.waves[swid]?.number;
        let older = self.waves.iter().flatten().any(|wave| wave.issued && wave.number < number);
        self.findings.count(Event::Release, true);
        self.findings.count(Event::OutOfOrder, older);
        Some(swid)
    }

    /// Scalars join or found a wave.
    fn form(&mut self, issues: Option<usize>, ends: bool) {
        self.table_full = false;
        let scalars = self.ready & self.scalar & !self.joined();
        let Some(place) = round_robin(scalars, self.pointer) else { return };
        self.findings.count(Event::TurnWraps, place < self.pointer);
        self.pointer = place + 1;
        let (of, pc) = (place / self.wave, self.pcs[place]);
        let here = |lane: usize| self.pcs[of * self.wave + lane] == pc;
        let members = those(group(scalars, of, self.wave), here);
        let several = members & (members - 1) != 0;
        let c = &mut self.findings;
        let like = |wave: &Wave| wave.group == of && wave.pc == pc;
        let fits = |swid: usize, wave: &Wave| like(wave) && wave.is_open() && issues != Some(swid);
        let mut entries = self.waves.iter_mut().enumerate();
        if let Some(wave) = entries.find_map(|(swid, wave)| wave.as_mut().filter(|wave| fits(swid, wave))) {
            wave.mask |= members;
            c.count(Event::Join, true);
            c.count(Event::JoinSeveral, several);
            return;
        }
        let free = self.waves.iter().position(Option::is_none);
        let waves = || self.waves.iter().flatten();
        let Some(swid) = free else {
            c.count(Event::TableFull, true);
            c.count(Event::FullOfIssued, waves().all(|wave| wave.issued));
            c.count(Event::FreedTooLate, ends);
            self.table_full = true;
            return;
        };
        c.count(Event::Allocate, true);
        c.count(Event::AllocateSeveral, several);
        c.count(Event::Closed, waves().any(|wave| like(wave) && wave.issued));
        c.count(Event::Closing, waves().any(|wave| like(wave) && wave.is_open()));
        c.count(Event::OtherGroup, waves().any(|wave| wave.is_open() && wave.pc == pc && wave.group != of));
        c.count(Event::OtherPc, waves().any(|wave| wave.is_open() && wave.pc != pc && wave.group == of));
        c.count(Event::LastGroup, of > 0 && of == self.places / self.wave - 1);
        self.allocated += 1;
        self.waves[swid] = Some(Wave { group: of, mask: members, pc, issued: false, age: 0, number: self.allocated });
    }

    /// The edge that ends this cycle.
    fn clock(&mut self, issues: Option<usize>, ends: Option<usize>) {
        self.offered = self.oldest().map(|(swid, wave)| (swid, wave.age == self.age_cap));
        self.offered = self.offered.filter(|(swid, _)| issues != Some(*swid));
        let open = self.waves.iter_mut().flatten().filter(|wave| wave.is_open());
        let (cap, c) = (self.age_cap, &mut self.findings);
        // One that is allocated at this edge is not there yet.
        open.for_each(|wave| {
            c.count(Event::Aged, wave.age + 1 == cap);
            wave.age = cap.min(wave.age + 1);
        });
        self.form(issues, ends.is_some());
        if let Some(wave) = issues.and_then(|swid| self.waves[swid].as_mut()) {
            wave.issued = true;
            let members = wave.mask << (wave.group * self.wave);
            self.ready &= !members;
        }
        if let Some(swid) = ends {
            self.waves[swid] = None;
            self.findings.count(Event::Emptied, self.waves.iter().all(Option::is_none));
        }
    }

    fn put(&self, pins: &mut SwfuIn, issues: Option<usize>, ends: Option<usize>) {
        (pins.ready, pins.scalar) = (self.ready, self.scalar);
        for place in 0..self.places {
            pins.pc[place] = self.pcs[place];
            pins.path[place] = path(self.pcs[place]);
        }
        pins.issue_wave = issues.is_some();
        pins.issue_swid = issues.unwrap_or(pins.issue_swid.into()) as u8;
        pins.done.show(&ends.map(|swid| swid as u8));
    }
}

impl Traffic for SwfuTraffic {
    type In = SwfuIn;
    type Out = SwfuOut;

    fn next(&mut self, outputs: &SwfuOut, pins: &mut SwfuIn) -> bool {
        self.findings.check(self.observe(outputs));
        if self.phase.next(&mut self.rng) {
            self.reset();
            return true;
        }
        self.warps();
        let (issues, ends) = (self.issue(), self.end());
        self.put(pins, issues, ends);
        self.clock(issues, ends);
        false
    }

    fn coverage(&self) -> Coverage {
        // Of one group there is no other, and no last one.
        let one = self.places == self.wave;
        self.findings.coverage_without(&[(one, &[Event::OtherGroup, Event::LastGroup])])
    }
}
