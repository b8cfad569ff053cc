//! `sram_1r1w`: a memory with a read and a write port. Behaviourally: an array and the word that was read last.

use super::pins::{Sram1r1wIn, Sram1r1wOut, Wide};
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct Sram1r1w {
    width: u32,
    words: Vec<Wide>,
    rdata: Wide,
}

impl Sram1r1w {
    /// `words` words of `width` bits, all 0.
    pub fn new(width: u32, words: usize) -> Result<Self, ParameterError> {
        spec::prim::SRAM_1R1W.checked(&[("width", width.into()), ("words", words as u64)])?;
        Ok(Sram1r1w { width, words: vec![Wide::default(); words], rdata: Wide::default() })
    }
}

impl Unit for Sram1r1w {
    type In = Sram1r1wIn;
    type Out = Sram1r1wOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>((self.width, self.words.len()))
    }

    fn outputs(&self) -> Sram1r1wOut {
        Sram1r1wOut { rdata: self.rdata }
    }

    fn clock(&mut self, pins: &Sram1r1wIn) -> Result<(), Fault> {
        let same = pins.read && pins.write && pins.read_addr == pins.write_addr;
        rule(!same, format_args!("sram_1r1w: word {} is read in the cycle in which it is written", pins.read_addr))?;
        if pins.read {
            self.rdata = self.words[pins.read_addr as usize];
        }
        if pins.write {
            self.words[pins.write_addr as usize] = pins.wdata;
        }
        Ok(())
    }

    /// Memories are not reset.
    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_there_one_cycle_after_its_read_and_stays() {
        let mut sram = Sram1r1w::new(80, 32).unwrap();
        let wdata = Wide([u64::MAX, 0xffff, 0, 0]);
        sram.clock(&Sram1r1wIn { write: true, write_addr: 31, wdata, ..Default::default() }).unwrap();
        sram.clock(&Sram1r1wIn { read: true, read_addr: 31, write: true, write_addr: 30, ..Default::default() })
            .unwrap();
        assert_eq!(sram.outputs().rdata, wdata);
        sram.reset();
        sram.clock(&Sram1r1wIn { write: true, write_addr: 31, ..Default::default() }).unwrap();
        assert_eq!(sram.outputs().rdata, wdata);
        sram.clock(&Sram1r1wIn { read: true, read_addr: 31, ..Default::default() }).unwrap();
        assert_eq!(sram.outputs().rdata, Wide::default());
    }

    #[test]
    fn sizes_out_of_range_are_named() {
        let text = |width, words| Sram1r1w::new(width, words).err().unwrap().to_string();
        assert_eq!(text(257, 32), "sram_1r1w: width = 257, but it must be from 1 to 256");
        assert_eq!(text(80, 33), "sram_1r1w: words = 33, but it must be a power of two from 2 to 65536");
    }
}
