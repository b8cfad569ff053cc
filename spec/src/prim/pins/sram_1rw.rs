//! Pins of `sram_1rw`, of so many words (a power of two, 2 or more) of `width` bits.

use super::Wide;
use crate::pins::pins;

pins! {
    /// Inputs of `sram_1rw`.
    Sram1rwIn((width, words): (u32, usize)) {
        en: bool,
        we: bool,
        addr: u32 = words.ilog2(),
        wdata: Wide = width,
    }
}

pins! {
    /// Outputs of `sram_1rw`.
    Sram1rwOut((width, words): (u32, usize)) {
        rdata: Wide = width,
    }
}
