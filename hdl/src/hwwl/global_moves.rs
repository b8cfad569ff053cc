//! With global sorting: how many IDs a core wins and loses by moves between banks of different cores.
//!
//! ```text
//!  wru_valid (a bank's ID leaves) ------[reg]--[ how many ]--+
//!  wru_push (first offer of an ID) ------------[ how many ]--(-)--[reg]-- moved
//!  wru_accepted ----[ no longer offered ]
//! ```
//!
//! An ID on its way belongs to the core that gives it up to and including the cycle in which it is first offered, then
//! to the one that takes it.

use crate::network;
use rust_hdl::prelude::*;

/// Bits of a signed number of IDs.
pub const MOVED_BITS: usize = 7;

network! {
    /// L lanes.
    pub struct GlobalMoves<const L: usize>, inputs Inputs, clocked {
        in wru_valid: Signal<In, Bits<L>>,
        in wru_push: Signal<In, Bits<L>>,
        in wru_accepted: Signal<In, Bits<L>>,
        out moved: Signal<Out, Bits<MOVED_BITS>>,
    }
}

impl<const L: usize> Default for GlobalMoves<L> {
    fn default() -> Self {
        Self::describe_as(|b, i| {
            let given = b.register("given", L);
            given.drive(i.wru_valid);
            let offered = b.register("offered", L);
            offered.drive(((offered | i.wru_push) & !i.wru_accepted).name("next_offered"));
            let won = (i.wru_push & !offered).name("first_offer");
            let won = b.count_ones("won", &won.each()).extend(MOVED_BITS);
            let lost = b.count_ones("lost", &given.each()).extend(MOVED_BITS);
            let moved = b.register("moved", MOVED_BITS);
            moved.drive((won - lost).name("next_moved"));
            b.output("moved", moved);
        })
    }
}
