//! Ways of a set that the warps of one scheduler refer to (section 6.2): a reference is where a place is.
//!
//! ```text
//!  ahead --+-------> front_entry --+
//!          v                       +--[ in the set of ask_line: its way ]--[r]--> used_ways
//!  fill, held -----> entry --------+
//! ```
//!
//! All instructions of a place that are checked and have not issued are of two entries: the first one's and the frontier's.

use crate::circuit::net::{Builder, Net};
use crate::gw::select::select;
use crate::gw::{number_bits, LINE_BITS};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, E bits number an entry, the storage has K ways.
    pub struct References<const N: usize, const E: usize, const K: usize>, inputs Inputs, clocked {
        in fill, held, ahead: Signal<In, Bits<N>>,
        in entry, front_entry: [Signal<In, Bits<E>>; N],
        in ask_line: Signal<In, Bits<LINE_BITS>>,
        out used_ways: Signal<Out, Bits<K>>,
    } described by describe
}

fn describe<'a, const N: usize, const E: usize, const K: usize>(b: &'a Builder, i: &Inputs<'a, N, E, K>) {
    let set_bits = E - number_bits(K);
    let set = i.ask_line.slice(0, set_bits).name("ask_set");
    let _ = i.ask_line.slice(set_bits, LINE_BITS - set_bits).name("unused_tag");
    let at_frontier = (i.fill | i.held | i.ahead).name("at_frontier");
    let way = |name: String, entry: Net<'a>, has_it: Net<'a>| {
        let has_it = has_it & entry.slice(0, set_bits).equals(set);
        has_it.repeat(K) & select(&format!("{name}_way"), entry.slice(set_bits, number_bits(K)), K)
    };
    let of_place = |place: usize| {
        let first = way(format!("first_{place}"), i.front_entry[place], i.ahead.bit(place));
        first | way(format!("frontier_{place}"), i.entry[place], at_frontier.bit(place))
    };
    let used_ways = b.or_all(&(0..N).map(of_place).collect::<Vec<_>>());
    b.output("used_ways", b.delay("used_ways", used_ways));
}
