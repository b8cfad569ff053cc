//! SRAM with a read and a write port: one read and one write a cycle.
//!
//! ```text
//!                    +-----------------+
//!           write ---|                 |
//!      write_addr ---|  words of W     |---- rdata
//!           wdata ---|  bits, 2^A or   |
//!            read ---|  fewer          |
//!       read_addr ---|                 |
//!           clock ---|>                |
//!                    +-----------------+
//! ```
//!
//! `read`: the word is on `rdata` in the next cycle, held until the next read. A word that is read in the cycle in which it
//! is written gives nothing meaningful: memory compilers do not agree on what that is. Memory and `rdata` have no reset, as
//! in a compiled macro, which can take this module's place. Yosys infers `$mem`.

use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Sram1r1w<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, bool>,
    pub write_addr: Signal<In, Bits<A>>,
    pub wdata: Signal<In, Bits<W>>,
    pub read: Signal<In, bool>,
    pub read_addr: Signal<In, Bits<A>>,
    pub rdata: Signal<Out, Bits<W>>,
    _words: Vec<Bits<W>>,
}

/// 2^A words.
impl<const W: usize, const A: usize> Default for Sram1r1w<W, A> {
    fn default() -> Self {
        Self::new(1 << A)
    }
}

impl<const W: usize, const A: usize> Sram1r1w<W, A> {
    /// `words` of at most 2^A words; what lies above is not accessed.
    pub fn new(words: usize) -> Self {
        assert!((1..=1 << A).contains(&words));
        Self {
            clock: Signal::default(),
            write: Signal::default(),
            write_addr: Signal::default(),
            wdata: Signal::default(),
            read: Signal::default(),
            read_addr: Signal::default(),
            rdata: Signal::default(),
            _words: vec![Bits::default(); words],
        }
    }
}

impl<const W: usize, const A: usize> Logic for Sram1r1w<W, A> {
    fn update(&mut self) {
        if !self.clock.pos_edge() {
            return;
        }
        if self.read.val() {
            self.rdata.next = self._words[self.read_addr.val().index()];
        }
        if self.write.val() {
            self._words[self.write_addr.val().index()] = self.wdata.val();
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
    if (write) words[write_addr] <= wdata;
    if (read) rdata <= words[read_addr];
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

    fn cycle(sram: &mut Sram1r1w<8, 2>, write: Option<(u64, u64)>, read: Option<u64>) -> u64 {
        let (write_addr, wdata) = write.unwrap_or((3, 0xff));
        (sram.write.next, sram.write_addr.next, sram.wdata.next) = (write.is_some(), write_addr.into(), wdata.into());
        (sram.read.next, sram.read_addr.next) = (read.is_some(), read.unwrap_or(1).into());
        for level in [false, true] {
            sram.clock.next = level.into();
            assert!(simulate(sram, 100));
        }
        sram.rdata.val().to_u64()
    }

    #[test]
    fn reads_and_writes_side_by_side() {
        let mut sram = Sram1r1w::<8, 2>::default();
        sram.connect_all();
        for addr in 0..4 {
            cycle(&mut sram, Some((addr, 0xa0 + addr)), None);
        }
        assert_eq!(cycle(&mut sram, None, Some(2)), 0xa2);
        assert_eq!(cycle(&mut sram, None, None), 0xa2, "held, and nothing written");
        assert_eq!(cycle(&mut sram, Some((2, 0x11)), Some(3)), 0xa3);
        assert_eq!(cycle(&mut sram, Some((3, 0x22)), Some(2)), 0x11);
        assert_eq!(cycle(&mut sram, None, Some(3)), 0x22);
    }
}
