//! HWWL: hardware worklists (MICRO 2014). What the units do is in `docs/hwwl.md`.

pub mod bank;
pub mod core;
mod core_worklist;
pub mod hvu;
pub mod icrn;
pub mod ideal;
mod movement;
pub mod parameters;
pub mod pins;
pub mod player;
pub mod sorter;
pub mod system;
pub mod wru_sorting;
pub mod wru_threshold;

pub use bank::Bank;
pub use core::{ExternalCore, HwwlCore};
pub use hvu::Hvu;
pub use icrn::Icrn;
pub use ideal::{Ideal, Order};
pub use parameters::{Parameters, Refill, Scheme};
pub use sorter::{Network, Sorter};
pub use system::Hwwl;
pub use wru_sorting::WruSorting;
pub use wru_threshold::WruThreshold;

/// Lanes whose bit is set, ascending.
fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(lane)
    })
}
