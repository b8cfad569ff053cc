//! `hvu` with bins: spilled IDs gather by their numbers before they become a line of the overflow buffer. The nodes of such a line
//! lie near each other in memory.
//!
//! ```text
//!  spill,      +---------+  one   +-----------------+  one   +-------------+  line
//!  spill_id_i -| holding |------->| sram_1r1w       |------->| line buffer |------->
//!              | L IDs   | ID a   | 64 bins, 32 IDs | ID a   | W IDs       |
//!              +---------+ cycle  +-----------------+ cycle  +-------------+
//!                           |  id_q[13:8]  ^
//!                           +-> IDs of each bin, the open bin
//! ```
//!
//! A bin is a stack. One bin at a time is open and empties into the line: a full one; one that is not full when the sides have been
//! exchanged; or, in single-buffer mode, when nothing else can come back. Nothing joins the open bin.

use super::hvu::bins::{HvuBinsControl, PLACE_BITS};
use super::hvu::{hvu_block, hvu_ports, COUNT};
use super::{Refill, ID_BITS, LINE_WORDS};
use crate::circuit::wiring::Wiring;
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{wire, wired};
use rust_hdl::prelude::*;

hvu_block! { wired
    {
        /// L lanes.
        pub struct HvuBins<const L: usize>
    } {} {} {
        children new(refill: Refill) {
            control: HvuBinsControl<L> = HvuBinsControl::new(refill),
            memory: Sram1r1w<ID_BITS, PLACE_BITS>,
        }
    }
}

impl<const L: usize> HvuBins<L> {
    fn wire(&mut self, w: &mut Wiring) {
        wire!(w: [self.control] <- [self]: clock, reset, configure, double_buffer, init, init_base, init_lines, swap, pull_part,
            spill, room, demand, mem_ready, line_valid, line_tag, fill_accepted);
        for i in 0..L {
            wire!(w: self.control.spill_id[i] <- self.spill_id[i]);
            wire!(w: self.fill_id[i] <- self.control.fill_id[i]);
        }
        for i in 0..LINE_WORDS {
            wire!(w: self.control.line_id[i] <- self.line_id[i]);
            wire!(w: self.mem_id[i] <- self.control.mem_id[i]);
        }
        wire!(w: self.memory.clock <- self.clock);
        wire!(w: [self.memory] <- [self.control]: write, write_addr, wdata, read, read_addr);
        wire!(w: self.control.rdata <- self.memory.rdata);
        wire!(w: [self] <- [self.control]: push_ready, overflow, mem_valid, mem_write, mem_line, mem_tag, mem_count,
            line_ready, reserve, fill_push, unreserve, pull_busy, pending, holds);
    }
}
