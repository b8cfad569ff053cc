//! Last step of a redistribution event by thresholds (section III-C): the k-th greedy bank gives to the k-th needy one.
//!
//! ```text
//!  greedy_banks --[ rank from `rotation` upwards ]-- k-th greedy bank --+-- gives, donor_i
//!                                                                       |
//!  needy_banks ---[ rank from `rotation` upwards ]-- k-th needy bank ---+-- takes
//! ```
//!
//! Combinational. A bank's rank is the number of banks of its kind before it, counted from bank `rotation` upwards,
//! modulo L. Banks from `rotation` on count among themselves; those below come behind all of these. So two
//! prefix sums and one addition make a rank, and nothing needs to be rotated there and back. If IDs may go to another
//! core, the first greedy bank beyond the needy ones becomes the sender.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes, S = log2(L).
    pub struct Matching<const L: usize, const S: usize>, inputs Inputs {
        in rotation: Signal<In, Bits<S>>,
        in may_send: Signal<In, bool>,
        in greedy_banks, needy_banks: Signal<In, Bits<L>>,
        out gives, takes, sender: Signal<Out, Bits<L>>,
        out donor: [Signal<Out, Bits<S>>; L],
    } described by describe
}

fn describe<'a, const L: usize, const S: usize>(b: &'a Builder, i: &Inputs<'a, L, S>) {
    assert_eq!(L, 1 << S);
    b.comment("Banks below the one that counts as the first.");
    let wraps = |lane: usize| match lane == L - 1 {
        true => b.low(),
        false => b.constant(lane as u64, S).below(i.rotation),
    };
    let wrapped = b.bits(&(0..L).map(wraps).collect::<Vec<_>>()).name("wrapped");
    let greedy = ranks(b, "greedy", i.greedy_banks, wrapped);
    let needy = ranks(b, "needy", i.needy_banks, wrapped);

    b.comment("Which ranks there are. A pair takes two banks, so that half the ranks are enough.");
    let pairs = L / 2;
    let some = |kind: &str, rank_of: &[Vec<Net<'a>>], k: usize| {
        b.or_all(&rank_of.iter().map(|r| r[k]).collect::<Vec<_>>()).name(format!("{kind}_{k}_exists"))
    };
    let gives: Vec<_> = (0..pairs).map(|k| some("greedy", &greedy, k)).collect();
    let takes: Vec<_> = (0..pairs).map(|k| some("needy", &needy, k)).collect();
    let number: Vec<_> = (0..L).map(|lane| b.constant(lane as u64, S)).collect();
    let giver = |k: usize| {
        let is_kth: Vec<_> = greedy.iter().map(|r| r[k]).collect();
        b.one_of(&is_kth, &number).name(format!("greedy_{k}_lane"))
    };
    let givers: Vec<_> = (0..pairs).map(giver).collect();
    let beyond = |k: usize| {
        let first = if k == 0 { !takes[0] } else { takes[k - 1] & !takes[k] };
        (first & i.may_send).name(format!("send_{k}"))
    };
    let beyond: Vec<_> = (0..pairs).map(beyond).collect();

    b.comment("Lane by lane.");
    let lanes_of = |rank_of: &[Vec<Net<'a>>], partner: &[Net<'a>]| {
        let lane =
            |ranks: &Vec<Net<'a>>| b.or_all(&ranks.iter().zip(partner).map(|(&r, &p)| r & p).collect::<Vec<_>>());
        b.bits(&rank_of.iter().map(lane).collect::<Vec<_>>())
    };
    let sender = lanes_of(&greedy, &beyond).name("sender");
    b.output("sender", sender);
    b.output("gives", (lanes_of(&greedy, &takes) | sender).name("gives"));
    b.output("takes", lanes_of(&needy, &gives).name("takes"));
    for (taker, ranks) in needy.iter().enumerate() {
        let name = format!("donor${taker}");
        b.output(name.as_str(), b.one_of(ranks, &givers).name(name.as_str()));
    }
}

/// For each bank the one-hot rank among the banks of its kind, the first L / 2 ranks; all low if it is not of that kind.
fn ranks<'a>(b: &'a Builder, kind: &str, banks: Net<'a>, wrapped: Net<'a>) -> Vec<Vec<Net<'a>>> {
    let lanes = banks.width();
    let rank_bits = lanes.ilog2() as usize;
    b.comment(&format!("Rank of each {kind} bank."));
    let first: Vec<_> = (0..lanes).map(|lane| banks.bit(lane) & !wrapped.bit(lane)).collect();
    let last: Vec<_> = (0..lanes - 1).map(|lane| banks.bit(lane) & wrapped.bit(lane)).collect();
    // Ranks modulo L are enough: if all banks are of one kind, there are no pairs.
    let first_up_to = prefix_counts(&format!("{kind}_first_up_to"), &first, rank_bits);
    let last_up_to = prefix_counts(&format!("{kind}_last_up_to"), &last, rank_bits);
    let all_first = first_up_to[lanes - 1];
    let rank = |lane: usize| {
        let zero = b.constant(0, rank_bits);
        let (ahead, behind) = if lane == 0 { (zero, zero) } else { (first_up_to[lane - 1], last_up_to[lane - 1]) };
        let rank = wrapped.bit(lane).mux(all_first + behind, ahead).name(format!("{kind}_rank_{lane}"));
        let is = |k: usize| (banks.bit(lane) & rank.is(k as u64)).name(format!("{kind}_{lane}_is_{k}"));
        (0..lanes / 2).map(is).collect()
    };
    (0..lanes).map(rank).collect()
}

/// Number of high bits up to and including each, modulo 2^width, in log2 steps.
fn prefix_counts<'a>(name: &str, bits: &[Net<'a>], width: usize) -> Vec<Net<'a>> {
    let leaf = |(i, bit): (usize, &Net<'a>)| bit.extend(width).name(format!("{name}_{i}"));
    let mut counts: Vec<_> = bits.iter().enumerate().map(leaf).collect();
    for level in 0..width {
        for i in (0..bits.len()).filter(|i| i >> level & 1 == 1) {
            let below = (i >> level << level) - 1;
            counts[i] = (counts[i] + counts[below]).name(format!("{name}_{i}_from_{}", below + 1 - (1 << level)));
        }
    }
    counts
}
