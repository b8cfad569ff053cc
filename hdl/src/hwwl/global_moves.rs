//! With global sorting: IDs that move between banks of different cores.
//!
//! ```text
//!  wru_valid (a bank's ID leaves) -------[ how many ]--+
//!  wru_accepted (a bank's ID arrives) ---[ how many ]--(-)--[reg]-- moved
//! ```
//!
//! An ID between two banks belongs to no core: [`GlobalMoves`] is a core's loss and gain, [`Between`] what is on its way.

use super::icrn::ICRN_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits of a signed number of IDs.
pub const MOVED_BITS: usize = 7;

network! {
    /// L lanes.
    pub struct GlobalMoves<const L: usize>, inputs CoreInputs, clocked {
        in wru_valid, wru_accepted: Signal<In, Bits<L>>,
        out moved: Signal<Out, Bits<MOVED_BITS>>,
    } described by describe
}

fn describe<'a, const L: usize>(b: &'a Builder, i: &CoreInputs<'a, L>) {
    let won = i.wru_accepted.ones().extend(MOVED_BITS);
    let lost = i.wru_valid.ones().extend(MOVED_BITS);
    b.output("moved", b.registered("moved", (won - lost).name("next_moved")));
}

network! {
    /// G banks in all. `held` is what is on its way between banks and in the ICRN.
    pub struct Between<const G: usize>, inputs AllInputs, clocked {
        in wru_valid, wru_accepted: Signal<In, Bits<G>>,
        in hub_held: Signal<In, Bits<ICRN_BITS>>,
        out held: Signal<Out, Bits<ICRN_BITS>>,
    } described by describe_between
}

fn describe_between<'a, const G: usize>(b: &'a Builder, i: &AllInputs<'a, G>) {
    let number_of = |name: &str, banks: Net<'a>| b.registered(format!("{name}_before"), banks.ones().extend(ICRN_BITS));
    let (started, ended) = (number_of("started", i.wru_valid), number_of("ended", i.wru_accepted));
    let before = b.register("between_banks_before", ICRN_BITS);
    let moving = (before + (started - ended)).name("between_banks");
    before.drive(moving);
    b.output("held", moving + i.hub_held);
}
