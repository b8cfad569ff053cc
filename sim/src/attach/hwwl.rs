//! The worklist of all cores inside the GPU: the unit and its pins, `wlinit` and `wlcfg`, and the traffic between its
//! virtualization units and memory (HWWL, III-D), which comes after the cores' own.

use super::system::{Cycle, Descriptor, Instructions, Start, System, Told};
use crate::config::{Config, Ideal};
use crate::core::port::Port;
use crate::core::rows::Rows;
use crate::core::{Core, Kernel};
use crate::exec::{AddressError, Memory};
use crate::launch::{Blame, RunError};
use crate::mem::request::{Kind, Request, Tag, LINE_BYTES};
use crate::mem::system::MemorySystem;
use crate::ptx::instr::Instr;
use crate::ptx::op::Op;
use crate::ptx::system_op::SystemCode;
use crate::stats::{LaunchStats, Stats};
use crate::unit::{Fault, Unit};
use crate::units::hwwl::ideal::{self, Order};
use crate::units::hwwl::pins::{HwwlCoreIn, HwwlIn, HwwlOut, LINE_IDS};
use crate::units::hwwl::{EdgeExpander, Hwwl, Refill};
use crate::units::parameter::ParameterError;
pub use counters::WorklistStats;
use expander::{Expander, ExpanderUnit};
use port::HwwlPort;
use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hash;
use std::rc::Rc;
use timeline::{ActiveThreads, Threads, Timeline};

mod counters;
mod edges;
pub mod expander;
mod held;
mod passes;
mod port;
pub mod timeline;

/// An implementation of `hwwl`.
pub type HwwlUnit = Box<dyn Unit<In = HwwlIn, Out = HwwlOut>>;

/// Cycles without a request after which all cores agree that the worklist is at rest.
const SETTLE: u64 = 16;
/// Rounds of redistribution after which IDs have found their lanes.
const SETTLE_ROUNDS: u64 = 64;
/// Loads on their way, by tag.
const TAGS: usize = 4;

/// The worklist as a system that a configuration can have.
pub static SYSTEM: Descriptor = Descriptor {
    name: "hwwl",
    is_in: |config| config.hwwl.is_some(),
    instructions: Some(Instructions {
        takes,
        missing: |config, instr| match config.hwwl {
            Some(_) if is_for_expander(instr) => {
                "pulls edges, and this configuration has no edge expander; set hwwl.nodes=16"
            }
            _ => "uses the worklist, which this configuration does not have; add a [hwwl] table",
        },
    }),
    counters: |stats| stats.count(&WorklistStats::default()),
    is_ideal: |config| config.hwwl.as_ref().is_some_and(|hwwl| hwwl.ideal != Ideal::No),
    found: "with the worklist (wlpull, wlpush)",
    models: |config| Ok(Box::new(HwwlSystem::new(model(config)?, expanders(config)?, config))),
};

/// The behavioural model of the worklist that a configuration asks for.
fn model(config: &Config) -> Result<HwwlUnit, ParameterError> {
    let hwwl = config.hwwl.as_ref().expect("the configuration has a [hwwl] table");
    let parameters = &hwwl.parameters(config.core.count);
    let ideal = |order| ideal::Ideal::new(parameters, order).map(|unit| Box::new(unit) as HwwlUnit);
    Ok(match hwwl.ideal {
        Ideal::No => Box::new(Hwwl::new(parameters)?),
        Ideal::Infinite => Box::new(Hwwl::infinite(parameters)?),
        Ideal::Magic => ideal(Order::Magic)?,
        Ideal::Fifo => ideal(Order::Fifo)?,
        Ideal::Sorted => ideal(Order::Sorted)?,
        Ideal::CoreSorted => ideal(Order::CoreSorted)?,
        Ideal::OwnerSorted => ideal(Order::OwnerSorted)?,
    })
}

/// The behavioural models of the edge expanders that a configuration asks for.
fn expanders(config: &Config) -> Result<Vec<ExpanderUnit>, ParameterError> {
    let hwwl = config.hwwl.as_ref().expect("the configuration has a [hwwl] table");
    let expander = |_| EdgeExpander::new(hwwl.lanes, hwwl.nodes).map(|unit| Box::new(unit) as ExpanderUnit);
    let number = if hwwl.nodes > 0 { config.core.count } else { 0 };
    (0..number).map(expander).collect()
}

/// The overflow buffer that `wlinit` named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub base: u64,
    pub bytes: u64,
}

/// A line on its way back.
#[derive(Clone, Copy, Debug)]
struct Load {
    address: u64,
    sectors: usize,
}

/// The instruction is one of the worklist.
fn takes(instr: &Instr) -> bool {
    use SystemCode::{WorklistConfigure, WorklistInit, WorklistPull, WorklistPush};
    let Op::System(op) = &instr.op else { return false };
    let for_banks = matches!(op.code, WorklistInit | WorklistConfigure | WorklistPull | WorklistPush);
    for_banks || is_for_expander(instr)
}

/// The instruction is one of the edge expander.
fn is_for_expander(instr: &Instr) -> bool {
    let Op::System(op) = &instr.op else { return false };
    matches!(op.code, SystemCode::WorklistEdge | SystemCode::WorklistRows)
}

/// State that the system and its ports share.
pub struct Shared {
    inputs: HwwlIn,
    /// Outputs of this cycle.
    outputs: HwwlOut,
    /// `wlcfg` or `wlinit` waits until nobody uses the worklist.
    hold: bool,
    /// Threads of all cores that use the worklist.
    threads: Threads,
    /// Refills of which a sector has come: core and tag.
    refilled: Vec<(usize, u8)>,
    /// One for each core, or none.
    expanders: Vec<Expander>,
}

pub struct HwwlSystem {
    unit: HwwlUnit,
    shared: Rc<RefCell<Shared>>,
    rows: Rows,
    lanes: usize,
    demand: bool,
    interval: u64,
    /// Cycles from a core to the ICRN and back.
    round_trip: u64,
    /// Threads for which the GPU has room.
    hardware_threads: u64,
    cores: usize,
    double_mode: bool,
    region: Option<Region>,
    init: Option<Region>,
    configure: Option<bool>,
    /// That of the array of rows, once there was one.
    rows_line: Option<u32>,
    /// Last cycle with a pull, push or leave.
    active_at: u64,
    /// This launch had one.
    is_used: bool,
    loads: Vec<[Option<Load>; TAGS]>,
    timeline: Timeline,
    /// Number of its port in each core.
    port: u8,
    /// IDs that there were when the launch began.
    before: u64,
    /// The side to pull from when all warps had ended.
    ended_with: Option<bool>,
    stats: WorklistStats,
}

impl HwwlSystem {
    /// `unit` has the configuration's parameters.
    pub fn new(unit: HwwlUnit, expanders: Vec<ExpanderUnit>, config: &Config) -> Self {
        let core = &config.core;
        let parameters = config.hwwl.as_ref().map(|h| h.parameters(core.count)).unwrap_or_default();
        let mut outputs = HwwlOut::new(core.count);
        unit.sample(&mut outputs);
        let shared = Shared {
            inputs: HwwlIn::new(core.count),
            outputs,
            hold: false,
            threads: Threads::default(),
            refilled: Vec::with_capacity(8),
            expanders: expanders.into_iter().map(Expander::new).collect(),
        };
        HwwlSystem {
            unit,
            shared: Rc::new(RefCell::new(shared)),
            rows: Rows::new(config),
            lanes: parameters.lanes,
            demand: parameters.refill == Refill::Demand,
            interval: config.hwwl.as_ref().map_or(0, |hwwl| hwwl.interval.into()),
            round_trip: 2 * parameters.link as u64,
            hardware_threads: (core.count * core.max_warps * core.warp_size) as u64,
            cores: core.count,
            double_mode: false,
            region: None,
            init: None,
            configure: None,
            rows_line: None,
            active_at: 0,
            is_used: false,
            loads: vec![[None; TAGS]; core.count],
            timeline: Timeline::default(),
            port: 0,
            before: 0,
            ended_with: None,
            stats: WorklistStats::default(),
        }
    }

    /// IDs in all cores and between them: the sum of their `count` pins.
    pub fn count(&self) -> u64 {
        let outputs = &self.shared.borrow().outputs;
        outputs.cores.iter().map(|c| c.count as u64).sum::<u64>() + outputs.held as u64
    }

    /// Base and bytes of the last `wlinit`.
    pub fn region(&self) -> Option<Region> {
        self.region
    }

    /// Threads with work from the worklist, over `cycles` cycles.
    pub fn active_threads(&self, cycles: u64) -> ActiveThreads {
        self.timeline.until(cycles, self.hardware_threads)
    }

    /// A request to memory or a line for the unit waits to be served.
    fn has_traffic(&self) -> bool {
        let whole = |load: &Option<Load>| load.is_some_and(|l| l.sectors == 0);
        let shared = self.shared.borrow();
        let outputs = &shared.outputs;
        shared.expanders.iter().any(Expander::has_traffic)
            || outputs.cores.iter().any(|c| c.memory.mem_valid)
            || self.loads.iter().flatten().any(whole)
    }

    /// One core's spills and refills in this cycle; the core has been stepped.
    fn serve(
        &mut self,
        core: &Core,
        shared: &mut Shared,
        mem: &mut MemorySystem,
        memory: &mut Memory,
    ) -> Result<(), AddressError> {
        let i = core.index;
        let mut may_send = !core.is_sending();
        let (out, pins) = (&shared.outputs.cores[i].memory, &mut shared.inputs.cores[i].memory);
        if out.mem_valid && may_send {
            let address = out.mem_line as u64 * LINE_BYTES;
            let mut request =
                Request::read(if out.mem_write { Kind::PortWrite } else { Kind::PortRead }, i, address, LINE_BYTES);
            request.tag = Tag::Port { port: self.port, tag: out.mem_tag.into() };
            if out.mem_write {
                request.written = u128::MAX >> (128 - 4 * out.mem_count as u32);
                request.shrink();
            }
            if mem.has_room(&request) {
                (pins.mem_ready, may_send) = (true, false);
                if out.mem_write {
                    self.stats.spill_stores += 1;
                    self.stats.ids_spilled += out.mem_count as u64;
                    memory.write_u32s(address, &out.mem_id[..out.mem_count as usize])?;
                } else {
                    self.stats.refill_loads += 1;
                    self.loads[i][out.mem_tag as usize] = Some(Load { address, sectors: request.sectors() });
                }
                mem.send(request);
            }
        }
        let whole = |load: &Option<Load>| load.is_some_and(|l| l.sectors == 0);
        if let Some(tag) = self.loads[i].iter().position(whole).filter(|_| out.line_ready) {
            if let Some(load) = self.loads[i][tag].take() {
                (pins.line_valid, pins.line_tag) = (true, tag as u8);
                let words = memory.read_u32s(load.address, LINE_IDS)?;
                pins.line_id.iter_mut().zip(words).for_each(|(id, word)| *id = word & 0xff_ffff);
            }
        }
        if let Some(expander) = shared.expanders.get_mut(i) {
            self.stats.row_loads += (may_send && expander.send(i, self.port, mem)) as u64;
        }
        Ok(())
    }

    /// The rising edge that ends cycle `now`. `kernel_end`: the sides may be exchanged if all agree.
    fn clock_unit(&mut self, now: u64, kernel_end: bool, shared: &mut Shared) -> Result<(), Fault> {
        let is_active = |c: &HwwlCoreIn| c.pull | c.push | c.leave != 0;
        if shared.inputs.cores.iter().any(is_active) {
            (self.active_at, self.is_used) = (now, true);
        }
        let at_rest = now >= self.active_at + SETTLE;
        if at_rest && self.init.is_some() {
            self.drive_init(&mut shared.inputs);
        } else if at_rest && self.configure.is_some() {
            self.double_mode = self.configure.take().unwrap_or(self.double_mode);
            (shared.inputs.configure, shared.inputs.double_buffer) = (true, self.double_mode);
        } else if at_rest && kernel_end {
            shared.inputs.kernel_end = shared.outputs.cores.iter().all(|c| c.push_ready);
        }
        shared.hold = self.init.is_some() || self.configure.is_some();
        let Shared { inputs, outputs, expanders, .. } = shared;
        let is_free = !(inputs.init | inputs.configure | inputs.kernel_end);
        for ((expander, pins), answers) in expanders.iter_mut().zip(&mut inputs.cores).zip(&outputs.cores) {
            self.stats.ids_pulled += expander.clock(pins, answers, is_free)? as u64;
        }
        self.unit.clock(inputs)?;
        inputs.clear();
        self.unit.sample(outputs);
        Ok(())
    }

    fn drive_init(&mut self, inputs: &mut HwwlIn) {
        let Some(region) = self.init.take() else { return };
        self.region = Some(region);
        let lines = region.bytes / LINE_BYTES / self.cores as u64;
        inputs.init = true;
        for (core, pins) in (0..).zip(&mut inputs.cores) {
            pins.init_base = (region.base / LINE_BYTES + core * lines) as u32;
            pins.init_lines = lines as u16;
        }
    }

    /// The first core whose overflow buffer has overflowed, what it holds, and bytes of a buffer that would have done.
    fn overflow(&self, shared: &Shared) -> Option<(usize, u64, u64)> {
        let core = shared.outputs.cores.iter().position(|c| c.overflow)?;
        let held = shared.outputs.cores[core].count as u64;
        let lines = (held + self.lanes as u64).div_ceil(LINE_IDS as u64) << self.double_mode as u32;
        Some((core, held, (lines * LINE_BYTES * self.cores as u64).next_power_of_two()))
    }

    fn pull_part(&self) -> bool {
        self.shared.borrow().outputs.cores[0].pull_part
    }

    fn holds(&self, core: usize) -> u64 {
        self.shared.borrow().outputs.cores[core].count as u64
    }

    fn rising_edge(
        &mut self,
        now: u64,
        kernel: &Kernel,
        kernel_end: bool,
        shared: &mut Shared,
    ) -> Result<(), RunError> {
        if self.rows_line.is_none() && shared.expanders.iter().any(|expander| expander.inputs.edge_pull != 0) {
            let text = format!("kernel `{}`: wledge before wlrows: no row is known", kernel.program.name);
            return Err(RunError::System { blame: Blame::Misuse, text });
        }
        self.clock_unit(now, kernel_end, shared).map_err(|fault| RunError::unit(self.name(), now, &fault))?;
        if let Some((core, held, needed)) = self.overflow(shared) {
            let (kernel, bytes) = (&kernel.program.name, self.region.map_or(0, |r| r.bytes));
            let text = format!(
                "kernel `{kernel}`: the worklist of core {core} overflowed: it holds {held} IDs, and the overflow buffer has {bytes} bytes \
                 for all cores; wlinit with {needed} bytes, or more entries (hwwl.entries), would have done"
            );
            return Err(RunError::System { blame: Blame::Misuse, text });
        }
        Ok(())
    }

    /// `wlcfg`: a change of mode while a core holds IDs would be ignored by the hardware. Every CTA of a kernel says it; only a change
    /// is driven.
    fn configure(&mut self, told: &Told, double: bool) -> Result<(), RunError> {
        if self.double_mode != double {
            self.check_empty(told)?;
        }
        self.configure = (double != self.double_mode).then_some(double);
        Ok(())
    }

    /// `wlinit`: the same of the overflow buffer.
    fn init(&mut self, told: &Told, region: Region) -> Result<(), RunError> {
        if self.region == Some(region) {
            return Ok(());
        }
        if let Some(rule) = self.broken_rule(region, told.memory) {
            return Err(region_error(told.kernel, told.kernel.line(told.pc), region, &rule));
        }
        self.check_empty(told)?;
        self.init = Some(region);
        Ok(())
    }

    /// `wlrows`: the array of rows of all expanders.
    fn set_rows(&mut self, told: &Told, base: u64) -> Result<(), RunError> {
        let line = told.kernel.line(told.pc);
        let refuse = |what: String| {
            Err(told.kernel.program.blamed(Blame::Misuse, line, format_args!(": wlrows {base:#x}: {what}")))
        };
        let shared = &mut *self.shared.borrow_mut();
        if base % LINE_BYTES != 0 {
            return refuse(format!("the array of rows must begin at a multiple of {LINE_BYTES}"));
        }
        let rows_line = (base / LINE_BYTES) as u32;
        if self.rows_line == Some(rows_line) {
            return Ok(());
        }
        if let Some(core) = shared.expanders.iter().position(|expander| expander.outputs.holds) {
            return refuse(format!(
                "the expander of core {core} holds nodes or edges of other rows; drain the worklist first"
            ));
        }
        self.rows_line = Some(rows_line);
        for expander in &mut shared.expanders {
            (expander.inputs.set_rows, expander.inputs.rows_line) = (true, rows_line);
        }
        Ok(())
    }

    /// Rule that an overflow buffer breaks.
    fn broken_rule(&self, Region { base, bytes }: Region, memory: &Memory) -> Option<String> {
        let cores = self.cores as u64;
        let of_lines = |what| format!("{what} must be a multiple of {LINE_BYTES}: the buffer is made of lines");
        if bytes == 0 {
            None
        } else if base % LINE_BYTES != 0 {
            Some(of_lines("the base"))
        } else if bytes % LINE_BYTES != 0 {
            Some(of_lines("the bytes"))
        } else if bytes < cores * LINE_BYTES || bytes / cores / LINE_BYTES > u16::MAX as u64 {
            Some(format!("each of the {cores} cores takes 1 to {} lines of {LINE_BYTES} bytes", u16::MAX))
        } else {
            memory.bytes(base, bytes as usize).err().map(|error| error.to_string())
        }
    }

    fn check_empty(&self, told: &Told) -> Result<(), RunError> {
        let core = |core| (format!("core {core} holds"), self.holds(core));
        let between = ("the network between cores holds".into(), self.shared.borrow().outputs.held.into());
        let mut holders = (0..self.cores).map(core).chain([between]);
        holders.find(|(_, held)| *held > 0).map_or(Ok(()), |(holds, held)| {
            let what = format!(": wlcfg changes the mode, or wlinit the overflow buffer, while {holds} {held} IDs; drain the worklist first");
            Err(told.kernel.program.blamed(Blame::Misuse, told.kernel.line(told.pc), what))
        })
    }
}

impl System for HwwlSystem {
    fn name(&self) -> &'static str {
        "worklist"
    }

    fn takes(&self, instr: &Instr) -> bool {
        takes(instr) && (!is_for_expander(instr) || !self.shared.borrow().expanders.is_empty())
    }

    fn port_number(&self) -> Option<u8> {
        Some(self.port)
    }

    fn port(&mut self, core: usize, number: u8) -> Option<Box<dyn Port>> {
        self.port = number;
        Some(Box::new(HwwlPort::new(core, self.rows, self.lanes, self.demand, self.shared.clone())))
    }

    fn start(&mut self, _: &mut Start) -> Result<(), RunError> {
        (self.before, self.ended_with, self.is_used) = (self.count(), None, false);
        Ok(())
    }

    fn step(&mut self, cycle: &mut Cycle) -> Result<(), RunError> {
        let shared = self.shared.clone();
        let shared = &mut *shared.borrow_mut();
        self.timeline.set(cycle.now, shared.threads);
        for (core, tag) in shared.refilled.drain(..) {
            if let Some(load) = &mut self.loads[core][tag as usize] {
                load.sectors -= 1;
            }
        }
        for core in cycle.cores.iter() {
            self.serve(core, shared, cycle.mem, cycle.memory).map_err(|error| {
                let region = self.region.unwrap_or(Region { base: 0, bytes: 0 });
                region_error(cycle.kernel, 0, region, &error.to_string())
            })?;
        }
        for expander in &mut shared.expanders {
            expander.reply(cycle.memory).map_err(|error| {
                let text =
                    format!("kernel `{}`: the row of a node in the worklist: {error}", cycle.kernel.program.name);
                RunError::System { blame: Blame::Misuse, text }
            })?;
        }
        self.rising_edge(cycle.now, cycle.kernel, cycle.draining, shared)
    }

    fn has_clock(&self) -> bool {
        true
    }

    fn clock(&mut self, now: u64, kernel: &Kernel) -> Result<(), RunError> {
        let shared = self.shared.clone();
        let shared = &mut *shared.borrow_mut();
        self.rising_edge(now, kernel, false, shared)
    }

    fn tell(&mut self, told: &Told) -> Result<(), RunError> {
        let [first, second] = told.control.operands;
        match told.control.code {
            SystemCode::WorklistInit => self.init(told, Region { base: first, bytes: second })?,
            SystemCode::WorklistConfigure => self.configure(told, first as u32 == 1)?,
            SystemCode::WorklistRows => self.set_rows(told, first)?,
            // They are for one core.
            SystemCode::WorklistPull
            | SystemCode::WorklistEdge
            | SystemCode::WorklistPush
            | SystemCode::ReorderLoad
            | SystemCode::UnitCall { .. } => {}
        }
        self.shared.borrow_mut().hold = self.init.is_some() || self.configure.is_some();
        Ok(())
    }

    fn needs_step(&self, _: &MemorySystem) -> bool {
        self.has_traffic()
    }

    fn is_idle(&self) -> bool {
        let expanders_are = self.shared.borrow().expanders.iter().all(Expander::is_idle);
        expanders_are && self.loads.iter().flatten().all(Option::is_none) && !self.has_traffic()
    }

    /// In double-buffer mode: the cycles until the worklist has exchanged its sides, or will not because work is left (III-A). A
    /// pair of banks that is still under way can hold the exchange back for two rounds of redistribution. In single-buffer mode:
    /// those until all cores know of what was pushed, and none if the launch neither pulled nor pushed.
    fn drain(&mut self) -> u64 {
        self.ended_with = Some(self.pull_part());
        self.round_trip + if self.double_mode { SETTLE + 4 * self.interval } else { 0 }
    }

    fn has_drained(&self) -> bool {
        let waits = self.double_mode || self.is_used && self.round_trip > 0;
        !waits || self.ended_with != Some(self.pull_part())
    }

    fn check_conservation(&self, kernel: &Kernel, launch: &LaunchStats) -> Result<(), RunError> {
        let WorklistStats { ids_pushed: pushed, ids_pulled: pulled, .. } = launch.of();
        let (before, after) = (self.before, self.count());
        if before + pushed == after + pulled {
            return Ok(());
        }
        let text = format!(
            "kernel `{}`: worklist lost or invented IDs: {pushed} pushed, {pulled} pulled, {before} before and {after} after",
            kernel.program.name
        );
        Err(RunError::System { blame: Blame::Finding, text })
    }

    fn count(&self, stats: &mut Stats) {
        stats.systems.count(&self.stats);
    }

    fn fault(&self, _: &[Core]) -> Option<String> {
        let shared = self.shared.borrow();
        self.unit.fault().or_else(|| shared.expanders.iter().find_map(Expander::fault))
    }

    fn is_at_rest(&self) -> bool {
        self.is_idle()
    }

    fn settling_cycles(&self) -> u64 {
        SETTLE_ROUNDS * self.interval
    }

    fn trace(&self, state: &mut DefaultHasher) {
        (0..self.cores).for_each(|core| self.holds(core).hash(state));
        let using = self.shared.borrow().threads.active;
        (self.stats.spill_stores, self.stats.refill_loads, using).hash(state);
    }
}

/// An overflow buffer that cannot be.
fn region_error(kernel: &Kernel, line: u32, Region { base, bytes }: Region, rule: &str) -> RunError {
    kernel.program.blamed(Blame::Misuse, line, format_args!(": wlinit: base {base:#x}, {bytes} bytes: {rule}"))
}
