//! The most and the least occupied bank, for serial redistribution.
//!
//! ```text
//!  pull_occupancy_i --+--[ some below threshold? some 2 or more? ]--[reg]-- part of the next look
//!                     |                                                          |
//!                     '--|\                                                      |
//!                        | |<----------------------------------------------------'
//!  push_occupancy_i -----|/|--[ pairs ]--[ fours ]--[regs]--[ eights ... ]--[regs]-- giver, taker
//! ```
//!
//! Two cycles: what comes out in a cycle is what the pins showed two cycles before, and another look begins in each cycle. One
//! comparison tells which bank of a pair is the more occupied and which the less; from there on there are two trees. The order is
//! that of the occupancies, and of equal ones that of the lane number xor `rotation`: where two groups of lanes meet, the bit in
//! which they differ decides.

use super::threshold_constant;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Layers of comparisons in the first cycle.
const EARLY_LAYERS: usize = 2;

network! {
    /// L lanes, S = log2(L); C bits of occupancy.
    pub struct Extremes<const L: usize, const S: usize, const C: usize>, inputs Inputs, clocked {
        in double_buffer, pull_part: Signal<In, bool>,
        in rotation: Signal<In, Bits<S>>,
        in pull_occupancy, push_occupancy: [Signal<In, Bits<C>>; L],
        // The look of two cycles before: there was one, and of which partition.
        out valid, part: Signal<Out, bool>,
        out giver, taker: Signal<Out, Bits<S>>,
        out giver_has, taker_has: Signal<Out, Bits<C>>,
    }
    /// `threshold` in work IDs.
    described by describe(threshold: u64)
}

/// The bank that is the most, or the least, occupied of a group of lanes: the lower bits of its number, and what it has.
#[derive(Clone, Copy)]
struct Bank<'a> {
    lane: Option<Net<'a>>,
    has: Net<'a>,
}

/// The two banks of a group.
#[derive(Clone, Copy)]
struct Group<'a> {
    least: Bank<'a>,
    most: Bank<'a>,
}

fn describe<'a, const L: usize, const S: usize, const C: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, S, C>,
    threshold: u64,
) {
    assert_eq!(L, 1 << S);
    b.comment("The pull side, if a bank starves there and another could help.");
    let threshold = threshold_constant(b, threshold, C);
    let below: Vec<_> = i.pull_occupancy.iter().map(|o| o.below(threshold)).collect();
    let below = b.bits(&below).name("below_threshold");
    let spare: Vec<_> = i.pull_occupancy.iter().map(|o| o.slice(1, C - 1).any()).collect();
    let spare = b.bits(&spare).name("two_or_more");
    let serve_pull = (!i.double_buffer | (below.any() & spare.any())).name("serve_pull");
    let part = b.registered("looks_at", serve_pull.equals(i.pull_part).name("next_looks_at"));
    let on_pull_side = part.equals(i.pull_part).name("on_pull_side");

    b.comment("Groups of one, two, four lanes.");
    let bank = |lane: usize| {
        let has = on_pull_side.mux(i.pull_occupancy[lane], i.push_occupancy[lane]);
        let bank = Bank { lane: None, has: has.name(format!("occupancy_{lane}")) };
        Group { least: bank, most: bank }
    };
    let mut groups: Vec<_> = (0..L).map(bank).collect();
    for layer in 0..EARLY_LAYERS {
        groups = meet(b, layer, groups, i.rotation.bit(layer));
    }
    let later = |name: String, bank: Bank<'a>| Bank {
        lane: bank.lane.map(|lane| b.delay(format!("{name}_lane"), lane)),
        has: b.delay(format!("{name}_has"), bank.has),
    };
    let both = |(g, group): (usize, Group<'a>)| Group {
        least: later(format!("least_of_group_{g}"), group.least),
        most: later(format!("most_of_group_{g}"), group.most),
    };
    groups = groups.into_iter().enumerate().map(both).collect();

    b.comment("Greater groups, a cycle later.");
    let looked = b.registered("looked", b.high());
    let part = b.delay("looked_at", part);
    if S > EARLY_LAYERS {
        let rotation = b.delay("rotation_before", i.rotation.slice(EARLY_LAYERS, S - EARLY_LAYERS));
        for layer in EARLY_LAYERS..S {
            groups = meet(b, layer, groups, rotation.bit(layer - EARLY_LAYERS));
        }
    }
    b.output("valid", b.registered("valid", looked));
    b.output("part", b.delay("part", part));
    for (name, bank) in [("giver", groups[0].most), ("taker", groups[0].least)] {
        b.output(name, b.delay(name, bank.lane.expect("more than one lane")));
        b.output(format!("{name}_has"), b.delay(format!("{name}_has"), bank.has));
    }
}

/// Two groups become one. `turned`: of equal banks that of the second group counts as the less occupied.
fn meet<'a>(b: &'a Builder, layer: usize, groups: Vec<Group<'a>>, turned: Net<'a>) -> Vec<Group<'a>> {
    let first_is_less = |name: String, first: Bank<'a>, second: Bank<'a>| {
        let (first, second) = (b.bits(&[turned, first.has]), b.bits(&[!turned, second.has]));
        first.below_tree(second).name(name)
    };
    let bank = |name: String, first_wins: Net<'a>, first: Bank<'a>, second: Bank<'a>| {
        let second_wins = !first_wins;
        let lane = match (first.lane, second.lane) {
            (Some(first), Some(second)) => b.bits(&[first_wins.mux(first, second), second_wins]),
            _ => second_wins,
        };
        let has = first_wins.mux(first.has, second.has).name(format!("{name}_has"));
        Bank { lane: Some(lane.name(format!("{name}_lane"))), has }
    };
    let pair = |(g, pair): (usize, &[Group<'a>])| {
        let (first, second) = (pair[0], pair[1]);
        let name = |what: &str| format!("layer{layer}_{what}_{g}");
        let least_first = first_is_less(name("first_is_less"), first.least, second.least);
        let most_second = match first.least.lane {
            Some(_) => first_is_less(name("first_has_less"), first.most, second.most),
            None => least_first,
        };
        Group {
            least: bank(name("least"), least_first, first.least, second.least),
            most: bank(name("most"), (!most_second).name(name("most_is_first")), first.most, second.most),
        }
    };
    groups.chunks(2).enumerate().map(pair).collect()
}
