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
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// S schedulers, N entries, E bits number them.
    pub struct InstructionStorage<const S: usize, const N: usize, const E: usize> {
        in look_valid: [Signal<In, bool>; S],
        in look_line: [Signal<In, Bits<LINE_BITS>>; S],
        in ask_valid: Signal<In, bool>,
        in ask_line: Signal<In, Bits<LINE_BITS>>,
        in fetch_room, fill_valid: Signal<In, bool>,
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
    }
    /// `sets`: a power of two, a divisor of the number of entries.
    children new(sets: usize) {
        control: StorageControl<S, N, E> = StorageControl::new(sets),
        counts: ReferenceCounts<S, N, E>,
        records: Vec<Sram1r1w<WORD_BITS, E>> = (0..S).map(|_| Sram1r1w::new(N)).collect(),
    }
}

impl<const S: usize, const N: usize, const E: usize> InstructionStorage<S, N, E> {
    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" What is where.");
        wire!(w: [self.control] <- [self]: clock, reset, ask_valid, ask_line, fetch_room, fill_valid, fill_entry);
        wire!(w: [self] <- [self.control]: fetch_valid, fetch_entry, fetch_line, full);
        for slot in 0..2 {
            wire!(w: self.control.fill_record[slot] <- self.fill_record[slot]);
        }
        for s in 0..S {
            wire!(w: [self.control][s] <- [self][s]: look_valid, look_line);
            wire!(w: [self][s] <- [self.control][s]: answer, answer_line, answer_entry);
        }

        w.comment(" References.");
        wire!(w: [self.counts] <- [self]: clock, reset);
        wire!(w: self.control.idle <- self.counts.idle);
        for s in 0..S {
            wire!(w: [self.counts][s] <- [self][s]: take_count, take_entry, drop_count, drop_entry);
        }

        w.comment(" Records.");
        for s in 0..S {
            wire!(w: self.records[s].clock <- self.clock);
            wire!(w: self.records[s].write <- self.fill_valid);
            wire!(w: self.records[s].write_addr <- self.fill_entry);
            wire!(w: self.records[s].wdata <- self.control.fill_word);
            wire!(w: self.records[s].read <- self.read[s]);
            wire!(w: self.records[s].read_addr <- self.read_entry[s]);
            wire!(w: [self.control][s] <- [self][s]: read, read_slot);
            wire!(w: self.control.word[s] <- self.records[s].rdata);
            wire!(w: [self][s] <- [self.control][s]: record_valid, record);
        }
    }
}
