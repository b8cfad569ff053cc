//! Last step of a redistribution event by thresholds (section III-C): the k-th greedy bank gives to the k-th needy one.
//!
//! ```text
//!                +---+
//!  greedy_banks -|>  |-+--[ how many below each ]------------------[ < limits ]---- gives, sender
//!                +---+ |                                     +---+     |
//!                      '--[ how many from `rotation` on, ]---|>  |-----+
//!                      .--[ and below it                 ]---|   |-----+
//!                +---+ |                                     +---+     |
//!  needy_banks --|>  |-+--[ how many below each ]------------------[ < limits ]---- takes
//!                +---+
//! ```
//!
//! The banks are taken at `load`. One cycle later the limits are taken, and in the cycle after that all outputs are
//! those of the event. The rotation is kept as a mask of the banks below it and takes a step at `turn`.
//!
//! A bank's place is the number of banks of its kind before it, counted from bank `rotation` upwards, modulo L. A greedy
//! bank gives if its place is below the number of needy banks, and the other way round. The places themselves are not
//! waited for: a number of banks counted from bank 0 is compared with a limit into which the rotation is counted, one
//! limit for the banks from `rotation` on and one for those below. If IDs may go to another core, the first greedy bank
//! beyond the needy ones becomes the sender. The ranks of the pairs come out as
//! [`Crossbar`](crate::prim::crossbar::Crossbar) wants them: k for the k-th needy bank, L-1-k for the k-th greedy one.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes, S = log2(L).
    pub struct Matching<const L: usize, const S: usize>, inputs Inputs, clocked {
        in load, turn, may_send: Signal<In, bool>,
        in greedy_banks, needy_banks: Signal<In, Bits<L>>,
        out gives, takes, sender: Signal<Out, Bits<L>>,
        out rank: [Signal<Out, Bits<S>>; L],
    } described by describe
}

/// Bits of a limit beyond those of a place: it may be L, more than L, or negative.
const LIMIT: usize = 2;

/// The banks of one kind.
struct Kind<'a> {
    name: &'static str,
    banks: Vec<Net<'a>>,
    /// Banks of the kind below each, counted from bank 0.
    below: Vec<Net<'a>>,
    /// The count of them, of those below bank `rotation`, and of those from there on.
    all: Net<'a>,
    wrapped: Net<'a>,
    first: Net<'a>,
    minus_wrapped: Net<'a>,
}

fn describe<'a, const L: usize, const S: usize>(b: &'a Builder, i: &Inputs<'a, L, S>) {
    assert_eq!(L, 1 << S);
    b.comment("Banks below the one that counts as the first: none, one more at each turn, and none again.");
    let below_first = b.register("below_first", L - 1);
    let all_wrapped = below_first.bit(L - 2).repeat(L - 1);
    let one_more = b.bits(&[b.high(), below_first.slice(0, L - 2)]);
    below_first.drive(i.turn.mux(!all_wrapped & one_more, below_first).name("next_below_first"));
    let wrapped = b.bits(&[below_first, b.low()]).name("wrapped");
    let greedy = Kind::count(b, "greedy", i.greedy_banks, wrapped, i.load, S);
    let needy = Kind::count(b, "needy", i.needy_banks, wrapped, i.load, S - 1);

    b.comment("Who gives and who takes: whose place the other kind has, too.");
    let givers = greedy.limits(b, &needy);
    let takers = needy.limits(b, &greedy);
    let gives = givers.lanes(b, &greedy, wrapped, &|count, limit| count.below(limit));
    let takes = takers.lanes(b, &needy, wrapped, &|count, limit| count.below(limit));
    let next = givers.lanes(b, &greedy, wrapped, &|count, limit| count.equals(limit));
    let sender = (next & i.may_send.repeat(L)).name("sender");
    b.output("gives", (gives | sender).name("gives"));
    b.output("takes", takes.name("takes"));
    b.output("sender", sender);

    b.comment("Ranks. A pair takes two banks, so that half the places are enough.");
    for lane in 0..L {
        let greedy_place = greedy.place(lane, wrapped);
        let needy_place = needy.place(lane, wrapped);
        let is_greedy = greedy.banks[lane];
        let low = is_greedy.mux(!greedy_place.slice(0, S - 1), needy_place);
        let name = format!("rank${lane}");
        b.output(name.as_str(), b.bits(&[low, is_greedy & !greedy_place.bit(S - 1)]).name(name.as_str()));
    }
}

impl<'a> Kind<'a> {
    /// `banks` are taken at `load`. Places get `place_bits` bits.
    fn count(
        b: &'a Builder,
        name: &'static str,
        banks: Net<'a>,
        wrapped: Net<'a>,
        load: Net<'a>,
        place_bits: usize,
    ) -> Self {
        b.comment(&format!("How many {name} banks there are."));
        let banks = b.data_register(format!("{name}_of_event"), banks, load);
        let part = |part: &str, mask: Net<'a>| (banks & mask).ones().name(format!("{name}_{part}"));
        let (first, wrapped) = (part("first", !wrapped), part("wrapped", wrapped));
        let each = banks.each();
        let places = each.len() - 1;
        let up_to = banks.slice(0, places).ones_up_to().name(format!("{name}_up_to"));
        let bits = up_to.width() / places;
        let up_to = (0..places).map(|place| up_to.slice(place * bits, bits));
        let below = [b.constant(0, bits)].into_iter().chain(up_to);
        let wide =
            |(lane, count): (usize, Net<'a>)| count.extend(LIMIT + count.width()).name(format!("{name}_below_{lane}"));
        let below = below.enumerate().map(wide).collect();
        let all = (first + wrapped).name(format!("{name}_all"));
        let minus_wrapped = b.constant(0, place_bits) - wrapped.slice(0, place_bits);
        let minus_wrapped = minus_wrapped.name(format!("{name}_minus_wrapped"));
        Kind { name, banks: each, below, all, wrapped, first, minus_wrapped }
    }

    /// The limits for the counts of these banks: as many banks pass as the other kind has.
    fn limits(&self, b: &'a Builder, other: &Kind<'a>) -> Limits<'a> {
        let width = self.below[0].width();
        let of = |part: &str, limit: Net<'a>| b.delay(format!("{}_limit_{part}", self.name), limit);
        let all = other.all.extend(width).name(format!("{}_partners", self.name));
        let wrapped = of("wrapped", all - self.first.extend(width));
        Limits {
            first: of("first", all + self.wrapped.extend(width)),
            none_wrapped: wrapped.bit(width - 1),
            wrapped: b.bits(&[wrapped.slice(0, width - 1), b.low()]).name(format!("{}_limit_below", self.name)),
        }
    }

    /// A bank's place among those of its kind, modulo what its bits hold.
    fn place(&self, lane: usize, wrapped: Net<'a>) -> Net<'a> {
        let bits = self.minus_wrapped.width();
        let offset = wrapped.bit(lane).mux(self.first.slice(0, bits), self.minus_wrapped);
        (self.below[lane].slice(0, bits) + offset).name(format!("{}_place_{lane}", self.name))
    }
}

/// The limit for banks from `rotation` on; that for banks below it, unless none of these passes.
struct Limits<'a> {
    first: Net<'a>,
    wrapped: Net<'a>,
    none_wrapped: Net<'a>,
}

impl<'a> Limits<'a> {
    fn lanes(
        &self,
        b: &'a Builder,
        kind: &Kind<'a>,
        wrapped: Net<'a>,
        passes: &dyn Fn(Net<'a>, Net<'a>) -> Net<'a>,
    ) -> Net<'a> {
        let lane = |lane: usize| {
            let count = kind.below[lane];
            let in_wrapped = passes(count, self.wrapped) & !self.none_wrapped;
            kind.banks[lane] & wrapped.bit(lane).mux(in_wrapped, passes(count, self.first))
        };
        b.bits(&(0..kind.banks.len()).map(lane).collect::<Vec<_>>())
    }
}
