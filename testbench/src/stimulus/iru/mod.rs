//! Stimulus of the units of the IRU.

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
#[cfg(test)]
mod wide;

pub use classifier::ClassifierStimulus;
pub use data_replier::DataReplierStimulus;
pub use iru::IruStimulus;
pub use iru_hash::IruHashStimulus;
pub use iru_partition::IruPartitionStimulus;
pub use prefetcher::PrefetcherStimulus;
pub use reorder_bank::ReorderBankStimulus;
pub use ring_stop::RingStopStimulus;
