//! Last step of a redistribution event by sorting (section III-C): from ranked banks to pairs of a giver and a taker.
//!
//! ```text
//!  rank:   0   1   2  ...  L/2-1 | L/2  ...  L-3 L-2 L-1
//!          |   |   '-------------+------------'   |   |
//!          |   '-----------------+----------------'   |      rank L-1-p gives to rank p
//!          '---------------------+--------------------'
//! ```
//!
//! The pairs of up to 32 lanes start in the cycle of the ranks, those of more lanes a cycle later, since the lane
//! numbers and the decisions then go through registers. A pair starts if the giver has at least two more than the taker
//! and, on the pull side, the taker has less than the threshold. Out come, lane by lane: who gives, who takes, and the
//! rank. If IDs may go to another core, the first giver that finds no taker becomes the sender.

use super::{threshold_constant, BANKS_IN_A_CYCLE};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes, S = log2(L); words of W = C + S bits.
    pub struct Pairing<const L: usize, const S: usize, const W: usize>, inputs Inputs, clocked {
        in ranks_valid, serve_pull, may_send: Signal<In, bool>,
        in rotation: Signal<In, Bits<S>>,
        in ranked: [Signal<In, Bits<W>>; L],
        // High in the cycle in which pairs start; in which the mover learns the ranks; in which the rotation turns.
        out start, learn, turn: Signal<Out, bool>,
        out gives, takes, sender: Signal<Out, Bits<L>>,
        out rank: [Signal<Out, Bits<S>>; L],
    }
    /// `threshold` in work IDs.
    described by describe(threshold: u64)
}

fn describe<'a, const L: usize, const S: usize, const W: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, S, W>,
    threshold: u64,
) {
    assert_eq!(L, 1 << S);
    b.comment("The pairs start with the ranks or a cycle later, and the ranks are learnt a cycle after that.");
    let registered = L > BANKS_IN_A_CYCLE;
    let later = |name: String, net: Net<'a>| if registered { b.delay(format!("{name}_q"), net) } else { net };
    let ranked_before = b.registered("ranked_before", i.ranks_valid);
    b.output("turn", ranked_before);
    b.output("start", if registered { ranked_before } else { i.ranks_valid });
    b.output("learn", if registered { b.registered("learn_q", ranked_before) } else { ranked_before });

    b.comment("Which lane has a rank, as a number and one-hot.");
    let lane_of = |rank: usize| {
        let name = format!("lane_of_rank_{rank}");
        later(name.clone(), (i.ranked[rank].slice(0, S) - i.rotation).name(name))
    };
    let decoded = |rank: usize| lane_of(rank).decode().name(format!("one_hot_of_rank_{rank}"));
    let one_hot: Vec<_> = (0..L).map(decoded).collect();

    b.comment("A pair starts if it evens out, and on the pull side only for a taker below the threshold.");
    let threshold = threshold_constant(b, threshold, W - S);
    let occupancy = |rank: usize| i.ranked[rank].slice(S, W - S);
    let starts = |p: usize| {
        let evens_out = occupancy(p).increment().below_tree(occupancy(L - 1 - p));
        let needs = !i.serve_pull | occupancy(p).below(threshold);
        (evens_out & needs).name(format!("start_pair_{p}"))
    };
    let now: Vec<_> = (0..L / 2).map(starts).collect();
    let starts: Vec<_> = now.iter().enumerate().map(|(p, &start)| later(format!("start_pair_{p}"), start)).collect();

    b.comment("The giver of the first pair that does not start sends to another core, if it is above the threshold.");
    let idle = (!b.bits(&now)).name("idle");
    let first_idle = idle.first_one().name("first_idle");
    let send = |p: usize| {
        let above = first_idle.bit(p) & threshold.below(occupancy(L - 1 - p));
        let name = format!("could_send_{p}");
        (later(name.clone(), above.name(name)) & i.may_send).name(format!("send_{p}"))
    };
    let sends: Vec<_> = (0..L / 2).map(send).collect();

    b.comment("Lane by lane.");
    let lanes_of = |which: &[_], rank: &dyn Fn(usize) -> usize| {
        let lanes: Vec<_> = (0..L / 2).map(|p| one_hot[rank(p)]).collect();
        b.one_of(which, &lanes)
    };
    let sender = lanes_of(&sends, &|p| L - 1 - p).name("sender");
    b.output("sender", sender);
    b.output("gives", (lanes_of(&starts, &|p| L - 1 - p) | sender).name("gives"));
    b.output("takes", lanes_of(&starts, &|p| p).name("takes"));
    let number: Vec<_> = (0..L).map(|rank| b.constant(rank as u64, S)).collect();
    for lane in 0..L {
        let is: Vec<_> = one_hot.iter().map(|rank| rank.bit(lane)).collect();
        let name = format!("rank${lane}");
        b.output(name.as_str(), b.one_of(&is, &number).name(name.as_str()));
    }
}
