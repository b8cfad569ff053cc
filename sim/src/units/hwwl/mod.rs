//! HWWL: hardware worklists (MICRO 2014). What the units do is in `docs/hwwl.md`.

pub mod bank;
pub mod edge_expander;
pub mod hvu;
mod hvu_bins;
// A system and the unit that is all of it have one name.
#[allow(clippy::module_inception)]
pub mod hwwl;
pub mod hwwl_core;
pub mod icrn;
pub mod ideal;
mod mover;
pub mod wru_global;
pub mod wru_serial;
pub mod wru_sorting;
pub mod wru_threshold;

pub use bank::Bank;
pub use edge_expander::EdgeExpander;
pub use hvu::Hvu;
pub use hwwl::Hwwl;
pub use hwwl_core::{ExternalCore, HwwlCore};
pub use icrn::Icrn;
pub use ideal::{Ideal, Order};
pub use spec::hwwl::{pins, Parameters, Refill, Scheme};
pub use wru_global::WruGlobal;
pub use wru_serial::WruSerial;
pub use wru_sorting::WruSorting;
pub use wru_threshold::WruThreshold;

#[cfg(test)]
mod tests;
