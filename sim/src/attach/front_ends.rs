//! The core's side of a front end that is a unit: drives its pins, fetches and decodes for its instruction buffers, and tells it which
//! instructions have retired.
//!
//! An instruction that issues is on the unit's pins in this cycle; the core executes it, and then the unit is clocked. If its
//! warps need not go on at once with the next one, the unit is told some cycles later what they do. A scheduler can be told of
//! some retired instructions a cycle; others wait for their turn.

use super::system::{Start, System};
use crate::config::{Config, MAX_SCHEDULERS};
use crate::core::back_end::{BackEnd, Notice, World};
use crate::core::front_end::FrontEnd;
use crate::core::in_flight::InFlight;
use crate::core::residents::Residents;
use crate::core::warp_set::WarpId;
use crate::core::{Core, Kernel};
use crate::launch::RunError;
use crate::stats::{CacheStats, CoreStats};
use crate::unit::{Fault, Pins, Unit};
use fetches::Fetches;
use records::Records;
use std::collections::VecDeque;
use std::rc::Rc;
use turns::Turns;

mod fetches;
pub mod records;
pub mod turns;

/// A line for an entry of the unit's buffers: two records.
pub type Filled = (u16, [u128; 2]);

/// The pins of such a unit, and what they need.
pub trait FrontPins: Sized + 'static {
    type In: Pins;
    type Out: Pins;

    fn new(config: &Config) -> Self;

    /// A record for each instruction of a kernel.
    ///
    /// # Errors
    /// An instruction that no record can hold.
    fn records(kernel: &Kernel) -> Result<Records, RunError>;

    /// The inputs of a cycle before they are driven.
    fn undriven(&self) -> Self::In {
        Self::In::default()
    }

    /// One cycle of all schedulers. True if anything issued.
    fn issue(front: &mut UnitFront<Self>, now: u64, back: &mut BackEnd, kernel: &Kernel, world: &mut World) -> bool;

    /// Tells these warps of a scheduler, which issued together, what they do next.
    fn answer(front: &mut UnitFront<Self>, scheduler: usize, places: u64, back: &BackEnd);

    /// Cycles from issue to answer.
    fn answer_latency(config: &Config) -> u64 {
        config.core.answer_latency
    }

    /// Entry and line that the unit asks for.
    fn fetch(outputs: &Self::Out) -> Option<(u16, u16)>;

    /// Drives the line that has come, and whether there is room for a fetch.
    fn drive_fetch(inputs: &mut Self::In, filled: Option<Filled>, room: bool);

    /// Room of the paths, and the warps that start and that go on: inputs of a scheduler.
    fn slice(inputs: &mut Self::In, scheduler: usize) -> (&mut u8, &mut u64, &mut u64);

    fn has_issued(outputs: &Self::Out) -> bool;

    /// Takes a retired instruction. Gives it back if it waits among those of its scheduler.
    fn retire(&mut self, op: InFlight) -> Option<InFlight> {
        Some(op)
    }

    /// Tells a scheduler of retired instructions; it is not waiting for those that write nothing. True if anything was told, or is left.
    fn tell(front: &mut UnitFront<Self>, scheduler: usize, residents: &mut Residents) -> bool;

    /// Counts a cycle.
    fn count(_outputs: &Self::Out, _stats: &mut CoreStats) {}

    /// Counts cycles of an active core that were all like the last one.
    fn count_cycles(_outputs: &Self::Out, _schedulers: usize, _cycles: u64, _stats: &mut CoreStats) {}
}

/// A unit with such pins.
pub type FrontUnit<P> = Box<dyn Unit<In = <P as FrontPins>::In, Out = <P as FrontPins>::Out>>;

/// The front ends of all cores.
pub struct FrontEnds<P: FrontPins> {
    config: Config,
    /// For the cores in turn.
    units: std::vec::IntoIter<FrontUnit<P>>,
}

impl<P: FrontPins> FrontEnds<P> {
    /// `units`: one for each core.
    pub fn new(config: &Config, units: Vec<FrontUnit<P>>) -> Self {
        FrontEnds { config: config.clone(), units: units.into_iter() }
    }

    /// Each core has a copy of the model.
    pub fn of_model<U: Unit<In = P::In, Out = P::Out> + Clone + 'static>(config: &Config, model: U) -> Self {
        FrontEnds::new(config, (0..config.core.count).map(|_| Box::new(model.clone()) as FrontUnit<P>).collect())
    }
}

impl<P: FrontPins> System for FrontEnds<P> {
    fn name(&self) -> &'static str {
        "front end"
    }

    fn is_front_end(&self) -> bool {
        true
    }

    fn front_end(&mut self, core: usize) -> Option<Box<dyn FrontEnd>> {
        Some(Box::new(UnitFront::<P>::new(core, &self.config, self.units.next()?)))
    }

    fn start(&mut self, start: &mut Start) -> Result<(), RunError> {
        let records = Rc::new(P::records(start.kernel)?);
        start.cores.iter_mut().for_each(|core| core.front_end::<UnitFront<P>>().records = records.clone());
        Ok(())
    }

    fn fault(&self, cores: &[Core]) -> Option<String> {
        cores.iter().find_map(|core| Some(format!("core {}: {}", core.index, core.front_end_fault()?)))
    }
}

pub struct UnitFront<P: FrontPins> {
    unit: FrontUnit<P>,
    pub inputs: P::In,
    pub outputs: P::Out,
    pub pins: P,
    fetches: Fetches,
    /// Retired, and not told yet, for each scheduler.
    pub retired: [VecDeque<InFlight>; MAX_SCHEDULERS],
    pub turns: Turns,
    /// Records of the kernel that runs.
    pub records: Rc<Records>,
    pub schedulers: usize,
}

impl<P: FrontPins> UnitFront<P> {
    fn new(core: usize, config: &Config, unit: FrontUnit<P>) -> Self {
        UnitFront {
            outputs: unit.outputs(),
            unit,
            inputs: P::In::default(),
            pins: P::new(config),
            fetches: Fetches::new(core, config),
            retired: std::array::from_fn(|_| VecDeque::with_capacity(64)),
            turns: Turns::new(P::answer_latency(config)),
            records: Rc::default(),
            schedulers: config.core.schedulers,
        }
    }

    /// Answers what is due. True if anything was, or will be.
    fn answer(&mut self, now: u64, back: &BackEnd) -> bool {
        let waited = !self.turns.are_quiet();
        for s in 0..self.schedulers {
            let places = self.turns.due(now, s);
            if places != 0 {
                P::answer(self, s, places, back);
            }
        }
        waited
    }

    /// Decode and fetch. True if anything moved.
    fn fetch(&mut self, stats: &mut CoreStats) -> bool {
        let asked = P::fetch(&self.outputs);
        if let Some((entry, line)) = asked {
            self.fetches.ask(entry, line);
        }
        let decoded = self.fetches.decode(&self.records, stats);
        let fetched = self.fetches.fetch(stats);
        P::drive_fetch(&mut self.inputs, decoded, self.fetches.have_room());
        decoded.is_some() | fetched | asked.is_some()
    }

    /// Drives what the core tells of its own accord: warps that start or go on, instructions that have retired, and `room`: how many
    /// instructions each path takes in the next cycle, dealt out to the schedulers round robin. Then the rising edge. True if
    /// the unit has to be sampled in the next cycle.
    fn clock(&mut self, now: u64, room: [usize; 4], residents: &mut Residents) -> Result<bool, Fault> {
        for op in residents.retired.iter_mut().flat_map(|retired| retired.drain(..)) {
            if let Some(op) = self.pins.retire(op) {
                self.retired[op.warp.scheduler()].push_back(op);
            }
        }
        let mut told = false;
        for s in 0..self.schedulers {
            told |= P::tell(self, s, residents);
            let (paths, start, wake) = P::slice(&mut self.inputs, s);
            *paths = turns::room((s + now as usize) % self.schedulers, room);
            told |= self.turns.tell(s, residents, start, wake);
        }
        let issued = P::has_issued(&self.outputs);
        self.unit.clock(&self.inputs)?;
        Ok(told || issued || !self.fetches.are_quiet() || !self.unit.is_quiet())
    }
}

impl<P: FrontPins> FrontEnd for UnitFront<P> {
    fn is_unit(&self) -> bool {
        true
    }

    /// One that is answered at once takes less than that from a result to an issue.
    fn hears_early(&self) -> bool {
        !self.turns.are_at_once()
    }

    fn clear(&mut self) {
        self.unit.reset();
        self.fetches.clear();
    }

    fn start(&mut self, warp: WarpId) {
        self.turns.start(warp);
    }

    fn fill(&mut self, address: u64) {
        self.fetches.fill(address);
    }

    /// Issue, decode, fetch, and the unit's rising edge.
    fn step(&mut self, now: u64, kernel: &Kernel, back: &mut BackEnd, world: &mut World) -> bool {
        back.residents.open_fences();
        self.unit.sample(&mut self.outputs);
        self.inputs = self.pins.undriven();
        let mut moved = P::issue(self, now, back, kernel, world) | self.answer(now, back);
        moved |= self.fetch(&mut back.stats);
        moved |= self.fetches.send(world.mem);
        P::count(&self.outputs, &mut back.stats);
        let room = std::array::from_fn(|path| back.collector.room_next(path));
        moved |= self.clock(now, room, &mut back.residents).unwrap_or_else(|fault| {
            back.notices.push(Notice::FrontEnd { text: fault.to_string() });
            true
        });
        moved
    }

    fn count_cycles(&mut self, cycles: u64, active: bool, stats: &mut CoreStats) {
        self.fetches.count_cycles(cycles);
        if active {
            P::count_cycles(&self.outputs, self.schedulers, cycles, stats);
        }
    }

    fn is_sending(&self) -> bool {
        self.fetches.are_sending()
    }

    fn is_idle(&self) -> bool {
        self.fetches.are_idle() && self.turns.are_quiet()
    }

    fn cache_stats(&self) -> &CacheStats {
        self.fetches.cache_stats()
    }

    fn fault(&self) -> Option<String> {
        self.unit.fault()
    }
}
