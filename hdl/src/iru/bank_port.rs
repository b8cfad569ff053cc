//! The memories of a bank in a cycle: an element is written, and a group of a take or, for the filter, a whole set is
//! read.
//!
//! ```text
//!                          without filter                  with filter
//!  write port              the element of stage 2          what ends its flight
//!  read port               a group of a take               a group of a take, else the set of the element of stage 2
//! ```
//!
//! So the element of stage 2 waits for its set alone, and with filter also for an equal index and for takes.

use super::flight::ADDITION;
use super::occupancy::OCCUPANCY_BITS;
use super::take::BEAT;
use super::{ELEMENT_BITS, POSITION_BITS, SLOTS, SLOT_BITS, VALUE_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// 2^A sets, G = A + 3.
    pub struct BankPort<const A: usize, const G: usize>, inputs Inputs {
        in filters, element_valid: Signal<In, bool>,
        in element_word: Signal<In, Bits<ELEMENT_BITS>>,
        in home_set: Signal<In, Bits<A>>,
        in occupancy: Signal<In, Bits<OCCUPANCY_BITS>>,
        in next_slot: Signal<In, Bits<SLOT_BITS>>,
        in index_in_flight: Signal<In, bool>,
        in may_append: Signal<In, Bits<ADDITION>>,
        in filter_write, filter_found, filter_keeps_position: Signal<In, bool>,
        in filter_slot: Signal<In, Bits<SLOT_BITS>>,
        in filter_set: Signal<In, Bits<A>>,
        in filter_word: Signal<In, Bits<ELEMENT_BITS>>,
        in taking, home_is_taken: Signal<In, bool>,
        in taken_set: Signal<In, Bits<A>>,
        in group_read: Signal<In, bool>,
        in group: Signal<In, Bits<3>>,
        out leaves, enters, grow: Signal<Out, bool>,
        out write: Signal<Out, Bits<SLOTS>>,
        out write_set: Signal<Out, Bits<A>>,
        out write_value: Signal<Out, Bits<VALUE_BITS>>,
        out write_position: Signal<Out, Bits<BEAT>>,
        out write_group: Signal<Out, Bits<G>>,
        out position: Signal<Out, Bits<POSITION_BITS>>,
        out read: Signal<Out, Bits<SLOTS>>,
        out read_set: Signal<Out, Bits<A>>,
        out read_group: Signal<Out, Bits<G>>,
    } described by describe
}

fn describe<'a, const A: usize, const G: usize>(b: &'a Builder, i: &Inputs<'a, A, G>) {
    b.comment("The element of stage 2. Nothing is in flight without filter.");
    let none_left = none_left(b, i.occupancy, i.may_append).name("none_left");
    let full = i.occupancy.bit(OCCUPANCY_BITS - 1);
    let barred = (i.taking & i.home_is_taken).name("set_is_taken");
    let open = (i.element_valid & !barred & !full).name("set_is_open");
    let blocked = (i.filters & (i.index_in_flight | i.group_read | none_left)).name("blocked");
    let leaves = (open & !blocked).name("element_leaves");
    // The growth of a set does not wait for what only a filter asks.
    let appends = (open & !i.filters).name("appends");
    let enters = (leaves & i.filters).name("enters_filter");
    b.output("leaves", leaves);
    b.output("enters", enters);

    b.comment("The write.");
    let write = (i.filter_write | appends).name("write_now");
    let merges = i.filter_found;
    let slot = merges.mux(i.filter_slot, i.next_slot).name("write_slot");
    b.output("grow", write & !merges);
    b.output("write", write.repeat(SLOTS) & slot.decode());
    let set = i.filters.mux(i.filter_set, i.home_set).name("set_written");
    let word = i.filters.mux(i.filter_word, i.element_word).name("word_written");
    b.output("write_set", set);
    b.output("write_value", word.slice(POSITION_BITS, VALUE_BITS));
    let moves = (write & !i.filter_keeps_position).name("position_written");
    b.output("write_position", moves.repeat(BEAT) & slot.slice(0, 2).decode());
    b.output("write_group", b.bits(&[slot.slice(2, 3), set]));
    b.output("position", word.slice(0, POSITION_BITS));

    b.comment("The read.");
    let groups = (i.group_read.repeat(8) & i.group.decode()).name("group_is_read");
    b.output("read", b.bits(&(0..SLOTS).map(|s| enters | groups.bit(s / 4)).collect::<Vec<_>>()));
    b.output("read_group", b.bits(&[i.group, i.taken_set]));
    b.output("read_set", i.group_read.mux(i.taken_set, i.home_set));
}

/// A set that is not full has no slot left for one more after those that may be appended. A tree of adders would take
/// twice the time: here each half of the flight tells if it has at least one, two or three.
fn none_left<'a>(b: &'a Builder, occupancy: Net<'a>, may_append: Net<'a>) -> Net<'a> {
    let half = |h: usize| {
        let [x, y, z] = [0, 1, 2].map(|n| may_append.bit(3 * h + n));
        let all = [b.high(), x | y | z, (x & y) | (z & (x | y)), x & y & z];
        [0, 1, 2, 3].map(|n| if n == 0 { all[n] } else { all[n].name(format!("at_least_{n}_of_half_{h}")) })
    };
    let (lower, upper) = (half(0), half(1));
    let used = occupancy.slice(0, 3);
    let mut full = vec![];
    for count in 1..=ADDITION {
        let ways = (count.saturating_sub(3)..=count.min(3)).map(|n| match (n, count - n) {
            (0, m) => upper[m],
            (n, 0) => lower[n],
            (n, m) => lower[n] & upper[m],
        });
        let some = b.or_all(&ways.collect::<Vec<_>>());
        let short = !used.below(b.constant(8 - count as u64, 3));
        full.push((some & short).name(format!("full_by_{count}")));
    }
    // Below 24 elements those in flight find a slot.
    occupancy.slice(3, 2).is(3) & b.or_all(&full)
}
