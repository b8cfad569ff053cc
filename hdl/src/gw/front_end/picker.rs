//! Scheduler (sections 6.1, 6.3.2): two warps of a pair at one pc, else one warp, else a scalar wave.
//!
//! ```text
//!  first, or second of what issues now: ready, no scalar, room --+--> both, one pc --[ round robin ]--+
//!                                                                +--> one --[ round robin ]-----------+--[r]--> issue_*
//!  offered wave, room for its path --> before all if it is urgent, else behind all -------------------+
//! ```
//!
//! What is picked in a cycle is on the issue pins in the next one.

use super::places::{halves, places_of};
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::{Pick, RoundRobin};
use crate::gw::record::PATH_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, T entries of the SWST, E bits number an entry of the storage.
    pub struct Picker<const N: usize, const H: usize, const T: usize, const E: usize>, inputs Inputs, clocked {
        in first_ready, first_scalar, first_goes_on, second_ready, second_scalar, second_goes_on: Signal<In, Bits<N>>,
        in first_path, second_path: [Signal<In, Bits<PATH_BITS>>; N],
        in front_slot: Signal<In, Bits<N>>,
        in front_entry: [Signal<In, Bits<E>>; N],
        in offer_valid, offer_urgent: Signal<In, bool>,
        in offer: Signal<In, Bits<T>>,
        in offer_path: Signal<In, Bits<PATH_BITS>>,
        in room: Signal<In, Bits<4>>,
        in pairs_on: Signal<In, bool>,
        out issue_pairs: Signal<Out, Bits<H>>,
        out issue_even, issue_odd, even_turns, odd_turns: Signal<Out, bool>,
        out issue_waves: Signal<Out, Bits<T>>,
    } described by describe
}

fn describe<'a, const N: usize, const H: usize, const T: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, T, E>,
) {
    assert_eq!(N, 2 * H);
    let [even, odd] = ["issue_even", "issue_odd"].map(|name| b.register(name, 1));
    let [even_turns, odd_turns] = ["even_turns", "odd_turns"].map(|name| b.register(name, 1));
    let (pairs, waves) = (b.storage("issue_pairs", H), b.register("issue_waves", T));
    let issues = places_of(b, "issues", pairs, even, odd);

    b.comment("Who can go: the first instruction, or the second while the first issues.");
    let room = |paths: &[Net<'a>]| b.bits(&paths.iter().map(|&path| i.room.index(path)).collect::<Vec<_>>());
    let first = i.first_ready & !i.first_scalar & room(&i.first_path) & !issues;
    let second = i.second_ready & !i.second_scalar & room(&i.second_path) & issues;
    let can_go = (first | second).name("can_go");
    let [evens, odds] = [halves(b, can_go, 0).name("even_can_go"), halves(b, can_go, 1).name("odd_can_go")];
    let wave_can_go = (i.offer_valid & i.room.index(i.offer_path)).name("wave_can_go");
    let urgent = (wave_can_go & i.offer_urgent).name("wave_goes_first");

    b.comment("The first pair and the first half in turn.");
    let one_issues = (pairs & (even ^ odd).repeat(H)).name("one_issues");
    let same: Vec<_> = (0..H).map(|pair| same(i, pair)).collect();
    let both = i.pairs_on.repeat(H) & evens & odds & b.bits(&same) & !one_issues;
    let both = both.name("both_can_go");
    let some = (evens | odds).name("some_can_go");
    let round_robin = RoundRobin::new(b, "turn", H);
    let Pick { chosen: pair, behind: behind_pair } = round_robin.pick("pair", both);
    let Pick { chosen: half, behind: behind_half } = round_robin.pick("half", some);

    b.comment("What goes. Each bit is found for a pair and for a half, before it is known which of them goes.");
    let pair_goes = both.any().name("pair_goes");
    let goes = (some.any() & !urgent).name("some_go");
    round_robin.pass(goes, pair_goes.mux(behind_pair, behind_half));
    pairs.drive(pair_goes.mux(pair, half));
    let half_is_even = (half & evens).any().name("half_is_even");
    even.drive(goes & (pair_goes | half_is_even));
    odd.drive(goes & (pair_goes | !half_is_even));
    let turns = ((issues & !i.second_goes_on) | (!issues & !i.first_goes_on)).name("turns");
    let [even_turn, odd_turn] = [halves(b, turns, 0).name("even_turn"), halves(b, turns, 1).name("odd_turn")];
    let of_half = (half & evens & even_turn).any();
    even_turns.drive(goes & pair_goes.mux((pair & even_turn).any(), of_half));
    let of_half = (half & !evens & odd_turn).any();
    odd_turns.drive(goes & pair_goes.mux((pair & odd_turn).any(), of_half));
    let wave_goes = urgent | (wave_can_go & !some.any());
    waves.drive(wave_goes.name("wave_goes").repeat(T) & i.offer);

    for (name, register) in
        [("issue_even", even), ("issue_odd", odd), ("even_turns", even_turns), ("odd_turns", odd_turns)]
    {
        b.output(name, register);
    }
    b.output("issue_pairs", pairs);
    b.output("issue_waves", waves);
}

/// The first instructions of both halves have one pc: they are of one entry, and of one slot.
fn same<'a, const N: usize, const H: usize, const T: usize, const E: usize>(
    i: &Inputs<'a, N, H, T, E>,
    pair: usize,
) -> Net<'a> {
    let (even, odd) = (2 * pair, 2 * pair + 1);
    i.front_entry[even].equals(i.front_entry[odd]) & i.front_slot.bit(even).equals(i.front_slot.bit(odd))
}
