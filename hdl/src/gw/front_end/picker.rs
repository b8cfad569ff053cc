//! Scheduler (sections 6.1, 6.3.2): two warps of a pair at one pc, else one warp, else a scalar wave.
//!
//! ```text
//!  first, or second of what issues now: ready, no scalar, room --+--> both, one pc --[ round robin ]--+
//!                                                                +--> one --[ round robin ]-----------+--[r]--> issue_*
//!  offered wave, room for its path --> before all if it is urgent, else behind all -------------------+
//!  scalar in turn, room for its path --> if nothing else goes ----------------------------------------+
//!  what is compared, first of its places, not scalar, waits for nothing, room --> if nothing else goes +
//! ```
//!
//! A pick is on the issue pins in the next cycle. The last two are parameters.

use super::places::{both_places, halves};
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::RoundRobin;
use crate::gw::record::PATH_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, E bits number an entry of the storage. X = 1: a scalar can issue at once; D = 1: what is
    /// compared can.
    pub struct Picker<const N: usize, const H: usize, const E: usize, const X: usize, const D: usize>,
    inputs Inputs, clocked {
        in first_ready, first_scalar, second_ready, second_scalar: Signal<In, Bits<N>>,
        in first_path, second_path: [Signal<In, Bits<PATH_BITS>>; N],
        in front_slot: Signal<In, Bits<N>>,
        in front_entry: [Signal<In, Bits<E>>; N],
        in offer_valid, offer_urgent: Signal<In, bool>,
        in offer_path: Signal<In, Bits<PATH_BITS>>,
        in room: Signal<In, Bits<4>>,
        in pairs_on: Signal<In, bool>,
        in scalar_can: [Signal<In, bool>; X],
        in scalar_pick, may_join: [Signal<In, Bits<N>>; X],
        in land_even, land_odd, lands_first, even_clear, odd_clear, even_scalar, odd_scalar: [Signal<In, bool>; D],
        in land_pairs: [Signal<In, Bits<H>>; D],
        in land_path: [Signal<In, Bits<PATH_BITS>>; D],
        out issue_pairs: Signal<Out, Bits<H>>,
        out halves: Signal<Out, Bits<N>>,
        out issue_even, issue_odd: Signal<Out, bool>,
        out issue_wave: Signal<Out, bool>,
        out expresses, issue_express, issue_offer: [Signal<Out, bool>; X],
        out express_places: [Signal<Out, Bits<N>>; X],
    }
    /// `lowest`: the lowest place goes first, not the next in turn.
    described by describe(lowest: bool)
}

fn describe<'a, const N: usize, const H: usize, const E: usize, const X: usize, const D: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, E, X, D>,
    lowest: bool,
) {
    assert_eq!(N, 2 * H);
    let [even, odd] = ["issue_even", "issue_odd"].map(|name| b.register(name, 1));
    let pairs = b.storage("issue_pairs", H);
    let issues = b.register("halves", N);

    b.comment("Who can go: the first instruction, or the second while the first issues.");
    let first = i.first_ready & !i.first_scalar & !issues;
    let second = i.second_ready & !i.second_scalar & issues;
    let room = |place: usize| i.room.index(issues.bit(place).mux(i.second_path[place], i.first_path[place]));
    let room = b.bits(&(0..N).map(room).collect::<Vec<_>>());
    let room = if X == 1 { room.name("has_room") } else { room };
    let can_go = ((first | second) & room).name("can_go");
    let [evens, odds] = [halves(b, can_go, 0).name("even_can_go"), halves(b, can_go, 1).name("odd_can_go")];
    let wave_can_go = (i.offer_valid & i.room.index(i.offer_path)).name("wave_can_go");
    let urgent = (wave_can_go & i.offer_urgent).name("wave_goes_first");

    b.comment("The first pair and the first half in turn.");
    let one_issues = (halves(b, issues, 0) ^ halves(b, issues, 1)).name("one_issues");
    let same: Vec<_> = (0..H).map(|pair| same(i, pair)).collect();
    let same = b.bits(&same);
    let same = if X == 1 { same.name("one_pc") } else { same };
    let both = i.pairs_on.repeat(H) & evens & odds & same & !one_issues;
    let both = both.name("both_can_go");
    let some = (evens | odds).name("some_can_go");
    let odds_alone = (odds & !evens).name("odd_goes_alone");
    let round_robin = if lowest { RoundRobin::lowest(b) } else { RoundRobin::new(b, "turn", H) };
    let pair_pick = round_robin.pick("pair", both);
    let half_pick = round_robin.pick("half", some);
    let (pair, half) = (pair_pick.chosen, half_pick.chosen);

    b.comment("What goes. Each bit is found for a pair and for a half, before it is known which of them goes.");
    let no_pair = (!both.any()).name("no_pair_goes");
    let unless_pair = |of_pair: Net<'a>, of_half: Net<'a>| of_pair | (no_pair.repeat(of_half.width()) & of_half);
    let goes = (!urgent).name("no_wave_goes_first");
    if !lowest {
        let holds = (!(goes & some.any())).name("turn_holds");
        round_robin.pass_or_hold(goes.repeat(H) & unless_pair(pair_pick.behind, half_pick.behind), holds);
    }
    let idle = !some.any() & !wave_can_go;
    let idle = if X + D > 0 { idle.name("idle") } else { idle };
    let scalar_can = scalar_can(b, i, room);
    let express = scalar_can.map(|can| express(b, i, (idle & can).name("scalar_goes"), same));
    let landing = landing(b, i, scalar_can);
    let or_landing = |goes: Net<'a>, lands: fn(Landing<'a>) -> Net<'a>| {
        landing.map_or(goes, |landing| goes | (lands(landing) & idle.repeat(goes.width())))
    };
    pairs.drive(or_landing(unless_pair(pair, half), |landing| landing.pairs));
    even.drive(or_landing(goes & unless_pair(!no_pair, half_pick.is_one_of(evens)), |landing| landing.even));
    odd.drive(or_landing(goes & unless_pair(!no_pair, half_pick.is_one_of(odds_alone)), |landing| landing.odd));
    let even_places = goes.repeat(H) & unless_pair(pair, half & evens);
    let odd_places = goes.repeat(H) & unless_pair(pair, half & odds_alone);
    let even_places = or_landing(even_places, |landing| landing.places(landing.even)).name("even_issues_next");
    let odd_places = or_landing(odd_places, |landing| landing.places(landing.odd)).name("odd_issues_next");
    let places: Vec<_> = (0..N).map(|place| [even_places, odd_places][place % 2].bit(place / 2)).collect();
    issues.drive(b.bits(&places));
    let wave_is_free = (urgent | !some.any()).name("wave_is_free");
    let offer_goes = wave_is_free & wave_can_go;
    match express {
        None => b.output("issue_wave", b.registered("issue_wave", offer_goes)),
        Some(express) => {
            let offer_goes = offer_goes.name("offer_goes");
            b.output("issue_wave", b.registered("issue_wave", offer_goes | express));
            b.output("issue_offer$0", b.registered("issue_offer", offer_goes));
            b.output("issue_express$0", b.registered("issue_express", express));
        }
    }

    b.output("issue_even", even);
    b.output("issue_odd", odd);
    b.output("issue_pairs", pairs);
    b.output("halves", issues);
}

/// The scalar in turn can go, if nothing else does.
fn scalar_can<'a, const N: usize, const H: usize, const E: usize, const X: usize, const D: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, E, X, D>,
    room: Net<'a>,
) -> Option<Net<'a>> {
    let (can, pick) = (*i.scalar_can.first()?, *i.scalar_pick.first()?);
    b.comment(
        "A scalar that goes at once, with its neighbour. All is ready before it is known that nothing else goes.",
    );
    Some((can & (pick & room).any()).name("scalar_has_room"))
}

/// It goes, with its neighbour if that is at the same pc.
fn express<'a, const N: usize, const H: usize, const E: usize, const X: usize, const D: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, E, X, D>,
    goes: Net<'a>,
    same: Net<'a>,
) -> Net<'a> {
    let (pick, may_join) = (i.scalar_pick[0], i.may_join[0]);
    let neighbour = b.bits(&(0..N).map(|place| pick.bit(place ^ 1)).collect::<Vec<_>>()).name("neighbour");
    let with = (neighbour & may_join & both_places(b, same)).name("with_neighbour");
    b.output("express_places$0", goes.repeat(N) & (pick | with));
    b.output("expresses$0", goes);
    goes
}

/// A pair that goes past the window, and which halves of it.
#[derive(Clone, Copy)]
struct Landing<'a> {
    pairs: Net<'a>,
    even: Net<'a>,
    odd: Net<'a>,
}

impl<'a> Landing<'a> {
    fn places(self, half: Net<'a>) -> Net<'a> {
        self.pairs & half.repeat(self.pairs.width())
    }
}

/// The pair in *compare* can go, if nothing else does and no scalar can.
fn landing<'a, const N: usize, const H: usize, const E: usize, const X: usize, const D: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, E, X, D>,
    scalar_can: Option<Net<'a>>,
) -> Option<Landing<'a>> {
    let (pairs, path) = (*i.land_pairs.first()?, *i.land_path.first()?);
    let of = |of_instance: &[Net<'a>]| of_instance[0];
    let [even, odd] = [of(&i.land_even), of(&i.land_odd)];
    b.comment("What is compared goes past the window.");
    let even_can = (!even | (of(&i.even_clear) & !of(&i.even_scalar))).name("even_can_land");
    let odd_can = (!odd | (of(&i.odd_clear) & !of(&i.odd_scalar))).name("odd_can_land");
    let may = (even | odd) & of(&i.lands_first) & i.room.index(path);
    let may = scalar_can.map_or(may, |scalar_can| may & !scalar_can).name("may_land");
    let goes = (may & even_can & odd_can).name("can_land");
    Some(Landing {
        pairs: (pairs & goes.repeat(H)).name("landing_pairs"),
        even: (goes & even).name("lands_even"),
        odd: (goes & odd & (i.pairs_on | !even)).name("lands_odd"),
    })
}

/// The first instructions of both halves have one pc: they are of one entry, and of one slot.
fn same<'a, const N: usize, const H: usize, const E: usize, const X: usize, const D: usize>(
    i: &Inputs<'a, N, H, E, X, D>,
    pair: usize,
) -> Net<'a> {
    let (even, odd) = (2 * pair, 2 * pair + 1);
    i.front_entry[even].equals(i.front_entry[odd]) & i.front_slot.bit(even).equals(i.front_slot.bit(odd))
}
