//! Traffic of the units of the IRU.

mod addends;
mod classifier;
mod data_replier;
mod elements;
mod fetches;
mod handshake;
mod home;
// A system and the unit that is all of it have one name.
#[allow(clippy::module_inception)]
mod iru;
mod iru_hash;
mod iru_partition;
pub mod player;
mod prefetcher;
mod reorder_bank;
mod requests;
mod ring_stop;

pub use classifier::ClassifierTraffic;
pub use data_replier::DataReplierTraffic;
pub use iru::IruTraffic;
pub use iru_hash::IruHashTraffic;
pub use iru_partition::IruPartitionTraffic;
pub use prefetcher::PrefetcherTraffic;
pub use reorder_bank::ReorderBankTraffic;
pub use ring_stop::RingStopTraffic;
