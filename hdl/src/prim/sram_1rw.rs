//! Single-port SRAM: one read or one write a cycle.
//!
//! ```text
//!                 +-----------------+
//!      en, we ----|                 |
//!        addr ----|  2^A words of   |---- rdata
//!       wdata ----|  W bits         |
//!       clock ----|>                |
//!                 +-----------------+
//! ```
//!
//! `en & we` writes; `en & !we` reads, `rdata` in the next cycle, held until the next read. Memory and `rdata` have no
//! reset, as in a compiled macro, which can take this module's place. Yosys infers `$mem`.

use crate::unconnected;
use rust_hdl::prelude::*;
use verilog::description::Description;
use verilog::tree::Access;

#[derive(LogicBlock)]
pub struct Sram1rw<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub en: Signal<In, bool>,
    pub we: Signal<In, bool>,
    pub addr: Signal<In, Bits<A>>,
    pub wdata: Signal<In, Bits<W>>,
    pub rdata: Signal<Out, Bits<W>>,
    _words: Vec<Bits<W>>,
}

impl<const W: usize, const A: usize> Default for Sram1rw<W, A> {
    fn default() -> Self {
        unconnected!(Self {
            clock, en, we, addr, wdata, rdata;
            _words: vec![Bits::default(); 1 << A],
        })
    }
}

impl<const W: usize, const A: usize> Logic for Sram1rw<W, A> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.en.val() {
            let word = &mut self._words[self.addr.val().index()];
            if self.we.val() {
                *word = self.wdata.val();
            } else {
                self.rdata.next = *word;
            }
        }
    }

    fn connect(&mut self) {
        self.rdata.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(Description::memory(self._words.len(), W, Access::SinglePort).to_json())
    }
}
