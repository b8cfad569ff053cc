//! A SIMT core: when instructions issue, execute and write back. What they do is `exec`'s.
//!
//! Front end ([`fetch`]: fetch, decode, instruction buffers) -> [`issue`] ([`scheduler`], [`scoreboard`], [`simt_stack`]) ->
//! [`dispatch`] -> operands ([`operand_collector`]) -> arithmetic ([`pipeline`]) or [`coalescer`] and [`load_store`] -> write-back
//! ([`residents`]). [`core`] is the clock of all that, [`back_end`] all but the front end.
//!
//! A system has two places here: a [`port`] beside the load-store unit, and the place of the [`front_end`]. Instructions of
//! one warp and of two neighbours come to a port alike, by [`rows`].

pub mod back_end;
mod barrier;
pub mod coalescer;
#[allow(clippy::module_inception)]
pub mod core;
mod dispatch;
mod fetch;
pub mod front_end;
pub mod gather;
pub mod in_flight;
mod issue;
pub mod issue_outcome;
pub mod kernel;
pub mod load_store;
pub mod operand_collector;
pub mod path;
pub mod pipeline;
pub mod port;
pub mod residents;
mod retire;
pub mod rows;
pub mod scheduler;
pub mod scoreboard;
pub mod simt_stack;
pub mod warp;
pub mod warp_set;

pub use self::core::Core;
pub use kernel::Kernel;
