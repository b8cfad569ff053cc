//! Scheduler (sections 6.1, 6.3.2): two warps of a pair at one pc, else one warp, else a scalar wave.
//!
//! ```text
//!  first, or second of what issues now: ready, no scalar, room --+--> both, one pc --[ round robin ]--+
//!                                                                +--> one --[ round robin ]-----------+--[r]--> issue_*
//!  offered wave, room for its path --> before all if it is urgent, else behind all -------------------+
//! ```
//!
//! A pick is on the issue pins in the next cycle.

use super::places::halves;
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::RoundRobin;
use crate::gw::record::PATH_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, E bits number an entry of the storage.
    pub struct Picker<const N: usize, const H: usize, const E: usize>, inputs Inputs, clocked {
        in first_ready, first_scalar, second_ready, second_scalar: Signal<In, Bits<N>>,
        in first_path, second_path: [Signal<In, Bits<PATH_BITS>>; N],
        in front_slot: Signal<In, Bits<N>>,
        in front_entry: [Signal<In, Bits<E>>; N],
        in offer_valid, offer_urgent: Signal<In, bool>,
        in offer_path: Signal<In, Bits<PATH_BITS>>,
        in room: Signal<In, Bits<4>>,
        in pairs_on: Signal<In, bool>,
        out issue_pairs: Signal<Out, Bits<H>>,
        out halves: Signal<Out, Bits<N>>,
        out issue_even, issue_odd: Signal<Out, bool>,
        out issue_wave: Signal<Out, bool>,
    } described by describe
}

fn describe<'a, const N: usize, const H: usize, const E: usize>(b: &'a Builder, i: &Inputs<'a, N, H, E>) {
    assert_eq!(N, 2 * H);
    let [even, odd] = ["issue_even", "issue_odd"].map(|name| b.register(name, 1));
    let pairs = b.storage("issue_pairs", H);
    let issues = b.register("halves", N);

    b.comment("Who can go: the first instruction, or the second while the first issues.");
    let first = i.first_ready & !i.first_scalar & !issues;
    let second = i.second_ready & !i.second_scalar & issues;
    let room = |place: usize| i.room.index(issues.bit(place).mux(i.second_path[place], i.first_path[place]));
    let room = b.bits(&(0..N).map(room).collect::<Vec<_>>());
    let can_go = ((first | second) & room).name("can_go");
    let [evens, odds] = [halves(b, can_go, 0).name("even_can_go"), halves(b, can_go, 1).name("odd_can_go")];
    let wave_can_go = (i.offer_valid & i.room.index(i.offer_path)).name("wave_can_go");
    let urgent = (wave_can_go & i.offer_urgent).name("wave_goes_first");

    b.comment("The first pair and the first half in turn.");
    let one_issues = (halves(b, issues, 0) ^ halves(b, issues, 1)).name("one_issues");
    let same: Vec<_> = (0..H).map(|pair| same(i, pair)).collect();
    let both = i.pairs_on.repeat(H) & evens & odds & b.bits(&same) & !one_issues;
    let both = both.name("both_can_go");
    let some = (evens | odds).name("some_can_go");
    let odds_alone = (odds & !evens).name("odd_goes_alone");
    let round_robin = RoundRobin::new(b, "turn", H);
    let pair_pick = round_robin.pick("pair", both);
    let half_pick = round_robin.pick("half", some);
    let (pair, half) = (pair_pick.chosen, half_pick.chosen);

    b.comment("What goes. Each bit is found for a pair and for a half, before it is known which of them goes.");
    let no_pair = (!both.any()).name("no_pair_goes");
    let unless_pair = |of_pair: Net<'a>, of_half: Net<'a>| of_pair | (no_pair.repeat(of_half.width()) & of_half);
    let goes = (!urgent).name("no_wave_goes_first");
    let holds = (!(goes & some.any())).name("turn_holds");
    round_robin.pass_or_hold(goes.repeat(H) & unless_pair(pair_pick.behind, half_pick.behind), holds);
    pairs.drive(unless_pair(pair, half));
    even.drive(goes & unless_pair(!no_pair, half_pick.is_one_of(evens)));
    odd.drive(goes & unless_pair(!no_pair, half_pick.is_one_of(odds_alone)));
    let even_places = (goes.repeat(H) & unless_pair(pair, half & evens)).name("even_issues_next");
    let odd_places = (goes.repeat(H) & unless_pair(pair, half & odds_alone)).name("odd_issues_next");
    let places: Vec<_> = (0..N).map(|place| [even_places, odd_places][place % 2].bit(place / 2)).collect();
    issues.drive(b.bits(&places));
    let wave_is_free = (urgent | !some.any()).name("wave_is_free");
    b.output("issue_wave", b.registered("issue_wave", wave_is_free & wave_can_go));

    b.output("issue_even", even);
    b.output("issue_odd", odd);
    b.output("issue_pairs", pairs);
    b.output("halves", issues);
}

/// The first instructions of both halves have one pc: they are of one entry, and of one slot.
fn same<'a, const N: usize, const H: usize, const E: usize>(i: &Inputs<'a, N, H, E>, pair: usize) -> Net<'a> {
    let (even, odd) = (2 * pair, 2 * pair + 1);
    i.front_entry[even].equals(i.front_entry[odd]) & i.front_slot.bit(even).equals(i.front_slot.bit(odd))
}
