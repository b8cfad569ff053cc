//! Takes elements out of a set: a few beats of up to four, from its upper end.
//!
//! ```text
//!  take --> waiting: until nothing is in flight on the set; then the occupancy falls
//!       --> reading: a group of four slots in each cycle with room for a beat, which comes in the next one
//!       --> two cycles in which the occupancies that others see become right --> take_ready
//! ```

use super::occupancy::OCCUPANCY_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Slots that are read at once.
pub const BEAT: usize = 4;

network! {
    /// 2^A sets.
    pub struct Take<const A: usize>, inputs Inputs, clocked {
        in take: Signal<In, bool>,
        in take_set: Signal<In, Bits<A>>,
        in take_count, occupancy: Signal<In, Bits<OCCUPANCY_BITS>>,
        in set_in_flight, beat_room: Signal<In, bool>,
        out take_ready, taking: Signal<Out, bool>,
        out taken_set: Signal<Out, Bits<A>>,
        out shrink: Signal<Out, bool>,
        out shrink_to, shrink_by: Signal<Out, Bits<OCCUPANCY_BITS>>,
        out group_read: Signal<Out, bool>,
        out group: Signal<Out, Bits<3>>,
        out beat_valid: Signal<Out, bool>,
        out beat_group: Signal<Out, Bits<3>>,
        out beat_mask: Signal<Out, Bits<BEAT>>,
        out beat_last: Signal<Out, bool>,
    } described by describe
}

fn describe<'a, const A: usize>(b: &'a Builder, i: &Inputs<'a, A>) {
    let [waiting, reading, taking] = ["waiting", "reading", "taking"].map(|name| b.register(name, 1));
    let set = b.data_register("taken_set", i.take_set, i.take);
    let count = b.data_register("taken_count", i.take_count, i.take);

    b.comment("The upper slots of the set.");
    let some = count.below(i.occupancy).name("not_all");
    let number = some.mux(count, i.occupancy).name("number");
    let low = (some.repeat(OCCUPANCY_BITS) & (i.occupancy - count)).name("low");
    let starts = (waiting & !i.set_in_flight).name("starts");
    let lowest = b.data_register("lowest", low, starts);
    let end = b.data_register("behind_highest", i.occupancy, starts);
    b.output("shrink", starts);
    b.output("shrink_to", low);
    b.output("shrink_by", starts.repeat(OCCUPANCY_BITS) & number);

    b.comment("Groups, from the lowest up.");
    let group = b.register("group", 3);
    let read = (reading & i.beat_room).name("read");
    let next = read.mux(group.increment(), group);
    group.drive(starts.mux(low.slice(2, 3), next));
    // The last group is that of the slot below the end.
    let highest = (end - b.constant(1, OCCUPANCY_BITS)).name("highest");
    let _ = b.bits(&[highest.slice(0, 2), highest.bit(5)]).name("unused_highest");
    let last = (read & group.equals(highest.slice(2, 3))).name("last_group");
    waiting.drive(i.take | (waiting & !starts));
    reading.drive(starts | (reading & !last));
    // It waits or reads.
    taking.drive(i.take | (taking & !last));
    // A register of its own, since the replier decides on it: the next take waits for two cycles more.
    let settles = b.registered("settles", last);
    b.output("take_ready", !b.registered("busy", i.take | taking | settles));
    b.output("taking", taking);
    b.output("taken_set", set);
    b.output("group_read", read);
    b.output("group", group);

    b.comment("The beat of the group that was read.");
    let belongs = |j: usize| -> Net<'a> {
        let slot = b.bits(&[b.constant(j as u64, 2), group, b.low()]).name(format!("slot_{j}"));
        !slot.below(lowest) & slot.below(end)
    };
    let mask: Vec<_> = (0..BEAT).map(belongs).collect();
    let beat_valid = b.register("beat_valid", 1);
    beat_valid.drive(read);
    b.output("beat_valid", beat_valid);
    b.output("beat_group", b.data_register("beat_group", group, read));
    b.output("beat_mask", b.data_register("beat_mask", b.bits(&mask), read));
    b.output("beat_last", b.data_register("beat_last", last, read));
}
