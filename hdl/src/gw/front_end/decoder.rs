//! Read and compare: the record that the storage read, as what the compare needs of it.
//!
//! ```text
//!  word --[ read_slot ]-- record --+-- lists --[ decode ]--[r]-- land_reads, land_writes
//!                                  +-- path, scalar, flow --[r]-- land_path, ...
//!  read_* --------------------------------------------------[r]-- land_pairs, land_even, land_odd
//! ```
//!
//! Cycle 2 decodes, in cycle 3 the instruction is compared; it *lands* in the window.

use super::places::of_pair;
use super::record::{self, RECORD_BITS, WORD_BITS};
use crate::circuit::net::Builder;
use crate::gw::record::{mask, path, reads, scalar, writes, PATH_BITS, REGISTERS, REGISTER_BITS, WRITES_BITS};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, Q bits number a pair.
    pub struct Decoder<const N: usize, const H: usize, const Q: usize>, inputs Inputs, clocked {
        in word: Signal<In, Bits<WORD_BITS>>,
        in read_pairs: Signal<In, Bits<H>>,
        in read_pair: Signal<In, Bits<Q>>,
        in read_even, read_odd, read_slot, read_end, link_valid: Signal<In, bool>,
        in reads, full: Signal<In, Bits<N>>,
        out land_pairs: Signal<Out, Bits<H>>,
        out land_pair: Signal<Out, Bits<Q>>,
        out land_even, land_odd: Signal<Out, bool>,
        out landing, lands_on, leaves: Signal<Out, Bits<N>>,
        out even_full, odd_full: Signal<Out, bool>,
        out land_turns, land_flows, land_scalar, land_takes: Signal<Out, bool>,
        out land_path: Signal<Out, Bits<PATH_BITS>>,
        out land_list: Signal<Out, Bits<WRITES_BITS>>,
        out land_reads, land_writes, land_needs: Signal<Out, Bits<REGISTERS>>,
    } described by describe
}

fn describe<'a, const N: usize, const H: usize, const Q: usize>(b: &'a Builder, i: &Inputs<'a, N, H, Q>) {
    let [even, odd] = [b.registered("land_even", i.read_even), b.registered("land_odd", i.read_odd)];
    let pairs = b.delay("land_pairs", i.read_pairs);

    b.comment("The record, and its lists as a bit for each register.");
    let record = i.read_slot.mux(i.word.slice(RECORD_BITS, RECORD_BITS), i.word.slice(0, RECORD_BITS)).name("record");
    let list = writes(record).name("writes");
    let present: Vec<_> = (REGISTER_BITS - 1..WRITES_BITS).step_by(REGISTER_BITS).map(|bit| list.bit(bit)).collect();
    let writes_some = b.or_all(&present).name("writes_some");
    let written = mask(b, list).name("registers_written");
    let read = mask(b, reads(record).name("list_read")).name("registers_read");
    b.output("land_needs", b.delay("land_needs", read | written));
    b.output("land_list", b.delay("land_list", list));
    b.output("land_writes", b.delay("land_writes", written));
    b.output("land_reads", b.delay("land_reads", read));
    b.output("land_takes", b.registered("land_takes", writes_some & (i.read_even | i.read_odd)));
    b.output("land_path", b.delay("land_path", path(record)));
    b.output("land_scalar", b.delay("land_scalar", scalar(record)));

    b.comment("Where the halves go on.");
    let [plain, meets] = [record::plain(record), record::meets(record)];
    let flows = (plain & !meets).name("flows");
    let full = [0, 1].map(|odd| of_pair(b, i.read_pairs, i.full, odd).name(["even_is_full", "odd_is_full"][odd]));
    let goes_on = full.map(|full| plain & (!meets | full));
    let goes_on = [goes_on[0].name("even_passes"), goes_on[1].name("odd_passes")];
    let [even_goes_on, odd_goes_on] = [b.delay("even_goes_on", goes_on[0]), b.delay("odd_goes_on", goes_on[1])];
    b.output("even_full", b.delay("even_full", full[0]));
    b.output("odd_full", b.delay("odd_full", full[1]));
    b.output("land_flows", b.delay("land_flows", flows));
    let turns = (i.read_end & !i.link_valid).name("turns");
    b.output("land_turns", b.delay("land_turns", turns));

    let landing = b.registered("landing", i.reads);
    b.output("landing", landing);
    b.output("lands_on", landing & b.bits(&[even_goes_on, odd_goes_on]).name("halves_go_on").repeat(H));
    let stays = [b.delay("even_stays", goes_on[0] & !turns), b.delay("odd_stays", goes_on[1] & !turns)];
    b.output("leaves", landing & !b.bits(&stays).name("halves_stay").repeat(H));
    b.output("land_pairs", pairs);
    b.output("land_pair", b.delay("land_pair", i.read_pair));
    b.output("land_even", even);
    b.output("land_odd", odd);
}
