//! Reference counts of the instruction storage (section 6.2): how many references the warps of one scheduler have to each entry.
//!
//! ```text
//!  take by a look-up: entry --+-- count of this entry --[ + its takes - its drops ]-- the entry's count
//!  take by a link: entry -----+-- the same
//!  drop: entry ---------------+-- the same
//!                                                               counts that are 0 --> idle
//! ```
//!
//! Three entries a cycle change. Where two of them are one, both find the same new count.

use super::TAKE_BITS;
use crate::circuit::net::{Builder, Net};
use crate::gw::select::select;
use crate::gw::DROP_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N entries, E bits number them; counts of C bits.
    pub struct References<const N: usize, const E: usize, const C: usize>, inputs Inputs, clocked {
        in look_take, link_take: Signal<In, Bits<TAKE_BITS>>,
        in look_entry, link_entry: Signal<In, Bits<E>>,
        in drop_count: Signal<In, Bits<DROP_BITS>>,
        in drop_entry: Signal<In, Bits<E>>,
        out idle: Signal<Out, Bits<N>>,
    } described by describe
}

fn describe<'a, const N: usize, const E: usize, const C: usize>(b: &'a Builder, i: &Inputs<'a, N, E, C>) {
    assert!(C >= DROP_BITS, "a count of fewer bits than what is dropped at once");
    let counts: Vec<_> = (0..N).map(|e| b.register(format!("count_{e}"), C)).collect();
    let changes = [("look", i.look_entry, i.look_take), ("link", i.link_entry, i.link_take)];
    let drop = ("drop", i.drop_entry, i.drop_count);
    let amount = |entry: Net<'a>, (_, other, count): (&str, Net<'a>, Net<'a>)| {
        (entry.equals(other).repeat(count.width()) & count).extend(C)
    };
    let change = |(name, entry, count): (&str, Net<'a>, Net<'a>)| {
        let selects = select(&format!("{name}_select"), entry, N);
        let old = b.one_of(&selects.each(), &counts);
        let taken = amount(entry, changes[0]) + amount(entry, changes[1]);
        let new = ((old + taken) - amount(entry, drop)).name(format!("{name}_new"));
        ((count.any().name(format!("{name}s")).repeat(N) & selects).name(format!("{name}_of")), new)
    };
    let changed = [changes[0], changes[1], drop].map(change);
    let mut idle = vec![];
    for (e, count) in counts.iter().enumerate() {
        let next = changed.iter().fold(*count, |count, (selects, new)| selects.bit(e).mux(*new, count));
        count.drive(next);
        idle.push(!count.any());
    }
    b.output("idle", b.bits(&idle));
}
