//! Legal random inputs of `edge_expander`: lanes, banks with nodes, and a memory with rows. Every edge of every node comes once, in
//! order, with its owner.

use crate::stimulus::{events, phases, Phases, Rng, Stimulus};
use sim::units::hwwl::pins::{row, status, ExpanderIn, ExpanderOut};
use std::collections::VecDeque;

events! { EdgeExpanderStimulus:
    Edge = "an edge",
    AllLanes = "all lanes get an edge of one node",
    SomeLanes = "some lanes get the last edges of a node, others none yet",
    NextNode = "edges of another node in the next cycle",
    NoEdges = "a node without edges",
    ManyEdges = "a node with more than a million edges",
    Wait = "WAIT",
    Patient = "a patient lane waits",
    Done = "DONE",
    DoneAndNode = "a node comes behind DONE",
    Full = "all places are taken",
    BankWaits = "the worklist does not take a pull",
    LeaveWaits = "the worklist does not take a leave",
    LastLeave = "the last ID is given back",
    RequestWaits = "a request waits for memory",
    Split = "a row that lies in two lines",
    EndFirst = "the end of a row comes before its beginning",
    OutOfOrder = "a row is overtaken by a later one",
    FarLine = "a request for a line behind line 2^32 - 1",
    Out = "more than 64 edges of each lane with threads",
    SetRows = "other rows",
    Reset = "reset of a unit that holds nodes",
}

phases! {
    /// `pull`: a lane without an edge asks. `patient`: the lanes that ask are. `leave`: an edge is given back in a cycle. `node`, `done`: a
    /// bank answers with a node, else with DONE. `bank`, `memory`, `reply`: pulls and requests are taken, rows come.
    PHASES: Phase (pull, patient, leave, node, done, bank, memory, reply)
    (256, 256, 200, 256, 0, 256, 256, 256)
    (128, 128, 128, 200, 10, 128, 128, 100)
    (256, 256, 256, 60, 0, 256, 256, 60)
    (40, 0, 40, 128, 128, 200, 200, 20)
    // Nobody asks for long; memory is slow.
    (4, 128, 256, 256, 0, 256, 256, 4)
    (256, 200, 256, 256, 0, 256, 16, 256)
    // Edges pile up with threads, then all come back.
    (256, 256, 0, 256, 0, 256, 256, 256)
    (256, 256, 0, 256, 0, 256, 256, 256)
    (0, 256, 256, 0, 128, 256, 256, 256)
    // Nothing is left.
    (256, 256, 256, 0, 256, 256, 256, 256)
    (60, 250, 250, 8, 250, 60, 256, 128)
    (128, 250, 128, 128, 0, 20, 256, 200)
}

/// Edges of a node: the most of a kind of nodes. A node may also have a power of two more.
const DEGREES: [u32; 6] = [1, 2, 5, 20, 70, 300];
/// Nodes of which one has that many.
const HUGE_EVERY: u32 = 100;
/// Most edges that threads have.
const MOST_OUT: u32 = 4096;
/// Line numbers of an array of rows whose nodes are in lines behind the last one.
const LAST_LINES: u32 = 1 << 12;

/// A node, and the edges that have not been handed out.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    id: u32,
    next: u32,
    end: u32,
}

/// A row, or a part of it, that was asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    tag: u8,
    first: u32,
    second: u32,
    order: u32,
}

#[derive(Default)]
pub struct EdgeExpanderStimulus {
    rng: Rng,
    lanes: usize,
    places: u8,
    phase: Phases<Phase>,
    /// `None`: not said since reset.
    rows_line: Option<u32>,
    /// Nodes that were pulled, oldest first.
    nodes: VecDeque<Node>,
    /// Parts of rows that have not been asked for: the node, its place and the part.
    unasked: VecDeque<(Node, u8, u8)>,
    asked: Vec<Asked>,
    /// Requests so far, and that of the last row that came.
    orders: u32,
    came: u32,
    /// Place of the newest node.
    place: u8,
    /// Lanes that want an edge, whether they did before the last cycle, and whether they wait for it.
    asking: u32,
    asked_before: u32,
    patient: bool,
    /// The bank whose answer is on the pins.
    bank: Option<usize>,
    last_answer: u64,
    /// IDs that were not given back; edges that threads have.
    owed: u32,
    out: u32,
    /// There were edges before the last cycle.
    had_edges: bool,
    /// Owner of the edges of the last cycle.
    owner: Option<u32>,
    findings: Findings,
}

impl EdgeExpanderStimulus {
    pub fn new(lanes: usize, nodes: usize, seed: u64) -> Self {
        let mut stimulus = EdgeExpanderStimulus {
            rng: Rng::new(seed),
            lanes,
            places: nodes as u8,
            phase: Phases::new(PHASES, 20..300, 20),
            ..Default::default()
        };
        stimulus.restart();
        stimulus
    }

    /// As after reset.
    fn restart(&mut self) {
        self.nodes.clear();
        self.unasked.clear();
        self.asked.clear();
        (self.orders, self.came, self.place) = (0, 0, self.places - 1);
        (self.asking, self.asked_before, self.patient) = (0, 0, false);
        (self.bank, self.last_answer, self.owner) = (None, status::NONE, None);
        (self.owed, self.out, self.had_edges) = (0, 0, false);
        self.rows_line = None;
    }

    /// A new node: its number is often the last of a line, and its edges few.
    fn draw_node(&mut self) -> Node {
        let id = self.rng.draw() as u32 & 0xff_ffff;
        let id = if self.rng.one_in(4) { id | 31 } else { id };
        let most = self.rng.any_of(&DEGREES);
        let few = self.rng.below(most);
        let degree = if self.rng.one_in(HUGE_EVERY) { few.wrapping_add(1 << self.rng.below(32)) } else { few };
        let next = self.draw_before_carry(most);
        self.findings.count(Event::NoEdges, degree == 0);
        self.findings.count(Event::ManyEdges, degree > 1 << 20);
        Node { id, next, end: next.wrapping_add(degree) }
    }

    /// A number that has, as a rule, a long carry within the next `most`.
    fn draw_before_carry(&mut self, most: u32) -> u32 {
        let ones = u32::MAX >> self.rng.below(32);
        (self.rng.draw() as u32 | ones).wrapping_sub(self.rng.below(most))
    }

    /// The oldest node that has edges.
    fn current(&mut self) -> Option<Node> {
        while self.nodes.front().is_some_and(|node| node.next == node.end) {
            self.nodes.pop_front();
        }
        self.nodes.front().copied()
    }

    /// The edges of the last cycle.
    fn observe_edges(&mut self, out: &ExpanderOut) {
        let mut node = None;
        let (mut served, mut told) = (0u32, 0u32);
        for lane in 0..self.lanes {
            let asked = self.asked_before >> lane & 1 == 1;
            let answer = out.status(lane);
            if answer != status::NONE && !asked {
                self.findings.complain(format!("lane {lane} is answered, but has not asked"));
            }
            match answer {
                status::NONE => continue,
                status::ID => served += 1,
                status::WAIT => self.observe_wait(lane),
                _ => self.observe_done(lane),
            }
            told |= 1 << lane;
            if answer == status::ID {
                let expected = *node.get_or_insert_with(|| self.current());
                self.observe_edge(out, lane, expected.map(|node| node.id));
            }
        }
        let c = &mut self.findings;
        c.count(Event::Edge, served > 0);
        c.count(Event::AllLanes, served as usize == self.lanes);
        c.count(Event::SomeLanes, served > 0 && self.asked_before & !told != 0);
        c.count(Event::Patient, served == 0 && self.asked_before & !told != 0);
        let owner = (served > 0).then_some(out.owner);
        c.count(Event::NextNode, owner.is_some() && self.owner.is_some() && owner != self.owner);
        self.owner = owner;
        self.asking &= !told;
        self.patient &= served == 0;
        self.out += served;
        c.count(Event::Out, self.out > 64 * self.lanes as u32);
    }

    /// All edges of a cycle are of one node, and in order.
    fn observe_edge(&mut self, out: &ExpanderOut, lane: usize, owner: Option<u32>) {
        let (id, edge) = (out.owner, out.edge_index[lane]);
        match (owner, self.nodes.front_mut()) {
            (Some(owner), Some(node)) if owner == id && node.next == edge && node.next != node.end => {
                node.next = edge.wrapping_add(1)
            }
            _ => self.findings.complain(format!("lane {lane} gets edge {edge} of node {id:#x}, whose turn it is not")),
        }
    }

    fn observe_wait(&mut self, lane: usize) {
        self.findings.count(Event::Wait, true);
        if self.patient {
            self.findings.complain(format!("lane {lane} is told WAIT, but is patient"));
        }
    }

    fn observe_done(&mut self, lane: usize) {
        self.findings.count(Event::Done, true);
        if self.had_edges {
            self.findings.complain(format!("lane {lane} is told DONE, but there are edges"));
        }
    }

    /// The worklist's answer to the pull of the last cycle.
    fn answer(&mut self, pins: &mut ExpanderIn) {
        // Only the answer to the lane that asked counts.
        pins.status = self.rng.draw() & (u64::MAX >> (64 - 2 * self.lanes));
        let ids = self.rng.draw();
        pins.id[..self.lanes].iter_mut().zip(0..).for_each(|(id, lane)| *id = (ids >> lane) as u32 & 0xff_ffff);
        let Some(bank) = self.bank.take() else { return };
        let phase = *self.phase;
        let answer = if phase.node.happens(&mut self.rng) {
            status::ID
        } else if phase.done.happens(&mut self.rng) {
            status::DONE
        } else {
            status::WAIT
        };
        pins.status = pins.status & !(3 << (2 * bank)) | answer << (2 * bank);
        if answer == status::ID {
            self.findings.count(Event::DoneAndNode, self.last_answer == status::DONE);
            let node = self.draw_node();
            pins.id[bank] = node.id;
            self.nodes.push_back(node);
            self.place = (self.place + 1) % self.places;
            let parts: &[u8] = if node.id % 32 == 31 { &[row::BEGIN, row::END] } else { &[row::BOTH] };
            self.findings.count(Event::Split, parts.len() > 1);
            let place = self.place;
            self.unasked.extend(parts.iter().map(|part| (node, place, *part)));
            self.owed += 1;
        }
        self.last_answer = answer;
    }

    /// The banks take a pull, an ID that is given back, or both.
    fn take(&mut self, out: &ExpanderOut, pins: &mut ExpanderIn) {
        pins.bank_ready = self.phase.bank.happens(&mut self.rng);
        self.findings.count(Event::BankWaits, out.bank_pull != 0 && !pins.bank_ready);
        self.findings.count(Event::LeaveWaits, out.bank_leave && !pins.bank_ready);
        if out.bank_pull.count_ones() > 1 {
            self.findings.complain(format!("bank_pull is {:#b}", out.bank_pull));
        }
        if !pins.bank_ready {
            return;
        }
        if out.bank_pull != 0 {
            self.bank = Some(out.bank_pull.trailing_zeros() as usize);
        }
        if out.bank_leave {
            self.give_back();
        }
    }

    fn give_back(&mut self) {
        let is_here = self.current().is_some() || self.out > 0;
        self.findings.count(Event::LastLeave, self.owed == 1);
        match self.owed {
            0 => self.findings.complain("an ID is given back twice".into()),
            1 if is_here => self.findings.complain("the last ID is given back before its edges".into()),
            _ => self.owed -= 1,
        }
    }

    fn memory(&mut self, out: &ExpanderOut, pins: &mut ExpanderIn) {
        pins.row.row_ready = self.phase.memory.happens(&mut self.rng);
        self.findings.count(Event::RequestWaits, out.row.read_valid && !pins.row.row_ready);
        self.reply(pins);
        if out.row.read_valid && pins.row.row_ready {
            self.ask(out);
        }
    }

    /// A row, or a part of it, comes in a cycle behind that of its request.
    fn reply(&mut self, pins: &mut ExpanderIn) {
        pins.row.row_valid = !self.asked.is_empty() && self.phase.reply.happens(&mut self.rng);
        (pins.row.row_first, pins.row.row_second) = (self.rng.draw() as u32, self.rng.draw() as u32);
        if !pins.row.row_valid {
            return;
        }
        let at = self.rng.below(self.asked.len().min(4) as u32) as usize;
        let asked = self.asked.remove(at);
        self.findings.count(Event::OutOfOrder, asked.order < self.came);
        let kind = asked.tag / self.places;
        let begin_waits = |other: &Asked| other.tag % self.places == asked.tag % self.places;
        self.findings.count(Event::EndFirst, kind == row::END && self.asked.iter().any(begin_waits));
        self.came = self.came.max(asked.order);
        (pins.row.row_tag, pins.row.row_first) = (asked.tag, asked.first);
        if kind == row::BOTH {
            pins.row.row_second = asked.second;
        }
    }

    /// A request is for the next part of the newest node's row.
    fn ask(&mut self, out: &ExpanderOut) {
        let request = out.row;
        let Some((node, place, part)) = self.unasked.pop_front() else {
            return self.findings.complain(format!("line {} is read for no node", request.read_line));
        };
        let word = if part == row::END { node.id + 1 } else { node.id };
        let rows_line = self.rows_line.unwrap_or_default();
        let line = rows_line.wrapping_add(word / 32);
        let tag = part * self.places + place;
        let read = (request.read_line, request.read_word as u32, request.read_both, request.read_tag);
        if read != (line, word % 32, part == row::BOTH, tag) {
            self.findings.complain(format!("node {:#x}: its row is read as {request:?}", node.id));
        }
        self.findings.count(Event::FarLine, line < rows_line);
        let (first, second) = if part == row::END { (node.end, 0) } else { (node.next, node.end) };
        self.orders += 1;
        self.asked.push(Asked { tag, first, second, order: self.orders });
        let waiting = self.nodes.len();
        self.findings.count(Event::Full, waiting > self.places as usize);
    }

    fn drive_lanes(&mut self, pins: &mut ExpanderIn) {
        let all = u32::MAX >> (32 - self.lanes);
        let leaving = self.phase.leave.of_each(&mut self.rng, all);
        let leaves = leaving.count_ones().min(self.out);
        pins.edge_leave =
            (0..leaves).fold((0, leaving), |(kept, rest), _| (kept | rest & rest.wrapping_neg(), rest & (rest - 1))).0;
        self.out -= leaves;
        let has_room = self.out + self.lanes as u32 <= MOST_OUT;
        let may_ask = self.asking == 0 && has_room && self.rows_line.is_some();
        pins.edge_pull = if may_ask { self.phase.pull.of_each(&mut self.rng, all) } else { 0 };
        pins.patient = self.phase.patient.happens(&mut self.rng);
        self.asked_before = self.asking;
        if pins.edge_pull != 0 {
            (self.asking, self.patient) = (pins.edge_pull, pins.patient);
        }
    }

    fn set_rows(&mut self, out: &ExpanderOut, pins: &mut ExpanderIn) {
        let nothing = !out.holds && self.unasked.is_empty() && self.asked.is_empty();
        pins.set_rows = nothing && self.rng.one_in(4);
        pins.rows_line = self.draw_before_carry(LAST_LINES);
        if self.rng.one_in(3) {
            pins.rows_line |= !(LAST_LINES - 1);
        }
        if pins.set_rows {
            self.rows_line = Some(pins.rows_line);
            self.findings.count(Event::SetRows, true);
        }
    }

    fn check_holds(&mut self, out: &ExpanderOut) {
        let is_here = self.current().is_some() || self.out > 0;
        if is_here && !out.holds {
            self.findings.complain("holds is low, but there are edges".into());
        }
    }
}

impl Stimulus for EdgeExpanderStimulus {
    type In = ExpanderIn;
    type Out = ExpanderOut;

    fn next(&mut self, out: &ExpanderOut, pins: &mut ExpanderIn) -> bool {
        self.observe_edges(out);
        self.check_holds(out);
        if self.phase.next(&mut self.rng) {
            self.findings.count(Event::Reset, out.holds);
            self.restart();
            *pins = ExpanderIn::default();
            return true;
        }
        self.had_edges = self.current().is_some();
        self.answer(pins);
        self.memory(out, pins);
        self.take(out, pins);
        self.drive_lanes(pins);
        self.set_rows(out, pins);
        false
    }
}
