//! Instruction storage (section 6.2, Fig 7b): decoded instructions that all warps share, set-associative by line, with links
//! from a line to the next.
//!
//! ```text
//!  look_*_s --->+---------+---> answer_*_s --+
//!  ask_* ------>| control |---> fetch_* -----|--+
//!  fill_* --+-->|         |                +-v--v--+
//!           |   +---^-----+   read_*_s --->| links |---> link_*_s
//!           |       | used_ways_s          +-------+
//!           |   +---------------------------+
//!           +-->| records, a scheduler's    |<------- address_*_s
//!               +---------------------------+-------> word_s
//! ```
//!
//! A look-up is answered, and the records of a line read, in the next cycle; one of each a cycle for each scheduler.

use super::links::Links;
use super::record::{RECORD_BITS, WORD_BITS};
use super::storage_control::StorageControl;
use crate::circuit::wiring::Wiring;
use crate::gw::LINE_BITS;
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// S schedulers, M entries in K ways, E bits number them.
    pub struct Storage<const S: usize, const M: usize, const E: usize, const K: usize> {
        in look_valid, look_follows: [Signal<In, bool>; S],
        in look_line: [Signal<In, Bits<LINE_BITS>>; S],
        in look_from: [Signal<In, Bits<E>>; S],
        in address_valid: [Signal<In, bool>; S],
        in address_entry: [Signal<In, Bits<E>>; S],
        in read_end: [Signal<In, bool>; S],
        in read_entry: [Signal<In, Bits<E>>; S],
        in used_ways: [Signal<In, Bits<K>>; S],
        in ask_valid: Signal<In, bool>,
        in ask_line: Signal<In, Bits<LINE_BITS>>,
        in fetch_room, fill_valid: Signal<In, bool>,
        in fill_entry: Signal<In, Bits<E>>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        out answer: [Signal<Out, Bits<2>>; S],
        out answer_entry: [Signal<Out, Bits<E>>; S],
        out link_valid: [Signal<Out, bool>; S],
        out link: [Signal<Out, Bits<E>>; S],
        out word: [Signal<Out, Bits<WORD_BITS>>; S],
        out ask_room, fetch_valid, full: Signal<Out, bool>,
        out fetch_entry: Signal<Out, Bits<E>>,
        out fetch_line: Signal<Out, Bits<LINE_BITS>>,
    }
    /// `sets`: a power of two, a divisor of the number of entries.
    children new(sets: usize) {
        control: StorageControl<S, M, E, K> = StorageControl::new(sets),
        links: Links<S, M, E>,
        records: Vec<Sram1r1w<WORD_BITS, E>> = (0..S).map(|_| Sram1r1w::new(M)).collect(),
    }
}

impl<const S: usize, const M: usize, const E: usize, const K: usize> Storage<S, M, E, K> {
    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Look-ups and asks.");
        wire!(w: [self.control] <- [self]: clock, reset, ask_valid, ask_line, fetch_room, fill_valid, fill_entry);
        wire!(w: [self] <- [self.control]: ask_room, fetch_valid, fetch_entry, fetch_line, full);
        for slot in 0..2 {
            wire!(w: self.control.fill_record[slot] <- self.fill_record[slot]);
        }
        w.comment(" Links.");
        wire!(w: [self.links] <- [self]: clock, reset);
        wire!(w: [self.links] <- [self.control]: fetch_valid, fetch_entry, claim_valid, claim_entry);
        for s in 0..S {
            w.comment(&format!(" Scheduler {s}."));
            wire!(w: [self.control][s] <- [self][s]: look_valid, look_line, used_ways);
            wire!(w: [self][s] <- [self.control][s]: answer, answer_entry);
            wire!(w: [self.control][s] <- [self.links][s]: link_take, link_take_entry);
            wire!(w: [self.links][s] <- [self][s]: look_follows, look_from, read_end, read_entry);
            wire!(w: [self.links][s] <- [self.control][s]: answer, answer_entry);
            wire!(w: [self][s] <- [self.links][s]: link_valid, link);
            self.wire_records(w, s);
        }
    }

    fn wire_records(&mut self, w: &mut Wiring, s: usize) {
        wire!(w: self.records[s].clock <- self.clock);
        wire!(w: self.records[s].write <- self.fill_valid);
        wire!(w: self.records[s].write_addr <- self.fill_entry);
        wire!(w: self.records[s].wdata <- self.control.fill_word);
        wire!(w: self.records[s].read <- self.address_valid[s]);
        wire!(w: self.records[s].read_addr <- self.address_entry[s]);
        wire!(w: self.word[s] <- self.records[s].rdata);
    }
}
