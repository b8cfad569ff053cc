//! Pins of `fp32_add`.

use crate::unit::{Interface, Pin};
use crate::units::pins::pins;

pins! {
    /// Inputs of `fp32_add`.
    Fp32AddIn {
        a: u32,
        b: u32,
    }
}

pins! {
    /// Outputs of `fp32_add`.
    Fp32AddOut {
        sum: u32,
    }
}

pub fn fp32_add_interface() -> Interface {
    Interface { inputs: vec![Pin::new("a", 32), Pin::new("b", 32)], outputs: vec![Pin::new("sum", 32)] }
}
