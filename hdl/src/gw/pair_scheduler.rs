//! Odd-even pair scheduler (sections 6.1, 6.3.2): two warps of a pair at one pc, else one warp, else a scalar wave.
//!
//! ```text
//!  ready, not scalar, room for its path --+--> both halves, same --> a pair, round robin --+
//!                                         +--> a place, round robin -----------------------+--[r]--> issue_*
//!  offer_*, room for its path ---> the wave: before all if urgent, else behind all --------+
//! ```
//!
//! Latency 1; an issue in every cycle.

use super::issue::halves;
use super::record::PATH_BITS;
use crate::circuit::net::Builder;
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs; P bits number a pair, I bits an entry of the SWST.
    pub struct PairScheduler<const N: usize, const H: usize, const P: usize, const I: usize>, inputs Inputs, clocked {
        in ready, scalar: Signal<In, Bits<N>>,
        in same: Signal<In, Bits<H>>,
        in path: [Signal<In, Bits<PATH_BITS>>; N],
        in offer_valid: Signal<In, bool>,
        in offer_swid: Signal<In, Bits<I>>,
        in offer_path: Signal<In, Bits<PATH_BITS>>,
        in offer_urgent: Signal<In, bool>,
        in room: Signal<In, Bits<4>>,
        in pairs_on: Signal<In, bool>,
        out issue_even, issue_odd: Signal<Out, bool>,
        out issue_pair: Signal<Out, Bits<P>>,
        out issue_wave: Signal<Out, bool>,
        out issue_swid: Signal<Out, Bits<I>>,
    } described by describe
}

fn describe<'a, const N: usize, const H: usize, const P: usize, const I: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, P, I>,
) {
    assert_eq!(N, 2 * H);
    let [issue_even, issue_odd, issue_wave] = ["issue_even", "issue_odd", "issue_wave"].map(|name| b.register(name, 1));
    let (issue_pair, issue_swid) = (b.storage("issue_pair", P), b.storage("issue_swid", I));

    b.comment("Who can go.");
    let issues = halves(b, "issues", issue_even, issue_odd, issue_pair, N);
    let room: Vec<_> = i.path.iter().map(|&path| i.room.index(path)).collect();
    let can_go = (i.ready & !i.scalar & b.bits(&room) & !issues).name("can_go");
    let wave_issues = issue_wave & issue_swid.equals(i.offer_swid);
    let wave_can_go = (i.offer_valid & i.room.index(i.offer_path) & !wave_issues).name("wave_can_go");
    let urgent = (wave_can_go & i.offer_urgent).name("wave_goes_first");

    b.comment("The first pair and the first place in turn.");
    let both = |pair: usize| i.same.bit(pair) & can_go.bit(2 * pair) & can_go.bit(2 * pair + 1);
    let both: Vec<_> = (0..H).map(both).collect();
    let pairs_can_go = (i.pairs_on.repeat(H) & b.bits(&both)).name("pairs_can_go");
    let round_robin = RoundRobin::new(b, "turn", N);
    let Pick { chosen: pair, behind: behind_pair, .. } =
        round_robin.of_groups("pair_turn", 2).pick("pair", pairs_can_go);
    let Pick { chosen: place, behind: behind_place, .. } = round_robin.pick("place", can_go);

    b.comment("What goes.");
    let some_pair = pairs_can_go.any().name("some_pair");
    let some_place = can_go.any().name("some_place");
    let pair_goes = (!urgent & some_pair).name("pair_goes");
    let wave_goes = urgent | (wave_can_go & !some_place);
    let behind_pair: Vec<_> = behind_pair.each().into_iter().flat_map(|pair| [pair, pair]).collect();
    let behind = pair_goes.mux(b.bits(&behind_pair), behind_place).name("behind");
    let goes = (!urgent & some_place).name("some_go");
    round_robin.pass(goes, behind);
    let half = |odd: usize| (0..H).map(|pair| place.bit(2 * pair + odd)).collect::<Vec<_>>();
    let (evens, odds) = (b.bits(&half(0)).name("even_places"), b.bits(&half(1)).name("odd_places"));
    issue_even.drive(goes & (pair_goes | evens.any()));
    issue_odd.drive(goes & (pair_goes | odds.any()));
    let pair_going = pair_goes.mux(pair, evens | odds).name("pair_going");
    issue_pair.drive(number(b, pair_going, P));
    issue_wave.drive(wave_goes);
    issue_swid.drive(i.offer_swid);

    for (name, register) in [
        ("issue_even", issue_even),
        ("issue_odd", issue_odd),
        ("issue_pair", issue_pair),
        ("issue_wave", issue_wave),
        ("issue_swid", issue_swid),
    ] {
        b.output(name, register);
    }
}
