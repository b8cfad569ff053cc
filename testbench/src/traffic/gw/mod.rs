//! Traffic of the units of Graph-Waving.

mod b32_front_end;
mod fetch_arbiter;
mod gw_front_end;
mod gw_front_end_ahead;
mod instruction_buffer;
mod instruction_storage;
mod pair_scheduler;
mod places;
mod program;
mod records;
mod round_robin_scheduler;
mod scalar_register_map;
mod scalar_wave_scoreboard;
mod scoreboard;
mod swfu;
mod warp_status_table;

pub use b32_front_end::B32FrontEndTraffic;
pub use fetch_arbiter::FetchArbiterTraffic;
pub use gw_front_end::GwFrontEndTraffic;
pub use gw_front_end_ahead::GwFrontEndAheadTraffic;
pub use instruction_buffer::InstructionBufferTraffic;
pub use instruction_storage::InstructionStorageTraffic;
pub use pair_scheduler::PairSchedulerTraffic;
pub use round_robin_scheduler::RoundRobinSchedulerTraffic;
pub use scalar_register_map::ScalarRegisterMapTraffic;
pub use scalar_wave_scoreboard::ScalarWaveScoreboardTraffic;
pub use scoreboard::ScoreboardTraffic;
pub use swfu::SwfuTraffic;
pub use warp_status_table::WarpStatusTableTraffic;
