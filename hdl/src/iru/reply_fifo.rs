//! Replies on their way to the cores: up to four beats, the oldest one on the pins.
//!
//! ```text
//!  beat_* --> what the mask leaves --+--[r]-- newcomer ----------------\
//!                                    |                                 +--> reply_*
//!                                    +--> memory of four beats --------/
//! ```
//!
//! A beat that will be the oldest in the next cycle is on its way into the memory when it comes: it is shown from a register
//! for a cycle, and from the memory after that. The register takes whatever comes, without an enable.

use super::take::BEAT;
use super::{ELEMENT_BITS, INDEX_BITS, POSITION_BITS, REQUEST_BITS, SECONDARY_BITS};
use crate::circuit::net::Builder;
use crate::circuit::wiring::Wiring;
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{network, wire, wired};
use rust_hdl::prelude::*;

/// Bits of a beat with its request.
const BEAT_BITS: usize = REQUEST_BITS + BEAT + 2 + BEAT * ELEMENT_BITS;

/// Address bits of four beats.
const PLACE_BITS: usize = 2;

wired! {
    /// Beats come from the bank that serves (`push`, `bank`), or are empty and close a part (`closing`).
    pub struct ReplyFifo {
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
    } children default {
        control: ReplyFifoControl,
        sram: Sram1r1w<BEAT_BITS, PLACE_BITS>,
    }
}

impl ReplyFifo {
    fn wire(&mut self, w: &mut Wiring) {
        wire!(w: [self.control] <- [self]: clock, reset, push, closing, bank, push_request, push_end, push_last,
            reply_ready);
        for bank in 0..2 {
            wire!(w: self.control.beat_mask[bank] <- self.beat_mask[bank]);
            for j in 0..BEAT {
                wire!(w: [self.control][j][bank] <- [self][j][bank]: beat_index, beat_secondary, beat_position);
            }
        }
        wire!(w: self.sram.clock <- self.clock);
        wire!(w: [self.sram] <- [self.control]: write, write_addr, wdata, read, read_addr);
        wire!(w: self.control.rdata <- self.sram.rdata);
        wire!(w: [self] <- [self.control]: low, reply_valid, reply_request, reply_mask, reply_end, reply_last);
        for j in 0..BEAT {
            wire!(w: [self][j] <- [self.control][j]: reply_index, reply_secondary, reply_position);
        }
    }
}

network! {
    /// Everything but the memory.
    pub struct ReplyFifoControl, inputs Inputs, clocked {
        in push, closing, bank: Signal<In, bool>,
        in push_request: Signal<In, Bits<REQUEST_BITS>>,
        in push_end, push_last: Signal<In, bool>,
        in beat_mask: [Signal<In, Bits<BEAT>>; 2],
        in beat_index: [[Signal<In, Bits<INDEX_BITS>>; 2]; BEAT],
        in beat_secondary: [[Signal<In, Bits<SECONDARY_BITS>>; 2]; BEAT],
        in beat_position: [[Signal<In, Bits<POSITION_BITS>>; 2]; BEAT],
        in reply_ready: Signal<In, bool>,
        in rdata: Signal<In, Bits<BEAT_BITS>>,
        out write: Signal<Out, bool>,
        out write_addr: Signal<Out, Bits<PLACE_BITS>>,
        out wdata: Signal<Out, Bits<BEAT_BITS>>,
        out read: Signal<Out, bool>,
        out read_addr: Signal<Out, Bits<PLACE_BITS>>,
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
    let of_bank = |bank: usize| {
        let serves = if bank == 1 { i.bank } else { !i.bank };
        ((!i.closing & serves).repeat(BEAT) & i.beat_mask[bank]).name(format!("mask_of_bank_{bank}"))
    };
    let masks = [of_bank(0), of_bank(1)];
    let element = |j: usize| {
        let of_bank = |n: usize| b.bits(&[i.beat_position[j][n], i.beat_secondary[j][n], i.beat_index[j][n]]);
        b.one_of(&masks.map(|mask| mask.bit(j)), &[of_bank(0), of_bank(1)])
    };
    let mut parts = vec![i.push_request, masks[0] | masks[1], i.push_end, i.push_last];
    parts.extend((0..BEAT).map(element));
    let word = b.bits(&parts).name("push_word");

    b.comment("Four entries in a ring.");
    let count = b.register("beats", 3);
    let (head, tail) = (b.register("head", PLACE_BITS), b.register("tail", PLACE_BITS));
    let push = (i.push | i.closing).name("beat_comes");
    let valid = count.any().name("beat_valid");
    let pop = (valid & i.reply_ready).name("beat_goes");
    count.drive(count + push.extend(3) - pop.extend(3));
    let next_head = pop.mux(head.increment(), head).name("next_head");
    head.drive(next_head);
    tail.drive(push.mux(tail.increment(), tail));
    b.output("write", push);
    b.output("write_addr", tail);
    b.output("wdata", word);

    b.comment("The oldest of the next cycle: in the memory already, or the one that comes.");
    let left = ((count.bit(2) | count.bit(1)) | (count.bit(0) & !i.reply_ready)).name("some_are_left");
    b.output("read", left);
    b.output("read_addr", next_head);
    let fresh = b.registered("newcomer_is_oldest", !left);
    let newcomer = b.delay("newcomer", word);
    let reply = fresh.mux(newcomer, i.rdata).name("reply");

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
