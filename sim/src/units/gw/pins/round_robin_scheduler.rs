//! Pins of `round_robin_scheduler`.

use super::Offer;
use crate::unit::{Interface, Pin};
use crate::units::gw::parameters::{bits, MOST_PLACES};
use crate::units::pins::{each, offer, pins};

pins! {
    /// Inputs of `round_robin_scheduler`.
    RoundRobinSchedulerIn {
        ready: u64,
        /// A bit for each path: it takes an instruction in the next cycle.
        room: u8,
    }
    each {
        path: [u8; MOST_PLACES],
    }
}

pins! {
    /// Outputs of `round_robin_scheduler`.
    RoundRobinSchedulerOut {
        /// `issue_valid`, `issue_warp`.
        issue: Offer<u8>,
    }
}

/// Of this many warps.
pub fn round_robin_scheduler_interface(warps: usize) -> Interface {
    let mut inputs = vec![Pin::new("ready", warps as u32), Pin::new("room", 4)];
    inputs.extend(each(warps, vec![Pin::new("path", 2)]));
    Interface { inputs, outputs: offer("issue_valid", [Pin::new("issue_warp", bits(warps))]) }
}
