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
//! One bit for each partition, a cycle after the occupancies; of more than 32 lanes two cycles after them, since the counts then
//! go through a register. Which side is which partition is applied behind the registers, since the counts come late.

use super::{threshold_constant, BANKS_IN_A_CYCLE};
use crate::circuit::net::{Builder, Net};
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
    let in_a_cycle = L <= BANKS_IN_A_CYCLE;
    let mut sides = vec![];
    for (side, occupancy) in [("pull", &i.pull_occupancy), ("push", &i.push_occupancy)] {
        let above: Vec<_> = occupancy.iter().map(|&o| threshold.below(o)).collect();
        let below: Vec<_> = occupancy.iter().map(|o| o.below(threshold)).collect();
        let count = |name: &str, lanes: &[Net<'a>]| {
            let name = format!("{side}_{name}");
            let count = b.bits(lanes).ones().name(name.as_str());
            if in_a_cycle {
                return count;
            }
            b.registered(format!("{name}_q"), count)
        };
        let (above, below) = (count("above", &above), count("below", &below));
        sides.push(below.below(above).name(format!("{side}_greedy")));
    }
    let greedy = b.registered("greedy_sides", b.bits(&sides).name("next_greedy_sides"));
    let pull_part = if in_a_cycle { i.pull_part } else { b.delay("pull_counted", i.pull_part) };
    let pull_was = b.delay("pull_was", pull_part);
    let (pull, push) = (greedy.bit(0), greedy.bit(1));
    b.output("greedy", b.bits(&[pull_was.mux(push, pull), pull_was.mux(pull, push)]).name("greedy"));
}
