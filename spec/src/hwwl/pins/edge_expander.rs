//! Pins of `edge_expander` with so many lanes, which holds so many nodes.

use super::{node_tag_bits, status, ID_BITS, MAX_LANES};
use crate::pin::{Condition, Pin};
use crate::pins::{group, pins};

/// Words of a row that a request asks for, and which of them are on the pins when they come.
pub mod row {
    /// Both, which lie in one line: `row_first` is where the node's edges begin, `row_second` where they end.
    pub const BOTH: u8 = 0;
    /// The last word of a line: `row_first` is where the edges begin.
    pub const BEGIN: u8 = 1;
    /// The first word of the next line: `row_first` is where the edges end.
    pub const END: u8 = 2;
}

group! {
    /// From the load-store unit.
    RowIn(nodes: usize) {
        /// the load-store unit takes the request
        row_ready: bool,
        /// the words of a request have come
        row_valid: bool,
        /// its tag
        row_tag: u8 = node_tag_bits(nodes),
        /// its first word, and the next one if it asked for both
        row_first: u32 = 32,
        row_second: u32 = 32,
    }
}

group! {
    /// To the load-store unit.
    RowOut(nodes: usize) {
        /// a request for words of the array of rows; stays with all that belongs to it until `row_ready`
        read_valid: bool,
        /// line number; valid while `read_valid`
        read_line if read_valid: u32 = 32,
        /// the first word in the line, and whether the request is for the next word too; valid while `read_valid`
        read_word if read_valid: u8 = 5,
        read_both if read_valid: bool,
        /// the place of the node, and in the upper two bits what is asked: 0 begin and end, 1 begin, 2 end; valid while
        /// `read_valid`
        read_tag if read_valid: u8 = node_tag_bits(nodes),
    }
}

pins! {
    /// Inputs of `edge_expander`.
    ExpanderIn((lanes, nodes): (usize, usize)) {
        /// `wlrows`: take `rows_line` (line number: address / 128) as the beginning of the array of rows. Comes only when `holds`
        /// is 0
        set_rows: bool,
        rows_line: u32 = 32,
        /// lane i wants an edge. Comes only after `set_rows`, and when all lanes that wanted one have their answers
        edge_pull: u32 = lanes as u32,
        /// these lanes wait for edges that are not there yet, until some of them have got one; else they are told WAIT
        patient: bool,
        /// the thread on lane i is done with an edge that it pulled before, and with what it pushed
        edge_leave: u32 = lanes as u32,
        /// the worklist takes what is on `bank_pull` and `bank_leave`
        bank_ready: bool,
        /// of the worklist, in the cycle after one with `bank_pull` and `bank_ready`
        status: u64 = 2 * lanes as u32,
        row: RowIn as "" = RowIn::list(nodes),
    }
    each (lanes) {
        /// of the worklist
        id: [u32; MAX_LANES] = ID_BITS,
    }
}

pins! {
    /// Outputs of `edge_expander`.
    ExpanderOut((lanes, nodes): (usize, usize)) {
        /// bits 2i+1..2i, the answer to lane i's `edge_pull`: 0 none or not yet, 1 an edge, 2 WAIT, 3 DONE
        edge_status: u64 = 2 * lanes as u32,
        /// the node whose edges these are; valid while the status of a lane is 1
        owner: u32 as "" = owner(lanes),
        /// the worklist is asked for an ID of this lane's bank, for one at a time; stays until `bank_ready`
        bank_pull: u32 = lanes as u32,
        /// the expander is done with an ID that it pulled before
        bank_leave: bool,
        /// nodes in the expander, or edges that threads have
        holds: bool,
        row: RowOut as "" = RowOut::list(nodes),
    }
    each (lanes) {
        /// place of lane i's edge in the array of edges; valid while the lane's status is 1
        edge_index: [u32; MAX_LANES] as "" = edge_index(),
    }
}

impl ExpanderOut {
    pub fn status(&self, lane: usize) -> u64 {
        self.edge_status >> (2 * lane) & 3
    }
}

fn is_edge(lane: u32) -> Condition {
    Condition { pin: "edge_status".into(), lsb: 2 * lane, width: 2, equals: status::ID }
}

fn edge_index() -> Vec<Pin> {
    vec![Pin::new("edge_index", 32).valid_if(is_edge(0))]
}

fn owner(lanes: usize) -> Vec<Pin> {
    vec![(0..lanes as u32).fold(Pin::new("owner", ID_BITS), |pin, lane| pin.valid_if(is_edge(lane)))]
}
