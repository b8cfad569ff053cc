//! Pins of `sram_1r1w`.

use super::Wide;
use crate::unit::{Interface, Pin};
use crate::units::pins::{flag, pins};

pins! {
    /// Inputs of `sram_1r1w`.
    Sram1r1wIn {
        write: bool,
        write_addr: u32,
        wdata: Wide,
        read: bool,
        read_addr: u32,
    }
}

pins! {
    /// Outputs of `sram_1r1w`.
    Sram1r1wOut {
        rdata: Wide,
    }
}

/// Of `entries` words (a power of two, 2 or more) of `width` bits.
pub fn sram_1r1w_interface(width: u32, entries: usize) -> Interface {
    let address = |name: &str| Pin::new(name, entries.ilog2());
    Interface {
        inputs: vec![
            flag("write"),
            address("write_addr"),
            Pin::new("wdata", width),
            flag("read"),
            address("read_addr"),
        ],
        outputs: vec![Pin::new("rdata", width)],
    }
}
