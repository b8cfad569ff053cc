//! Slots of a pair with a register that the instruction in *compare* reads or writes.
//!
//! ```text
//!  list_k of the memories --[r]-- lists --[ each register among those needed ]--> hits
//!                                                ^
//!  land_needs -----------------------------------+
//!  takes --> write_k                             to the memories
//! ```
//!
//! The lists of slot k of all pairs are memory k. A pair is read in *address* and written in *compare*, two cycles later. What
//! its other half writes in these two cycles is not in what was read. It is not asked for either: a place has only one check
//! between *address* and *compare*, so that this half does not have that slot in use.

use super::{SLOTS, SLOT_BITS};
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::gw::record::{REGISTERS, REGISTER_BITS, WRITES_BITS};
use crate::network;
use rust_hdl::prelude::*;

network! {
    pub struct SlotLists, inputs Inputs, clocked {
        in list: [Signal<In, Bits<WRITES_BITS>>; SLOTS],
        in land_needs: Signal<In, Bits<REGISTERS>>,
        in takes: Signal<In, Bits<SLOTS>>,
        out hits: Signal<Out, Bits<SLOTS>>,
        out slot: Signal<Out, Bits<SLOT_BITS>>,
        out write: [Signal<Out, bool>; SLOTS],
    } described by describe
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>) {
    b.comment("Of each slot: is one of its registers needed.");
    let mut hits = vec![];
    for slot in 0..SLOTS {
        let list = b.delay(format!("slot_list_{slot}"), i.list[slot]);
        let hit = |register: Net<'a>, is_there: Net<'a>| is_there & i.land_needs.index(register);
        let registers = (0..WRITES_BITS).step_by(REGISTER_BITS);
        let of_list: Vec<_> =
            registers.map(|lsb| hit(list.slice(lsb, REGISTER_BITS - 1), list.bit(lsb + REGISTER_BITS - 1))).collect();
        hits.push(b.or_all(&of_list));
        b.output(format!("write${slot}"), i.takes.bit(slot));
    }
    b.output("hits", b.bits(&hits).name("hits"));
    b.output("slot", number(b, i.takes, SLOT_BITS));
}
