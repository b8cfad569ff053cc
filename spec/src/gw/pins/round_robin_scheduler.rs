//! Pins of `round_robin_scheduler`, of so many warps.

use super::Offer;
use crate::gw::parameters::{bits, MOST_PLACES};
use crate::pins::{offered, pins};

pins! {
    /// Inputs of `round_robin_scheduler`.
    RoundRobinSchedulerIn(warps: usize) {
        ready: u64 = warps as u32,
        /// A bit for each path: it takes an instruction in the next cycle.
        room: u8 = 4,
    }
    each (warps) { path: [u8; MOST_PLACES] = 2, }
}

pins! {
    /// Outputs of `round_robin_scheduler`.
    RoundRobinSchedulerOut(warps: usize) {
        /// `issue_valid`, `issue_warp`.
        issue: Offer<u8> = offered("warp", bits(warps)),
    }
}
