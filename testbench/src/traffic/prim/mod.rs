//! Traffic of the units that all systems share.

mod fp32_add;
mod queue;
mod sorter;
mod sram_1r1w;
mod sram_1rw;
mod words;

pub use fp32_add::Fp32AddTraffic;
pub use queue::QueueTraffic;
pub use sorter::SorterTraffic;
pub use sram_1r1w::Sram1r1wTraffic;
pub use sram_1rw::Sram1rwTraffic;
