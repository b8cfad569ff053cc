//! Pins of `icrn`, the hub between the cores.

use super::{ID_BITS, MAX_CORES};
use crate::unit::{Condition, Interface, Pin};
use crate::units::pins::{flag, numbered, pins};

pins! {
    /// Inputs of `icrn`, by core.
    IcrnIn {
        pull_part: bool,
    }
    each {
        out_valid: [bool; MAX_CORES],
    }
    each {
        out_part: [bool; MAX_CORES],
    }
    each {
        out_id: [u32; MAX_CORES],
    }
    each {
        in_ready: [bool; MAX_CORES],
    }
    each {
        quiet: [bool; MAX_CORES],
    }
    each {
        /// Bit p: the core is greedy in partition p.
        greedy: [u8; MAX_CORES],
    }
}

pins! {
    /// Outputs of `icrn`, by core.
    IcrnOut {
        all_done: bool,
        held: u8,
    }
    each {
        out_ready: [bool; MAX_CORES],
    }
    each {
        in_valid: [bool; MAX_CORES],
    }
    each {
        in_part: [bool; MAX_CORES],
    }
    each {
        in_id: [u32; MAX_CORES],
    }
    each {
        send: [u8; MAX_CORES],
    }
}

pub fn icrn_interface(cores: usize) -> Interface {
    let mut inputs = vec![flag("pull_part")];
    for (name, width) in
        [("out_valid", 1), ("out_part", 1), ("out_id", ID_BITS), ("in_ready", 1), ("quiet", 1), ("greedy", 2)]
    {
        inputs.extend(numbered(name, cores, width));
    }
    let if_valid = |(c, pin): (usize, Pin)| pin.valid_if(Condition::bit(&format!("in_valid_{c}"), 0));
    let mut outputs = vec![flag("all_done"), Pin::new("held", 7)];
    outputs.extend(numbered("out_ready", cores, 1));
    outputs.extend(numbered("in_valid", cores, 1));
    outputs.extend((0..).zip(numbered("in_part", cores, 1)).map(if_valid));
    outputs.extend((0..).zip(numbered("in_id", cores, ID_BITS)).map(if_valid));
    outputs.extend(numbered("send", cores, 2));
    Interface { inputs, outputs }
}
