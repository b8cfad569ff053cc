//! First step of a redistribution event by thresholds (section III-C): which side of the banks it serves, and who is
//! greedy or needy there.
//!
//! ```text
//!  pull_occupancy_i --+--[ > threshold ]--[ < threshold ]--+--[ some greedy and some needy? ]--+-- serve_pull
//!  push_occupancy_i --+--[ > threshold ]--[ < threshold ]--|--|\                               |
//!                                                          |  | |<-----------------------------+
//!                                                          '--|/|---- greedy_banks, needy_banks
//! ```
//!
//! Combinational.

use super::threshold_constant;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes; C bits of occupancy.
    pub struct ThresholdSelect<const L: usize, const C: usize>, inputs Inputs {
        in double_buffer: Signal<In, bool>,
        in pull_occupancy, push_occupancy: [Signal<In, Bits<C>>; L],
        out serve_pull: Signal<Out, bool>,
        out greedy_banks, needy_banks: Signal<Out, Bits<L>>,
    }
    /// `threshold` in work IDs.
    described by describe(threshold: u64)
}

fn describe<'a, const L: usize, const C: usize>(b: &'a Builder, i: &Inputs<'a, L, C>, threshold: u64) {
    let threshold = threshold_constant(b, threshold, C);
    let mut sides = vec![];
    for (side, occupancy) in [("pull", &i.pull_occupancy), ("push", &i.push_occupancy)] {
        let above: Vec<_> = occupancy.iter().map(|&o| threshold.below(o)).collect();
        let below: Vec<_> = occupancy.iter().map(|o| o.below(threshold)).collect();
        let above = b.bits(&above).name(format!("{side}_above"));
        sides.push((above, b.bits(&below).name(format!("{side}_below"))));
    }
    let [(pull_above, pull_below), (push_above, push_below)] = sides[..] else { unreachable!("two sides") };
    let serve_pull = (!i.double_buffer | (pull_above.any() & pull_below.any())).name("serve_pull");
    b.output("serve_pull", serve_pull);
    b.output("greedy_banks", serve_pull.mux(pull_above, push_above));
    b.output("needy_banks", serve_pull.mux(pull_below, push_below));
}
