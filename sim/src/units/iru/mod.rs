//! IRU: the irregular accesses reorder unit (Segura, Arnau, Gonzalez, section 3). What the units do is in `docs/iru.md`.

pub mod classifier;
pub mod data_replier;
pub mod element;
mod fullness;
// A system and the unit that is all of it have one name.
#[allow(clippy::module_inception)]
pub mod iru;
pub mod iru_hash;
pub mod iru_partition;
pub mod prefetcher;
pub mod reorder_bank;
pub mod ring_stop;

pub use classifier::Classifier;
pub use data_replier::DataReplier;
pub use element::{Access, Element, Filter, Job};
pub use iru::Iru;
pub use iru_hash::IruHash;
pub use iru_partition::IruPartition;
pub use prefetcher::Prefetcher;
pub use reorder_bank::ReorderBank;
pub use ring_stop::RingStop;
pub use spec::iru::{pins, HashKind, Parameters};

#[cfg(test)]
mod tests;
