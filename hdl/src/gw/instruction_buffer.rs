//! Instruction buffer of the baseline (section 2, Fig 7a): two slots for each warp.
//!
//! ```text
//!  write_record_* --->+--------------+  word  +-------+--> record_valid, record
//!  write_warp ------->| sram_1r1w    |------->| heads |
//!  read_warp -------->| a word a warp|        |       |--> head_valid
//!                     +--------------+        +-------+
//!  write_*, take_*, flush_*, read_* --------------^
//! ```
//!
//! The record of the head of a warp comes a cycle after its read; a write, a take, a flush and a read in every cycle.

use super::buffer_heads::{BufferHeads, WORD_BITS};
use super::record::RECORD_BITS;
use crate::circuit::wiring::Wiring;
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{wire, wire_groups, wired};
use rust_hdl::prelude::*;

wired! {
    /// N warps, P bits number them.
    pub struct InstructionBuffer<const N: usize, const P: usize> {
        in write_valid: Signal<In, bool>,
        in write_warp: Signal<In, Bits<P>>,
        in write_both: Signal<In, bool>,
        in write_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        in take_valid: Signal<In, bool>,
        in take_warp: Signal<In, Bits<P>>,
        in flush_valid: Signal<In, bool>,
        in flush_warp: Signal<In, Bits<P>>,
        in read: Signal<In, bool>,
        in read_warp: Signal<In, Bits<P>>,
        out head_valid: Signal<Out, Bits<N>>,
        out record_valid: Signal<Out, bool>,
        out record: Signal<Out, Bits<RECORD_BITS>>,
    } children default after { assert!(N <= 1 << P); } {
        heads: BufferHeads<N, P>,
        memory: Sram1r1w<WORD_BITS, P>,
    }
}

impl<const N: usize, const P: usize> InstructionBuffer<N, P> {
    fn wire(&mut self, w: &mut Wiring) {
        wire!(w: self.memory.clock <- self.clock);
        wire!(w: self.memory.write <- self.write_valid);
        wire!(w: self.memory.write_addr <- self.write_warp);
        wire_groups!(w: self.memory.wdata, slot in 2, RECORD_BITS, self.write_record[slot]);
        wire!(w: self.memory.read <- self.read);
        wire!(w: self.memory.read_addr <- self.read_warp);
        wire!(w: [self.heads] <- [self]: clock, reset, write_valid, write_warp, write_both, take_valid, take_warp,
            flush_valid, flush_warp, read, read_warp);
        wire!(w: self.heads.word <- self.memory.rdata);
        wire!(w: [self] <- [self.heads]: head_valid, record_valid, record);
    }
}
