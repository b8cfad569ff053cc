//! The core's side of Graph-Waving's front end (6.1 to 6.3): drives the pins of `gw_front_end`, fetches and decodes for its
//! instruction storage, and tells it what is over.
//!
//! What issues is on the unit's pins in this cycle; the core executes it and answers in the same cycle, then the unit is
//! clocked. Of each scheduler two instructions of warps and one wave a cycle can be told over; others wait for their turn.

use super::front_end::{CODE_BASE, INSTRUCTION_BYTES};
use super::kernel::{Kernel, Path};
use super::pipeline::{Group, Op};
use super::residents::Residents;
use super::warp_set::WarpSet;
use crate::config::{Config, MAX_SCHEDULERS};
use crate::mem::cache::{Busy, Cache, Outcome};
use crate::mem::request::Kind;
use crate::stats::CoreStats;
use crate::unit::Unit;
use crate::units::gw::pins::{Done, Fill, GwIn, GwOut, Offer};
use crate::units::gw::record::{self, Path as Way};
use crate::units::gw::GwFrontEnd;
use std::collections::VecDeque;

/// A body of `gw_front_end`.
pub type FrontEndUnit = Box<dyn Unit<In = GwIn, Out = GwOut>>;

/// Fetches that wait for the instruction cache; one more can be on its way to them.
const FETCHES: usize = 2;
/// Most entries of the instruction storage: one for each warp without reuse, 64 sets of 8 with it.
const ENTRIES: usize = 512;

/// What the schedulers could have issued in a cycle, over the whole core.
#[derive(Clone, Copy, Debug, Default)]
pub struct Issuable {
    pub warps: u32,
    pub scalars: u32,
}

pub struct Waving {
    unit: FrontEndUnit,
    pub inputs: GwIn,
    pub outputs: GwOut,
    pub cache: Cache<u16>,
    /// Entries and lines to fetch.
    fetches: VecDeque<(u16, u16)>,
    /// Line that each entry waits for.
    lines: [u16; ENTRIES],
    /// On its way from fetch to decode: an entry.
    fetched: Option<u16>,
    /// Why the last fetch has to be tried again.
    pub busy: Option<Busy>,
    /// Over, and not told yet, for each scheduler: of warps and pairs, and of waves.
    over: [VecDeque<Op>; MAX_SCHEDULERS],
    over_waves: [VecDeque<Op>; MAX_SCHEDULERS],
    /// Warps that start with the next clock edge.
    pub starting: WarpSet,
    /// Warps that were told to halt and not yet to go on.
    halted: WarpSet,
    /// Warps that are told so in this cycle.
    pub halting: WarpSet,
    pub issuable: Issuable,
    pairs_on: bool,
    waves_on: bool,
    schedulers: usize,
}

impl Waving {
    /// `None`: the configuration has another front end.
    pub fn new(core: usize, config: &Config) -> Option<Box<Self>> {
        let gw = config.gw.as_ref()?;
        let unit = GwFrontEnd::new(&gw.parameters(config)).expect("a configuration is validated when it is made");
        let mut outputs = GwOut::default();
        unit.look(&mut outputs);
        let queues = || std::array::from_fn(|_| VecDeque::with_capacity(64));
        Some(Box::new(Waving {
            unit: Box::new(unit),
            inputs: GwIn::default(),
            outputs,
            cache: Cache::new(core, Kind::Instruction, (&config.l1i).into()),
            fetches: VecDeque::with_capacity(FETCHES + 2),
            lines: [0; ENTRIES],
            fetched: None,
            busy: None,
            over: queues(),
            over_waves: queues(),
            starting: WarpSet::default(),
            halted: WarpSet::default(),
            halting: WarpSet::default(),
            issuable: Issuable::default(),
            pairs_on: gw.pairs,
            waves_on: gw.waves,
            schedulers: config.core.schedulers,
        }))
    }

    pub fn set_unit(&mut self, unit: FrontEndUnit) {
        self.unit = unit;
    }

    /// Another kernel's code lies at the same addresses. No warp is there.
    pub fn clear(&mut self) {
        self.cache.clear();
        self.unit.reset();
        self.fetches.clear();
        self.fetched = None;
    }

    pub fn fault(&self) -> Option<String> {
        self.unit.fault()
    }

    /// Looks at this cycle's outputs; inputs are low until they are driven.
    pub fn look(&mut self) {
        self.unit.look(&mut self.outputs);
        self.inputs = GwIn { pairs_on: self.pairs_on, waves_on: self.waves_on, ..GwIn::default() };
        self.issuable = Issuable::default();
        for slice in &self.outputs.slices[..self.schedulers] {
            self.issuable.warps += slice.ready.count_ones();
            self.issuable.scalars += (slice.ready & slice.scalar).count_ones();
        }
    }

    /// Decode and fetch. True if anything moved.
    pub fn fetch(&mut self, kernel: &Kernel, stats: &mut CoreStats) -> bool {
        self.busy = None;
        if let Some(fetch) = self.outputs.fetch.get() {
            self.fetches.push_back((fetch.entry, fetch.line));
            self.lines[fetch.entry as usize] = fetch.line;
        }
        let decoded = self.decode(kernel, stats);
        let fetched = self.fetch_next(stats);
        self.inputs.fetch_room = self.fetches.len() < FETCHES;
        decoded | fetched
    }

    fn decode(&mut self, kernel: &Kernel, stats: &mut CoreStats) -> bool {
        let Some(entry) = self.fetched.take() else { return false };
        let first = u32::from(self.lines[entry as usize]) * 2;
        let records = [first, first + 1].map(|pc| kernel.record(pc));
        stats.decodes += records.iter().flatten().count() as u64;
        self.inputs.fill = Offer::some(Fill { entry, records: records.map(Option::unwrap_or_default) });
        true
    }

    fn fetch_next(&mut self, stats: &mut CoreStats) -> bool {
        if let Some(entry) = self.cache.take_ready() {
            self.fetched = Some(entry);
            return true;
        }
        let Some((entry, line)) = self.fetches.front().copied() else { return false };
        match self.cache.read(CODE_BASE + u64::from(line) * 2 * INSTRUCTION_BYTES, entry) {
            Outcome::Hit => self.fetched = Some(entry),
            Outcome::Miss | Outcome::Allocated => {}
            Outcome::Busy(busy) => {
                self.busy = Some(busy);
                return false;
            }
        }
        self.fetches.pop_front();
        stats.fetches += 1;
        true
    }

    /// Drives what the core tells of its own accord: warps that start or go on, instructions that are over, and `room`: how many
    /// instructions each path takes in the next cycle, dealt out to the schedulers in turns. Then the rising edge. True if the
    /// unit has to be looked at in the next cycle.
    pub fn clock(&mut self, now: u64, room: [usize; 4], kernel: &Kernel, residents: &mut Residents) -> bool {
        for op in residents.over.iter_mut().flat_map(|over| over.drain(..)) {
            let queues = if let Group::Wave(_) = op.group { &mut self.over_waves } else { &mut self.over };
            queues[op.warp.scheduler()].push_back(op);
        }
        let mut told = self.outputs.fetch.valid || self.inputs.fill.valid || !self.starting.is_empty();
        for s in 0..self.schedulers {
            told |= self.tell(s, kernel, residents);
            let turn = (s + now as usize) % self.schedulers;
            let slice = &mut self.inputs.slices[s];
            slice.room = (0..room.len()).filter(|path| turn < room[*path]).fold(0, |set, path| set | 1 << path);
            slice.start = self.starting.0[s];
            let sets = &residents.schedulers[s].sets;
            slice.wake = self.halted.0[s] & !sets.waiting();
            self.halted.0[s] &= !slice.wake;
            told |= slice.wake | self.halting.0[s] != 0;
            self.halted.0[s] |= self.halting.0[s];
        }
        (self.starting, self.halting) = Default::default();
        let issued = self.outputs.slices.iter().any(|s| s.halves.even || s.halves.odd || s.wave.valid);
        self.unit.clock(&self.inputs);
        told || issued || self.fetched.is_some() || !self.fetches.is_empty() || !self.unit.is_quiet()
    }

    /// Tells a scheduler what is over. Instructions that write nothing are not waited for.
    fn tell(&mut self, s: usize, kernel: &Kernel, residents: &mut Residents) -> bool {
        let slice = &mut self.inputs.slices[s];
        let mut told = 0;
        while told < slice.done.len() {
            let Some(op) = self.over[s].pop_front() else { break };
            residents.forget(op);
            let writes = kernel.writes(op.pc);
            if writes != 0 {
                let halves = residents.members(op) >> op.warp.half(0).place();
                let pair = op.warp.place() as u8 / 2;
                slice.done[told] = Done { even: halves & 1 != 0, odd: halves & 2 != 0, pair, writes };
                told += 1;
            }
        }
        if let Some(op) = self.over_waves[s].pop_front() {
            residents.forget(op);
            if let Group::Wave(number) = op.group {
                slice.done_wave = Offer::some(number);
            }
            told += 1;
        }
        told != 0 || !self.over[s].is_empty() || !self.over_waves[s].is_empty()
    }

    /// Counts cycles in which the instruction cache was busy.
    pub fn count(&mut self, cycles: u64) {
        if let Some(busy) = self.busy {
            self.cache.count_busy(busy, cycles);
        }
    }

    /// Nothing is on its way to or from the instruction cache.
    pub fn is_idle(&self) -> bool {
        self.fetches.is_empty() && self.fetched.is_none() && self.cache.is_idle()
    }
}

/// How the unit calls a path; `None`: it does not know it.
fn way(path: Path) -> Option<Way> {
    match path {
        Path::Sp => Some(Way::Sp),
        Path::Sfu => Some(Way::Sfu),
        Path::Dp => Some(Way::Dp),
        Path::Memory => Some(Way::Memory),
        Path::Worklist => None,
    }
}

/// What the front end has to know of each instruction.
#[derive(Clone, Debug, Default)]
pub struct Records {
    records: Vec<u128>,
    writes: Vec<u32>,
}

impl Records {
    /// # Errors
    /// An instruction that no record can hold: its place in the code, and the rule.
    pub fn new(kernel: &Kernel) -> Result<Self, (u32, String)> {
        let mut made = Records::default();
        for pc in 0..kernel.program.code.len() as u32 {
            if pc > u32::from(u16::MAX) {
                return Err((pc, "is behind the last one that this front end counts to, 65535".into()));
            }
            made.add(kernel, pc)?;
        }
        Ok(made)
    }

    fn add(&mut self, kernel: &Kernel, pc: u32) -> Result<(), (u32, String)> {
        let instr = &kernel.program.code[pc as usize];
        let (most_writes, most_reads) = (record::WRITES, record::READS);
        let (writes, reads) = (instr.writes.as_slice(), instr.reads.as_slice());
        if writes.len() > most_writes || reads.len() > most_reads {
            let rule = format!(
                "names more registers than a record of the front end: {most_writes} written, {most_reads} read"
            );
            return Err((pc, rule));
        }
        let Some(way) = way(kernel.issue[pc as usize].path) else {
            return Err((pc, "is of the worklist, which this front end has no path to".into()));
        };
        let mut numbers = [0; record::WRITES + record::READS];
        let (written, read) = numbers.split_at_mut(most_writes);
        // Numbers are those of the kernel's registers modulo 64.
        written.iter_mut().zip(writes).for_each(|(number, slot)| *number = (slot % 64) as u8);
        read.iter_mut().zip(reads).for_each(|(number, slot)| *number = (slot % 64) as u8);
        let (written, read) = (&written[..writes.len()], &read[..reads.len()]);
        self.records.push(record::pack(written, read, way, kernel.may_go_into_a_wave(pc)));
        self.writes.push(record::list(written) as u32);
        Ok(())
    }

    pub fn record(&self, pc: u32) -> Option<u128> {
        self.records.get(pc as usize).copied()
    }

    /// The list of the written registers.
    pub fn writes(&self, pc: u32) -> u32 {
        self.writes[pc as usize]
    }
}
