//! Pins of `sram_1rw`.

use super::Wide;
use crate::unit::{Interface, Pin};
use crate::units::pins::{flag, pins};

pins! {
    /// Inputs of `sram_1rw`.
    Sram1rwIn {
        en: bool,
        we: bool,
        addr: u32,
        wdata: Wide,
    }
}

pins! {
    /// Outputs of `sram_1rw`.
    Sram1rwOut {
        rdata: Wide,
    }
}

/// Of `words` words (a power of two, 2 or more) of `width` bits.
pub fn sram_1rw_interface(width: u32, words: usize) -> Interface {
    let inputs = vec![flag("en"), flag("we"), Pin::new("addr", words.ilog2()), Pin::new("wdata", width)];
    Interface { inputs, outputs: vec![Pin::new("rdata", width)] }
}
