//! The memories of a wide bank in a cycle: the elements of a bundle are written, and a group of a take or, for the filter, a
//! whole set is read.
//!
//! ```text
//!                          without filter                  with filter
//!  write port              elements of stage 2             what ends its flight
//!  read port               a group of a take               a group of a take, else the set of stage 2
//! ```
//!
//! The bundle of stage 2 waits for its set, and with filter also for takes. All of it leaves if the set has room for all of
//! it, and for all that may yet be appended there; else the first element leaves alone, if there is room for it.
//!
//! The elements that are written at once lie in one set, in slots of their own.

use super::flight::ADDITION;
use super::occupancy::OCCUPANCY_BITS;
use super::{ELEMENT_BITS, POSITION_BITS, SLOTS, SLOT_BITS, VALUE_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits of a slot without its position: on top of the value whether it is apart.
pub const APART_VALUE_BITS: usize = VALUE_BITS + 1;

network! {
    /// 2^A sets, bundles of W = X + 1 elements.
    pub struct WidePort<const A: usize, const W: usize, const X: usize>, inputs Inputs {
        in filters: Signal<In, bool>,
        in present: Signal<In, Bits<W>>,
        in element_word: [Signal<In, Bits<ELEMENT_BITS>>; W],
        in home_set: Signal<In, Bits<A>>,
        in occupancy: Signal<In, Bits<OCCUPANCY_BITS>>,
        in next_slot: Signal<In, Bits<SLOT_BITS>>,
        in may_append: [Signal<In, Bits<ADDITION>>; W],
        in filter_write, filter_found, filter_keeps_position, filter_apart: Signal<In, Bits<W>>,
        in filter_slot: [Signal<In, Bits<SLOT_BITS>>; W],
        in filter_set: Signal<In, Bits<A>>,
        in filter_word: [Signal<In, Bits<ELEMENT_BITS>>; W],
        in taking, home_is_taken: Signal<In, bool>,
        in taken_set: Signal<In, Bits<A>>,
        in group_read: Signal<In, bool>,
        in group: Signal<In, Bits<3>>,
        out leaves, splits: Signal<Out, bool>,
        out enters: Signal<Out, Bits<W>>,
        out grow: Signal<Out, bool>,
        out grow_more: [Signal<Out, bool>; X],
        out write, write_position: Signal<Out, Bits<SLOTS>>,
        out write_set: Signal<Out, Bits<A>>,
        out write_value: [Signal<Out, Bits<APART_VALUE_BITS>>; SLOTS],
        out position: [Signal<Out, Bits<POSITION_BITS>>; SLOTS],
        out read, read_position: Signal<Out, Bits<SLOTS>>,
        out read_set: Signal<Out, Bits<A>>,
    } described by describe
}

/// An element that is written.
struct Written<'a> {
    /// The line of its slot, if it is written.
    lines: Net<'a>,
    moves: Net<'a>,
    value: Net<'a>,
    position: Net<'a>,
}

fn describe<'a, const A: usize, const W: usize, const X: usize>(b: &'a Builder, i: &Inputs<'a, A, W, X>) {
    assert_eq!(W, X + 1);
    b.comment("The elements of stage 2. Nothing is in flight without filter.");
    let coming = b.bits(&i.may_append).name("may_append").ones().name("coming");
    let used = (i.occupancy + coming.extend(OCCUPANCY_BITS)).name("used");
    let is_full = used.bit(OCCUPANCY_BITS - 1);
    let short = |l: usize| i.present.bit(l) & used.slice(0, SLOT_BITS).is((SLOTS - l) as u64);
    let short = b.or_all(&(1..W).map(short).collect::<Vec<_>>()).name("not_for_all");
    let barred = (i.taking & i.home_is_taken).name("set_is_taken");
    let open = (i.present.bit(0) & !barred & !is_full).name("set_is_open");
    let goes = (open & !(i.filters & i.group_read)).name("first_leaves");
    let leaves = (goes & !short).name("all_leave");
    b.output("leaves", leaves);
    b.output("splits", goes & short);
    let leaving: Vec<_> = (0..W).map(|l| if l == 0 { goes } else { leaves & i.present.bit(l) }).collect();
    let leaving = b.bits(&leaving).name("leaving");
    let enters = (i.filters.repeat(W) & leaving).name("enters_filter");
    b.output("enters", enters);

    b.comment("The write.");
    let appends = (!i.filters).repeat(W) & leaving;
    let writes = (i.filter_write | appends).name("writes");
    let grows = (writes & !i.filter_found).name("grows");
    let mut next = i.next_slot;
    let mut written: Vec<Written<'a>> = vec![];
    for l in 0..W {
        let slot = i.filter_found.bit(l).mux(i.filter_slot[l], next).name(format!("write_slot_{l}"));
        let word = i.filters.mux(i.filter_word[l], i.element_word[l]).name(format!("word_written_{l}"));
        let write = writes.bit(l);
        written.push(Written {
            lines: (write.repeat(SLOTS) & slot.decode()).name(format!("slot_written_{l}")),
            moves: (write & !i.filter_keeps_position.bit(l)).name(format!("position_written_{l}")),
            value: b.bits(&[word.slice(POSITION_BITS, VALUE_BITS), i.filter_apart.bit(l)]).name(format!("value_written_{l}")),
            position: word.slice(0, POSITION_BITS),
        });
        if l < X {
            next = grows.bit(l).mux(next.increment(), next).name(format!("next_slot_{}", l + 1));
        }
    }
    let at_least = at_least(&grows.each());
    b.output("grow", at_least[0]);
    for (k, &more) in at_least[1..].iter().enumerate() {
        b.output(format!("grow_more${k}"), more);
    }
    let lines = |of: &dyn Fn(&Written<'a>) -> Net<'a>| b.or_all(&written.iter().map(of).collect::<Vec<_>>());
    b.output("write", lines(&|w| w.lines));
    b.output("write_position", lines(&|w| w.moves.repeat(SLOTS) & w.lines));
    b.output("write_set", i.filters.mux(i.filter_set, i.home_set));
    // The first element, or one of those beside it that has this slot.
    let choose = |s: usize, of: &dyn Fn(&Written<'a>) -> Net<'a>| {
        written[1..].iter().fold(of(&written[0]), |word, w| w.lines.bit(s).mux(of(w), word))
    };
    for s in 0..SLOTS {
        b.output(format!("write_value${s}"), choose(s, &|w| w.value));
        b.output(format!("position${s}"), choose(s, &|w| w.position));
    }

    b.comment("The read.");
    let groups = (i.group_read.repeat(8) & i.group.decode()).name("group_is_read");
    let of_group = |s: usize| groups.bit(s / 4);
    // The first one enters whenever any does.
    let all = enters.bit(0);
    b.output("read", b.bits(&(0..SLOTS).map(|s| all | of_group(s)).collect::<Vec<_>>()));
    b.output("read_position", b.bits(&(0..SLOTS).map(of_group).collect::<Vec<_>>()));
    b.output("read_set", i.group_read.mux(i.taken_set, i.home_set));
}

/// Bit n: more than n of `bits` are high.
fn at_least<'a>(bits: &[Net<'a>]) -> Vec<Net<'a>> {
    let with = |all: Vec<Net<'a>>, (l, &bit): (usize, &Net<'a>)| {
        let more = |n: usize| match n {
            0 => bit,
            n => all[n - 1] & bit,
        };
        let is = |n: usize| all.get(n).map_or(more(n), |&is| is | more(n)).name(format!("more_than_{n}_of_{}", l + 1));
        (0..=l).map(is).collect()
    };
    bits.iter().enumerate().fold(vec![], with)
}
