//! The core's side of the reorder units (IRU, 3.1): `load_iru` on their way, and the elements that come for them.
//!
//! Requests go to the partitions in turn ("evenly"). Elements are dealt to the lanes in the order in which they come, from
//! the lowest lane up, whichever partition they come from.

use super::pipeline::Op;
use crate::config::Config;
use crate::exec::Elements;
use crate::mem::request::{Kind, Request, LINE_BYTES};

/// Elements of one packet, in order: index, secondary value, position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    pub warp_slot: usize,
    pub elements: Vec<[u32; 3]>,
    /// Of the last part of a reply: how many lanes will get nothing.
    pub disabled: Option<u32>,
}

/// A `load_iru` of a warp.
#[derive(Clone, Debug)]
struct Pending {
    op: Op,
    lanes: u32,
    /// Lanes that wait for an element.
    left: u32,
    /// How many of them will get nothing, once the last part of the reply has come. Parts from several partitions may
    /// overtake each other.
    disabled: Option<u32>,
    elements: Elements,
}

#[derive(Clone, Debug)]
pub struct Reordering {
    core: usize,
    partitions: usize,
    interleave_bytes: u64,
    /// Partition of the next request.
    next: usize,
    pending: Vec<Pending>,
    /// Packets whose elements have been written back, to be dealt out.
    pub arrived: Vec<u32>,
}

/// What a finished `load_iru` writes.
pub struct Finished<'a> {
    pub op: Op,
    pub lanes: u32,
    pub elements: &'a Elements,
}

impl Reordering {
    pub fn new(core: usize, config: &Config) -> Self {
        let elements = Elements { served: 0, values: [[0; 32]; 3] };
        let pending = Pending { op: Op::default(), lanes: 0, left: 0, disabled: None, elements };
        let warps = config.iru.as_ref().map_or(0, |_| config.core.max_warps);
        Reordering {
            core,
            partitions: config.dram.channels,
            interleave_bytes: config.dram.interleave_bytes,
            next: core % config.dram.channels,
            pending: vec![pending; warps],
            arrived: Vec::with_capacity(8),
        }
    }

    /// The request of a warp, to the next partition. `values`: of each element, 1 to 3.
    pub fn request(&mut self, warp_slot: usize, lanes: u32, values: u32) -> Request {
        let address = self.next as u64 * self.interleave_bytes;
        self.next = (self.next + 1) % self.partitions;
        let mut request = Request::read(Kind::Reorder, self.core, address, LINE_BYTES);
        request.warp = warp_slot as u16;
        request.load = (lanes.count_ones() - 1) | values << 5;
        request
    }

    /// The request has left the core.
    pub fn start(&mut self, warp_slot: usize, op: Op, lanes: u32) {
        let pending = &mut self.pending[warp_slot];
        (pending.op, pending.lanes, pending.left, pending.disabled) = (op, lanes, lanes, None);
        pending.elements = Elements { served: 0, values: [[0; 32]; 3] };
    }

    /// Deals out a packet. Gives the `load_iru` if it is complete.
    pub fn deal(&mut self, packet: &Packet) -> Option<Finished<'_>> {
        let pending = &mut self.pending[packet.warp_slot];
        for element in &packet.elements {
            let lane = pending.left.trailing_zeros() as usize;
            pending.left &= pending.left - 1;
            pending.elements.served |= 1 << lane;
            for (values, value) in pending.elements.values.iter_mut().zip(element) {
                values[lane] = u64::from(*value);
            }
        }
        pending.disabled = pending.disabled.or(packet.disabled);
        let Pending { op, lanes, left, disabled, elements } = &self.pending[packet.warp_slot];
        (*disabled == Some(left.count_ones())).then_some(Finished { op: *op, lanes: *lanes, elements })
    }
}
