//! Look-ups of the places of a scheduler: at the answer, while the core answers a half; else of the places that wait, in turn.
//!
//! ```text
//!  look --[ round robin ]--[r]-- turn --[ its line ]--[r]-- look --|\
//!                                                                  | |--+--> look_*     to the storage
//!  a half is answered: the core's pc ------------------------------|/   +--[r]--> answered_*
//! ```
//!
//! Throughput: one look-up a cycle. One of a place that waits is on the pins two cycles after it was chosen.

use super::places::{data_of_pair, halves, of_pair, places_of};
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::{Pick, RoundRobin};
use crate::gw::{LINE_BITS, PC_BITS};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, E bits number an entry.
    pub struct LookUps<const N: usize, const H: usize, const E: usize>, inputs Inputs, clocked {
        in look, follow, beyond: Signal<In, Bits<N>>,
        in front_line: [Signal<In, Bits<LINE_BITS>>; N],
        in entry: [Signal<In, Bits<E>>; N],
        in resolved_pairs: Signal<In, Bits<H>>,
        in answer_even, answer_odd: Signal<In, bool>,
        in even_next, odd_next: Signal<In, Bits<2>>,
        in even_pc, odd_pc: Signal<In, Bits<PC_BITS>>,
        in fetch_valid: Signal<In, bool>,
        in fetch_entry: Signal<In, Bits<E>>,
        out look_valid, look_follows: Signal<Out, bool>,
        out look_line: Signal<Out, Bits<LINE_BITS>>,
        out look_from: Signal<Out, Bits<E>>,
        out answered: Signal<Out, Bits<N>>,
        out answered_pairs: Signal<Out, Bits<H>>,
        out at_answer, answered_even, answered_odd: Signal<Out, bool>,
    } described by describe
}

/// A look-up: of a pair, and of which halves.
struct LookUp<'a> {
    pairs: Net<'a>,
    even: Net<'a>,
    odd: Net<'a>,
}

fn describe<'a, const N: usize, const H: usize, const E: usize>(b: &'a Builder, i: &Inputs<'a, N, H, E>) {
    let waiting =
        LookUp { pairs: b.storage("look_pairs", H), even: b.register("look_even", 1), odd: b.register("look_odd", 1) };
    let waiting_line = b.storage("waiting_line", LINE_BITS);
    let [answered_even, answered_odd] = ["answered_even", "answered_odd"].map(|name| b.register(name, 1));
    let answered_pairs = b.storage("answered_pairs", H);
    let answered = b.register("answered", N);
    let (at_answer, lines) = at_answer(b, i);
    let is_at_answer = (at_answer.even | at_answer.odd).name("is_at_answer");
    let is_waiting = (waiting.even | waiting.odd).name("is_waiting");
    let resolves = (i.answer_even | i.answer_odd).name("resolves");
    let stalls = (resolves & is_waiting).name("stalls");

    b.comment("First step: the first pair in turn of those without a look-up on its way.");
    let looking = places_of(b, "looking", waiting.pairs, waiting.even, waiting.odd);
    let wants = (i.look & !looking & !answered).name("wants");
    let turn = b.register("turn", H);
    let pairs = (halves(b, wants, 0) | halves(b, wants, 1)).name("pairs_wanting");
    let round_robin = RoundRobin::new(b, "look", H);
    let Pick { chosen, behind, .. } = round_robin.pick("pick", pairs);
    round_robin.pass(pairs.any() & !stalls, behind);
    turn.drive(stalls.mux(turn, chosen));

    let follows = second_step(b, i, turn, wants, stalls, &waiting, waiting_line);

    b.comment("Third step: on the pins.");
    let even = resolves.mux(at_answer.even, waiting.even).name("even_on_pins");
    let odd = resolves.mux(at_answer.odd, waiting.odd).name("odd_on_pins");
    let pairs = resolves.mux(at_answer.pairs, waiting.pairs).name("pairs_on_pins");
    answered_even.drive(even);
    answered_odd.drive(odd);
    answered_pairs.drive(pairs);
    answered.drive(places_of(b, "on_pins", pairs, even, odd));
    b.output("look_valid", even | odd);
    b.output("look_follows", follows & !resolves);
    b.output("look_line", b.one_of(&[!resolves, lines[0].0, lines[1].0], &[waiting_line, lines[0].1, lines[1].1]));
    b.output("answered", answered);
    b.output("answered_pairs", answered_pairs);
    b.output("answered_even", answered_even);
    b.output("answered_odd", answered_odd);
    b.output("at_answer", b.registered("at_answer", is_at_answer));
}

/// The look-up of halves that are answered in this cycle and go on, if there is one; and of each half, whether the line is its
/// own, and its line. Without a look-up of either half the line means nothing.
fn at_answer<'a, const N: usize, const H: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, E>,
) -> (LookUp<'a>, [(Net<'a>, Net<'a>); 2]) {
    b.comment("At the answer.");
    let even_goes_on = i.even_next.is(0).name("even_goes_on");
    let even = (i.answer_even & even_goes_on).name("even_looks");
    let odd = (i.answer_odd & i.odd_next.is(0)).name("odd_looks");
    let [even_line, odd_line] = [i.even_pc.slice(1, LINE_BITS), i.odd_pc.slice(1, LINE_BITS)];
    let with_even = (odd & (!even | even_line.equals(odd_line))).name("odd_looks_too");
    let of_even = i.answer_even & (even_goes_on | !i.answer_odd);
    let of_odd = i.answer_odd & !(i.answer_even & even_goes_on);
    let _ = (i.even_pc.bit(0) ^ i.odd_pc.bit(0)).name("unused_slots");
    (LookUp { pairs: i.resolved_pairs, even, odd: with_even }, [(of_even, even_line), (of_odd, odd_line)])
}

/// The look-up of the pair whose turn it is: of its even place, else of its odd one, or of both. Whether the places of the one
/// that waits for the pins follow an entry.
fn second_step<'a, const N: usize, const H: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, E>,
    turn: Net<'a>,
    wants: Net<'a>,
    stalls: Net<'a>,
    waiting: &LookUp<'a>,
    waiting_line: Net<'a>,
) -> Net<'a> {
    b.comment("Second step: the line of the pair.");
    let names = ["even", "odd"];
    let half = |what: &str, odd: usize| format!("{}_{what}", names[odd]);
    let is_set = |what: &str, places: Net<'a>| [0, 1].map(|odd| of_pair(b, turn, places, odd).name(half(what, odd)));
    let [even, odd] = is_set("wants", wants);
    let follows = is_set("follows", i.follow);
    let carries = is_set("is_beyond", i.beyond);
    let lines = [0, 1].map(|odd| {
        let front = data_of_pair(b, turn, &i.front_line, odd).name(half("front_line", odd));
        front.add_tree(carries[odd].extend(LINE_BITS)).name(half("line", odd))
    });
    let entries = [0, 1].map(|odd| data_of_pair(b, turn, &i.entry, odd).name(half("entry", odd)));
    let follow_one = !follows[0] | entries[0].equals(entries[1]);
    let together = lines[0].equals(lines[1]) & follows[0].equals(follows[1]) & follow_one;
    let with_even = odd & (!even | together);
    waiting.pairs.load(turn, (!stalls).name("moves"));
    waiting.even.drive(stalls.mux(waiting.even, even));
    waiting.odd.drive(stalls.mux(waiting.odd, with_even));
    waiting_line.load(even.mux(lines[0], lines[1]), !stalls);

    b.comment("The entry that the places follow, while it has not been replaced.");
    let look_from = b.storage("look_from", E);
    let next_from = even.mux(entries[0], entries[1]).name("next_from");
    look_from.load(next_from, !stalls);
    let is_replaced = |from: Net<'a>| i.fetch_valid & from.equals(i.fetch_entry);
    let look_follows = b.register("waiting_follows", 1);
    let still = (look_follows & !is_replaced(look_from)).name("still_follows");
    let next = even.mux(follows[0], follows[1]) & !is_replaced(next_from);
    look_follows.drive(stalls.mux(still, next));
    b.output("look_from", look_from);
    still
}
