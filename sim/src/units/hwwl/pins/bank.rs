//! Pins of `bank`.

use super::{count_bits, ID_BITS};
use crate::unit::{Condition, Interface, Pin};
use crate::units::pins::{flag, pins};

pins! {
    /// Inputs of `bank`.
    BankIn {
        configure: bool,
        double: bool,
        swap: bool,
        pull: bool,
        push: bool,
        push_id: u32,
        wru_pop: bool,
        wru_push: bool,
        wru_part: bool,
        wru_id: u32,
        fill_push: bool,
        fill_reserved: bool,
        fill_part: bool,
        fill_id: u32,
        reserve: bool,
        unreserve: bool,
    }
}

pins! {
    /// Outputs of `bank`.
    BankOut {
        pull_valid: bool,
        wru_valid: bool,
        wru_accepted: bool,
        fill_accepted: bool,
        id: u32,
        pull_occupancy: u32,
        push_occupancy: u32,
        held: u32,
        empty: bool,
        full: bool,
    }
}

pub fn bank_interface(entries: usize) -> Interface {
    let c = count_bits(entries);
    let id = Pin::new("id", ID_BITS);
    Interface {
        inputs: vec![
            flag("configure"),
            flag("double_buffer"),
            flag("swap"),
            flag("pull"),
            flag("push"),
            Pin::new("push_id", ID_BITS),
            flag("wru_pop"),
            flag("wru_push"),
            flag("wru_part"),
            Pin::new("wru_id", ID_BITS),
            flag("fill_push"),
            flag("fill_reserved"),
            flag("fill_part"),
            Pin::new("fill_id", ID_BITS),
            flag("reserve"),
            flag("unreserve"),
        ],
        outputs: vec![
            flag("pull_valid"),
            flag("wru_valid"),
            flag("wru_accepted"),
            flag("fill_accepted"),
            id.valid_if(Condition::bit("pull_valid", 0)).valid_if(Condition::bit("wru_valid", 0)),
            Pin::new("pull_occupancy", c),
            Pin::new("push_occupancy", c),
            Pin::new("held", c),
            flag("empty"),
            flag("full"),
        ],
    }
}
