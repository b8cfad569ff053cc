//! Reference counts of the instruction storage (section 6.2): how many warps hold a pointer to each entry.
//!
//! ```text
//!  take_count_s --[ & take_entry_s is e ]--[ sum ]--+
//!                                                   |   +---+
//!                                          +--[ + - ]---|   |--+--[ is 0 ]-- idle, bit e
//!                                          |        |   |>  |  |
//!                                          |        |   +---+  |
//!  drop_count_s --[ & drop_entry_s is e ]--[ sum ]--+  count_e |
//!                                          +-------------------+
//! ```

use super::select::select;
use super::{DROP_BITS, TAKE_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits of a count.
const COUNT_BITS: usize = 8;

network! {
    /// S schedulers, N entries, E bits number them.
    pub struct ReferenceCounts<const S: usize, const N: usize, const E: usize>, inputs Inputs, clocked {
        in take_count: [Signal<In, Bits<TAKE_BITS>>; S],
        in take_entry: [Signal<In, Bits<E>>; S],
        in drop_count: [Signal<In, Bits<DROP_BITS>>; S],
        in drop_entry: [Signal<In, Bits<E>>; S],
        out idle: Signal<Out, Bits<N>>,
    } described by describe
}

fn describe<'a, const S: usize, const N: usize, const E: usize>(b: &'a Builder, i: &Inputs<'a, S, N, E>) {
    let named = |name: &str, entries: &[Net<'a>]| -> Vec<Net<'a>> {
        entries.iter().enumerate().map(|(s, &entry)| select(&format!("{name}_select_{s}"), entry, N)).collect()
    };
    let (takes, drops) = (named("take", &i.take_entry), named("drop", &i.drop_entry));
    let of_entry = |entry: usize, selects: &[Net<'a>], counts: &[Net<'a>]| -> Net<'a> {
        let gate = |(select, count): (&Net<'a>, &Net<'a>)| {
            (select.bit(entry).repeat(count.width()) & *count).extend(COUNT_BITS)
        };
        selects.iter().zip(counts).map(gate).reduce(|a, b| a + b).expect("a scheduler")
    };
    let mut idle = vec![];
    for entry in 0..N {
        let count = b.register(format!("count_{entry}"), COUNT_BITS);
        let taken = of_entry(entry, &takes, &i.take_count).name(format!("taken_{entry}"));
        let dropped = of_entry(entry, &drops, &i.drop_count).name(format!("dropped_{entry}"));
        count.drive((count + taken) - dropped);
        idle.push(!count.any());
    }
    b.output("idle", b.bits(&idle));
}
