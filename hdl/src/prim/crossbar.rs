//! Crossbar between the two lanes of each pair: L / 2 registers, which load from the giving lanes and show their data to the
//! taking lanes.
//!
//! ```text
//!                +-----------------+    +---+    +-----------------+
//!  data_in_0 ----|                 |----|   |----|                 |---- data_out_0
//!   ...          | giver of each   |    |   |    | pair of each    |      ...
//!  data_in_L-1 --| pair: L/2 x L   |----|>  |----| lane: L x L/2   |---- data_out_L-1
//!                +--------^--------+    +-^-+    +--------^--------+
//!  rank_i --[reg]---------+---------------|---------------+
//!                +--------v--------+      |      +--------v--------+
//!  offered ------| giver of each   |------+------| pair of each    |--&--- taken
//!                +-----------------+             +-----------------+  |
//!  wanted ------------------------------------------------------------+
//! ```
//!
//! A lane's rank is sampled in a cycle with `learn`. The lane of rank L-1-p gives to the lane of rank p, and both are in
//! pair p. In a cycle in which a giver has data (`offered`) the register of its pair takes them. `taken[i]` says in
//! the same cycle that lane i wants data (`wanted[i]`) and that the giver of its pair has some. `data_out_i` shows
//! these data from the next cycle on, until the giver offers others. The data have no reset: whoever wanted data knows when they mean
//! something.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes of W bits; S = log2(L).
    pub struct Crossbar<const L: usize, const W: usize, const S: usize>, inputs Inputs, clocked {
        in learn: Signal<In, bool>,
        in rank: [Signal<In, Bits<S>>; L],
        in offered, wanted: Signal<In, Bits<L>>,
        in data_in: [Signal<In, Bits<W>>; L],
        out taken: Signal<Out, Bits<L>>,
        out data_out: [Signal<Out, Bits<W>>; L],
    } described by describe
}

fn describe<'a, const L: usize, const W: usize, const S: usize>(b: &'a Builder, i: &Inputs<'a, L, W, S>) {
    assert!(L == 1 << S && S > 1);
    let learnt = |(lane, &rank): (usize, &Net<'a>)| b.data_register(format!("rank_of_{lane}"), rank, i.learn);
    let ranks: Vec<_> = i.rank.iter().enumerate().map(learnt).collect();
    let pairs = 0..L / 2;

    b.comment("Each pair: its giver, whether that offers data, and the data.");
    let giver = |p: usize| {
        let gives: Vec<_> = ranks.iter().map(|rank| rank.is((L - 1 - p) as u64)).collect();
        b.bits(&gives).name(format!("giver_{p}"))
    };
    let givers: Vec<_> = pairs.clone().map(giver).collect();
    let offers: Vec<_> = pairs.clone().map(|p| (givers[p] & i.offered).any().name(format!("offers_{p}"))).collect();
    let data = |p: usize| {
        let offered = b.one_of(&givers[p].each(), &i.data_in).name(format!("offered_{p}"));
        b.data_register(format!("data_{p}"), offered, offers[p])
    };
    let data: Vec<_> = pairs.map(data).collect();

    b.comment("Each lane: the data of its pair.");
    let offered = b.bits(&offers).name("offered_to_pair");
    let pair: Vec<_> = ranks.iter().map(|rank| rank.slice(0, S - 1)).collect();
    let taken = |lane: usize| i.wanted.bit(lane) & offered.index(pair[lane].name(format!("pair_of_{lane}")));
    b.output("taken", b.bits(&(0..L).map(taken).collect::<Vec<_>>()).name("taken"));
    for (lane, &pair) in pair.iter().enumerate() {
        let name = format!("data_out${lane}");
        b.output(name.as_str(), b.select(name.as_str(), pair, &data));
    }
}
