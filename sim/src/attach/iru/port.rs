//! The core's side of the reorder units (IRU, 3.1): `load_iru` on their way, and the elements that come for them.
//!
//! Requests go to the partitions round robin ("evenly"). A request names its core and one of the core's *slots*, of which a
//! `load_iru` of a warp or a pair takes one until it is answered. Elements are dealt to the lanes in the order in which they come,
//! from the lowest lane up, whichever partition they come from.

use crate::config::Config;
use crate::core::in_flight::InFlight;
use crate::core::port::{Answers, Head, Port};
use crate::core::warp_set::WarpSet;
use crate::mem::request::{Kind, Request, Tag, LINE_BYTES};
use crate::mem::system::MemorySystem;
use crate::ptx::instr::Instr;
use crate::ptx::isa::WARP_SIZE;
use std::cell::RefCell;
use std::rc::Rc;

/// Elements of one packet, in order: index, secondary value, position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    pub slot: usize,
    pub elements: Vec<[u32; 3]>,
    /// Lanes that get no element; only in the last part of a reply.
    pub disabled: Option<u32>,
}

/// A `load_iru` of a warp or a pair.
#[derive(Clone, Debug)]
struct Pending {
    op: InFlight,
    lanes: u32,
    /// Lanes that wait for an element.
    left: u32,
    /// Lanes of them that will get nothing, once the last part of the reply has come. Parts from several partitions may
    /// overtake each other.
    disabled: Option<u32>,
    /// A row for each destination: whether the lane got an element, then the element's values.
    results: [[u64; WARP_SIZE]; 4],
}

/// Slots that a request can name: 6 bits.
pub const MOST_SLOTS: usize = 64;

/// Slots of a core: its share of the requests that a partition holds.
fn slots(config: &Config) -> usize {
    let requests = config.iru.as_ref().map_or(0, |iru| iru.requests);
    (requests / config.core.count).clamp(1, MOST_SLOTS)
}

pub struct IruPort {
    core: usize,
    /// Its number in the core.
    port: u8,
    partitions: usize,
    interleave_bytes: u64,
    /// Partition of the next request.
    next: usize,
    /// By slot.
    pending: Vec<Pending>,
    /// Slots of which no `load_iru` is on its way, one bit each.
    free: u64,
    warp_size: usize,
    /// Warps of which one is on its way.
    asking: WarpSet,
    /// Packets whose elements have been written back, to be dealt out, with their cores.
    arrived: Rc<RefCell<Vec<(usize, u32)>>>,
}

impl IruPort {
    pub fn new(core: usize, port: u8, config: &Config, arrived: Rc<RefCell<Vec<(usize, u32)>>>) -> Self {
        let results = [[0; WARP_SIZE]; 4];
        let pending = Pending { op: InFlight::default(), lanes: 0, left: 0, disabled: None, results };
        let slots = slots(config);
        IruPort {
            core,
            port,
            partitions: config.dram.channels,
            interleave_bytes: config.dram.interleave_bytes,
            next: core % config.dram.channels,
            pending: vec![pending; slots],
            free: u64::MAX >> (MOST_SLOTS - slots),
            warp_size: config.core.warp_size,
            asking: WarpSet::default(),
            arrived,
        }
    }

    /// Deals out a packet, and answers the `load_iru` if it is complete.
    pub fn deal(&mut self, packet: &Packet, answers: &mut Answers) {
        answers.progress();
        let pending = &mut self.pending[packet.slot];
        for element in &packet.elements {
            let lane = pending.left.trailing_zeros() as usize;
            pending.left &= pending.left - 1;
            let [index, secondary, position] = element.map(u64::from);
            for (row, value) in pending.results.iter_mut().zip([1, index, secondary, position]) {
                row[lane] = value;
            }
        }
        pending.disabled = pending.disabled.or(packet.disabled);
        if pending.disabled == Some(pending.left.count_ones()) {
            self.free |= 1 << packet.slot;
            pending.op.warps(self.warp_size).for_each(|(warp, _)| self.asking.remove(warp));
            answers.write(pending.op, pending.lanes, &pending.results);
        }
    }
}

impl Port for IruPort {
    fn name(&self) -> &'static str {
        "the reorder unit"
    }

    /// Goes to the next partition, and asks for so many values of each element as the instruction has destinations: 1 to 3.
    fn request(&mut self, _: InFlight, instr: &Instr, lanes: u32) -> Option<Request> {
        let values = instr.writes.as_slice().len() as u32 - 1;
        let address = self.next as u64 * self.interleave_bytes;
        self.next = (self.next + 1) % self.partitions;
        let tag = Tag::Message { port: self.port, slot: 0, text: (lanes.count_ones() - 1) | values << 5 };
        Some(Request { tag, ..Request::read(Kind::Message, self.core, address, LINE_BYTES) })
    }

    /// A warp has one `load_iru` on its way at a time, and a core as many as it has slots: the next one waits.
    fn take(&mut self, head: &Head, mem: &mut MemorySystem) -> bool {
        let Some(mut request) = head.request else { return true };
        let mut warps = head.op.warps(self.warp_size).map(|(warp, _)| warp);
        if self.free == 0 || warps.any(|warp| self.asking.contains(warp)) || !mem.has_room(&request) {
            return false;
        }
        let slot = self.free.trailing_zeros();
        self.free &= self.free - 1;
        head.op.warps(self.warp_size).for_each(|(warp, _)| self.asking.insert(warp));
        if let Tag::Message { slot: place, .. } = &mut request.tag {
            *place = slot as u16;
        }
        mem.send(request);
        let (lanes, results) = (head.lanes, [[0; WARP_SIZE]; 4]);
        self.pending[slot as usize] = Pending { op: head.op, lanes, left: lanes, disabled: None, results };
        true
    }

    /// A packet has come.
    fn receive(&mut self, packet: u32) {
        self.arrived.borrow_mut().push((self.core, packet));
    }
}
