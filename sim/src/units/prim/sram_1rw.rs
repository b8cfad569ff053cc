//! `sram_1rw`: a memory with one port. Behaviourally: an array and the word that was read last.

use super::pins::{Sram1rwIn, Sram1rwOut, Wide};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct Sram1rw {
    width: u32,
    words: Vec<Wide>,
    rdata: Wide,
}

impl Sram1rw {
    /// `words` words of `width` bits, all 0.
    pub fn new(width: u32, words: usize) -> Result<Self, ParameterError> {
        spec::prim::SRAM_1RW.checked(&[("width", width.into()), ("words", words as u64)])?;
        Ok(Sram1rw { width, words: vec![Wide::default(); words], rdata: Wide::default() })
    }
}

impl Unit for Sram1rw {
    type In = Sram1rwIn;
    type Out = Sram1rwOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>((self.width, self.words.len()))
    }

    fn outputs(&self) -> Sram1rwOut {
        Sram1rwOut { rdata: self.rdata }
    }

    fn clock(&mut self, pins: &Sram1rwIn) -> Result<(), Fault> {
        let word = &mut self.words[pins.addr as usize];
        match (pins.en, pins.we) {
            (true, true) => *word = pins.wdata,
            (true, false) => self.rdata = *word,
            (false, _) => {}
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
        let mut sram = Sram1rw::new(24, 8).unwrap();
        let wdata = |word| Wide([word, 0, 0, 0]);
        let write = |addr, word| Sram1rwIn { en: true, we: true, addr, wdata: wdata(word) };
        let read = |addr| Sram1rwIn { en: true, addr, ..Default::default() };
        sram.clock(&write(7, 0xabcdef)).unwrap();
        sram.clock(&write(6, 5)).unwrap();
        assert_eq!(sram.outputs().rdata, wdata(0), "nothing was read");
        sram.clock(&read(7)).unwrap();
        assert_eq!(sram.outputs().rdata, wdata(0xabcdef));
        sram.clock(&write(7, 1)).unwrap();
        sram.reset();
        sram.clock(&Sram1rwIn { en: false, ..write(6, 9) }).unwrap();
        assert_eq!(sram.outputs().rdata, wdata(0xabcdef), "held over writes, a reset and cycles without en");
        sram.clock(&read(6)).unwrap();
        assert_eq!(sram.outputs().rdata, wdata(5), "not written without en");
        sram.clock(&read(7)).unwrap();
        assert_eq!(sram.outputs().rdata, wdata(1));
    }

    #[test]
    fn sizes_out_of_range_are_named() {
        let text = |width, words| Sram1rw::new(width, words).err().unwrap().to_string();
        assert_eq!(text(0, 8), "sram_1rw: width = 0, but it must be from 1 to 256");
        assert_eq!(text(24, 12), "sram_1rw: words = 12, but it must be a power of two from 2 to 65536");
    }
}
