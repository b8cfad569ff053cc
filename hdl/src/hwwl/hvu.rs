//! Virtualization unit (section III-D): IDs that find their bank full go to an overflow buffer in memory, a line at a
//! time, and come back a line at a time.
//!
//! ```text
//!  spill,      +---------+  one   +-------------+  line  +---------+
//!  spill_id_i -| holding |------->| line buffer |------->| request |---- mem_* (store)
//!              | L IDs   | ID a   | W IDs       |        |         |---- mem_* (load, by tag)
//!              +---------+ cycle  +-------------+        +----^----+
//!                                        | (a line that no     | head, tail, use of two rings of lines
//!                                        |  store was worth)  +----------------------------------+
//!                                 +------v--------+           | rings: partition 0, partition 1  |
//!  line_id_w, line_tag ---------->| line register |           +----------------------------------+
//!                                 | W IDs         |---- fill_push, fill_id_i, unreserve (bank w mod L)
//!                                 +---------------+
//! ```
//!
//! A refill first reserves its entries in the banks, so that it can never find them full. The addresses of the next
//! store and the next load depend on state alone and wait for the decision, and the words of the line register shift
//! towards their bank, so that no wide multiplexer lies behind an input or before an output. Spills come late in a
//! cycle: the holding register takes them in any case, and whether lines are left for them is found out in the next cycle.

use super::{Refill, ID_BITS, LINE_WORDS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Loads that can be on their way at once.
const TAGS: usize = 4;

/// Bits of a number of IDs up to a line.
const COUNT: usize = 6;

network! {
    /// L lanes.
    pub struct Hvu<const L: usize>, inputs Inputs, clocked {
        in configure, double_buffer, init: Signal<In, bool>,
        in init_base: Signal<In, Bits<32>>,
        in init_lines: Signal<In, Bits<16>>,
        in swap, pull_part: Signal<In, bool>,
        in spill: Signal<In, Bits<L>>,
        in spill_id: [Signal<In, Bits<ID_BITS>>; L],
        in room, demand, mem_ready, line_valid: Signal<In, bool>,
        in line_tag: Signal<In, Bits<2>>,
        in line_id: [Signal<In, Bits<ID_BITS>>; LINE_WORDS],
        in fill_accepted: Signal<In, Bits<L>>,
        out push_ready, overflow, mem_valid, mem_write: Signal<Out, bool>,
        out mem_line: Signal<Out, Bits<32>>,
        out mem_tag: Signal<Out, Bits<2>>,
        out mem_count: Signal<Out, Bits<COUNT>>,
        out mem_id: [Signal<Out, Bits<ID_BITS>>; LINE_WORDS],
        out line_ready, reserve: Signal<Out, bool>,
        out fill_push: Signal<Out, Bits<L>>,
        out fill_id: [Signal<Out, Bits<ID_BITS>>; L],
        out unreserve: Signal<Out, Bits<L>>,
        out pull_busy, pending: Signal<Out, bool>,
        out holds: Signal<Out, bool>,
    } described by describe(refill: Refill)
}

/// A register of one bit.
fn flag<'a>(b: &'a Builder, name: &str) -> Net<'a> {
    b.register(name, 1)
}

fn describe<'a, const L: usize>(b: &'a Builder, i: &Inputs<'a, L>, refill: Refill) {
    assert!(L.is_power_of_two() && L <= LINE_WORDS);
    let zero = |width| b.constant(0, width);

    // Registers that several parts read.
    let double = flag(b, "double_mode");
    let mem_valid = flag(b, "mem_valid");
    let reserve = flag(b, "reserve");
    let partial = flag(b, "partial_waits");
    let held_valid = b.register("holding_valid", L);
    let count = b.register("buffer_count", COUNT);
    let in_flight = b.register("load_in_flight", TAGS);
    let slot = b.register("slot_taken", LINE_WORDS);

    b.comment("Mode, and the core's part of the overflow buffer: a ring of lines for each partition.");
    let next_double = i.configure.mux(i.double_buffer, double).name("next_double_mode");
    double.drive(next_double);
    let lines = b.register("lines", 16);
    lines.drive(i.init.mux(i.init_lines, lines).name("next_lines"));
    // `init` and `configure` are late (they wait for the count of IDs) and come alone: both results are ready for them.
    let ring = |double: Net<'a>, lines: Net<'a>| double.mux(b.bits(&[lines.slice(1, 15), zero(1)]), lines);
    let at_init = ring(double, i.init_lines).name("ring_lines_at_init");
    let at_configure = ring(i.double_buffer, lines).name("ring_lines_at_configure");
    let chosen = |init: Net<'a>, configure: Net<'a>, kept: Net<'a>| i.init.mux(init, i.configure.mux(configure, kept));
    let ring_lines = b.register("ring_lines", 16);
    ring_lines.drive(chosen(at_init, at_configure, ring_lines).name("next_ring_lines"));
    let base_0 = b.data_register("base_0", i.init_base, i.init);
    // Nothing needs the second base in the cycle after `init`.
    let half = b.bits(&[lines.slice(1, 15), zero(17)]);
    let base_1 = b.delay("base_1", base_0 + half);
    let restart = (i.configure | i.init).name("restart");

    b.comment("What the request port does: a store comes before a load.");
    let push_part = (double & !i.pull_part).name("push_part");
    let store_part_now = partial.mux(i.pull_part, push_part).name("store_part_now");
    // A full line or a partial one that waits: a register beside these two, because the address hangs on it.
    let store_wanted = flag(b, "store_wanted");
    let idle = (!mem_valid).name("no_request");
    let store_start = (idle & store_wanted).name("store_start");
    let mem_write = b.data_register("request_is_store", store_wanted, idle);
    let store_part = b.data_register("store_part", store_part_now, idle);
    let taken = (mem_valid & i.mem_ready).name("request_taken");
    let stored = (taken & mem_write).name("stored");
    let loaded = (taken & !mem_write).name("loaded");

    b.comment("When lines come back.");
    let trigger = match refill {
        Refill::Interval(cycles) => {
            let width = (cycles - 1).ilog2() as usize + 1;
            let counter = b.register("refill_counter", width);
            let last = counter.is(cycles - 1).name("refill_now");
            let _ = (!i.demand).name("unused_demand");
            counter.drive(last.mux(zero(width), counter.increment()).name("next_refill_counter"));
            last
        }
        Refill::Demand => {
            let wish = flag(b, "refill_wished");
            wish.drive(i.demand);
            wish
        }
    };
    let line_busy = slot.slice(0, L).any().name("line_busy");
    let use_0 = b.register("use_0", 16);
    let use_1 = b.register("use_1", 16);
    let use_pull = i.pull_part.mux(use_1, use_0).name("use_pull");
    let ring_holds = use_pull.any().name("ring_holds");
    let line_tag = b.data_register("line_tag_q", i.line_tag, i.line_valid);
    let line_tagged = flag(b, "line_tagged");
    let tag_in_register = line_tag.decode().name("tag_in_register");
    let occupies = (line_busy & line_tagged).name("tag_in_use");
    let tag_free = !(in_flight | (occupies.repeat(TAGS) & tag_in_register));
    let tag_free = tag_free.name("tag_free");
    let holding = held_valid.any().name("holding");
    let may_grant = (trigger & !reserve & idle & !store_wanted).name("refill_may_be_granted");
    let may_load = (may_grant & ring_holds & tag_free.any()).name("may_load");
    let none_away = !(ring_holds | in_flight.any() | holding | line_busy | double);
    let may_direct = (may_grant & none_away & count.any()).name("may_be_direct");
    // `room` is late.
    let load = (may_load & i.room).name("load");
    let direct = (may_direct & i.room).name("direct");
    reserve.drive((load | direct).name("next_reserve"));
    b.output("reserve", reserve);

    b.comment("Rings: where the next store goes, where the oldest line is, how many lines are used.");
    let mut tails = vec![];
    let mut heads = vec![];
    for (p, used) in [use_0, use_1].into_iter().enumerate() {
        let is = |part: Net<'a>| if p == 1 { part } else { !part };
        let grows = (stored & is(store_part)).name(format!("grows_{p}"));
        let shrinks = (loaded & is(i.pull_part)).name(format!("shrinks_{p}"));
        for (name, moves, list) in [("tail", grows, &mut tails), ("head", shrinks, &mut heads)] {
            let pointer = b.register(format!("{name}_{p}"), 16);
            let behind = pointer.increment().name(format!("behind_{name}_{p}"));
            let wraps = (restart | (moves & behind.equals(ring_lines))).name(format!("{name}_{p}_to_start"));
            let moved = moves.mux(behind, pointer);
            pointer.drive(wraps.mux(zero(16), moved).name(format!("next_{name}_{p}")));
            list.push(pointer);
        }
        let less = shrinks.mux(used - b.constant(1, 16), used);
        let changed = grows.mux(used.increment(), less);
        used.drive(restart.mux(zero(16), changed).name(format!("next_use_{p}")));
    }
    let line_part = store_wanted.mux(store_part_now, i.pull_part).name("line_part");
    let line_of = |p: usize, base: Net<'a>| {
        let place = store_wanted.mux(tails[p], heads[p]).name(format!("place_{p}"));
        (base + b.bits(&[place, zero(16)])).name(format!("line_{p}"))
    };
    let line = line_part.mux(line_of(1, base_1), line_of(0, base_0)).name("next_mem_line");

    b.comment("The request, and what is known of each load.");
    mem_valid.drive(mem_valid.mux(!i.mem_ready, store_start | load).name("next_mem_valid"));
    b.output("mem_valid", mem_valid);
    b.output("mem_write", mem_valid & mem_write);
    b.output("mem_line", b.data_register("mem_line", line, idle));
    let lowest = tag_free.first_one().name("tag_next");
    let tag = b.bits(&[lowest.bit(1) | lowest.bit(3), lowest.bit(2) | lowest.bit(3)]);
    let tag = store_wanted.mux(zero(2), tag).name("next_mem_tag");
    b.output("mem_tag", b.data_register("mem_tag", tag, idle));
    let starts = (load.repeat(TAGS) & lowest).name("load_starts");
    let returns = (i.line_valid.repeat(TAGS) & i.line_tag.decode()).name("load_returns");
    in_flight.drive(((in_flight | starts) & !returns).name("next_load_in_flight"));
    let newest_partial = flag(b, "newest_partial");
    let partial_stored = (stored & partial).name("partial_stored");
    let forget = (restart | i.swap).name("newest_is_full");
    newest_partial.drive(((newest_partial | partial_stored) & !forget).name("next_newest_partial"));
    let newest_count = b.data_register("newest_count", count, partial_stored);
    let ends_ring = (use_pull.is(1) & newest_partial).name("line_is_newest_partial");
    let ids_of_line = ends_ring.mux(newest_count, b.constant(LINE_WORDS as u64, COUNT)).name("ids_of_line");
    let tag_count = |t: usize| b.data_register(format!("ids_of_tag_{t}"), ids_of_line, starts.bit(t));
    let tag_counts: Vec<_> = (0..TAGS).map(tag_count).collect();

    b.comment(
        "Holding register: what was spilled in a cycle. In the next one it is dropped if no lines were left for it.",
    );
    let used_push = push_part.mux(use_1, use_0).name("use_push");
    let no_line = b.delay("no_line_left", used_push.equals(ring_lines));
    let one_line = b.delay("one_line_left", used_push.increment().equals(ring_lines));
    let free = b.delay("words_left_in_line", b.constant(LINE_WORDS as u64, COUNT) - count);
    let fresh = flag(b, "holding_is_fresh");
    fresh.drive(i.spill.any());
    let spilled = held_valid.ones().extend(COUNT + 1).name("held_ids");
    let near_end = (fresh & (no_line | one_line)).name("buffer_nearly_full");
    let refused = (fresh & (no_line | (one_line & free.extend(COUNT + 1).below(spilled)))).name("spill_refused");
    let overflow = flag(b, "overflow");
    overflow.drive(refused);
    b.output("overflow", overflow);
    let hold = |(l, &id): (usize, &Net<'a>)| b.data_register(format!("holding_id_{l}"), id, i.spill.bit(l));
    let ids: Vec<_> = i.spill_id.iter().enumerate().map(hold).collect();
    let first = held_valid.first_one().name("holding_first");
    let moves = (holding & !count.bit(COUNT - 1) & !partial & !near_end).name("id_moves");
    let left = moves.mux(held_valid & !first, held_valid);
    held_valid.drive((i.spill | (left & !refused.repeat(L))).name("next_holding_valid"));
    b.output("push_ready", !holding & !partial);

    b.comment("Line buffer.");
    let emptied = (stored | direct | restart).name("buffer_emptied");
    let used = b.register("buffer_used", LINE_WORDS);
    let one_more = b.bits(&[b.high(), used.slice(0, LINE_WORDS - 1)]);
    let grown = moves.mux(one_more, used);
    used.drive(emptied.mux(zero(LINE_WORDS), grown).name("next_buffer_used"));
    let counted = moves.mux(count.increment(), count);
    let next_count = emptied.mux(zero(COUNT), counted).name("next_buffer_count");
    count.drive(next_count);
    let moving_id = b.one_of(&first.each(), &ids).name("moving_id");
    let word = |w: usize| {
        let next = if w == 0 { !used.bit(0) } else { used.bit(w - 1) & !used.bit(w) };
        b.data_register(format!("buffer_id_{w}"), moving_id, (moves & next).name(format!("buffer_write_{w}")))
    };
    let buffer: Vec<_> = (0..LINE_WORDS).map(word).collect();
    for (w, &id) in buffer.iter().enumerate() {
        b.output(format!("mem_id${w}"), used.bit(w).repeat(ID_BITS) & id);
    }
    b.output("mem_count", count);
    let stays = (i.swap & count.any()) | partial;
    let next_partial = (stays & !stored).name("next_partial_waits");
    partial.drive(next_partial);
    store_wanted.drive(next_count.bit(COUNT - 1) | next_partial);

    b.comment(
        "Line register: each word shifts towards its bank. What an empty one has means nothing: it may take the line",
    );
    b.comment("buffer before it is known whether there is room.");
    let fill = (i.line_valid | direct).name("line_fill");
    let takes = (i.line_valid | may_direct).name("line_takes");
    let loaded = b.select("loaded_count", i.line_tag, &tag_counts);
    let line_count = may_direct.mux(count, loaded).name("line_count");
    line_tagged.drive(takes.mux(i.line_valid, line_tagged).name("next_line_tagged"));
    let asked = b.register("fill_asked", L);
    let has_id = b.register("slot_has_id", LINE_WORDS);
    let pushes = (slot.slice(0, L) & has_id.slice(0, L) & !asked).name("fill_push");
    let drops = (slot.slice(0, L) & !has_id.slice(0, L)).name("unreserve");
    asked.drive(pushes);
    let accepted = (asked & i.fill_accepted).name("fill_done");
    let advance = (drops | accepted).name("advance");
    let (mut next_slot, mut next_has_id) = (vec![], vec![]);
    let mut word: Vec<Option<Net<'a>>> = vec![None; LINE_WORDS];
    for w in (0..LINE_WORDS).rev() {
        let behind = w + L;
        let bank = advance.bit(w % L);
        let incoming = may_direct.mux(buffer[w], i.line_id[w]);
        let counts = b.constant(w as u64, COUNT).below(line_count);
        let (id, enable, slot_behind, has_id_behind) = match word.get(behind) {
            Some(&Some(id)) => (takes.mux(incoming, id), takes | bank, slot.bit(behind), has_id.bit(behind)),
            _ => (incoming, takes, b.low(), b.low()),
        };
        let name = |part: &str| format!("{part}_{w}");
        word[w] = Some(b.data_register(name("slot_id"), id.name(name("next_slot_id")), enable));
        next_slot.insert(0, fill | bank.mux(slot_behind, slot.bit(w)));
        next_has_id.insert(0, takes.mux(counts, bank.mux(has_id_behind, has_id.bit(w))));
    }
    slot.drive(b.bits(&next_slot).name("next_slot_taken"));
    has_id.drive(b.bits(&next_has_id).name("next_slot_has_id"));
    b.output("fill_push", pushes);
    b.output("unreserve", drops);
    for (bank, id) in word.iter().flatten().take(L).enumerate() {
        b.output(format!("fill_id${bank}"), *id);
    }
    b.output("line_ready", !line_busy);

    b.comment("What the unit holds. It follows the sides itself, so that no output depends on an input.");
    let side = flag(b, "side");
    side.drive((!i.configure & (i.swap.mux(!i.pull_part, i.pull_part))).name("next_side"));
    let side_holds = side.mux(use_1, use_0).any();
    let away = (in_flight.any() | line_busy).name("on_its_way");
    b.output("pull_busy", side_holds | partial | away | (!double & (holding | count.any())));
    b.output(
        "pending",
        match refill {
            Refill::Interval(_) => b.low(),
            Refill::Demand => trigger | away,
        },
    );
    let in_rings = use_0.any() | use_1.any();
    let in_line_register = (slot & has_id).name("slot_holds").any();
    b.output("holds", holding | count.any() | in_rings | in_flight.any() | in_line_register);
}
