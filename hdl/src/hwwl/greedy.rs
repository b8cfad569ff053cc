//! A core's greedy bits (section III-C): whether more of its banks are above the threshold than below it.
//!
//! ```text
//!  pull_occupancy_i --[ > ]--[ how many ]--+--[ > ]--+--|\    +---+
//!                   --[ < ]--[ how many ]--'         |  | |---|   |---- greedy[0], greedy[1]
//!  push_occupancy_i --[ > ]--[ how many ]--+--[ > ]--+--|/|   |>  |
//!                   --[ < ]--[ how many ]--'     pull_part    +---+
//! ```
//!
//! One bit for each partition, a cycle after the occupancies.

use super::threshold_constant;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes; C bits of occupancy.
    pub struct Greedy<const L: usize, const C: usize>, inputs Inputs, clocked {
        in pull_part: Signal<In, bool>,
        in pull_occupancy, push_occupancy: [Signal<In, Bits<C>>; L],
        out greedy: Signal<Out, Bits<2>>,
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
        let above = b.count_ones(&format!("{side}_above"), &above);
        let below = b.count_ones(&format!("{side}_below"), &below);
        sides.push(below.below(above).name(format!("{side}_greedy")));
    }
    let (pull, push) = (sides[0], sides[1]);
    let greedy = b.register("greedy", 2);
    let parts = b.bits(&[i.pull_part.mux(push, pull), i.pull_part.mux(pull, push)]);
    greedy.drive(parts.name("next_greedy"));
    b.output("greedy", greedy);
}
