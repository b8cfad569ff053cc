//! The round-robin pick against the first place that requests, counted from the one that is next.

use crate::common::{clock, ready, Random, Word};
use hdl::circuit::net::Builder;
use hdl::circuit::round_robin::{number, RoundRobin};
use hdl::network;
use rust_hdl::prelude::*;

const PLACES: usize = 6;

network! {
    pub struct Turns, inputs Inputs, clocked {
        in requests: Signal<In, Bits<PLACES>>,
        in moves: Signal<In, bool>,
        out chosen: Signal<Out, Bits<PLACES>>,
        out number: Signal<Out, Bits<3>>,
    } described by describe
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>) {
    let round_robin = RoundRobin::new(b, "turn", PLACES);
    let pick = round_robin.pick("requests", i.requests);
    round_robin.pass(i.moves, pick.behind);
    b.output("chosen", pick.chosen);
    b.output("number", number(b, pick.chosen, 3).name("number"));
}

#[test]
fn picks_the_first_at_or_behind_the_place_that_is_next() {
    let mut turns = ready!(Turns::default());
    let mut random = Random(7);
    let mut next = 0;
    for _ in 0..2000 {
        let mask = random.bits() & random.bits() & ((1 << PLACES) - 1);
        let passes = mask != 0 && random.tenths(5);
        turns.requests.next = mask.into();
        turns.moves.next = passes;
        turns.clock.next = false.into();
        assert!(simulate(&mut *turns, 100));
        let first = (0..PLACES).map(|i| (next + i) % PLACES).find(|place| mask >> place & 1 == 1);
        assert_eq!(turns.chosen.word(), first.map_or(0, |place| 1 << place));
        assert_eq!(turns.number.word(), first.unwrap_or(0) as u64);
        clock!(turns);
        if passes {
            next = (first.unwrap() + 1) % PLACES;
        }
    }
}
