//! Pins of `fp32_add`.

use crate::pins::pins;

pins! {
    /// Inputs of `fp32_add`.
    Fp32AddIn() {
        a: u32 = 32,
        b: u32 = 32,
    }
}

pins! {
    /// Outputs of `fp32_add`.
    Fp32AddOut() {
        sum: u32 = 32,
    }
}
