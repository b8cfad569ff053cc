//! The reorder units of all partitions inside the GPU (IRU, 3.1): the unit's body and its pins, `configure_iru`, the prefetches
//! that compete at the L2 slices, requests from the cores and packets back, and the check that nothing is lost.
//!
//! The unit is clocked with the cores, from the start of a kernel that uses it until every element has been delivered or
//! merged and every request is answered; at other times its clock is off.

use crate::config::Config;
use crate::core::reorder::Packet;
use crate::exec::{AddressError, Memory};
use crate::mem::request::{Kind, Request, LINE_BYTES, SECTOR_BYTES};
use crate::mem::system::MemorySystem;
use crate::stats::ReorderStats;
use crate::unit::Unit;
use crate::units::iru::element::{Access, Element, INDEX_MASK, LINE};
use crate::units::iru::pins::{IruIn, IruOut, JobPins, LineRequest, Offer, Reply, SectorData};
use crate::units::iru::{Filter, Iru, Job};
use crate::units::parameter::ParameterError;
use std::collections::VecDeque;
use thiserror::Error;

/// A body of `iru`.
pub type ReorderUnit = Box<dyn Unit<In = IruIn, Out = IruOut>>;

/// Most elements that one configuration can name: positions have 24 bits.
pub const MOST_ELEMENTS: u64 = 1 << 24;
/// Cycles in which the unit comes to rest after reset or its last reply.
const SETTLE: u32 = 16;
/// Packet without elements: the first of two.
pub const NO_PACKET: u32 = u32::MAX;

/// What `configure_iru` says (section 4).
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

/// What is wrong with a [`Reorder`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("configure_iru: {what} = {value}: {rule}")]
pub struct ReorderError {
    pub what: &'static str,
    pub value: String,
    pub rule: String,
}

/// How a kernel and its elements can disagree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ElementError {
    #[error(
        "load_iru by {lanes} threads, but configure_iru names {count} elements; guard it with the number of elements"
    )]
    TooManyLanes { lanes: u64, count: u64 },
    #[error(
        "load_iru by {lanes} threads only: {left} of the {count} elements that configure_iru names were not asked for"
    )]
    TooFewLanes { lanes: u64, left: u64, count: u64 },
    #[error("the element at position {position} came out twice")]
    Twice { position: u32 },
    #[error("position {position} came out with index {found}; the array has {expected}")]
    Index { position: u32, found: u32, expected: u32 },
    #[error("position {position} came out with the value {found:#010x}; the array has {expected:#010x}")]
    Secondary { position: u32, found: u32, expected: u32 },
    #[error("index {index}: the least value that came out is {found}, of the array it is {expected}")]
    Minimum { index: u32, found: u32, expected: u32 },
    #[error("index {index}: the values that came out add up to {found}, those of the array to {expected}; rounding explains {tolerance}")]
    Sum { index: u32, found: String, expected: String, tolerance: String },
    #[error("{elements} elements, but {delivered} delivered and {merged} merged")]
    Conservation { elements: u64, delivered: u64, merged: u64 },
}

/// The behavioural model of the reorder unit that a configuration asks for. `None`: it has none.
///
/// # Errors
/// A parameter that is out of range.
pub fn behavioural(config: &Config) -> Result<Option<ReorderUnit>, ParameterError> {
    let Some(iru) = &config.iru else { return Ok(None) };
    Ok(Some(Box::new(Iru::new(&iru.parameters(config))?)))
}

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

pub struct Reorders {
    unit: ReorderUnit,
    inputs: IruIn,
    outputs: IruOut,
    alignment: u64,
    warps: usize,
    /// What the host has configured, for the next kernel that uses the unit.
    configured: Option<Reorder>,
    running: Option<Running>,
    partitions: Vec<Partition>,
    /// Requests that are out, of all of them.
    out: u64,
    asked: Vec<Asked>,
    packets: Vec<Packet>,
    free: Vec<u32>,
    pub stats: ReorderStats,
}

impl Reorders {
    pub fn new(unit: ReorderUnit, config: &Config) -> Self {
        let partitions = config.dram.channels;
        let mut outputs = IruOut::new(partitions);
        unit.look(&mut outputs);
        let mut reorders = Reorders {
            unit,
            inputs: IruIn::new(partitions),
            outputs,
            alignment: config.reorder_alignment(),
            warps: config.core.max_warps,
            configured: None,
            running: None,
            partitions: vec![Partition::default(); partitions],
            out: 0,
            asked: vec![Asked::default(); config.core.count * config.core.max_warps],
            packets: Vec::with_capacity(64),
            free: Vec::with_capacity(64),
            stats: ReorderStats::default(),
        };
        reorders.settle();
        reorders
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
        if filter != Filter::None && secondary.is_none() {
            return error("filter_op", format!("{filter:?}").to_lowercase(), "needs a secondary array".into());
        }
        self.configured = Some(reorder);
        Ok(())
    }

    pub fn is_configured(&self) -> bool {
        self.configured.is_some()
    }

    /// The kernel that uses the unit starts: so does the unit, in the next cycle.
    ///
    /// # Errors
    /// The arrays are not there any more.
    pub fn start(&mut self, memory: &Memory) -> Result<(), AddressError> {
        let Some(reorder) = self.configured.take() else { return Ok(()) };
        let running = Running::new(reorder, memory)?;
        self.inputs.job = JobPins::start(&Job {
            index_line: (reorder.indices / LINE_BYTES) as u32,
            secondary_line: (reorder.secondary.unwrap_or(0) / LINE_BYTES) as u32,
            with_secondary: reorder.secondary.is_some(),
            count: reorder.count as u32,
            access: Access { target: reorder.target, size: reorder.element_bytes.ilog2() as u8 },
            filter: reorder.filter,
        });
        self.stats.elements += reorder.count;
        self.stats.repeated += running.repeated();
        self.running = Some(running);
        Ok(())
    }

    /// Its clock is on.
    fn is_busy(&self) -> bool {
        self.running.as_ref().is_some_and(|r| !r.is_done() || self.has_requests())
    }

    /// Its clock is on, or has to be: a core asks, though all elements are out.
    pub fn has_work(&self, system: &MemorySystem) -> bool {
        self.is_busy() || system.has_reorder_requests()
    }

    /// A core waits for elements. Its last part may have come from one partition while the first is still coming out of another.
    pub fn has_requests(&self) -> bool {
        self.out > 0 || self.partitions.iter().any(|p| !p.waiting.is_empty() || !p.elements.is_empty())
    }

    /// One cycle: traffic with memory and cores, then the rising edge. The unit is busy.
    pub fn step(&mut self, now: u64, system: &mut MemorySystem, memory: &Memory) -> Result<(), ElementError> {
        for p in 0..self.partitions.len() {
            self.prefetch(p, system, memory);
            self.ask(p, now, system)?;
            self.reply(p, now)?;
            self.send(p, system);
        }
        self.stats.busy_cycles += 1;
        self.clock();
        Ok(())
    }

    fn clock(&mut self) {
        self.unit.clock(&self.inputs);
        self.inputs.clear();
        self.unit.look(&mut self.outputs);
        let merged: u32 = self.outputs.partitions.iter().map(|p| p.merged.count_ones()).sum();
        self.stats.merged += u64::from(merged);
        if let Some(running) = &mut self.running {
            running.merged += u64::from(merged);
        }
    }

    /// Lets the unit see that it is at rest: before that it cannot start.
    fn settle(&mut self) {
        (0..SETTLE).for_each(|_| self.clock());
    }

    fn prefetch(&mut self, p: usize, system: &mut MemorySystem, memory: &Memory) {
        let pins = &mut self.inputs.partitions[p];
        if let Some(LineRequest { line, sectors, tag }) = self.outputs.partitions[p].line.get() {
            let bytes = u64::from(sectors) * SECTOR_BYTES;
            let mut request = Request::read(Kind::Prefetch, 0, u64::from(line) * LINE_BYTES, bytes);
            request.load = u32::from(tag);
            pins.mem_ready = system.prefetch(request);
        }
        if let Some(reply) = system.reorder_port(p).prefetched.pop_front() {
            let sector = (reply.address % LINE_BYTES / SECTOR_BYTES) as u8;
            let words = std::array::from_fn(|n| word(memory, reply.address + 4 * n as u64));
            pins.sector = Offer::some(SectorData { tag: reply.load as u8, sector, words });
        }
    }

    /// A request of a core comes to its partition.
    fn ask(&mut self, p: usize, now: u64, system: &mut MemorySystem) -> Result<(), ElementError> {
        if !self.outputs.partitions[p].request_ready {
            return Ok(());
        }
        let Some(request) = system.reorder_port(p).requests.pop_front() else { return Ok(()) };
        let (lanes, values) = (request.load % LINE as u32 + 1, request.load / LINE as u32);
        self.asked[request.core as usize * self.warps + request.warp as usize] = Asked { at: now, values };
        let wide = u16::from(values > 1);
        self.inputs.partitions[p].request =
            Offer::some(request.core << 12 | request.warp << 6 | wide << 5 | (lanes - 1) as u16);
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
        let (core, warp_slot) = (usize::from(request >> 12), usize::from(request >> 6 & 63));
        let asked = self.asked[core * self.warps + warp_slot];
        let disabled = last.then(|| u32::from(request) % LINE as u32 + 1 - partition.elements.len() as u32);
        if let Some(disabled) = disabled {
            self.out -= 1;
            self.stats.wait_cycles += now - asked.at;
            self.stats.disabled += u64::from(disabled);
        }
        if end && (last || !partition.elements.is_empty()) {
            self.pack(p, core, warp_slot, disabled, asked.values);
        }
        Ok(())
    }

    /// Elements as one packet of indices, and a second one for what else the kernel wants.
    fn pack(&mut self, p: usize, core: usize, warp_slot: usize, disabled: Option<u32>, values: u32) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.packets.push(Packet::default());
            self.packets.len() as u32 - 1
        });
        let Partition { elements, waiting } = &mut self.partitions[p];
        let packet = &mut self.packets[slot as usize];
        (packet.warp_slot, packet.disabled) = (warp_slot, disabled);
        std::mem::swap(&mut packet.elements, elements);
        elements.clear();
        let words = 4 * packet.elements.len() as u32;
        let mut message = Request::read(Kind::Reorder, core, 0, LINE_BYTES);
        message.warp = warp_slot as u16;
        if values > 1 && words > 0 {
            waiting.push_back((words, Request { load: NO_PACKET, ..message }));
        }
        let second = if values > 1 { words * (values - 1) } else { words };
        waiting.push_back((second, Request { load: slot, ..message }));
    }

    fn send(&mut self, p: usize, system: &mut MemorySystem) {
        let waiting = &mut self.partitions[p].waiting;
        if let Some((bytes, packet)) = waiting.front() {
            if system.send_elements(p, *bytes, *packet) {
                waiting.pop_front();
                self.stats.packets += 1;
            }
        }
    }

    /// A packet that has reached its core.
    pub fn packet(&self, slot: u32) -> Option<&Packet> {
        (slot != NO_PACKET).then(|| &self.packets[slot as usize])
    }

    /// The packet has been dealt out.
    pub fn release(&mut self, slot: u32) {
        self.packets[slot as usize].elements.clear();
        self.free.push(slot);
    }

    /// Why the body can no longer be trusted.
    pub fn fault(&self) -> Option<String> {
        self.unit.fault()
    }

    /// The kernel is over: the unit comes to rest, and what it did is checked.
    ///
    /// # Errors
    /// Elements that nobody asked for, or that came out changed, twice or not at all.
    pub fn end(&mut self) -> Result<(), ElementError> {
        let Some(running) = self.running.take() else { return Ok(()) };
        self.settle();
        running.check()
    }
}

/// A word of memory; what lies behind an array may not be there.
fn word(memory: &Memory, address: u64) -> u32 {
    memory.bytes(address, 4).map_or(0, |bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
}

/// A kernel that uses the unit, and an independent account of what it must get.
struct Running {
    reorder: Reorder,
    indices: Vec<u32>,
    secondary: Vec<u32>,
    /// Positions that have come out, one bit each.
    seen: Vec<u64>,
    /// By index, of the secondary values that have come out: least one, or sum.
    least: Vec<u32>,
    sums: Vec<f64>,
    lanes: u64,
    delivered: u64,
    merged: u64,
}

impl Running {
    fn new(reorder: Reorder, memory: &Memory) -> Result<Self, AddressError> {
        let count = reorder.count as usize;
        let mut indices = memory.read_u32s(reorder.indices, count)?;
        indices.iter_mut().for_each(|index| *index &= INDEX_MASK);
        let secondary = reorder.secondary.map_or(Ok(Vec::new()), |array| memory.read_u32s(array, count))?;
        let of =
            |filter| if reorder.filter == filter { indices.iter().max().map_or(0, |n| *n as usize + 1) } else { 0 };
        Ok(Running {
            least: vec![u32::MAX; of(Filter::Minimum)],
            sums: vec![0.0; of(Filter::Addition)],
            seen: vec![0; count.div_ceil(64)],
            indices,
            secondary,
            lanes: 0,
            delivered: 0,
            merged: 0,
            reorder,
        })
    }

    /// Elements beyond the first of each index.
    fn repeated(&self) -> u64 {
        let mut seen = vec![false; self.indices.iter().max().map_or(0, |n| *n as usize + 1)];
        self.indices.iter().filter(|&&index| std::mem::replace(&mut seen[index as usize], true)).count() as u64
    }

    fn is_done(&self) -> bool {
        self.delivered + self.merged == self.reorder.count
    }

    fn deliver(&mut self, element: &Element) -> Result<(), ElementError> {
        let Element { index, secondary, position } = *element;
        let at = position as usize;
        let expected = self.indices.get(at).copied().unwrap_or(u32::MAX);
        if expected != index {
            return Err(ElementError::Index { position, found: index, expected });
        }
        if self.seen[at / 64] >> (at % 64) & 1 == 1 {
            return Err(ElementError::Twice { position });
        }
        self.seen[at / 64] |= 1 << (at % 64);
        self.delivered += 1;
        match self.reorder.filter {
            Filter::Addition => self.sums[index as usize] += f64::from(f32::from_bits(secondary)),
            Filter::Minimum => self.least[index as usize] = self.least[index as usize].min(secondary),
            Filter::None => {}
        }
        // A sum is not what it was; a minimum is that of its position.
        match self.secondary.get(at).copied() {
            Some(expected) if expected != secondary && self.reorder.filter != Filter::Addition => {
                Err(ElementError::Secondary { position, found: secondary, expected })
            }
            _ => Ok(()),
        }
    }

    fn check(&self) -> Result<(), ElementError> {
        let (elements, delivered, merged) = (self.reorder.count, self.delivered, self.merged);
        if self.lanes < delivered || delivered + merged > elements {
            return Err(ElementError::Conservation { elements, delivered, merged });
        }
        if delivered + merged < elements {
            let left = elements - delivered - merged;
            return Err(ElementError::TooFewLanes { lanes: self.lanes, left, count: elements });
        }
        match self.reorder.filter {
            Filter::None => Ok(()),
            Filter::Minimum => self.check_minima(),
            Filter::Addition => self.check_sums(),
        }
    }

    fn check_minima(&self) -> Result<(), ElementError> {
        let mut expected = vec![u32::MAX; self.least.len()];
        for (index, value) in self.indices.iter().zip(&self.secondary) {
            expected[*index as usize] = expected[*index as usize].min(*value);
        }
        let pairs = self.least.iter().zip(&expected);
        match (0..).zip(pairs).find(|(_, (found, expected))| found != expected) {
            None => Ok(()),
            Some((index, (found, expected))) => {
                Err(ElementError::Minimum { index, found: *found, expected: *expected })
            }
        }
    }

    /// Of n values added in any order, each of the n - 1 additions is off by at most 2^-24 of the sum of the magnitudes.
    fn check_sums(&self) -> Result<(), ElementError> {
        let mut expected = vec![(0.0, 0.0, 0u32); self.sums.len()];
        for (index, value) in self.indices.iter().zip(&self.secondary) {
            let (sum, magnitude, count) = &mut expected[*index as usize];
            let value = f64::from(f32::from_bits(*value));
            (*sum, *magnitude, *count) = (*sum + value, *magnitude + value.abs(), *count + 1);
        }
        for (index, (found, (sum, magnitude, count))) in (0..).zip(self.sums.iter().zip(&expected)) {
            let tolerance = f64::from(*count) * magnitude * 2f64.powi(-24);
            // Also false if either is infinite or no number: then nothing can be said.
            if (found - sum).abs() > tolerance {
                let [found, expected, tolerance] = [*found, *sum, tolerance].map(|value| format!("{value:e}"));
                return Err(ElementError::Sum { index, found, expected, tolerance });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
