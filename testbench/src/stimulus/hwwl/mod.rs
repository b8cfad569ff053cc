//! Stimulus of the units of HWWL.

mod bank;
mod edge_expander;
mod hvu;
mod other_cores;
// A system and the unit that is all of it have one name.
#[allow(clippy::module_inception)]
mod hwwl;
mod hwwl_core;
mod icrn;
mod ledger;
mod memory;
mod outer_wru;
mod threads;
mod wru;

pub use bank::BankStimulus;
pub use edge_expander::EdgeExpanderStimulus;
pub use hvu::HvuStimulus;
pub use hwwl::HwwlStimulus;
pub use hwwl_core::{ExternalCoreStimulus, HwwlCoreStimulus};
pub use icrn::IcrnStimulus;
pub use wru::WruStimulus;
