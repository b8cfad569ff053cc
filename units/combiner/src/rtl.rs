//! The combiner as hardware.
//!
//! ```text
//!  start -> left, keys, values --[ lowest lane left ]--> key --[ = each key ]--> lanes that match --[ sum ]--[r]-- out_*
//!                ^                                                                  |
//!                +------------------------------------ left & ~match ---------------+
//! ```

use crate::KEY_BITS;
use hdl::circuit::net::{Builder, Net};
use hdl::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes, which N bits number.
    pub struct Combiner<const L: usize, const N: usize>, inputs Inputs, clocked {
        in start: Signal<In, bool>,
        in mask: Signal<In, Bits<L>>,
        in key: [Signal<In, Bits<KEY_BITS>>; L],
        in value: [Signal<In, Bits<32>>; L],
        out ready, out_valid, out_last: Signal<Out, bool>,
        out out_lane: Signal<Out, Bits<N>>,
        out out_value: Signal<Out, Bits<32>>,
    } described by describe
}

fn describe<'a, const L: usize, const N: usize>(b: &'a Builder, i: &Inputs<'a, L, N>) {
    b.comment("Lanes that have not come out, with what they brought.");
    let left = b.register("left", L);
    let hold = |name: &str, nets: &[Net<'a>]| -> Vec<Net<'a>> {
        nets.iter()
            .enumerate()
            .map(|(lane, &net)| b.data_register(format!("{name}_{lane}_held"), net, i.start))
            .collect()
    };
    let (keys, values) = (hold("key", &i.key), hold("value", &i.value));

    b.comment("The lowest of them, and all with its key.");
    let first = left.first_one().name("first").each();
    let key = b.one_of(&first, &keys).name("first_key");
    let matches: Vec<_> = left.each().iter().zip(&keys).map(|(&left, &other)| left & other.equals(key)).collect();
    let matches = b.bits(&matches).name("matches");
    let rest = (left & !matches).name("rest");
    left.drive(i.start.mux(i.mask, rest));

    b.comment("Their sum.");
    let mut sums: Vec<_> = matches.each().iter().zip(&values).map(|(&on, &value)| on.repeat(32) & value).collect();
    while sums.len() > 1 {
        sums = sums.chunks(2).map(|pair| pair[0] + pair[1]).collect();
    }

    let any_left = left.any().name("any_left");
    let valid = b.register("valid", 1);
    valid.drive(any_left);
    let numbers: Vec<_> = (0..L as u64).map(|lane| b.constant(lane, N)).collect();
    b.output("ready", !any_left);
    b.output("out_valid", valid);
    b.output("out_last", b.delay("last", !rest.any()));
    b.output("out_lane", b.delay("lane", b.one_of(&first, &numbers)));
    b.output("out_value", b.delay("sum", sums[0]));
}
