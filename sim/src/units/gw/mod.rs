//! Graph-Waving: the front end of a SIMD processor of narrow warps (Yilmazer-Metin, sections 6.1 to 6.3). What the units do is in
//! `docs/graph-waving.md`.

pub mod ahead;
pub mod b32_front_end;
pub mod fetch_arbiter;
pub mod gw_front_end;
pub mod instruction_buffer;
pub mod instruction_storage;
mod mask;
pub mod pair_scheduler;
pub mod parameters;
pub mod pins;
mod private_storage;
pub mod record;
pub mod round_robin_scheduler;
pub mod scalar_register_map;
pub mod scalar_wave_scoreboard;
pub mod scoreboard;
pub mod swfu;
pub mod warp_status_table;

pub use ahead::AheadFrontEnd;
pub use b32_front_end::B32FrontEnd;
pub use fetch_arbiter::FetchArbiter;
pub use gw_front_end::GwFrontEnd;
pub use instruction_buffer::InstructionBuffer;
pub use instruction_storage::InstructionStorage;
pub use pair_scheduler::PairScheduler;
pub use parameters::{B32Parameters, Parameters};
pub use round_robin_scheduler::RoundRobinScheduler;
pub use scalar_register_map::ScalarRegisterMap;
pub use scalar_wave_scoreboard::ScalarWaveScoreboard;
pub use scoreboard::Scoreboard;
pub use swfu::Swfu;
pub use warp_status_table::WarpStatusTable;
