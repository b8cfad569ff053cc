//! The worklists of all cores inside the GPU: the unit's body and its pins, `wlinit` and `wlcfg`, and the traffic between its
//! virtualization units and memory (HWWL, III-D), which comes after the cores' own.

use crate::config::{Config, Ideal};
use crate::core::core::Core;
use crate::core::worklist::WorklistPins;
use crate::exec::{AddressError, Memory};
use crate::mem::request::{Kind, Request, LINE_BYTES};
use crate::mem::system::MemorySystem;
use crate::stats::WorklistStats;
use crate::unit::Unit;
use crate::units::hwwl::ideal::{self, Order};
use crate::units::hwwl::pins::{HwwlCoreIn, HwwlIn, HwwlOut, LINE_IDS};
use crate::units::hwwl::{Hwwl, Parameters};
use crate::units::parameter::ParameterError;

/// A body of `hwwl`.
pub type Worklist = Box<dyn Unit<In = HwwlIn, Out = HwwlOut>>;

/// Cycles without a request after which all cores agree that the worklist is at rest.
pub const SETTLE: u64 = 16;
/// Loads on their way, by tag.
const TAGS: usize = 4;

/// The behavioural model of the worklist that a configuration asks for. `None`: it has none.
///
/// # Errors
/// A parameter that is out of range.
pub fn behavioural(config: &Config) -> Result<Option<Worklist>, ParameterError> {
    let Some(hwwl) = &config.hwwl else { return Ok(None) };
    let parameters = &hwwl.parameters(config.core.count);
    let ideal = |order| ideal::Ideal::new(parameters, order).map(|unit| Box::new(unit) as Worklist);
    Ok(Some(match hwwl.ideal {
        Ideal::No => Box::new(Hwwl::new(parameters)?),
        Ideal::Infinite => Box::new(Hwwl::infinite(parameters)?),
        Ideal::Magic => ideal(Order::Magic)?,
        Ideal::Fifo => ideal(Order::Fifo)?,
        Ideal::Sorted => ideal(Order::Sorted)?,
    }))
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

pub struct Worklists {
    unit: Worklist,
    lanes: usize,
    inputs: HwwlIn,
    /// Of this cycle.
    pub outputs: HwwlOut,
    pub double: bool,
    pub region: Option<Region>,
    init: Option<Region>,
    configure: Option<bool>,
    /// Last cycle with a pull, push or leave.
    active_at: u64,
    loads: Vec<[Option<Load>; TAGS]>,
    pub stats: WorklistStats,
}

impl Worklists {
    pub fn new(unit: Worklist, cores: usize, parameters: &Parameters) -> Self {
        let mut outputs = HwwlOut::new(cores);
        unit.look(&mut outputs);
        Worklists {
            unit,
            lanes: parameters.lanes,
            inputs: HwwlIn::new(cores),
            outputs,
            double: false,
            region: None,
            init: None,
            configure: None,
            active_at: 0,
            loads: vec![[None; TAGS]; cores],
            stats: WorklistStats::default(),
        }
    }

    /// IDs in all cores and between them.
    pub fn count(&self) -> u64 {
        self.outputs.cores.iter().map(|c| c.count as u64).sum::<u64>() + self.outputs.held as u64
    }

    pub fn pins(&mut self, core: usize) -> WorklistPins<'_> {
        let hold = self.init.is_some() || self.configure.is_some();
        WorklistPins { outputs: &self.outputs.cores[core], inputs: &mut self.inputs.cores[core], hold }
    }

    /// `wlcfg`. Every CTA of a kernel says it; only a change is driven.
    pub fn configure(&mut self, double: bool) {
        self.configure = (double != self.double).then_some(double);
    }

    /// `wlinit`, as every CTA says it.
    pub fn init(&mut self, region: Region) {
        self.init = (self.region != Some(region)).then_some(region);
    }

    /// A request to memory or a line for the unit waits to be served.
    pub fn has_traffic(&self) -> bool {
        let whole = |load: &Option<Load>| load.is_some_and(|l| l.sectors == 0);
        self.outputs.cores.iter().any(|c| c.memory.mem_valid) || self.loads.iter().flatten().any(whole)
    }

    /// One core's traffic in this cycle; the core has been stepped.
    pub fn serve(
        &mut self,
        core: &mut Core,
        system: &mut MemorySystem,
        memory: &mut Memory,
    ) -> Result<(), AddressError> {
        let i = core.index;
        while let Some(tag) = core.refilled.pop() {
            if let Some(load) = &mut self.loads[i][tag as usize] {
                load.sectors -= 1;
            }
        }
        let (out, pins) = (&self.outputs.cores[i].memory, &mut self.inputs.cores[i].memory);
        if out.mem_valid && !core.is_sending() {
            let address = out.mem_line as u64 * LINE_BYTES;
            let mut request =
                Request::read(if out.mem_write { Kind::Spill } else { Kind::Refill }, i, address, LINE_BYTES);
            request.load = out.mem_tag as u32;
            if out.mem_write {
                request.written = u128::MAX >> (128 - 4 * out.mem_count as u32);
                request.shrink();
            }
            if system.has_room(&request) {
                pins.mem_ready = true;
                if out.mem_write {
                    self.stats.spill_stores += 1;
                    self.stats.ids_spilled += out.mem_count as u64;
                    memory.write_u32s(address, &out.mem_id.0[..out.mem_count as usize])?;
                } else {
                    self.stats.refill_loads += 1;
                    self.loads[i][out.mem_tag as usize] = Some(Load { address, sectors: request.sectors() });
                }
                system.send(request);
            }
        }
        let whole = |load: &Option<Load>| load.is_some_and(|l| l.sectors == 0);
        if let Some(tag) = self.loads[i].iter().position(whole).filter(|_| out.line_ready) {
            if let Some(load) = self.loads[i][tag].take() {
                (pins.line_valid, pins.line_tag) = (true, tag as u8);
                let words = memory.read_u32s(load.address, LINE_IDS)?;
                pins.line_id.0.iter_mut().zip(words).for_each(|(id, word)| *id = word & 0xff_ffff);
            }
        }
        Ok(())
    }

    /// The rising edge that ends cycle `now`. `kernel_end`: the sides may be exchanged if all agree.
    pub fn clock(&mut self, now: u64, kernel_end: bool) {
        let is_active = |c: &HwwlCoreIn| c.pull | c.push | c.leave != 0;
        if self.inputs.cores.iter().any(is_active) {
            self.active_at = now;
        }
        let at_rest = now >= self.active_at + SETTLE;
        if at_rest && self.init.is_some() {
            self.drive_init();
        } else if at_rest && self.configure.is_some() {
            self.double = self.configure.take().unwrap_or(self.double);
            (self.inputs.configure, self.inputs.double) = (true, self.double);
        } else if at_rest && kernel_end {
            self.inputs.kernel_end = self.outputs.cores.iter().all(|c| c.push_ready);
        }
        self.unit.clock(&self.inputs);
        self.inputs.clear();
        self.unit.look(&mut self.outputs);
    }

    fn drive_init(&mut self) {
        let Some(region) = self.init.take() else { return };
        self.region = Some(region);
        let lines = region.bytes / LINE_BYTES / self.inputs.cores.len() as u64;
        self.inputs.init = true;
        for (core, pins) in (0..).zip(&mut self.inputs.cores) {
            pins.init_base = (region.base / LINE_BYTES + core * lines) as u32;
            pins.init_lines = lines as u16;
        }
    }

    /// Why the body can no longer be trusted.
    pub fn fault(&self) -> Option<String> {
        self.unit.fault()
    }

    /// The first core whose overflow buffer has overflowed, what it holds, and bytes of a buffer that would have done.
    pub fn overflow(&self) -> Option<(usize, u64, u64)> {
        let core = self.outputs.cores.iter().position(|c| c.overflow)?;
        let held = self.outputs.cores[core].count as u64;
        let lines = (held + self.lanes as u64).div_ceil(LINE_IDS as u64) << self.double as u32;
        Some((core, held, (lines * LINE_BYTES * self.inputs.cores.len() as u64).next_power_of_two()))
    }

    pub fn pull_part(&self) -> bool {
        self.outputs.cores[0].pull_part
    }

    /// Nothing is on its way between the unit and memory.
    pub fn is_idle(&self) -> bool {
        self.loads.iter().flatten().all(Option::is_none) && !self.has_traffic()
    }

    pub fn holds(&self, core: usize) -> u64 {
        self.outputs.cores[core].count as u64
    }
}
