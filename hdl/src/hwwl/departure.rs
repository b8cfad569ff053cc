//! Where an ID waits that goes to another core (section III-C).
//!
//! ```text
//!  arrives ----+                       +---+
//!  id_0 ... ---[ the lane that sends ]-|   |---- out_id, out_part, out_valid
//!  part -------------------------------|>  |
//!  out_ready ---[ empties ]------------+---+
//! ```

use super::ID_BITS;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes.
    pub struct Departure<const L: usize>, inputs Inputs, clocked {
        in arrives: Signal<In, Bits<L>>,
        in part: Signal<In, bool>,
        in id: [Signal<In, Bits<ID_BITS>>; L],
        in out_ready: Signal<In, bool>,
        out out_valid, out_part: Signal<Out, bool>,
        out out_id: Signal<Out, Bits<ID_BITS>>,
    } described by describe
}

fn describe<'a, const L: usize>(b: &'a Builder, i: &Inputs<'a, L>) {
    let load = i.arrives.any().name("load");
    let valid = b.register("out_valid", 1);
    valid.drive((load | (valid & !i.out_ready)).name("next_out_valid"));
    b.output("out_valid", valid);
    b.output("out_part", b.data_register("out_part", i.part, load));
    let id = b.one_of(&i.arrives.each(), &i.id).name("sent_id");
    b.output("out_id", b.data_register("out_id", id, load));
}
