//! The reorder unit of all partitions inside the GPU (IRU, 3.1): the unit and its pins, `configure_iru`, the prefetches
//! that compete at the L2 slices, requests from the cores and packets back, and the check that nothing is lost.
//!
//! The unit is clocked with the cores, from the start of a kernel that uses it until every element has been delivered or
//! merged and every request is answered; at other times its clock is off.

use super::system::{Cycle, Descriptor, Instructions, Start, System};
use crate::config::Config;
use crate::core::port::Port;
use crate::core::{Core, Kernel};
use crate::exec::{AddressError, Memory};
use crate::launch::{Blame, RunError};
use crate::mem::request::{Kind, Request, Tag, LINE_BYTES, SECTOR_BYTES};
use crate::mem::system::MemorySystem;
use crate::ptx::instr::Instr;
use crate::ptx::op::Op;
use crate::ptx::program::Program;
use crate::ptx::system_op::SystemCode;
use crate::stats::Stats;
use crate::unit::{Fault, Unit};
use crate::units::iru::element::{Access, LINE};
use crate::units::iru::pins::{IruIn, IruOut, LineRequest, Offer, Reply, SectorData};
use crate::units::iru::{Filter, Iru, Job};
use account::{Account, ElementError};
pub use counters::ReorderStats;
use port::{IruPort, Packet, MOST_SLOTS};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use thiserror::Error;

pub mod account;
mod counters;
mod port;

/// An implementation of `iru`.
pub type IruUnit = Box<dyn Unit<In = IruIn, Out = IruOut>>;

/// Most elements that one configuration can name: positions have 24 bits.
pub const MOST_ELEMENTS: u64 = 1 << 24;
/// Cycles in which the unit comes to rest after reset or its last reply, without ways between the partitions.
const SETTLE: usize = 16;
/// Packet without elements: the first of two.
pub const NO_PACKET: u32 = u32::MAX;

/// Arguments of `configure_iru` (section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reorder {
    /// Address of the array that the kernel will access, and bytes of its element.
    pub target: u64,
    pub element_bytes: u64,
    /// Array of 32-bit indices.
    pub indices: u64,
    /// Array of 32-bit values that go with them.
    pub secondary: Option<u64>,
    pub count: u64,
    pub filter: Filter,
}

/// Error in a [`Reorder`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("configure_iru: {what} = {value}: {rule}")]
pub struct ReorderError {
    pub what: &'static str,
    pub value: String,
    pub rule: String,
}

/// The reorder unit as a system that a configuration can have.
pub static SYSTEM: Descriptor = Descriptor {
    name: "iru",
    is_in: |config| config.iru.is_some(),
    instructions: Some(Instructions {
        takes,
        missing: |config, _| match config.iru {
            Some(_) => NOT_CONFIGURED,
            None => "uses the reorder unit, which this configuration does not have; add an [iru] table",
        },
    }),
    counters: |stats| stats.count(&ReorderStats::default()),
    is_ideal: |_| false,
    found: "with load_iru",
    models: |config| {
        let iru = config.iru.as_ref().expect("the configuration has an [iru] table");
        Ok(Box::new(IruSystem::new(Box::new(Iru::new(&iru.parameters(config))?), config)))
    },
};

const NOT_CONFIGURED: &str =
    "uses the reorder unit, which nobody has configured; call configure_iru before each launch";

/// A partition's traffic.
#[derive(Clone, Debug, Default)]
struct Partition {
    /// Elements of the reply that is coming out.
    elements: Vec<[u32; 3]>,
    /// Packets that wait for the network: bytes, and the packet itself.
    waiting: VecDeque<(u32, Request)>,
}

/// A request that has not been answered in full.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    at: u64,
    /// Values of each element that the kernel wants: 1 to 3.
    values: u32,
}

/// The instruction is one of the reorder unit.
pub fn takes(instr: &Instr) -> bool {
    matches!(&instr.op, Op::System(op) if op.code == SystemCode::ReorderLoad)
}

pub struct IruSystem {
    config: Config,
    unit: IruUnit,
    inputs: IruIn,
    outputs: IruOut,
    alignment: u64,
    /// Configuration by the host, for the next kernel that uses the unit.
    configured: Option<Reorder>,
    running: Option<Account>,
    partitions: Vec<Partition>,
    /// Requests that are out, of all of them.
    out: u64,
    asked: Vec<Asked>,
    packets: Vec<Packet>,
    free: Vec<u32>,
    /// Packets that have reached their cores in this cycle.
    arrived: Rc<RefCell<Vec<(usize, u32)>>>,
    /// Number of its port in each core.
    port: u8,
    stats: ReorderStats,
}

impl IruSystem {
    /// `unit` has the configuration's parameters.
    pub fn new(unit: IruUnit, config: &Config) -> Self {
        let partitions = config.dram.channels;
        let mut outputs = IruOut::new(partitions);
        unit.sample(&mut outputs);
        let mut system = IruSystem {
            config: config.clone(),
            unit,
            inputs: IruIn::new(partitions),
            outputs,
            alignment: config.reorder_alignment(),
            configured: None,
            running: None,
            partitions: vec![Partition::default(); partitions],
            out: 0,
            asked: vec![Asked::default(); config.core.count * MOST_SLOTS],
            packets: Vec::with_capacity(64),
            free: Vec::with_capacity(64),
            arrived: Rc::default(),
            port: 0,
            stats: ReorderStats::default(),
        };
        system.settle();
        system
    }

    /// `configure_iru`, for the next kernel that has a `load_iru`.
    ///
    /// # Errors
    /// A configuration that the unit cannot follow: nothing is configured then.
    pub fn configure(&mut self, reorder: Reorder, memory: &Memory) -> Result<(), ReorderError> {
        let Reorder { target, element_bytes, indices, secondary, count, filter } = reorder;
        let error = |what, value: String, rule: String| Err(ReorderError { what, value, rule });
        if !(1..=MOST_ELEMENTS).contains(&count) {
            return error("number_elements", count.to_string(), format!("must be 1 to {MOST_ELEMENTS} (2^24)"));
        }
        if !element_bytes.is_power_of_two() || element_bytes > LINE_BYTES {
            let rule = format!("must be a power of two, at most a line of {LINE_BYTES} bytes");
            return error("target_array_data_type_size", element_bytes.to_string(), rule);
        }
        if target >> 39 != 0 {
            return error("target_array", format!("{target:#x}"), "must be below 2^39".into());
        }
        // So that a line of indices and the values that go with it lie in the same partition.
        let alignment = self.alignment;
        let arrays = [("indices_array", Some(indices)), ("secondary_array", secondary)];
        for (what, address) in arrays.into_iter().filter_map(|(what, address)| Some((what, address?))) {
            if !address.is_multiple_of(alignment) {
                let rule = format!("must be a multiple of {alignment}: all memory partitions in turn");
                return error(what, format!("{address:#x}"), rule);
            }
            if let Err(e) = memory.bytes(address, 4 * count as usize) {
                return error(what, format!("{address:#x}"), format!("has not {count} elements: {e}"));
            }
        }
        // Without values the minimum drops all equal indices but one.
        if filter == Filter::Addition && secondary.is_none() {
            return error("filter_op", "addition".into(), "needs a secondary array".into());
        }
        self.configured = Some(reorder);
        Ok(())
    }

    /// The kernel that uses the unit starts. The unit starts in the next cycle.
    ///
    /// # Errors
    /// The arrays are not there any more.
    fn begin_job(&mut self, memory: &Memory) -> Result<(), AddressError> {
        let Some(reorder) = self.configured.take() else { return Ok(()) };
        let running = Account::new(reorder, memory)?;
        self.inputs.job = Job {
            index_line: (reorder.indices / LINE_BYTES) as u32,
            secondary_line: (reorder.secondary.unwrap_or(0) / LINE_BYTES) as u32,
            with_secondary: reorder.secondary.is_some(),
            count: reorder.count as u32,
            access: Access { target: reorder.target, size: reorder.element_bytes.ilog2() as u8 },
            filter: reorder.filter,
        }
        .start();
        self.stats.elements += reorder.count;
        self.stats.repeated += running.repeated();
        self.running = Some(running);
        Ok(())
    }

    /// Its clock is on.
    fn is_busy(&self) -> bool {
        self.running.as_ref().is_some_and(|r| !r.is_done() || self.has_requests())
    }

    /// The unit must be clocked: its job is not done, or a core asks although all elements are out.
    fn has_work(&self, mem: &MemorySystem) -> bool {
        self.is_busy() || mem.has_messages()
    }

    /// A core waits for elements. Its last part may have come from one partition while the first is still coming out of another.
    fn has_requests(&self) -> bool {
        self.out > 0 || self.partitions.iter().any(|p| !p.waiting.is_empty() || !p.elements.is_empty())
    }

    /// One cycle: traffic with memory and cores, then the rising edge. The unit is busy.
    fn cycle(&mut self, now: u64, mem: &mut MemorySystem, memory: &Memory) -> Result<(), ElementError> {
        for p in 0..self.partitions.len() {
            self.prefetch(p, mem, memory);
            self.ask(p, now, mem)?;
            self.reply(p, now)?;
            self.send(p, mem);
        }
        self.stats.busy_cycles += 1;
        Ok(())
    }

    fn clock_unit(&mut self) -> Result<(), Fault> {
        self.unit.clock(&self.inputs)?;
        self.inputs.clear();
        self.unit.sample(&mut self.outputs);
        let merged: u32 = self.outputs.partitions.iter().map(|p| p.merged.count_ones()).sum();
        self.stats.merged += u64::from(merged);
        if let Some(running) = &mut self.running {
            running.merged += u64::from(merged);
        }
        Ok(())
    }

    /// Lets the unit see that it is at rest: before that it cannot start.
    fn settle(&mut self) {
        let link = self.config.iru.as_ref().map_or(0, |iru| iru.link);
        for _ in 0..SETTLE + 2 * link {
            // Low inputs break no rule, and the end of a launch asks for what a lock-step has found.
            let _ = self.clock_unit();
        }
    }

    fn prefetch(&mut self, p: usize, mem: &mut MemorySystem, memory: &Memory) {
        let pins = &mut self.inputs.partitions[p];
        if let Some(LineRequest { line, sectors, tag }) = self.outputs.partitions[p].line.get() {
            let bytes = u64::from(sectors) * SECTOR_BYTES;
            let mut request = Request::read(Kind::Beside, 0, u64::from(line) * LINE_BYTES, bytes);
            request.tag = Tag::Beside(tag.into());
            pins.mem_ready = mem.read_beside(request);
        }
        let sector = mem.beside(p).sectors.pop_front();
        if let Some(Request { tag: Tag::Beside(tag), address, .. }) = sector {
            let sector = (address % LINE_BYTES / SECTOR_BYTES) as u8;
            let words = std::array::from_fn(|n| word(memory, address + 4 * n as u64));
            pins.sector = Offer::some(SectorData { tag: tag as u8, sector, words });
        }
    }

    /// A request of a core comes to its partition.
    fn ask(&mut self, p: usize, now: u64, mem: &mut MemorySystem) -> Result<(), ElementError> {
        if !self.outputs.partitions[p].request_ready {
            return Ok(());
        }
        let message = mem.beside(p).messages.pop_front();
        let Some(Request { core, tag: Tag::Message { slot, text, .. }, .. }) = message else { return Ok(()) };
        let (lanes, values) = (text % LINE as u32 + 1, text / LINE as u32);
        self.asked[usize::from(core) * MOST_SLOTS + usize::from(slot)] = Asked { at: now, values };
        let wide = u16::from(values > 1);
        self.inputs.partitions[p].request = Offer::some(core << 12 | slot << 6 | wide << 5 | (lanes - 1) as u16);
        self.out += 1;
        self.stats.requests += 1;
        self.stats.lanes += u64::from(lanes);
        let Some(running) = &mut self.running else { return Ok(()) };
        running.lanes += u64::from(lanes);
        match running.lanes > running.reorder.count {
            true => Err(ElementError::TooManyLanes { lanes: running.lanes, count: running.reorder.count }),
            false => Ok(()),
        }
    }

    /// A beat of a reply comes out, unless the packets before it have not left.
    fn reply(&mut self, p: usize, now: u64) -> Result<(), ElementError> {
        let partition = &mut self.partitions[p];
        let Some(reply) = self.outputs.partitions[p].reply.get().filter(|_| partition.waiting.is_empty()) else {
            return Ok(());
        };
        self.inputs.partitions[p].reply_ready = true;
        let Reply { request, mask, end, last, elements } = reply;
        for element in (0..).zip(&elements).filter(|(j, _)| mask >> j & 1 == 1).map(|(_, e)| e) {
            partition.elements.push([element.index, element.secondary, element.position]);
            self.stats.delivered += 1;
            self.running.as_mut().map_or(Ok(()), |running| running.deliver(element))?;
        }
        let (core, slot) = (usize::from(request >> 12), usize::from(request >> 6) % MOST_SLOTS);
        let asked = self.asked[core * MOST_SLOTS + slot];
        let disabled = last.then(|| u32::from(request) % LINE as u32 + 1 - partition.elements.len() as u32);
        if let Some(disabled) = disabled {
            self.out -= 1;
            self.stats.wait_cycles += now - asked.at;
            self.stats.disabled += u64::from(disabled);
        }
        if end && (last || !partition.elements.is_empty()) {
            self.pack(p, (core, slot), disabled, asked.values);
        }
        Ok(())
    }

    /// Elements as one packet of indices, and a second one for what else the kernel wants.
    fn pack(&mut self, p: usize, (core, slot): (usize, usize), disabled: Option<u32>, values: u32) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.packets.push(Packet::default());
            self.packets.len() as u32 - 1
        });
        let Partition { elements, waiting } = &mut self.partitions[p];
        let packet = &mut self.packets[number as usize];
        (packet.slot, packet.disabled) = (slot, disabled);
        std::mem::swap(&mut packet.elements, elements);
        elements.clear();
        let words = 4 * packet.elements.len() as u32;
        let port = self.port;
        let message = |number| {
            let tag = Tag::Message { port, slot: slot as u16, text: number };
            Request { tag, ..Request::read(Kind::Message, core, 0, LINE_BYTES) }
        };
        if values > 1 && words > 0 {
            waiting.push_back((words, message(NO_PACKET)));
        }
        let second = if values > 1 { words * (values - 1) } else { words };
        waiting.push_back((second, message(number)));
    }

    fn send(&mut self, p: usize, mem: &mut MemorySystem) {
        let waiting = &mut self.partitions[p].waiting;
        if let Some((bytes, packet)) = waiting.front() {
            if mem.send_message(p, *bytes, *packet) {
                waiting.pop_front();
                self.stats.packets += 1;
            }
        }
    }

    /// Packets that have reached their cores are dealt out.
    fn deal(&mut self, cores: &mut [Core], kernel: &Kernel) {
        for (core, number) in self.arrived.borrow_mut().drain(..).filter(|(_, number)| *number != NO_PACKET) {
            let (port, mut answers) = cores[core].answering::<IruPort>(self.port, kernel);
            let packet = &mut self.packets[number as usize];
            port.deal(packet, &mut answers);
            packet.elements.clear();
            self.free.push(number);
        }
    }
}

impl System for IruSystem {
    fn name(&self) -> &'static str {
        "reorder unit"
    }

    fn takes(&self, instr: &Instr) -> bool {
        takes(instr)
    }

    fn port_number(&self) -> Option<u8> {
        Some(self.port)
    }

    fn port(&mut self, core: usize, number: u8) -> Option<Box<dyn Port>> {
        self.port = number;
        Some(Box::new(IruPort::new(core, number, &self.config, self.arrived.clone())))
    }

    fn check(&self, program: &Program) -> Result<(), RunError> {
        match first_load(program).filter(|_| self.configured.is_none()) {
            Some(load) => Err(program.misses(load.line, NOT_CONFIGURED)),
            None => Ok(()),
        }
    }

    /// The unit starts with the kernel that uses it; for others it stays off.
    fn start(&mut self, Start { kernel, memory, .. }: &mut Start) -> Result<(), RunError> {
        if first_load(kernel.program).is_none() {
            return Ok(());
        }
        self.begin_job(memory).map_err(|error| RunError::Launch {
            kernel: kernel.program.name.clone(),
            what: "configure_iru",
            value: "arrays".into(),
            rule: error.to_string(),
        })
    }

    /// Elements that have reached their cores, then a cycle of the unit.
    fn step(&mut self, cycle: &mut Cycle) -> Result<(), RunError> {
        self.deal(cycle.cores, cycle.kernel);
        if !self.has_work(cycle.mem) {
            return Ok(());
        }
        self.cycle(cycle.now, cycle.mem, cycle.memory).map_err(|error| disagreement(cycle.kernel, error))?;
        self.clock_unit().map_err(|fault| RunError::unit(self.name(), cycle.now, &fault))
    }

    fn needs_step(&self, mem: &MemorySystem) -> bool {
        self.has_work(mem)
    }

    fn is_idle(&self) -> bool {
        !self.has_requests()
    }

    /// The unit comes to rest, and what it did is checked: elements that nobody asked for, or that came out changed, twice or not at
    /// all.
    fn end(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        let Some(running) = self.running.take() else { return Ok(()) };
        self.settle();
        running.check().map_err(|error| disagreement(kernel, error))
    }

    fn count(&self, stats: &mut Stats) {
        stats.systems.count(&self.stats);
    }

    fn fault(&self, _: &[Core]) -> Option<String> {
        self.unit.fault()
    }
}

/// The kernel's first `load_iru`.
fn first_load(program: &Program) -> Option<&Instr> {
    program.code.iter().find(|instr| takes(instr))
}

fn disagreement(kernel: &Kernel, error: ElementError) -> RunError {
    let (program, line) = (kernel.program, first_load(kernel.program).map_or(0, |i| i.line));
    program.blamed(Blame::Finding, line, format_args!(": {error}"))
}

/// A word of memory; what lies behind an array may not be there.
fn word(memory: &Memory, address: u64) -> u32 {
    memory.bytes(address, 4).map_or(0, |bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
}

#[cfg(test)]
mod tests;
