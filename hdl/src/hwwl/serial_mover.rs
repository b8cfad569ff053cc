//! Moves one ID at a time, for serial redistribution: from the most occupied bank to the least occupied, or to another core.
//!
//! ```text
//!  giver, taker, ... [ evens out? ]--+--[ free? ]-- start --> asking, asked --> offering, offered --> push, moving
//!  greedy, send -----------[ sends? ]-'       ^                  |  wru_valid       |  wru_accepted
//!                                             '------- ends -----+------------------'
//!  id_i --[ of the bank that answers ]--+--[reg]--> push_id
//!                                       '--[reg]--> out_id, out_part, out_valid
//! ```
//!
//! A start may come in the cycle of the last answer. With a start in cycle t: pop t + 1, valid t + 2, push t + 3, accepted t + 4.
//! A giver that does not answer is given up at once; an ID on its way is offered every second cycle until it is accepted. Since
//! one bank at most is asked, its answer selects the ID.

use super::{threshold_constant, ID_BITS};
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes, S = log2(L); C bits of occupancy.
    pub struct SerialMover<const L: usize, const S: usize, const C: usize>, inputs Inputs, clocked {
        in pull_part, valid, look_part: Signal<In, bool>,
        in giver, taker: Signal<In, Bits<S>>,
        in giver_has, taker_has: Signal<In, Bits<C>>,
        in greedy, send: Signal<In, Bits<2>>,
        in wru_valid, wru_accepted: Signal<In, Bits<L>>,
        in id: [Signal<In, Bits<ID_BITS>>; L],
        in out_ready: Signal<In, bool>,
        out rotation: Signal<Out, Bits<S>>,
        out pop, push: Signal<Out, Bits<L>>,
        out part, moving: Signal<Out, bool>,
        out push_id: Signal<Out, Bits<ID_BITS>>,
        out out_valid, out_part: Signal<Out, bool>,
        out out_id: Signal<Out, Bits<ID_BITS>>,
    }
    /// `threshold` in work IDs.
    described by describe(threshold: u64)
}

fn describe<'a, const L: usize, const S: usize, const C: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, S, C>,
    threshold: u64,
) {
    assert_eq!(L, 1 << S);
    b.comment("The ID under way: its giver is asked (one cycle), answers (one), and then the taker, in turn.");
    let asking = b.register("asking", 1);
    let asked = b.registered("asked", asking);
    let sends = b.storage("sends", 1);
    let offering = b.register("offering", 1);
    let offered = b.registered("offered", offering);
    let answered = (asked & i.wru_valid.any()).name("answered");
    let departs = (answered & sends).name("departs");
    let arrives = (answered & !sends).name("arrives");
    let accepted = (offered & i.wru_accepted.any()).name("accepted");
    let offers = (arrives | (offered & !accepted)).name("offers");
    offering.drive(offers);
    let free = (!(asking | offering | offers)).name("free");

    b.comment("The pair, if it evens out, and on the pull side only for a taker below the threshold.");
    let threshold = threshold_constant(b, threshold, C);
    let evens_out = i.taker_has.increment().below_tree(i.giver_has);
    let on_pull_side = i.look_part.equals(i.pull_part);
    let needs = !on_pull_side | i.taker_has.below(threshold);
    let is_pair = (evens_out & needs).name("is_pair");

    b.comment("Else the most occupied bank sends to another core, if it is above the threshold.");
    let out_valid = b.register("out_valid", 1);
    let surplus = (i.greedy & i.send).name("surplus");
    let may_send = i.look_part.mux(surplus.bit(1), surplus.bit(0)) & !out_valid & !(asked & sends);
    let is_sender = (may_send & threshold.below(i.giver_has)).name("is_sender");
    let start = (i.valid & free & (is_pair | is_sender)).name("start");

    b.comment("A start.");
    let pop = b.register("pop", L);
    pop.drive((start.repeat(L) & i.giver.decode().name("giver_one_hot")).name("next_pop"));
    asking.drive(start);
    sends.load(!is_pair, start);
    let taker = b.data_register("asked_taker", i.taker, start);
    let part = b.register("part", 1);
    part.drive(start.mux(i.look_part, part).name("next_part"));
    let rotation = b.register("rotation", S);
    rotation.drive(start.mux(rotation.increment(), rotation).name("next_rotation"));
    b.output("rotation", rotation);
    b.output("pop", pop);
    b.output("part", part);
    b.output("moving", asking | asked | offering | offered);

    b.comment("The ID goes to the taker until it is accepted, or waits for the network.");
    let id = b.one_of(&i.wru_valid.each(), &i.id).name("answer_id");
    b.output("push", (offering.repeat(L) & taker.decode().name("taker_one_hot")).name("push"));
    b.output("push_id", b.data_register("held_id", id, arrives));
    out_valid.drive((departs | (out_valid & !i.out_ready)).name("next_out_valid"));
    b.output("out_valid", out_valid);
    b.output("out_part", b.data_register("out_part", part, departs));
    b.output("out_id", b.data_register("out_id", id, departs));
}
