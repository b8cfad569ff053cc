//! Pins of `scalar_register_map`.

use super::places;
use crate::unit::{Interface, Pin};
use crate::units::gw::record::RECORD_BITS;
use crate::units::gw::Parameters;
use crate::units::pins::{flag, pins};

pins! {
    /// Inputs of `scalar_register_map`.
    ScalarRegisterMapIn {
        start: u64,
        check_warps: u64,
        record: u128,
        full: u64,
        waves_on: bool,
    }
}

pins! {
    /// Outputs of `scalar_register_map`.
    ScalarRegisterMapOut {
        scalar: u64,
    }
}

pub fn scalar_register_map_interface(p: &Parameters) -> Interface {
    let record = Pin::new("record", RECORD_BITS);
    let inputs = vec![places("start", p), places("check_warps", p), record, places("full", p), flag("waves_on")];
    Interface { inputs, outputs: vec![places("scalar", p)] }
}
