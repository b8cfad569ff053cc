//! A SIMT core: when instructions issue, execute and write back. What they do is `exec`'s.
//!
//! fetch -> decode -> instruction buffer ([`front_end`]) -> issue ([`scheduler`], [`scoreboard`], [`simt_stack`]) -> operands
//! ([`operand_collector`]) -> arithmetic ([`pipeline`]) or [`coalescer`] and [`load_store`] or [`worklist`] -> write-back ([`residents`]).
//!
//! With Graph-Waving, fetch to issue is the unit `gw_front_end`: [`waving`] drives it, [`wave_issue`] executes what it issues.

pub mod coalescer;
#[allow(clippy::module_inception)]
pub mod core;
pub mod diagnosis;
pub mod front_end;
pub mod kernel;
pub mod load_store;
pub mod operand_collector;
pub mod pipeline;
pub mod reorder;
mod residents;
pub mod scheduler;
pub mod scoreboard;
pub mod simt_stack;
pub mod warp;
pub mod warp_set;
pub mod watch;
mod wave_issue;
pub mod waving;
pub mod worklist;

pub use self::core::{Core, World};
pub use kernel::Kernel;
