//! With global sorting: the banks as they were in the cycle before.
//!
//! ```text
//!  occupancies of all banks, their sides --[reg]-- to wru_global
//! ```
//!
//! A bank selects its occupancy by its side, and this comes from every core: a register ends the way.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// G banks in all; C bits of occupancy.
    pub struct BanksBefore<const G: usize, const C: usize>, inputs Inputs, clocked {
        in double_mode, pull_part: Signal<In, bool>,
        in pull_occupancy, push_occupancy: [Signal<In, Bits<C>>; G],
        out double_before, pull_part_before: Signal<Out, bool>,
        out pull_before, push_before: [Signal<Out, Bits<C>>; G],
    } described by describe
}

fn describe<'a, const G: usize, const C: usize>(b: &'a Builder, i: &Inputs<'a, G, C>) {
    b.output("double_before", b.registered("double_before", i.double_mode));
    b.output("pull_part_before", b.registered("pull_part_before", i.pull_part));
    let before = |name: &str, now: Net<'a>| b.output(name, b.delay(name, now));
    for bank in 0..G {
        before(&format!("pull_before${bank}"), i.pull_occupancy[bank]);
        before(&format!("push_before${bank}"), i.push_occupancy[bank]);
    }
}
