//! Graph-Waving: the front end of a SIMD processor of narrow warps (Yilmazer-Metin, sections 6.1 to 6.3). What the units do is in
//! `docs/graph-waving.md`.

pub mod b32_front_end;
pub mod fetch_arbiter;
pub mod gw_front_end;
pub mod gw_record;
pub mod instruction_buffer;
mod mask;
pub mod record;
pub mod round_robin_scheduler;

pub use b32_front_end::B32FrontEnd;
pub use fetch_arbiter::FetchArbiter;
pub use gw_front_end::GwFrontEnd;
pub use instruction_buffer::InstructionBuffer;
pub use round_robin_scheduler::RoundRobinScheduler;
pub use spec::gw::{parameters, pins, B32Parameters, Parameters};
