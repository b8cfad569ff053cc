//! A core's greedy bits (section III-C): whether more of its banks are above the threshold than below it.
//!
//! ```text
//!  pull_occupancy_i --[ > ]--[ how many ]--+--[ > ]--+---+--|\
//!                   --[ < ]--[ how many ]--'         |   |  | |---- greedy[0], greedy[1]
//!  push_occupancy_i --[ > ]--[ how many ]--+--[ > ]--|>  |--| |
//!                   --[ < ]--[ how many ]--'         |   |  |/
//!  pull_part ----------------------------------------+---+---'
//! ```
//!
//! One bit for each partition, a cycle after the occupancies. Which side is which partition is applied behind the
//! registers, since the counts come late.

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
    let greedy = b.register("greedy_sides", 2);
    greedy.drive(b.bits(&sides).name("next_greedy_sides"));
    let pull_was = b.delay("pull_was", i.pull_part);
    let (pull, push) = (greedy.bit(0), greedy.bit(1));
    b.output("greedy", b.bits(&[pull_was.mux(push, pull), pull_was.mux(pull, push)]).name("greedy"));
}
