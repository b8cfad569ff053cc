//! Valid bits and head per warp of the two-slot instruction buffer, and the record at the head.
//!
//! ```text
//!  write_* (both slots, or slot 1) --->+-----------------+--> head_valid
//!  take_* (the head), flush_* (both)-->| 2 valid, N times|--> slot of the head of read_warp --[r]--+
//!                                      +-----------------+                                         v
//!  word of the memory ------------------------------------------------------------------------> record
//! ```

use super::record::RECORD_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits of a word: the records of both slots.
pub const WORD_BITS: usize = 2 * RECORD_BITS;

network! {
    /// N warps, P bits number them.
    pub struct BufferHeads<const N: usize, const P: usize>, inputs Inputs, clocked {
        in write_valid: Signal<In, bool>,
        in write_warp: Signal<In, Bits<P>>,
        in write_both, take_valid: Signal<In, bool>,
        in take_warp: Signal<In, Bits<P>>,
        in flush_valid: Signal<In, bool>,
        in flush_warp: Signal<In, Bits<P>>,
        in read: Signal<In, bool>,
        in read_warp: Signal<In, Bits<P>>,
        in word: Signal<In, Bits<WORD_BITS>>,
        out head_valid: Signal<Out, Bits<N>>,
        out record_valid: Signal<Out, bool>,
        out record: Signal<Out, Bits<RECORD_BITS>>,
    } described by describe
}

fn describe<'a, const N: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, N, P>) {
    let of = |name: &str, valid: Net<'a>, warp: Net<'a>| {
        b.bits(&(0..N).map(|n| valid & warp.is(n as u64)).collect::<Vec<_>>()).name(name)
    };
    let writes = of("writes", i.write_valid, i.write_warp);
    let takes = of("takes", i.take_valid, i.take_warp);
    let flushes = of("flushes", i.flush_valid, i.flush_warp);
    let reads = of("reads", i.read, i.read_warp);

    b.comment("Slot 0 is the head while it is valid.");
    let [slot_0, slot_1] = ["slot_0_valid", "slot_1_valid"].map(|name| b.register(name, N));
    slot_0.drive((writes & i.write_both.repeat(N)) | (slot_0 & !(takes | flushes)));
    slot_1.drive(writes | (slot_1 & !((takes & !slot_0) | flushes)));
    b.output("head_valid", slot_0 | slot_1);

    b.comment("The record that is read.");
    let record_valid = b.register("record_valid", 1);
    record_valid.drive(i.read);
    b.output("record_valid", record_valid);
    let first = b.data_register("read_slot_0", (reads & slot_0).any(), i.read);
    b.output("record", first.mux(i.word.slice(0, RECORD_BITS), i.word.slice(RECORD_BITS, RECORD_BITS)));
}
