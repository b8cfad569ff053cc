//! Pins of `sram_1r1w`, of so many words (a power of two, 2 or more) of `width` bits.

use super::Wide;
use crate::pins::pins;

pins! {
    /// Inputs of `sram_1r1w`.
    Sram1r1wIn((width, words): (u32, usize)) {
        write: bool,
        write_addr: u32 = words.ilog2(),
        wdata: Wide = width,
        read: bool,
        read_addr: u32 = words.ilog2(),
    }
}

pins! {
    /// Outputs of `sram_1r1w`.
    Sram1r1wOut((width, words): (u32, usize)) {
        rdata: Wide = width,
    }
}
