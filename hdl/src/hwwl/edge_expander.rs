//! Edge expander, which is in no paper: it pulls nodes from a core's banks, reads their rows, and hands out their edges.
//!
//! ```text
//!                bank_pull          +--------+ id    +-------------------+
//!  banks <--------------------------| pulls  |------>| request of a row  |---> read_*
//!        -------------------------->|        |       +-------------------+
//!  id_i, status                     +---+----+
//!                                       | id         row_first, row_second
//!                                  +----v----+       +---------+---------+
//!                                  | ids     |       | begins  | ends    |<---- row_*
//!                                  | D x 24  |       | D x 32  | D x 32  |
//!                                  +----+----+       +----+----+----+----+
//!                                       '--------+--------'---------'
//!  edge_pull                        +------------v------------+
//! --------------------------------->| cursor: owner,          |---> edge_status, edge_index_i, owner
//!                                   | next edge, edges left   |
//!                                   +-------------------------+
//! ```
//!
//! Nodes keep the order in which they were pulled. The memories show the first node; when the cursor has no edges left, it takes that one
//! over. Lanes that pull are numbered from below, and lane n gets the n-th next edge.

use super::{ID_BITS, LINE_WORDS};
use crate::circuit::net::{Builder, Net};
use crate::circuit::wiring::Wiring;
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{network, wire, wired};
use rust_hdl::prelude::*;

/// Bits of the place of an edge, and of the number of edges of a node.
const EDGE_BITS: usize = 32;

/// Bits that count the edges of all threads.
const OUT_BITS: usize = 13;

/// Bits that count the IDs that the expander has to give back.
const OWED_BITS: usize = 2;

wired! {
    /// L lanes, L2 = 2 L bits of status; D = 2^A nodes, T = A + 2 bits of tag.
    pub struct EdgeExpander<const L: usize, const L2: usize, const A: usize, const T: usize> {
        in set_rows: Signal<In, bool>,
        in rows_line: Signal<In, Bits<32>>,
        in edge_pull: Signal<In, Bits<L>>,
        in patient: Signal<In, bool>,
        in edge_leave: Signal<In, Bits<L>>,
        in bank_ready: Signal<In, bool>,
        in status: Signal<In, Bits<L2>>,
        in id: [Signal<In, Bits<ID_BITS>>; L],
        in row_ready, row_valid: Signal<In, bool>,
        in row_tag: Signal<In, Bits<T>>,
        in row_first, row_second: Signal<In, Bits<32>>,
        out edge_status: Signal<Out, Bits<L2>>,
        out owner: Signal<Out, Bits<ID_BITS>>,
        out edge_index: [Signal<Out, Bits<EDGE_BITS>>; L],
        out bank_pull: Signal<Out, Bits<L>>,
        out bank_leave, holds, read_valid: Signal<Out, bool>,
        out read_line: Signal<Out, Bits<32>>,
        out read_word: Signal<Out, Bits<5>>,
        out read_both: Signal<Out, bool>,
        out read_tag: Signal<Out, Bits<T>>,
    } children default {
        control: ExpanderControl<L, L2, A, T>,
        ids: Sram1r1w<ID_BITS, A>,
        begins: Sram1r1w<EDGE_BITS, A>,
        ends: Sram1r1w<EDGE_BITS, A>,
    }
}

/// A memory of the nodes: what is written comes from the control, what is read is the first node's.
macro_rules! wire_memory {
    ($w:ident, $me:ident, $memory:ident, $write:ident, $address:ident, $data:ident, $read:ident) => {{
        wire!($w: $me.$memory.clock <- $me.clock);
        wire!($w: $me.$memory.write <- $me.control.$write);
        wire!($w: $me.$memory.write_addr <- $me.control.$address);
        wire!($w: $me.$memory.wdata <- $me.control.$data);
        wire!($w: $me.$memory.read <- $me.control.read_first);
        wire!($w: $me.$memory.read_addr <- $me.control.first_next);
        wire!($w: $me.control.$read <- $me.$memory.rdata);
    }};
}

impl<const L: usize, const L2: usize, const A: usize, const T: usize> EdgeExpander<L, L2, A, T> {
    fn wire(&mut self, w: &mut Wiring) {
        wire!(w: [self.control] <- [self]: clock, reset, set_rows, rows_line, edge_pull, patient, edge_leave, bank_ready,
            status, row_ready, row_valid, row_tag, row_first, row_second);
        wire!(w: [self] <- [self.control]: edge_status, owner, bank_pull, bank_leave, holds, read_valid, read_line,
            read_word, read_both, read_tag);
        for i in 0..L {
            wire!(w: self.control.id[i] <- self.id[i]);
            wire!(w: self.edge_index[i] <- self.control.edge_index[i]);
        }
        wire_memory!(w, self, ids, id_write, last_next, id_wdata, first_id);
        wire_memory!(w, self, begins, begin_write, row_place, begin_wdata, first_begin);
        wire_memory!(w, self, ends, end_write, row_place, end_wdata, first_end);
    }
}

network! {
    /// Everything but the storage.
    pub struct ExpanderControl<const L: usize, const L2: usize, const A: usize, const T: usize>, inputs Inputs, clocked {
        in set_rows: Signal<In, bool>,
        in rows_line: Signal<In, Bits<32>>,
        in edge_pull: Signal<In, Bits<L>>,
        in patient: Signal<In, bool>,
        in edge_leave: Signal<In, Bits<L>>,
        in bank_ready: Signal<In, bool>,
        in status: Signal<In, Bits<L2>>,
        in id: [Signal<In, Bits<ID_BITS>>; L],
        in row_ready, row_valid: Signal<In, bool>,
        in row_tag: Signal<In, Bits<T>>,
        in row_first, row_second: Signal<In, Bits<32>>,
        in first_id: Signal<In, Bits<ID_BITS>>,
        in first_begin, first_end: Signal<In, Bits<EDGE_BITS>>,
        out edge_status: Signal<Out, Bits<L2>>,
        out owner: Signal<Out, Bits<ID_BITS>>,
        out edge_index: [Signal<Out, Bits<EDGE_BITS>>; L],
        out bank_pull: Signal<Out, Bits<L>>,
        out bank_leave, holds, read_valid: Signal<Out, bool>,
        out read_line: Signal<Out, Bits<32>>,
        out read_word: Signal<Out, Bits<5>>,
        out read_both: Signal<Out, bool>,
        out read_tag: Signal<Out, Bits<T>>,
        out id_write, begin_write, end_write, read_first: Signal<Out, bool>,
        out last_next, row_place, first_next: Signal<Out, Bits<A>>,
        out id_wdata: Signal<Out, Bits<ID_BITS>>,
        out begin_wdata, end_wdata: Signal<Out, Bits<EDGE_BITS>>,
    } described by describe
}

/// Registers that several parts read.
struct State<'a> {
    /// Lanes that want an edge.
    wanted: Net<'a>,
    /// The memories show a node for the cursor.
    shown: Net<'a>,
    /// Nodes behind the cursor.
    count: Net<'a>,
    /// Edges that threads have.
    out: Net<'a>,
    /// The last answer was DONE.
    done: Net<'a>,
}

/// The edges of a cycle.
struct Deal<'a> {
    /// The cursor takes over the first node.
    takes: Net<'a>,
    /// It has edges.
    has_edges: Net<'a>,
    /// Edges that were dealt.
    dealt: Net<'a>,
}

/// The answer of the banks: an ID comes.
struct Pulled<'a> {
    comes: Net<'a>,
    id: Net<'a>,
}

fn describe<'a, const L: usize, const L2: usize, const A: usize, const T: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, L2, A, T>,
) {
    assert!(L2 == 2 * L && T == A + 2);
    let s = State {
        wanted: b.register("wanted", L),
        shown: b.register("first_shown", 1),
        count: b.register("nodes", A + 1),
        out: b.register("edges_out", OUT_BITS),
        done: b.register("done", 1),
    };
    let queue_empty = (!s.count.any()).name("queue_empty");
    let deal = deal(b, i, &s, queue_empty);
    rows(b, i, &s, &deal);

    b.comment("Edges that threads have: what a cycle brings or takes is counted in the next one.");
    let dealt = b.registered("dealt_before", deal.dealt);
    let left = b.registered("left_before", i.edge_leave.ones());
    let changes = (dealt.extend(OUT_BITS) - left.extend(OUT_BITS)).name("change_of_edges");
    s.out.drive((s.out + changes).name("next_edges_out"));
    let edges_out = (s.out.any() | dealt.any() | left.any()).name("edges_are_out");

    b.comment("Nodes or edges are here.");
    let empty = (queue_empty & !deal.has_edges & !edges_out).name("empty");
    b.output("holds", !empty);

    pulls(b, i, &s, &deal, edges_out, empty);
}

/// The lanes' answers.
fn deal<'a, const L: usize, const L2: usize, const A: usize, const T: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, L2, A, T>,
    s: &State<'a>,
    queue_empty: Net<'a>,
) -> Deal<'a> {
    let lane_bits = L.ilog2() as usize;
    b.comment("The cursor. Lanes that want an edge are numbered from below.");
    let up_to = s.wanted.ones_up_to().name("wanted_up_to");
    let width = lane_bits + 1;
    let before = |lane: usize| up_to.slice((lane - 1) * width, lane_bits).name(format!("rank_{lane}"));
    let ranks: Vec<_> = (0..L).map(|lane| if lane == 0 { b.constant(0, lane_bits) } else { before(lane) }).collect();
    let wants = up_to.slice((L - 1) * width, width).name("wants");
    let tops: Vec<_> = (0..L - 1).map(|lane| up_to.bit(lane * width + lane_bits)).collect();
    b.bits(&tops).name("unused_wanted_up_to");
    let next = b.storage("edge_next", EDGE_BITS);
    let end = b.storage("edge_end", EDGE_BITS);
    let valid = b.register("cursor_valid", 1);
    let low = |net: Net<'a>| net.slice(0, width).extend(width + 1);
    let difference = (low(end) - low(next)).name("low_end_minus_next");
    let left_low = (valid.repeat(width) & difference.slice(0, width)).name("left_low");
    let upper = |net: Net<'a>| net.slice(width, EDGE_BITS - width);
    let many = (valid & !is_after(b, upper(end), upper(next), difference.bit(width))).name("many_left");
    let ends = (!many & !wants.below(left_low)).name("cursor_ends");
    let takes = (ends & s.shown).name("cursor_takes");
    valid.drive((takes | (valid & !ends)).name("next_cursor_valid"));
    end.load(i.first_end, takes);
    // Lanes change the lower bits; the upper ones are ready for either carry.
    let further = (next.slice(0, width).extend(width + 1) + wants.extend(width + 1)).name("next_low_next");
    let upper_next = upper(next);
    let after = b.bits(&[further.slice(0, width), further.bit(width).mux(upper_next.increment(), upper_next)]);
    next.drive(takes.mux(i.first_begin, after).name("next_edge_next"));
    let owner = b.data_register("owner_of_next", i.first_id, takes);

    b.comment("Edges: the sum of the lower bits, which a lane keeps, says which of two upper parts is the lane's.");
    let enough = (many | left_low.bit(lane_bits)).name("enough_for_all");
    let below = |rank: Net<'a>| enough | rank.below(left_low.slice(0, lane_bits));
    let served = b.bits(&(0..L).map(|lane| s.wanted.bit(lane) & below(ranks[lane])).collect::<Vec<_>>());
    let served = served.name("served");
    let upper = next.slice(lane_bits, EDGE_BITS - lane_bits);
    let upper_after = b.delay("upper_after", upper.increment());
    let upper = b.delay("upper", upper);
    for (lane, rank) in ranks.iter().enumerate() {
        let sum = next.slice(0, lane_bits).extend(width) + rank.extend(width);
        let sum = b.delay(format!("edge_low_{lane}"), sum);
        let edge = b.bits(&[sum.slice(0, lane_bits), sum.bit(lane_bits).mux(upper_after, upper)]);
        b.output(format!("edge_index${lane}"), edge);
    }
    b.output("owner", b.delay("owner_q", owner));

    b.comment("Answers: 0 none or not yet, 1 an edge, 2 WAIT, 3 DONE.");
    let has_edges = (many | left_low.any()).name("has_edges");
    let nothing = (!has_edges & !s.shown).name("no_edges");
    let over = (nothing & s.done & queue_empty).name("over");
    let patient = b.register("patient_q", 1);
    let waits = (nothing & !over & !patient).name("told_to_wait");
    let low = (served | (over.repeat(L) & s.wanted)).name("status_low");
    let high = ((over | waits).repeat(L) & s.wanted).name("status_high");
    s.wanted.drive((i.edge_pull | (s.wanted & !(low | high))).name("next_wanted"));
    // A warp that has edges goes on with them.
    let stays = patient & !(has_edges & s.wanted.any());
    patient.drive(i.edge_pull.any().mux(i.patient, stays).name("next_patient"));
    let pairs: Vec<_> = (0..L).flat_map(|lane| [low.bit(lane), high.bit(lane)]).collect();
    b.output("edge_status", b.registered("edge_status", b.bits(&pairs)));
    Deal { takes, has_edges, dealt: ends.mux(left_low, wants).name("dealt") }
}

/// High if `end` is `next`, or the number behind it with `borrow`: if the sum of `end`, !`next` and !`borrow` is 0. Each bit of a sum of 0
/// has a carry that equals the exclusive or of its operands, and the carry behind it is their or: no carry passes through the number.
fn is_after<'a>(b: &'a Builder, end: Net<'a>, next: Net<'a>, borrow: Net<'a>) -> Net<'a> {
    let carries = (end | !next).name("upper_carries");
    let _ = carries.bit(end.width() - 1).name("unused_upper_carry");
    let carries = b.bits(&[!borrow, carries.slice(0, end.width() - 1)]);
    (end ^ !next).equals(carries).name("upper_is_over")
}

/// The rows of the nodes behind the cursor.
fn rows<'a, const L: usize, const L2: usize, const A: usize, const T: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, L2, A, T>,
    s: &State<'a>,
    deal: &Deal<'a>,
) {
    let nodes = 1 << A;
    b.comment(
        "Rows that have come, by the node's place. The tag says whether it is both words, the first or the second.",
    );
    let place = i.row_tag.slice(0, A).name("place_of_row");
    let (is_begin, is_end) = (i.row_tag.bit(A), i.row_tag.bit(A + 1));
    let begins = (i.row_valid & !is_end).name("begin_comes");
    let ends = (i.row_valid & !is_begin).name("end_comes");
    b.output("row_place", place);
    b.output("begin_write", begins);
    b.output("end_write", ends);
    b.output("begin_wdata", i.row_first);
    b.output("end_wdata", is_end.mux(i.row_first, i.row_second));
    let first = b.register("first", A);
    let second = first.increment().name("second");
    let leaves = (deal.takes.repeat(nodes) & first.decode()).name("node_leaves");
    let at = place.decode().name("row_place_one_hot");
    let has = |name: &str, comes: Net<'a>| {
        let has = b.register(name, nodes);
        has.drive(((has & !leaves) | (comes.repeat(nodes) & at)).name(format!("next_{name}")));
        has
    };
    let complete = (has("has_begin", begins) & has("has_end", ends)).name("complete");
    let shown = deal.takes.mux(complete.index(second), complete.index(first));
    s.shown.drive(shown.name("next_first_shown"));
    let first_next = deal.takes.mux(second, first).name("next_first");
    first.drive(first_next);
    b.output("first_next", first_next);
    b.output("read_first", deal.takes | !s.shown);
}

/// Nodes come from the banks, ask for their rows, and are given back.
fn pulls<'a, const L: usize, const L2: usize, const A: usize, const T: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, L2, A, T>,
    s: &State<'a>,
    deal: &Deal<'a>,
    edges_out: Net<'a>,
    empty: Net<'a>,
) {
    let lane_bits = L.ilog2() as usize;
    let asks = b.register("asks", 1);
    let leave = b.register("bank_leave", 1);
    let wants_now = s.wanted.any().name("lanes_want");

    b.comment("The answer of the bank that was asked in the previous cycle.");
    let taken = (asks & i.bank_ready).name("pull_taken");
    let expects = b.registered("expects", taken);
    let bank = b.register("bank", lane_bits);
    let bank_one_hot = bank.decode().name("bank_one_hot");
    bank.drive(taken.mux(bank.increment(), bank).name("next_bank"));
    let asked = b.data_register("asked_bank", bank_one_hot, taken);
    let answer = |bit: usize| {
        let of_lane = |lane: usize| i.status.bit(2 * lane + bit);
        (asked & b.bits(&(0..L).map(of_lane).collect::<Vec<_>>())).any()
    };
    let (low, high) = (answer(0).name("answer_low"), answer(1).name("answer_high"));
    let comes = (expects & low & !high).name("node_comes");
    let pulled = Pulled { comes, id: b.one_of(&asked.each(), &i.id).name("node_id") };
    s.done.drive((wants_now & expects.mux(low & high, s.done)).name("next_done"));
    let (more, fewer) = (comes.extend(A + 1), deal.takes.extend(A + 1));
    s.count.drive((s.count + more - fewer).name("next_nodes"));

    let fed = requests(b, i, &pulled);

    b.comment("The next pull, and what is given back: all but one ID while nodes or edges are here, then that one.");
    let owed = b.register("owed", OWED_BITS);
    let given = (leave & i.bank_ready).name("leave_taken");
    let owed_next = (owed + comes.extend(OWED_BITS) - given.extend(OWED_BITS)).name("next_owed");
    owed.drive(owed_next);
    let keeps = ((asks | leave) & !i.bank_ready).name("bank_request_stays");
    let wants = (wants_now | edges_out).name("wants_nodes");
    let may_ask = (wants & !s.count.bit(A) & fed & !comes & !taken).name("may_ask");
    asks.drive(keeps.mux(asks, may_ask).name("next_asks"));
    let last = owed_next.is(1) & empty & !comes;
    leave.drive(keeps.mux(leave, owed_next.bit(1) | last).name("next_bank_leave"));
    b.output("bank_pull", asks.repeat(L) & bank_one_hot);
    b.output("bank_leave", leave);
}

/// The row of the newest node: one request, or two if it lies in two lines. True if there is none to come.
fn requests<'a, const L: usize, const L2: usize, const A: usize, const T: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, L2, A, T>,
    pulled: &Pulled<'a>,
) -> Net<'a> {
    let line_bits = LINE_WORDS.ilog2() as usize;
    b.comment("The newest node, whose row may not have been asked for.");
    let last = b.register("last", A);
    last.drive(pulled.comes.mux(last.increment(), last).name("next_last"));
    b.output("last_next", last);
    b.output("id_write", pulled.comes);
    b.output("id_wdata", pulled.id);
    let id = b.data_register("newest_id", pulled.id, pulled.comes);
    let place = b.data_register("newest_place", last, pulled.comes);
    let (row_waits, end_waits) = (b.register("row_waits", 1), b.register("end_waits", 1));
    let valid = b.register("read_valid", 1);
    let free = (!valid | i.row_ready).name("request_free");
    let moves = (free & (row_waits | end_waits)).name("request_moves");
    let word = id.slice(0, line_bits).name("word_of_row");
    let is_last = word.is(LINE_WORDS as u64 - 1).name("last_of_line");
    let splits = (row_waits & is_last).name("row_splits");
    row_waits.drive((pulled.comes | (row_waits & !moves)).name("next_row_waits"));
    let end_next = moves.mux(splits, end_waits).name("next_end_waits");
    end_waits.drive(end_next);
    valid.drive((moves | (valid & !i.row_ready)).name("next_read_valid"));
    b.output("read_valid", valid);

    b.comment("The request.");
    let rows = b.data_register("rows_line_q", i.rows_line, i.set_rows);
    let line = id.slice(line_bits, ID_BITS - line_bits).extend(ID_BITS - line_bits + 1);
    let line = (line + end_waits.extend(ID_BITS - line_bits + 1)).name("line_of_row");
    let low = (rows.slice(0, line.width()).extend(line.width() + 1)).add_tree(line.extend(line.width() + 1));
    let low = low.name("low_line");
    let upper = rows.slice(line.width(), 32 - line.width());
    let upper = low.bit(line.width()).mux(upper.increment(), upper);
    let request = |name: &str, net: Net<'a>| b.output(name, b.data_register(name, net, moves));
    request("read_line", b.bits(&[low.slice(0, line.width()), upper]));
    request("read_word", (!end_waits).repeat(line_bits) & word);
    request("read_both", row_waits & !is_last);
    request("read_tag", b.bits(&[place, splits, end_waits]));
    let row_left = row_waits & !moves;
    (!(row_left | end_next)).name("all_rows_asked")
}
