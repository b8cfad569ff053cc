//! The part of a core around its banks (section III-B, III-C): mode and sides, WAIT and DONE, spills, arrivals from
//! other cores, and the count of its IDs.
//!
//! ```text
//!  push, push_id_i ------------+--[ bank full? ]--+-- bank_push
//!  wru_push, wru_push_id_i ----+                  '-- spill, spill_id_i ---> HVU
//!  in_valid, in_id --[arrival register]--[ bank a, a + 1, ... ]-- fill_push, fill_id_i ---> banks
//!  hvu_fill_push, hvu_fill_id_i -----------------'
//!  bank_empty, pull_busy, active, ... --[ all idle? ]--[register]-- quiet ---> hub ---> all_done --> status
//! ```
//!
//! The bank's answer, a cycle later, says if a pull found an ID. So what depends on it (the status, the count, the
//! number of active IDs) is kept as it was before and completed from the answers, and nothing but registers lies before
//! the outputs' short logic.

use super::global_moves::MOVED_BITS;
use super::{HELD_BITS, ID_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits that count the IDs that a core's threads hold.
const ACTIVE_BITS: usize = 16;

/// Bits of a signed change of the count in one cycle.
const CHANGE_BITS: usize = 8;

network! {
    /// L lanes, L2 = 2 L bits of status; C bits of occupancy.
    pub struct CoreControl<const L: usize, const L2: usize, const C: usize>, inputs Inputs, clocked {
        in configure, double_buffer, init, kernel_end: Signal<In, bool>,
        in pull, push: Signal<In, Bits<L>>,
        in push_id: [Signal<In, Bits<ID_BITS>>; L],
        in leave: Signal<In, Bits<L>>,
        in all_done, out_ready, in_valid, in_part: Signal<In, bool>,
        in in_id: Signal<In, Bits<ID_BITS>>,
        in bank_empty, bank_full, bank_pull_valid, bank_wru_accepted, bank_fill_accepted: Signal<In, Bits<L>>,
        in pull_occupancy: [Signal<In, Bits<C>>; L],
        in wru_push: Signal<In, Bits<L>>,
        in wru_part: Signal<In, bool>,
        in wru_push_id: [Signal<In, Bits<ID_BITS>>; L],
        in wru_moving: Signal<In, bool>,
        in moved: Signal<In, Bits<MOVED_BITS>>,
        in out_valid, out_part, hvu_push_ready, hvu_overflow, hvu_pull_busy, hvu_holds: Signal<In, bool>,
        in hvu_fill_push: Signal<In, Bits<L>>,
        in hvu_fill_id: [Signal<In, Bits<ID_BITS>>; L],
        out status: Signal<Out, Bits<L2>>,
        out count: Signal<Out, Bits<HELD_BITS>>,
        out pull_part, double_mode, quiet, in_ready, bank_configure, swap: Signal<Out, bool>,
        out bank_push, fill_push: Signal<Out, Bits<L>>,
        out fill_part: Signal<Out, bool>,
        out fill_id: [Signal<Out, Bits<ID_BITS>>; L],
        out wru_accepted: Signal<Out, Bits<L>>,
        out hvu_init: Signal<Out, bool>,
        out spill: Signal<Out, Bits<L>>,
        out spill_id: [Signal<Out, Bits<ID_BITS>>; L],
        out room, demand: Signal<Out, bool>,
    }
    /// `refill`: words of a line of memory that belong to one bank.
    described by describe(refill: u64)
}

/// A signed number in more bits.
fn signed<'a>(b: &'a Builder, number: Net<'a>, width: usize) -> Net<'a> {
    let sign = number.bit(number.width() - 1);
    b.bits(&[number, sign.repeat(width - number.width())])
}

fn describe<'a, const L: usize, const L2: usize, const C: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, L2, C>,
    refill: u64,
) {
    assert!(L2 == 2 * L);
    let double = b.register("double_mode", 1);
    let pull_part = b.register("pull_part", 1);
    let arrival = b.register("arrival_valid", 1);
    let total = b.register("total", HELD_BITS);
    let before = b.register("changes_before", 4);

    b.comment("What happened in the previous cycle, completed by the banks' answers.");
    let pulled = b.registered("pulled", i.pull);
    let spilled = b.register("spilled", L);
    let missed = (pulled & !i.bank_pull_valid).name("missed");
    let handed_out = i.bank_pull_valid.any().name("handed_out");
    let left = b.registered("left", i.out_valid & i.out_ready);
    let came = b.register("came", 1);
    let comes = (i.in_valid & !arrival).name("comes");
    came.drive(comes);

    b.comment("IDs in the core. How many a cycle brings or takes is counted in the next one; what spilled into a full");
    b.comment("overflow buffer is lost a cycle after that.");
    let number_of = |name: &str, lanes: Net<'a>| b.registered(format!("{name}_before"), lanes.ones());
    let pushed = number_of("pushed_ids", i.push);
    let gained = number_of("pulled_ids", i.bank_pull_valid);
    let lost = number_of("spilled_ids", spilled);
    let lost = i.hvu_overflow.repeat(lost.width()) & lost;
    let wide = |number: Net<'a>| number.extend(CHANGE_BITS);
    let by_lanes = (wide(pushed) - wide(gained)) + (wide(came) - wide(left));
    let change = (by_lanes + (signed(b, i.moved, CHANGE_BITS) - wide(lost))).name("change");
    let count = (total + signed(b, change, HELD_BITS)).name("count");
    total.drive(count);
    b.output("count", count);
    let stays_empty = !(total.any() | pushed.any() | came | i.moved.any());
    let stays_empty = stays_empty.name("empty_for_two_cycles");

    b.comment("Whether the answer of the hub still holds: nothing changed in the last four cycles.");
    let settled = !(before.any() | handed_out);
    let settled = settled.name("settled_before");
    let done = b.registered("done", (i.all_done & settled).name("next_done"));

    b.comment("Answers: 0 no pull, 1 an ID, 2 WAIT, 3 DONE.");
    let done_now = (done & !handed_out).name("done_now");
    let answer = |lane: usize| {
        let miss = missed.bit(lane);
        b.bits(&[i.bank_pull_valid.bit(lane) | (miss & done_now), miss])
    };
    b.output("status", b.bits(&(0..L).map(answer).collect::<Vec<_>>()));
    b.output("demand", missed.any() & !done_now);

    b.comment("Mode and sides.");
    let some_push = i.push.any().name("some_push");
    let empty = (!(!i.bank_empty).name("bank_holds").any()).name("all_empty");
    let configured = (i.configure & stays_empty & empty).name("bank_configure");
    let swap = (i.kernel_end & double & i.all_done & settled & !some_push & i.hvu_push_ready).name("swap");
    let changed = some_push | configured | swap;
    let changes = b.bits(&[changed, before.bit(0) | handed_out, before.bit(1), before.bit(2)]);
    before.drive(changes.name("next_changes_before"));
    double.drive(configured.mux(i.double_buffer, double).name("next_double_mode"));
    let exchanged = swap.mux(!pull_part, pull_part);
    pull_part.drive((!configured & exchanged).name("next_pull_part"));
    b.output("double_mode", double);
    b.output("pull_part", pull_part);
    b.output("bank_configure", configured);
    b.output("swap", swap);
    b.output("hvu_init", i.init & !i.hvu_holds);

    b.comment("Spills: of a lane; else of the redistribution unit or an arrival, if the sides stay as they are.");
    let push_part = (double & !pull_part).name("push_part");
    let others_may = (i.hvu_push_ready & !some_push & !i.kernel_end & !i.init).name("others_may_spill");
    let wru_may = (others_may & i.wru_part.equals(push_part)).name("wru_may_spill");
    let wru_spill = (wru_may.repeat(L) & i.wru_push & i.bank_full).name("wru_spill");
    let arrival_part = b.storage("arrival_part", 1);
    let arrival_id = b.storage("arrival_id", ID_BITS);
    let asked = b.register("arrival_asked", 1);
    let attempt = (arrival & !asked).name("arrival_attempt");
    let lane_bits = L.ilog2() as usize;
    let turn = b.register("arrival_bank", lane_bits);
    let bank = turn.decode().name("arrival_bank_one_hot");
    let target = (attempt.repeat(L) & bank).name("arrival_target");
    let arrival_may = (others_may & arrival_part.equals(push_part)).name("arrival_may_spill");
    let arrival_spill = arrival_may.repeat(L) & target & i.bank_full & !wru_spill;
    let arrival_spill = arrival_spill.name("arrival_spill");
    let spill = ((i.push & i.bank_full) | wru_spill | arrival_spill).name("spill");
    spilled.drive(spill);
    b.output("spill", spill);
    b.output("bank_push", i.push & !i.bank_full);
    for lane in 0..L {
        let other = wru_spill.bit(lane).mux(i.wru_push_id[lane], arrival_id);
        b.output(format!("spill_id${lane}"), i.push.bit(lane).mux(i.push_id[lane], other));
    }
    let wru_spilled = b.registered("wru_spilled", wru_spill);
    b.output("wru_accepted", i.bank_wru_accepted | wru_spilled);

    b.comment("Arrivals: an attempt at a bank every second cycle; refills from memory come first.");
    // The bank that an arrival spills from is full: that it is asked, too, changes nothing.
    let fill = (target & !i.hvu_fill_push).name("arrival_fill");
    b.output("fill_push", i.hvu_fill_push | fill);
    b.output("fill_part", arrival_part);
    for lane in 0..L {
        b.output(format!("fill_id${lane}"), i.hvu_fill_push.bit(lane).mux(i.hvu_fill_id[lane], arrival_id));
    }
    asked.drive(attempt);
    // Without a reset: they count only while there is an arrival, which a reset ends.
    let filled = b.delay("arrival_filled", fill);
    let arrival_spilled = b.delay("arrival_spilled", arrival_spill.any());
    let accepted = ((filled & i.bank_fill_accepted).any() | arrival_spilled).name("arrival_accepted");
    turn.drive(asked.mux(turn.increment(), turn).name("next_arrival_bank"));
    arrival.drive((comes | (arrival & !accepted)).name("next_arrival_valid"));
    arrival_part.load(i.in_part, comes);
    arrival_id.load(i.in_id, comes);
    b.output("in_ready", !arrival);

    b.comment("Room for a refill, and for what the two cycles until its reservation can bring, in every bank.");
    let entries = 1u64 << (C - 1);
    // A side that is too small for a refill never has room.
    let end = |entries: u64| b.constant(entries.saturating_sub(refill + 1), C);
    let end = double.mux(end(entries / 2), end(entries)).name("room_end");
    let rooms: Vec<_> = i.pull_occupancy.iter().map(|o| o.below(end)).collect();
    b.output("room", !(!b.bits(&rooms).name("bank_has_room")).name("bank_lacks_room").any());

    b.comment("IDs that threads hold; those handed out in the previous cycle are not yet among them.");
    let active_before = b.register("active_before", ACTIVE_BITS);
    let returned = number_of("returned_ids", i.leave).extend(ACTIVE_BITS);
    let active = (active_before + (gained.extend(ACTIVE_BITS) - returned)).name("active");
    active_before.drive(active);

    b.comment("Whether there is work for the pull side.");
    let moving = i.wru_moving & i.wru_part.equals(pull_part);
    let arriving = arrival & arrival_part.equals(pull_part);
    let leaving = i.out_valid & i.out_part.equals(pull_part);
    let working = !double & (active.any() | handed_out);
    let busy = (moving | arriving | leaving | working | i.hvu_pull_busy).name("pull_side_works");
    let quiet = b.registered("quiet", (empty & !busy).name("next_quiet"));
    b.output("quiet", quiet);
}
