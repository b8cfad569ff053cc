//! Replies on their way to the cores: up to four beats, the oldest one on the pins.

use super::take::BEAT;
use super::{ELEMENT_BITS, INDEX_BITS, POSITION_BITS, REQUEST_BITS, SECONDARY_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// Beats come from the bank that serves (`push`, `bank`), or are empty and close a part (`closing`).
    pub struct ReplyFifo, inputs Inputs, clocked {
        in push, closing, bank: Signal<In, bool>,
        in push_request: Signal<In, Bits<REQUEST_BITS>>,
        in push_end, push_last: Signal<In, bool>,
        in beat_mask: [Signal<In, Bits<BEAT>>; 2],
        in beat_index: [[Signal<In, Bits<INDEX_BITS>>; 2]; BEAT],
        in beat_secondary: [[Signal<In, Bits<SECONDARY_BITS>>; 2]; BEAT],
        in beat_position: [[Signal<In, Bits<POSITION_BITS>>; 2]; BEAT],
        in reply_ready: Signal<In, bool>,
        out low, reply_valid: Signal<Out, bool>,
        out reply_request: Signal<Out, Bits<REQUEST_BITS>>,
        out reply_mask: Signal<Out, Bits<BEAT>>,
        out reply_end, reply_last: Signal<Out, bool>,
        out reply_index: [Signal<Out, Bits<INDEX_BITS>>; BEAT],
        out reply_secondary: [Signal<Out, Bits<SECONDARY_BITS>>; BEAT],
        out reply_position: [Signal<Out, Bits<POSITION_BITS>>; BEAT],
    } described by describe
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>) {
    b.comment("The beat that comes; what its mask leaves out is 0.");
    let mask = (!i.closing).repeat(BEAT) & i.bank.mux(i.beat_mask[1], i.beat_mask[0]);
    let mask = mask.name("push_mask");
    let of_bank = |ports: &[Net<'a>]| i.bank.mux(ports[1], ports[0]);
    let element = |j: usize| {
        let parts = [&i.beat_position[j], &i.beat_secondary[j], &i.beat_index[j]].map(|ports| of_bank(ports));
        mask.bit(j).repeat(ELEMENT_BITS) & b.bits(&parts)
    };
    let mut parts = vec![i.push_request, mask, i.push_end, i.push_last];
    parts.extend((0..BEAT).map(element));
    let word = b.bits(&parts).name("push_word");

    b.comment("Four entries in a ring.");
    let count = b.register("beats", 3);
    let (head, tail) = (b.register("head", 2), b.register("tail", 2));
    let push = (i.push | i.closing).name("beat_comes");
    let valid = count.any().name("beat_valid");
    let pop = (valid & i.reply_ready).name("beat_goes");
    count.drive(count + push.extend(3) - pop.extend(3));
    head.drive(pop.mux(head.increment(), head));
    tail.drive(push.mux(tail.increment(), tail));
    let place = (push.repeat(4) & tail.decode()).name("place");
    let entries: Vec<_> = (0..4).map(|e| b.data_register(format!("entry_{e}"), word, place.bit(e))).collect();
    let reply = b.select("reply", head, &entries);

    // Two or more: a register of its own, since the banks decide on it.
    let grows = count.is(1) & push & !pop;
    let stays = count.is(2) & (push | !pop);
    b.output("low", !b.registered("two_or_more", grows | stays | count.is(3) | count.bit(2)));
    b.output("reply_valid", valid);
    b.output("reply_request", reply.slice(0, REQUEST_BITS));
    b.output("reply_mask", reply.slice(REQUEST_BITS, BEAT));
    b.output("reply_end", reply.bit(REQUEST_BITS + BEAT));
    b.output("reply_last", reply.bit(REQUEST_BITS + BEAT + 1));
    for j in 0..BEAT {
        let from = REQUEST_BITS + BEAT + 2 + j * ELEMENT_BITS;
        b.output(format!("reply_position${j}"), reply.slice(from, POSITION_BITS));
        b.output(format!("reply_secondary${j}"), reply.slice(from + POSITION_BITS, SECONDARY_BITS));
        b.output(format!("reply_index${j}"), reply.slice(from + POSITION_BITS + SECONDARY_BITS, INDEX_BITS));
    }
}
