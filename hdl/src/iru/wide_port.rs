//! The memories of a wide bank in a cycle: the elements of a bundle are written; a group of a take is read, and for the filter what
//! the set of stage 2 holds.
//!
//! ```text
//!                          without filter                  with filter
//!  write port              elements of stage 2             what ends its flight
//!  read port               a group of a take               the set of stage 2, but for the group of a take
//! ```
//!
//! The bundle of stage 2 waits for its set, and with filter also while a take reads a group in which this set holds something.
//! All of it leaves if the set has room for all of it, and for all that may yet be appended there; else the first element leaves
//! alone, if there is room for it.
//!
//! The elements that are written at once lie in one set, in slots of their own.

use super::flight::ADDITION;
use super::occupancy::OCCUPANCY_BITS;
use super::take::BEAT;
use super::{ELEMENT_BITS, POSITION_BITS, SLOTS, SLOT_BITS, VALUE_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Groups of slots, each read by itself in a take.
const GROUPS: usize = SLOTS / BEAT;

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
        out read_set: [Signal<Out, Bits<A>>; SLOTS],
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
    let coming = at_least("coming", &b.bits(&i.may_append).name("may_append").each());
    let used_at_least = |n: usize| !i.occupancy.below(b.constant(n as u64, OCCUPANCY_BITS));
    let held_at_least: Vec<_> =
        (0..W + coming.len()).map(|n| used_at_least(SLOTS - n).name(format!("occupied_but_{n}"))).collect();
    // No slot is left for element l.
    let in_set = |l: usize| i.present.bit(l) & held_at_least[l];
    let with_coming = |l: usize| {
        let full_by = |(k, &coming): (usize, &Net<'a>)| coming & held_at_least[l + k + 1];
        i.present.bit(l) & b.or_all(&coming.iter().enumerate().map(full_by).collect::<Vec<_>>())
    };
    let bars: Vec<_> = (0..W).map(|l| in_set(l).name(format!("no_slot_for_{l}"))).collect();
    let late_bars: Vec<_> = (0..W).map(|l| with_coming(l).name(format!("no_slot_beside_coming_for_{l}"))).collect();
    let barred = (i.taking & i.home_is_taken).name("set_is_taken");
    let open = (i.present.bit(0) & !barred & !bars[0]).name("set_is_open");
    let fits = (open & !b.or_all(&bars[1..])).name("set_has_room_for_all");
    // The filter needs the slots below the occupancy.
    let group_start = b.bits(&[b.constant(0, 2), i.group, b.low()]).name("group_start");
    let read_meets = (i.group_read & group_start.below(i.occupancy)).name("read_meets_filter");
    let goes = (open & !(i.filters & (read_meets | late_bars[0]))).name("first_leaves");
    let short = (b.or_all(&bars[1..]) | b.or_all(&late_bars[1..])).name("not_for_all");
    let leaves = (goes & !short).name("all_leave");
    b.output("leaves", leaves);
    b.output("splits", goes & short);
    // Elements that are appended without filter do not wait for what only a filter asks.
    let appends = |l: usize| if l == 0 { open } else { fits & i.present.bit(l) };
    let appends = b.bits(&(0..W).map(appends).collect::<Vec<_>>());
    let appends = ((!i.filters).repeat(W) & appends).name("appends");
    let leaving: Vec<_> = (0..W).map(|l| if l == 0 { goes } else { leaves & i.present.bit(l) }).collect();
    let leaving = b.bits(&leaving).name("leaving");
    let enters = (i.filters.repeat(W) & leaving).name("enters_filter");
    b.output("enters", enters);

    b.comment("The write.");
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
            value: b
                .bits(&[word.slice(POSITION_BITS, VALUE_BITS), i.filter_apart.bit(l)])
                .name(format!("value_written_{l}")),
            position: word.slice(0, POSITION_BITS),
        });
        if l < X {
            next = grows.bit(l).mux(next.increment(), next).name(format!("next_slot_{}", l + 1));
        }
    }
    let at_least = at_least("grows", &grows.each());
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
    let groups = (i.group_read.repeat(GROUPS) & i.group.decode()).name("group_is_read");
    let of_group = |s: usize| groups.bit(s / BEAT);
    // The first one enters whenever any does.
    let all = enters.bit(0);
    b.output("read", b.bits(&(0..SLOTS).map(|s| all | of_group(s)).collect::<Vec<_>>()));
    b.output("read_position", b.bits(&(0..SLOTS).map(of_group).collect::<Vec<_>>()));
    for s in 0..SLOTS {
        b.output(format!("read_set${s}"), of_group(s).mux(i.taken_set, i.home_set));
    }
}

/// Net n: more than n of `bits` are high. Unary numbers of halves are joined: a tree of adders would take twice the time.
fn at_least<'a>(name: &str, bits: &[Net<'a>]) -> Vec<Net<'a>> {
    if bits.len() < 2 {
        return bits.to_vec();
    }
    let (left, right) = bits.split_at(bits.len() / 2);
    let (left, right) = (at_least(&format!("{name}_l"), left), at_least(&format!("{name}_r"), right));
    let joined = |n: usize| {
        let way = |l: usize| match (l, n - l) {
            (0, r) => right[r - 1],
            (l, 0) => left[l - 1],
            (l, r) => left[l - 1] & right[r - 1],
        };
        let ways = (n.saturating_sub(right.len())..=n.min(left.len())).map(way);
        ways.reduce(|some, way| some | way).expect("there is a way").name(format!("{name}_at_least_{n}"))
    };
    (1..=bits.len()).map(joined).collect()
}
