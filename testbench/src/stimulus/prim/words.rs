//! Words of a memory, as far as they are known, and the one that it shows. Words are known once they were written: the
//! RTL's memory starts with random ones.

use crate::stimulus::Rng;
use sim::units::prim::pins::Wide;

#[derive(Default)]
pub struct Words {
    width: u32,
    words: Vec<Option<Wide>>,
    /// The word that was read last: its address, and what it was.
    shown: Option<(u32, Wide)>,
}

impl Words {
    /// `number` words of `width` bits.
    pub fn new(width: u32, number: usize) -> Self {
        Words { width, words: vec![None; number], shown: None }
    }

    pub fn len(&self) -> u32 {
        self.words.len() as u32
    }

    pub fn is_known(&self, addr: u32) -> bool {
        self.words[addr as usize].is_some()
    }

    /// The address of the word that was read last.
    pub fn shown(&self) -> Option<u32> {
        self.shown.map(|(addr, _)| addr)
    }

    /// A random word to write.
    pub fn any(&self, rng: &mut Rng) -> Wide {
        any_word(rng, self.width)
    }

    pub fn write(&mut self, addr: u32, word: Wide) {
        self.words[addr as usize] = Some(word);
    }

    /// The word is on `rdata` from the next cycle on.
    pub fn read(&mut self, addr: u32) {
        self.shown = self.words[addr as usize].map(|word| (addr, word));
    }

    pub fn check(&self, rdata: &Wide) -> Result<(), String> {
        match self.shown {
            Some((addr, word)) if word != *rdata => {
                Err(format!("rdata is {:x?}; what was written to word {addr} is {:x?}", rdata.0, word.0))
            }
            _ => Ok(()),
        }
    }
}

/// A word of `width` bits.
pub fn any_word(rng: &mut Rng, width: u32) -> Wide {
    let mut left = width;
    Wide(Wide::default().0.map(|_| {
        let bits = left.min(64);
        left -= bits;
        if bits == 0 {
            0
        } else {
            rng.draw() >> (64 - bits)
        }
    }))
}
