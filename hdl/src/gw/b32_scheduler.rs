//! Parts of one scheduler of the baseline: its warps, their instruction buffers, and the way from read to issue.
//!
//! ```text
//!                 +--------+ read_place +--------+ word  +-------+ passes  +-------+
//!           +---->| reader |----------->| memory |------>| check |-------->| issue |--> issue_*, ready
//!           |     +--------+            +---^----+       |       |         +-------+
//!           |          +--- read_places ----|----------->|       |
//!  running, slot_*,                         |            |       |--> named, passes_places, fails_places
//!  open, waits  <--[ warps ]                |  done_* -->|       |            (back to warps)
//!           |          ^        fill_record_*----------->+-------+
//!           |          +--- start, wake, answer_*, issues
//!           +---->[ fetch ]--> want_*
//! ```
//!
//! From issue to issue of a warp: 2 cycles within a line, 4 from line to line with a fetch that hits.

use super::b32_check::{B32Check, DONE};
use super::b32_fetch::B32Fetch;
use super::b32_issue::B32Issue;
use super::b32_reader::B32Reader;
use super::b32_warps::B32Warps;
use super::buffer_heads::WORD_BITS;
use super::record::{RECORD_BITS, WRITES_BITS};
use super::{LINE_BITS, PC_BITS};
use crate::circuit::wiring::Wiring;
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{wire, wire_groups, wired};
use rust_hdl::prelude::*;

wired! {
    /// N places, P bits number them.
    pub struct B32Scheduler<const N: usize, const P: usize> {
        in start, wake: Signal<In, Bits<N>>,
        in room: Signal<In, Bits<4>>,
        in answer_valid: Signal<In, bool>,
        in answer_place: Signal<In, Bits<P>>,
        in answer_next: Signal<In, Bits<2>>,
        in answer_pc: Signal<In, Bits<PC_BITS>>,
        in done_valid: [Signal<In, bool>; DONE],
        in done_place: [Signal<In, Bits<P>>; DONE],
        in done_writes: [Signal<In, Bits<WRITES_BITS>>; DONE],
        in fill_here: Signal<In, bool>,
        in fill_place: Signal<In, Bits<P>>,
        in fills: Signal<In, Bits<N>>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        in granted: Signal<In, bool>,
        out issue_valid: Signal<Out, bool>,
        out issue_place: Signal<Out, Bits<P>>,
        out issue_pc: Signal<Out, Bits<PC_BITS>>,
        out ready: Signal<Out, Bits<N>>,
        out want_valid: Signal<Out, bool>,
        out want_place: Signal<Out, Bits<P>>,
        out want_line: Signal<Out, Bits<LINE_BITS>>,
    }
    /// `lowest`: the lowest place issues first, not the next in turn.
    children new(lowest: bool) after { assert!(N <= 1 << P); } {
        warps: B32Warps<N, P>,
        reader: B32Reader<N, P>,
        memory: Sram1r1w<WORD_BITS, P> = Sram1r1w::new(N),
        check: B32Check<N, P>,
        issue: B32Issue<N, P> = B32Issue::new(lowest),
        fetch: B32Fetch<N, P>,
    }
}

impl<const N: usize, const P: usize> B32Scheduler<N, P> {
    fn wire(&mut self, w: &mut Wiring) {
        self.wire_warps(w);
        self.wire_reader(w);
        self.wire_check(w);
        self.wire_issue(w);
        self.wire_fetch(w);
    }

    fn wire_warps(&mut self, w: &mut Wiring) {
        w.comment(" Warps.");
        wire!(w: [self.warps] <- [self]: clock, reset, start, wake, answer_valid, answer_place, answer_next, answer_pc,
            fills);
        wire!(w: [self.warps] <- [self.issue]: issues, ready);
        wire!(w: [self.warps] <- [self.check]: named, passes_places, fails_places, check_slot, check_flow);
        wire!(w: self.issue_pc <- self.warps.issue_pc);
    }

    fn wire_reader(&mut self, w: &mut Wiring) {
        w.comment(" What is read from the buffers.");
        wire!(w: [self.reader] <- [self]: clock, reset);
        wire!(w: [self.reader] <- [self.warps]: running, slot_0, slot_1, open, waits, goes_on_places);
        wire!(w: [self.reader] <- [self.issue]: ready);
        wire!(w: [self.reader] <- [self.check]: named, check_places, check_slot);
        wire!(w: self.memory.clock <- self.clock);
        wire!(w: self.memory.write <- self.fill_here);
        wire!(w: self.memory.write_addr <- self.fill_place);
        wire_groups!(w: self.memory.wdata, slot in 2, RECORD_BITS, self.fill_record[slot]);
        wire!(w: self.memory.read <- self.reader.read);
        wire!(w: self.memory.read_addr <- self.reader.read_place);
    }

    fn wire_check(&mut self, w: &mut Wiring) {
        w.comment(" Check.");
        wire!(w: [self.check] <- [self]: clock, reset, fills);
        for slot in 0..2 {
            wire!(w: self.check.fill_record[slot] <- self.fill_record[slot]);
        }
        for k in 0..DONE {
            wire!(w: [self.check][k] <- [self][k]: done_valid, done_place, done_writes);
        }
        wire!(w: self.check.word <- self.memory.rdata);
        wire!(w: [self.check] <- [self.reader]: comes, read_valid, read_places);
        wire!(w: [self.check] <- [self.warps]: fill_slot, slot_0, slot_1, open);
        wire!(w: self.check.ready <- self.issue.ready);
    }

    fn wire_issue(&mut self, w: &mut Wiring) {
        w.comment(" Issue.");
        wire!(w: [self.issue] <- [self]: clock, reset, room);
        wire!(w: [self.issue] <- [self.check]: check_places, check_path, passes, passes_places);
        wire!(w: [self] <- [self.issue]: issue_valid, issue_place, ready);
    }

    fn wire_fetch(&mut self, w: &mut Wiring) {
        w.comment(" Fetch.");
        wire!(w: [self.fetch] <- [self]: clock, reset, fills, granted);
        wire!(w: [self.fetch] <- [self.warps]: running, slot_0, slot_1, open, waits, answered);
        wire!(w: [self.fetch] <- [self.issue]: ready, issues);
        wire!(w: [self.fetch] <- [self.check]: check_places, check_slot, check_flow);
        for place in 0..N {
            wire!(w: self.fetch.pc[place] <- self.warps.pc[place]);
        }
        wire!(w: [self] <- [self.fetch]: want_valid, want_place, want_line);
    }
}
