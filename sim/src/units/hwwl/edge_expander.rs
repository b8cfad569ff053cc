//! `edge_expander`: hands out the edges of a core's work IDs, which are nodes. It is in no paper. Behaviourally: a queue of nodes whose
//! rows are on their way, and the node whose edges are dealt out.

use super::pins::{row, status, ExpanderIn, ExpanderOut};
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::bits::bits;
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use spec::hwwl::EDGE_EXPANDER;
use std::collections::VecDeque;

/// Nodes that a line of the array of rows has.
const LINE_ROWS: u32 = 32;

/// A node whose row was asked for, or will be.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    id: u32,
    begin: Option<u32>,
    end: Option<u32>,
}

impl Node {
    fn is_complete(&self) -> bool {
        self.begin.is_some() && self.end.is_some()
    }
}

/// The node whose edges are dealt out: the next one, and how many are left.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    owner: u32,
    next: u32,
    left: u32,
}

/// Parts of the row that the node at the end of the queue has not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unasked {
    Nothing,
    Row,
    End,
}

#[derive(Clone, Debug)]
pub struct EdgeExpander {
    lanes: usize,
    /// Nodes that the queue has room for.
    room: usize,
    /// `None`: not said since reset.
    rows_line: Option<u32>,
    queue: VecDeque<Node>,
    /// Place of the first node.
    head: usize,
    unasked: Unasked,
    /// The first node was complete in the previous cycle.
    shown: bool,
    cursor: Cursor,
    /// The bank that is asked next.
    bank: usize,
    /// It is asked now; the one before it was asked in the previous cycle, and the worklist took that.
    asks: bool,
    expects: bool,
    /// IDs that the worklist thinks a thread has.
    owed: u32,
    /// Lanes that want an edge; they wait for it if there is none yet.
    wanted: u32,
    patient: bool,
    /// Edges that threads have, without what the last cycle brought and took.
    out: u32,
    dealt: u32,
    left: u32,
    /// The last bank that was asked told that there is no work left, and lanes have wanted edges ever since.
    done: bool,
    pins: ExpanderOut,
}

impl EdgeExpander {
    /// For so many lanes, with room for so many nodes.
    pub fn new(lanes: usize, nodes: usize) -> Result<Self, ParameterError> {
        EDGE_EXPANDER.checked(&[("lanes", lanes as u64), ("nodes", nodes as u64)])?;
        Ok(Self::empty(lanes, nodes))
    }

    fn empty(lanes: usize, nodes: usize) -> Self {
        EdgeExpander {
            lanes,
            room: nodes,
            rows_line: None,
            queue: VecDeque::with_capacity(nodes),
            head: 0,
            unasked: Unasked::Nothing,
            shown: false,
            cursor: Cursor::default(),
            bank: 0,
            asks: false,
            expects: false,
            owed: 0,
            wanted: 0,
            patient: false,
            out: 0,
            dealt: 0,
            left: 0,
            done: false,
            pins: ExpanderOut::default(),
        }
    }

    /// Nodes in the expander.
    pub fn nodes(&self) -> usize {
        self.queue.len() + (self.cursor.left > 0) as usize
    }

    fn is_empty(&self) -> bool {
        self.nodes() == 0 && !self.has_edges_out()
    }

    fn has_edges_out(&self) -> bool {
        self.out | self.dealt | self.left != 0
    }

    /// Answers the lanes; gives the edges that they got.
    fn deal(&mut self) -> u32 {
        self.pins.edge_status = 0;
        if self.wanted == 0 {
            return 0;
        }
        if self.cursor.left == 0 {
            self.answer_without_edges();
            return 0;
        }
        let dealt = self.cursor.left.min(self.wanted.count_ones());
        self.pins.owner = self.cursor.owner;
        for (lane, edge) in bits(self.wanted).take(dealt as usize).zip(0..) {
            self.pins.edge_status |= status::ID << (2 * lane);
            self.pins.edge_index[lane] = self.cursor.next.wrapping_add(edge);
            self.wanted &= !(1 << lane);
        }
        self.cursor.next = self.cursor.next.wrapping_add(dealt);
        self.cursor.left -= dealt;
        // A warp that has edges goes on with them.
        self.patient = false;
        dealt
    }

    /// A lane waits if edges come in the next cycle, or if it is patient.
    fn answer_without_edges(&mut self) {
        let is_over = self.done && self.queue.is_empty();
        if self.shown || !(is_over || !self.patient) {
            return;
        }
        let code = if is_over { status::DONE } else { status::WAIT };
        for lane in bits(std::mem::take(&mut self.wanted)) {
            self.pins.edge_status |= code << (2 * lane);
        }
    }

    /// The first node follows the one that has no more edges.
    fn advance(&mut self) {
        let was_shown = std::mem::take(&mut self.shown);
        if was_shown && self.cursor.left == 0 {
            if let Some(Node { id, begin: Some(begin), end: Some(end) }) = self.queue.pop_front() {
                self.cursor = Cursor { owner: id, next: begin, left: end.wrapping_sub(begin) };
                self.head = (self.head + 1) % self.room;
            }
        }
        self.shown = self.queue.front().is_some_and(Node::is_complete);
    }

    fn take_row(&mut self, pins: &ExpanderIn) {
        if !pins.row.row_valid {
            return;
        }
        let place = pins.row.row_tag as usize % self.room;
        let node = &mut self.queue[(place + self.room - self.head) % self.room];
        match pins.row.row_tag / self.room as u8 {
            row::BEGIN => node.begin = Some(pins.row.row_first),
            row::END => node.end = Some(pins.row.row_first),
            _ => (node.begin, node.end) = (Some(pins.row.row_first), Some(pins.row.row_second)),
        }
    }

    /// The node at the end of the queue asks for its row, if it has not and there is a place for the request.
    fn request(&mut self, pins: &ExpanderIn) {
        let request = &mut self.pins.row;
        request.read_valid &= !pins.row.row_ready;
        let Some(node) = self.queue.back().filter(|_| !request.read_valid) else { return };
        let place = ((self.head + self.queue.len() - 1) % self.room) as u8;
        let rows_line = self.rows_line.unwrap_or_default();
        let (line, word) = (rows_line.wrapping_add(node.id / LINE_ROWS), node.id % LINE_ROWS);
        let is_last = word == LINE_ROWS - 1;
        let (what, line, word) = match self.unasked {
            Unasked::Nothing => return,
            Unasked::Row => (if is_last { row::BEGIN } else { row::BOTH }, line, word),
            Unasked::End => (row::END, line.wrapping_add(1), 0),
        };
        self.unasked = if what == row::BEGIN { Unasked::End } else { Unasked::Nothing };
        (request.read_valid, request.read_line, request.read_word) = (true, line, word as u8);
        request.read_both = what == row::BOTH;
        request.read_tag = what * self.room as u8 + place;
    }

    /// The worklist's answer to the pull of the previous cycle; true if it is an ID.
    fn take_node(&mut self, pins: &ExpanderIn, wants: bool) -> bool {
        if !self.expects {
            self.done &= wants;
            return false;
        }
        let bank = (self.bank + self.lanes - 1) % self.lanes;
        let answer = pins.status >> (2 * bank) & 3;
        self.done = wants && answer == status::DONE;
        if answer == status::ID {
            self.queue.push_back(Node { id: pins.id[bank], ..Node::default() });
            self.unasked = Unasked::Row;
        }
        answer == status::ID
    }

    /// Such words of the row of a node are on their way.
    fn is_asked(&self, tag: u8) -> bool {
        let place = tag as usize % self.room;
        let node = self.queue.get((place + self.room - self.head) % self.room);
        node.is_some_and(|node| match tag / self.room as u8 {
            row::BOTH => node.begin.is_none() && node.end.is_none(),
            row::BEGIN => node.begin.is_none(),
            row::END => node.end.is_none(),
            _ => false,
        })
    }

    fn check_rules(&self, pins: &ExpanderIn) -> Result<(), Fault> {
        let lanes = pins.edge_pull | pins.edge_leave;
        rule(lanes as u64 >> self.lanes == 0, "edge_expander: a lane that does not exist")?;
        rule(pins.edge_pull == 0 || self.wanted == 0, "edge_expander: edge_pull while lanes want edges")?;
        rule(pins.edge_pull == 0 || self.rows_line.is_some(), "edge_expander: edge_pull before set_rows")?;
        let is_asked = !pins.row.row_valid || self.is_asked(pins.row.row_tag);
        rule(is_asked, "edge_expander: row_valid without a request")?;
        rule(!(pins.set_rows && !self.is_empty()), "edge_expander: set_rows while nodes or edges are there")?;
        rule(
            pins.edge_leave.count_ones() + self.left <= self.out + self.dealt,
            "edge_expander: edge_leave without an edge",
        )
    }
}

impl Unit for EdgeExpander {
    type In = ExpanderIn;
    type Out = ExpanderOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>((self.lanes, self.room))
    }

    fn outputs(&self) -> ExpanderOut {
        self.pins
    }

    fn clock(&mut self, pins: &ExpanderIn) -> Result<(), Fault> {
        self.check_rules(pins)?;
        // Decisions for the next cycle look at the state of this one.
        let was_empty = self.is_empty();
        let keeps_request = (self.asks || self.pins.bank_leave) && !pins.bank_ready;
        let taken = self.asks && pins.bank_ready;
        let given = self.pins.bank_leave && pins.bank_ready;
        let lanes_want = self.wanted != 0;
        let wants = lanes_want || self.has_edges_out();
        let has_room = self.queue.len() < self.room;

        let dealt = self.deal();
        self.advance();
        self.take_row(pins);
        self.request(pins);
        let is_fed = self.unasked == Unasked::Nothing;
        let has_come = self.take_node(pins, lanes_want);

        self.out = self.out + self.dealt - self.left;
        (self.dealt, self.left) = (dealt, pins.edge_leave.count_ones());
        self.owed = self.owed + has_come as u32 - given as u32;
        self.expects = taken;
        self.bank = (self.bank + taken as usize) % self.lanes;
        if !keeps_request {
            self.asks = wants && has_room && is_fed && !has_come && !taken;
            self.pins.bank_pull = (self.asks as u32) << self.bank;
            self.pins.bank_leave = self.owed > 1 || self.owed == 1 && was_empty && !has_come;
        }
        if pins.edge_pull != 0 {
            (self.wanted, self.patient) = (pins.edge_pull, pins.patient);
        }
        if pins.set_rows {
            self.rows_line = Some(pins.rows_line);
        }
        self.pins.holds = !self.is_empty();
        Ok(())
    }

    fn reset(&mut self) {
        let pins = ExpanderOut { owner: self.pins.owner, edge_index: self.pins.edge_index, ..ExpanderOut::default() };
        *self = EdgeExpander { pins, ..Self::empty(self.lanes, self.room) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS_LINE: u32 = 100;

    fn expander() -> EdgeExpander {
        let mut expander = EdgeExpander::new(4, 4).unwrap();
        expander.clock(&ExpanderIn { set_rows: true, rows_line: ROWS_LINE, ..Default::default() }).unwrap();
        expander
    }

    fn after(expander: &mut EdgeExpander, pins: &ExpanderIn) -> ExpanderOut {
        expander.clock(pins).unwrap();
        expander.outputs()
    }

    fn pull(lanes: u32, patient: bool) -> ExpanderIn {
        ExpanderIn { edge_pull: lanes, patient, ..Default::default() }
    }

    /// A cycle in which the worklist takes what it is asked.
    fn ready() -> ExpanderIn {
        ExpanderIn { bank_ready: true, ..Default::default() }
    }

    /// The worklist's answer of all banks.
    fn banks(answer: u64, id: u32) -> ExpanderIn {
        let status = (0..4).fold(0, |status, lane| status | answer << (2 * lane));
        ExpanderIn { status, id: [id; 32], ..ready() }
    }

    fn row(tag: u8, first: u32, second: u32) -> ExpanderIn {
        let mut pins = ready();
        (pins.row.row_ready, pins.row.row_valid, pins.row.row_tag) = (true, true, tag);
        (pins.row.row_first, pins.row.row_second) = (first, second);
        pins
    }

    /// All lanes ask; a node comes, and its row is asked for. Gives the request.
    fn with_node(expander: &mut EdgeExpander, id: u32) -> ExpanderOut {
        expander.clock(&pull(0xf, true)).unwrap();
        expander.clock(&ready()).unwrap();
        expander.clock(&ready()).unwrap();
        expander.clock(&banks(status::ID, id)).unwrap();
        after(expander, &ExpanderIn::default())
    }

    #[test]
    fn lanes_get_the_edges_of_a_node_side_by_side() {
        let mut expander = expander();
        let request = with_node(&mut expander, 70).row;
        assert_eq!((request.read_valid, request.read_line, request.read_word), (true, ROWS_LINE + 2, 6));
        assert!(request.read_both && request.read_tag == 0);
        expander.clock(&row(0, 40, 45)).unwrap();
        // The memories show the node in the next cycle, the cursor has it in the one behind, and deals.
        expander.clock(&ExpanderIn::default()).unwrap();
        expander.clock(&ExpanderIn::default()).unwrap();
        let out = after(&mut expander, &ExpanderIn::default());
        assert_eq!((out.edge_status, out.owner), (0b0101_0101, 70));
        assert_eq!(out.edge_index[..4], [40, 41, 42, 43]);
        // The last edge goes to the lowest lane that asks; the others have none yet, and the warp goes on with it.
        expander.clock(&pull(0b1010, true)).unwrap();
        let out = after(&mut expander, &ExpanderIn::default());
        assert_eq!((out.edge_status, out.edge_index[1]), (0b0000_0100, 44));
        let out = after(&mut expander, &ExpanderIn::default());
        assert_eq!(out.edge_status, 0b1000_0000, "WAIT");
    }

    #[test]
    fn a_row_in_two_lines_takes_two_requests() {
        let mut expander = expander();
        let request = with_node(&mut expander, 31).row;
        assert_eq!((request.read_line, request.read_word, request.read_both), (ROWS_LINE, 31, false));
        assert_eq!(request.read_tag, row::BEGIN * 4);
        let mut taken = ExpanderIn::default();
        taken.row.row_ready = true;
        let request = after(&mut expander, &taken).row;
        assert_eq!((request.read_line, request.read_word, request.read_tag), (ROWS_LINE + 1, 0, row::END * 4));
        expander.clock(&row(row::END * 4, 9, 0)).unwrap();
        expander.clock(&row(row::BEGIN * 4, 7, 0)).unwrap();
        let edges: Vec<_> = (0..4).map(|_| after(&mut expander, &ExpanderIn::default()).edge_status).collect();
        assert_eq!(edges, [0, 0, 0b0101, 0b1010_0000], "two edges for four lanes, the others are told to wait");
    }

    #[test]
    fn patient_lanes_wait_and_others_are_told_to() {
        for (patient, answers) in [(true, [0, 0, 0]), (false, [0, 0b1010_1010, 0])] {
            let mut expander = expander();
            let mut answer = |pins: &ExpanderIn| after(&mut expander, pins).edge_status;
            assert_eq!(
                [pull(0xf, patient), ready(), ready()].map(|pins| answer(&pins)),
                [answers[0], answers[1], answers[2]]
            );
        }
    }

    #[test]
    fn done_is_told_to_all_who_ask_once_a_bank_has_told_it() {
        let mut expander = expander();
        expander.clock(&pull(0b11, true)).unwrap();
        expander.clock(&ready()).unwrap();
        expander.clock(&ready()).unwrap();
        expander.clock(&banks(status::DONE, 0)).unwrap();
        assert_eq!(after(&mut expander, &ready()).edge_status, 0b1111);
    }

    /// The worklist hears of the last ID when all its edges have come back.
    #[test]
    fn the_last_id_is_given_back_behind_its_edges() {
        let mut expander = expander();
        with_node(&mut expander, 1);
        expander.clock(&row(0, 0, 4)).unwrap();
        let leaves = |expander: &mut EdgeExpander, pins: &ExpanderIn, cycles: usize| {
            (0..cycles).any(|_| after(expander, pins).bank_leave)
        };
        assert!(!leaves(&mut expander, &banks(status::WAIT, 0), 20), "threads have its edges");
        assert!(!leaves(&mut expander, &ExpanderIn { edge_leave: 0b0111, ..ready() }, 1));
        assert!(!leaves(&mut expander, &banks(status::WAIT, 0), 20), "one has");
        assert!(!leaves(&mut expander, &ExpanderIn { edge_leave: 1, ..ready() }, 1));
        assert!(leaves(&mut expander, &banks(status::WAIT, 0), 3));
        assert!(!expander.outputs().holds);
    }

    #[test]
    fn illegal_inputs_are_refused() {
        let mut expander = EdgeExpander::new(4, 4).unwrap();
        let refusal = |expander: &mut EdgeExpander, pins: &ExpanderIn| expander.clock(pins).unwrap_err().to_string();
        assert_eq!(refusal(&mut expander, &pull(1, true)), "edge_expander: edge_pull before set_rows");
        assert_eq!(refusal(&mut expander, &pull(16, true)), "edge_expander: a lane that does not exist");
        let mut expander = self::expander();
        let leave = ExpanderIn { edge_leave: 1, ..Default::default() };
        assert_eq!(refusal(&mut expander, &leave), "edge_expander: edge_leave without an edge");
        expander.clock(&pull(1, true)).unwrap();
        assert_eq!(refusal(&mut expander, &pull(1, true)), "edge_expander: edge_pull while lanes want edges");
        with_node(&mut self::expander(), 1);
    }
}
