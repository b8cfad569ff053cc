//! Stimulus of the units that all systems share.

mod fp32_add;
mod link;
mod queue;
mod sorter;
mod sram_1r1w;
mod sram_1rw;
mod words;

pub use fp32_add::Fp32AddStimulus;
pub use link::LinkStimulus;
pub use queue::QueueStimulus;
pub use sorter::SorterStimulus;
pub use sram_1r1w::Sram1r1wStimulus;
pub use sram_1rw::Sram1rwStimulus;
