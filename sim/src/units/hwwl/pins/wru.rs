//! Pins of `wru_threshold`, `wru_sorting` and `wru_global`: the same for all three.

use super::{count_bits, ID_BITS, MAX_BANKS};
use crate::unit::{Condition, Interface, Pin};
use crate::units::pins::{flag, numbered, numbered_if_bit, pins};

pins! {
    /// Inputs of a redistribution unit.
    WruIn {
        double: bool,
        pull_part: bool,
        wru_valid: u64,
        wru_accepted: u64,
        /// Bit p: IDs of partition p may go to another core.
        send: u8,
        out_ready: bool,
    }
    each {
        pull_occupancy: [u32; MAX_BANKS],
    }
    each {
        push_occupancy: [u32; MAX_BANKS],
    }
    each {
        id: [u32; MAX_BANKS],
    }
}

pins! {
    /// Outputs of a redistribution unit.
    WruOut {
        pop: u64,
        push: u64,
        part: bool,
        moving: bool,
        out_valid: bool,
        out_part: bool,
        out_id: u32,
        greedy: u8,
    }
    each {
        push_id: [u32; MAX_BANKS],
    }
}

pub fn wru_interface(banks: usize, entries: usize) -> Interface {
    let (c, b) = (count_bits(entries), banks as u32);
    let mut inputs = vec![
        flag("double_buffer"),
        flag("pull_part"),
        Pin::new("wru_valid", b),
        Pin::new("wru_accepted", b),
        Pin::new("send", 2),
        flag("out_ready"),
    ];
    inputs.extend(numbered("pull_occupancy", banks, c));
    inputs.extend(numbered("push_occupancy", banks, c));
    inputs.extend(numbered("id", banks, ID_BITS));
    let if_out = || Condition::bit("out_valid", 0);
    let mut outputs = vec![
        Pin::new("pop", b),
        Pin::new("push", b),
        flag("part"),
        flag("moving"),
        flag("out_valid"),
        flag("out_part").valid_if(if_out()),
        Pin::new("out_id", ID_BITS).valid_if(if_out()),
        Pin::new("greedy", 2),
    ];
    outputs.extend(numbered_if_bit("push_id", banks, ID_BITS, "push"));
    Interface { inputs, outputs }
}
