//! What happens at the memories of a bank in a cycle: an element is appended or enters the filter, the filter writes, a
//! group of a take is read.
//!
//! Without filter the element of stage 2 is written at once. With filter all slots are read for it in phase 0, and the
//! filter's writes and the groups of takes have phase 1. A group waits while one of its slots is written; no element leaves
//! stage 2 in the cycle after that, so that a stream of elements cannot keep a take waiting.

use super::occupancy::OCCUPANCY_BITS;
use super::{ELEMENT_BITS, SLOTS};
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// 2^A sets.
    pub struct BankPort<const A: usize>, inputs Inputs, clocked {
        in filter: Signal<In, Bits<2>>,
        in element_valid: Signal<In, bool>,
        in element_word: Signal<In, Bits<ELEMENT_BITS>>,
        in home_set: Signal<In, Bits<A>>,
        in occupancy: Signal<In, Bits<OCCUPANCY_BITS>>,
        in phase: Signal<In, bool>,
        in set_in_flight: Signal<In, bool>,
        in filter_write: Signal<In, bool>,
        in filter_appends: Signal<In, bool>,
        in filter_slot: Signal<In, Bits<5>>,
        in filter_set: Signal<In, Bits<A>>,
        in filter_word: Signal<In, Bits<ELEMENT_BITS>>,
        in taking: Signal<In, bool>,
        in taken_set: Signal<In, Bits<A>>,
        in group_wanted: Signal<In, bool>,
        in group: Signal<In, Bits<3>>,
        in beat_room: Signal<In, bool>,
        out leaves: Signal<Out, bool>,
        out enters: Signal<Out, bool>,
        out slot: Signal<Out, Bits<5>>,
        out grow: Signal<Out, bool>,
        out grow_set: Signal<Out, Bits<A>>,
        out grow_slot: Signal<Out, Bits<5>>,
        out group_go: Signal<Out, bool>,
        out en: Signal<Out, Bits<SLOTS>>,
        out we: Signal<Out, Bits<SLOTS>>,
        out addr: [Signal<Out, Bits<A>>; SLOTS],
        out wdata: Signal<Out, Bits<ELEMENT_BITS>>,
    }
}

impl<const A: usize> Default for BankPort<A> {
    fn default() -> Self {
        Self::describe_as(|b, i| describe(b, &i))
    }
}

fn describe<'a, const A: usize>(b: &'a Builder, i: &Inputs<'a, A>) {
    b.comment("The element of stage 2.");
    let filters = i.filter.any().name("filters");
    let full = i.occupancy.bit(OCCUPANCY_BITS - 1);
    let barred = (i.taking & i.home_set.equals(i.taken_set)).name("set_is_taken");
    let holds = b.register("holds", 1);
    let may = (i.element_valid & !full & !barred & !holds).name("may_enter");
    let appends = (may & !filters).name("appends");
    let enters = (may & filters & !i.phase & !i.set_in_flight).name("enters");
    let slot = i.occupancy.slice(0, 5);
    b.output("leaves", appends | enters);
    b.output("enters", enters);
    b.output("slot", slot);

    b.comment("The write.");
    let write = filters.mux(i.filter_write, appends).name("write");
    let write_slot = filters.mux(i.filter_slot, slot).name("write_slot");
    let write_set = filters.mux(i.filter_set, i.home_set).name("write_set");
    b.output("grow", filters.mux(i.filter_appends, appends));
    b.output("grow_set", write_set);
    b.output("grow_slot", write_slot);
    b.output("wdata", filters.mux(i.filter_word, i.element_word));

    b.comment("The group of a take.");
    let wanted = (i.group_wanted & i.beat_room & (i.phase | !filters)).name("read_wanted");
    let clash = (write & write_slot.slice(2, 3).equals(i.group)).name("clash");
    let go = (wanted & !clash).name("group_go");
    holds.drive(wanted & clash);
    b.output("group_go", go);

    b.comment("The memories.");
    let writes = (write.repeat(SLOTS) & write_slot.decode()).name("slot_written");
    let groups = (go.repeat(8) & i.group.decode()).name("group_read");
    let read_set = enters.mux(i.home_set, i.taken_set).name("read_set");
    let enable = |s: usize| writes.bit(s) | enters | groups.bit(s / 4);
    b.output("en", b.bits(&(0..SLOTS).map(enable).collect::<Vec<_>>()));
    b.output("we", writes);
    for s in 0..SLOTS {
        b.output(format!("addr${s}"), writes.bit(s).mux(write_set, read_set));
    }
}
