//! Instruction storage (section 6.2, Fig 7b): decoded instructions that all warps share, set-associative by line.
//!
//! ```text
//!  look_*_s ----->+---------+----> answer_*_s
//!  ask_* -------->|         |----> fetch_*
//!  fetch_room --->| control |----> full
//!  fill_* ------->|         |
//!                 +-^-----+-+
//!                   |idle | fill_word
//!  take_*_s --->+--------+|    +------------------------+
//!  drop_*_s --->| counts |+--->| for each scheduler one |
//!               +--------+     | memory of both records |----[ slot ]---> record_s
//!  read_*_s ------------------>| of every entry         |
//!                              +------------------------+
//! ```
//!
//! A look-up is answered, and a record read, in the next cycle; one of each a cycle for each scheduler.

use super::record::RECORD_BITS;
use super::reference_counts::ReferenceCounts;
use super::storage_control::{StorageControl, WORD_BITS};
use super::{DROP_BITS, LINE_BITS, TAKE_BITS};
use crate::prim::sram_1r1w::Sram1r1w;
use crate::wiring::Wiring;
use crate::{wire, wire_in, wire_out, wired};
use rust_hdl::prelude::*;

wired! {
    /// S schedulers, N entries, E bits number them.
    pub struct InstructionStorage<const S: usize, const N: usize, const E: usize> {
        in look_valid: [Signal<In, bool>; S],
        in look_line: [Signal<In, Bits<LINE_BITS>>; S],
        in ask_valid: Signal<In, bool>,
        in ask_line: Signal<In, Bits<LINE_BITS>>,
        in fetch_room: Signal<In, bool>,
        in fill_valid: Signal<In, bool>,
        in fill_entry: Signal<In, Bits<E>>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        in take_count: [Signal<In, Bits<TAKE_BITS>>; S],
        in take_entry: [Signal<In, Bits<E>>; S],
        in drop_count: [Signal<In, Bits<DROP_BITS>>; S],
        in drop_entry: [Signal<In, Bits<E>>; S],
        in read: [Signal<In, bool>; S],
        in read_entry: [Signal<In, Bits<E>>; S],
        in read_slot: [Signal<In, bool>; S],
        out answer: [Signal<Out, Bits<2>>; S],
        out answer_line: [Signal<Out, Bits<LINE_BITS>>; S],
        out answer_entry: [Signal<Out, Bits<E>>; S],
        out fetch_valid: Signal<Out, bool>,
        out fetch_entry: Signal<Out, Bits<E>>,
        out fetch_line: Signal<Out, Bits<LINE_BITS>>,
        out record_valid: [Signal<Out, bool>; S],
        out record: [Signal<Out, Bits<RECORD_BITS>>; S],
        out full: Signal<Out, bool>,
    } children {
        control: StorageControl<S, N, E>,
        counts: ReferenceCounts<S, N, E>,
        records: Vec<Sram1r1w<WORD_BITS, E>>,
    }
}

impl<const S: usize, const N: usize, const E: usize> InstructionStorage<S, N, E> {
    /// `sets`: a power of two, a divisor of the number of entries.
    pub fn new(sets: usize) -> Self {
        let records = (0..S).map(|_| Sram1r1w::new(N)).collect();
        Self::assemble(StorageControl::new(sets), ReferenceCounts::default(), records)
    }

    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" What is where.");
        wire_in!(w: self, [control]: clock, reset, ask_valid, ask_line, fetch_room, fill_valid, fill_entry);
        wire_out!(w: self, [control]: fetch_valid, fetch_entry, fetch_line, full);
        for slot in 0..2 {
            wire!(w: self.control.fill_record[slot] <- self.fill_record[slot]);
        }
        for s in 0..S {
            wire!(w: self.control.look_valid[s] <- self.look_valid[s]);
            wire!(w: self.control.look_line[s] <- self.look_line[s]);
            wire!(w: self.answer[s] <- self.control.answer[s]);
            wire!(w: self.answer_line[s] <- self.control.answer_line[s]);
            wire!(w: self.answer_entry[s] <- self.control.answer_entry[s]);
        }

        w.comment(" References.");
        wire_in!(w: self, [counts]: clock, reset);
        wire!(w: self.control.idle <- self.counts.idle);
        for s in 0..S {
            wire!(w: self.counts.take_count[s] <- self.take_count[s]);
            wire!(w: self.counts.take_entry[s] <- self.take_entry[s]);
            wire!(w: self.counts.drop_count[s] <- self.drop_count[s]);
            wire!(w: self.counts.drop_entry[s] <- self.drop_entry[s]);
        }

        w.comment(" Records.");
        for s in 0..S {
            wire!(w: self.records[s].clock <- self.clock);
            wire!(w: self.records[s].write <- self.fill_valid);
            wire!(w: self.records[s].write_addr <- self.fill_entry);
            wire!(w: self.records[s].wdata <- self.control.fill_word);
            wire!(w: self.records[s].read <- self.read[s]);
            wire!(w: self.records[s].read_addr <- self.read_entry[s]);
            wire!(w: self.control.read[s] <- self.read[s]);
            wire!(w: self.control.read_slot[s] <- self.read_slot[s]);
            wire!(w: self.control.word[s] <- self.records[s].rdata);
            wire!(w: self.record_valid[s] <- self.control.record_valid[s]);
            wire!(w: self.record[s] <- self.control.record[s]);
        }
    }
}
