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

use rust_hdl::prelude::*;

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
        Self {
            clock: Signal::default(),
            en: Signal::default(),
            we: Signal::default(),
            addr: Signal::default(),
            wdata: Signal::default(),
            rdata: Signal::default(),
            _words: vec![Bits::default(); 1 << A],
        }
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
        Verilog::Custom(format!(
            "\
reg [{}:0] words [0:{}];

always @(posedge clock) begin
    if (en) begin
        if (we) words[addr] <= wdata;
        else rdata <= words[addr];
    end
end
",
            W - 1,
            self._words.len() - 1
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycle(sram: &mut Sram1rw<8, 2>, en: bool, we: bool, addr: u64, wdata: u64) -> u64 {
        sram.en.next = en;
        sram.we.next = we;
        sram.addr.next = addr.into();
        sram.wdata.next = wdata.into();
        for level in [false, true] {
            sram.clock.next = level.into();
            assert!(simulate(sram, 100));
        }
        sram.rdata.val().to_u64()
    }

    #[test]
    fn reads_what_was_written_and_holds_it() {
        let mut sram = Sram1rw::<8, 2>::default();
        sram.connect_all();
        for addr in 0..4 {
            cycle(&mut sram, true, true, addr, 0xa0 + addr);
        }
        assert_eq!(cycle(&mut sram, true, false, 2, 0), 0xa2);
        assert_eq!(cycle(&mut sram, false, true, 2, 0xff), 0xa2, "held, and not written without en");
        assert_eq!(cycle(&mut sram, true, true, 3, 0x11), 0xa2, "held over a write");
        assert_eq!(cycle(&mut sram, true, false, 3, 0), 0x11);
        assert_eq!(cycle(&mut sram, true, false, 2, 0), 0xa2);
    }
}
