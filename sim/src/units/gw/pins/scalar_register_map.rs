//! Pins of `scalar_register_map`.

use crate::units::gw::record::RECORD_BITS;
use crate::units::gw::Parameters;
use crate::units::pins::pins;

pins! {
    /// Inputs of `scalar_register_map`.
    ScalarRegisterMapIn(p: &Parameters) {
        start: u64 = p.places() as u32,
        check_warps: u64 = p.places() as u32,
        record: u128 = RECORD_BITS,
        full: u64 = p.places() as u32,
        waves_on: bool,
    }
}

pins! {
    /// Outputs of `scalar_register_map`.
    ScalarRegisterMapOut(p: &Parameters) {
        scalar: u64 = p.places() as u32,
    }
}
