//! Stimulus of the units of Graph-Waving.

mod b32_front_end;
mod fetch_arbiter;
mod gw_front_end;
mod instruction_buffer;
mod places;
mod population;
mod program;
mod records;
mod registers;
mod round_robin_scheduler;

pub use b32_front_end::B32FrontEndStimulus;
pub use fetch_arbiter::FetchArbiterStimulus;
pub use gw_front_end::GwFrontEndStimulus;
pub use instruction_buffer::InstructionBufferStimulus;
pub use round_robin_scheduler::RoundRobinSchedulerStimulus;
