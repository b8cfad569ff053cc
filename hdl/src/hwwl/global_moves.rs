//! With global sorting: IDs that move between banks of different cores.
//!
//! ```text
//!  wru_valid (a bank's ID leaves) -------[ how many ]--+
//!  wru_accepted (a bank's ID arrives) ---[ how many ]--(-)--[reg]-- moved
//! ```
//!
//! An ID between two banks belongs to no core: [`GlobalMoves`] is a core's loss and gain, [`Between`] what is on its way.

use super::icrn::HUB_BITS;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

/// Bits of a signed number of IDs.
pub const MOVED_BITS: usize = 7;

network! {
    /// L lanes.
    pub struct GlobalMoves<const L: usize>, inputs CoreInputs, clocked {
        in wru_valid, wru_kept: Signal<In, Bits<L>>,
        out moved: Signal<Out, Bits<MOVED_BITS>>,
    } described by describe
}

fn describe<'a, const L: usize>(b: &'a Builder, i: &CoreInputs<'a, L>) {
    let won = b.count_ones("won", &i.wru_kept.each()).extend(MOVED_BITS);
    let lost = b.count_ones("lost", &i.wru_valid.each()).extend(MOVED_BITS);
    let moved = b.register("moved", MOVED_BITS);
    moved.drive((won - lost).name("next_moved"));
    b.output("moved", moved);
}

network! {
    /// G banks in all. `held` is what is on its way between banks and in the hub.
    pub struct Between<const G: usize>, inputs AllInputs, clocked {
        in wru_valid, wru_accepted: Signal<In, Bits<G>>,
        in hub_held: Signal<In, Bits<HUB_BITS>>,
        out held: Signal<Out, Bits<HUB_BITS>>,
    } described by describe_between
}

fn describe_between<'a, const G: usize>(b: &'a Builder, i: &AllInputs<'a, G>) {
    let started = b.count_ones("started", &i.wru_valid.each()).extend(HUB_BITS);
    let ended = b.count_ones("ended", &i.wru_accepted.each()).extend(HUB_BITS);
    let moving = b.register("between_banks", HUB_BITS);
    moving.drive((moving + started - ended).name("next_between_banks"));
    b.output("held", moving + i.hub_held);
}
