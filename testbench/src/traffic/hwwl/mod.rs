//! Traffic of the units of HWWL.

mod bank;
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

pub use bank::BankTraffic;
pub use hvu::HvuTraffic;
pub use hwwl::HwwlTraffic;
pub use hwwl_core::{ExternalCoreTraffic, HwwlCoreTraffic};
pub use icrn::IcrnTraffic;
pub use wru::WruTraffic;
