//! IRU: the irregular accesses reorder unit (Segura, Arnau, Gonzalez, section 3). What the units do is in `docs/iru.md`.

pub mod classifier;
pub mod data_replier;
pub mod element;
pub mod fp32_add;
mod fullness;
pub mod hash;
pub mod parameters;
pub mod partition;
pub mod pins;
pub mod player;
pub mod prefetcher;
pub mod queue;
pub mod reorder_bank;
pub mod ring_stop;
pub mod sram_1r1w;
pub mod system;

pub use classifier::Classifier;
pub use data_replier::DataReplier;
pub use element::{Access, Element, Filter, Job};
pub use fp32_add::Fp32Add;
pub use hash::IruHash;
pub use parameters::{HashKind, Parameters};
pub use partition::IruPartition;
pub use prefetcher::Prefetcher;
pub use queue::Queue;
pub use reorder_bank::ReorderBank;
pub use ring_stop::RingStop;
pub use sram_1r1w::Sram1r1w;
pub use system::Iru;
