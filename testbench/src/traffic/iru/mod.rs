//! Traffic of the reorder units.

mod classifier;
mod data_replier;
mod elements;
mod fetches;
mod fp32_add;
mod handshake;
mod hash;
mod partition;
mod prefetcher;
mod reorder_bank;
mod ring_stop;
mod storage;
mod unit;

pub use classifier::ClassifierTraffic;
pub use data_replier::DataReplierTraffic;
pub use fp32_add::Fp32AddTraffic;
pub use hash::HashTraffic;
pub use partition::PartitionTraffic;
pub use prefetcher::PrefetcherTraffic;
pub use reorder_bank::ReorderBankTraffic;
pub use ring_stop::RingStopTraffic;
pub use storage::{QueueTraffic, SramTraffic};
pub use unit::IruTraffic;
