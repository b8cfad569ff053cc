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

pub mod bins;

use self::bins::{Bins, BinsIn};
use super::{Refill, ID_BITS, LINE_WORDS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Loads that can be on their way at once.
const TAGS: usize = 4;

/// Bits of a number of IDs up to a line.
pub(super) const COUNT: usize = 6;

/// The ports of the virtualization units, for `$callback`: the inputs in brackets, then the outputs in brackets.
macro_rules! hvu_ports {
    ($callback:ident $($with:tt)*) => {
        $callback! { $($with)* [
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
        ] [
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
        ] }
    };
}

/// `hvu_block!(network {head} {more inputs} {more outputs} {tail})`: a block with the ports of a virtualization unit and more.
macro_rules! hvu_block {
    ($kind:ident {$($head:tt)*} {$($inputs:tt)*} {$($outputs:tt)*} {$($tail:tt)*}) => {
        hvu_ports! { hvu_block @ $kind {$($head)*} {$($inputs)*} {$($outputs)*} {$($tail)*} }
    };
    (@ $kind:ident {$($head:tt)*} {$($inputs:tt)*} {$($outputs:tt)*} {$($tail:tt)*} [$($ins:tt)*] [$($outs:tt)*]) => {
        $kind! { $($head)* { $($ins)* $($inputs)* $($outs)* $($outputs)* } $($tail)* }
    };
}
pub(super) use {hvu_block, hvu_ports};

hvu_block! { network
    {
        /// L lanes.
        pub struct Hvu<const L: usize>, inputs Inputs, clocked
    } {} {} { described by plain(refill: Refill) }
}

/// Without bins: IDs join the line in the order in which they were spilled.
fn plain<'a, const L: usize>(b: &'a Builder, i: &Inputs<'a, L>, refill: Refill) {
    describe(b, i, refill, None);
}

/// The signals that say if spills fit.
struct LinesLeft<'a> {
    used_push: Net<'a>,
    ring_lines: Net<'a>,
    count: Net<'a>,
    held_valid: Net<'a>,
    spill: Net<'a>,
}

impl<'a> LinesLeft<'a> {
    fn fresh(&self, b: &'a Builder) -> Net<'a> {
        let fresh = flag(b, "holding_is_fresh");
        fresh.drive(self.spill.any());
        fresh
    }

    /// IDs that wait for the line: held ones that may not move yet after their spill, and those that do not fit.
    fn of_line(&self, b: &'a Builder) -> (Net<'a>, Net<'a>) {
        let no_line = b.delay("no_line_left", self.used_push.equals(self.ring_lines));
        let one_line = b.delay("one_line_left", self.used_push.increment().equals(self.ring_lines));
        let free = b.delay("words_left_in_line", b.constant(LINE_WORDS as u64, COUNT) - self.count);
        let fresh = self.fresh(b);
        let spilled = self.held_valid.ones().extend(COUNT + 1).name("held_ids");
        let near_end = (fresh & (no_line | one_line)).name("buffer_nearly_full");
        let refused = (fresh & (no_line | (one_line & free.extend(COUNT + 1).below(spilled)))).name("spill_refused");
        (near_end, refused)
    }

    /// IDs that wait, with bins: all that is in them needs lines.
    fn of_bins(&self, b: &'a Builder, bins: &Bins<'a>) -> (Net<'a>, Net<'a>) {
        const WIDTH: usize = 16;
        let left = b.delay("lines_left", self.ring_lines - self.used_push);
        let waiting = b.delay("ids_waiting", bins.held.extend(WIDTH) + self.count.extend(WIDTH));
        let fresh = self.fresh(b);
        let spilled = self.held_valid.ones().extend(WIDTH).name("held_ids");
        let up = b.constant(LINE_WORDS as u64 - 1, WIDTH);
        let ids = waiting.add_tree(up).add_tree(spilled).name("ids_and_a_line");
        let _ = (!ids.slice(0, COUNT - 1)).name("unused_ids_and_a_line");
        let needed = ids.slice(COUNT - 1, WIDTH - COUNT + 1).extend(WIDTH).name("lines_needed");
        (fresh, (fresh & left.below_tree(needed)).name("spill_refused"))
    }
}

/// A register of one bit.
fn flag<'a>(b: &'a Builder, name: &str) -> Net<'a> {
    b.register(name, 1)
}

fn describe<'a, const L: usize>(b: &'a Builder, i: &Inputs<'a, L>, refill: Refill, bins: Option<Bins<'a>>) {
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
    let base = b.data_register("base", i.init_base, i.init);
    let restart = (i.configure | i.init).name("restart");
    // The ring of partition 1 lies behind that of partition 0.
    let half = i.init.mux(i.init_lines.slice(1, 15), lines.slice(1, 15));
    let starts_at = [zero(16), b.bits(&[half, zero(1)]).name("half_at_restart")];
    let begins_at = [zero(16), ring_lines];
    let ends_at = [ring_lines, b.bits(&[zero(1), ring_lines.slice(0, 15)])];

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
    let line_settled = bins.as_ref().map_or(count.any(), |bins| count.any() & bins.settled());
    let may_direct = (may_grant & none_away & line_settled).name("may_be_direct");
    // `room` is late.
    let load = (may_load & i.room).name("load");
    let direct = (may_direct & i.room).name("direct");
    reserve.drive((load | direct).name("next_reserve"));
    b.output("reserve", reserve);

    b.comment("Rings: where the next store goes, where the oldest line is, how many lines are used.");
    // One request is taken at a time, so one place moves, and one use changes.
    let part = mem_write.mux(store_part, i.pull_part).name("part_of_request");
    let [tails, heads] = ["tail", "head"].map(|name| [0, 1].map(|p| b.register(format!("{name}_{p}"), 16)));
    let of_part = |of: [Net<'a>; 2]| part.mux(of[1], of[0]);
    let place = mem_write.mux(of_part(tails), of_part(heads)).name("place_of_request");
    let behind = place.increment().name("behind_place");
    let wraps = behind.equals(of_part(ends_at)).name("place_wraps");
    let moved = wraps.mux(of_part(begins_at), behind).name("moved_place");
    let used = of_part([use_0, use_1]);
    let change = b.bits(&[b.high(), (!mem_write).repeat(15)]).name("change_of_use");
    let changed = (used + change).name("changed_use");
    for p in 0..2 {
        let is = if p == 1 { part } else { !part };
        for (name, pointer, moves) in [("tail", tails[p], stored & is), ("head", heads[p], loaded & is)] {
            let moves = moves.name(format!("{name}_{p}_moves"));
            let next = restart.mux(starts_at[p], moves.mux(moved, pointer));
            pointer.drive(next.name(format!("next_{name}_{p}")));
        }
        let use_p = [use_0, use_1][p];
        let kept = (taken & is).mux(changed, use_p);
        use_p.drive(restart.mux(zero(16), kept).name(format!("next_use_{p}")));
    }
    let line_part = store_wanted.mux(store_part_now, i.pull_part).name("line_part");
    let line_of = |of: [Net<'a>; 2]| line_part.mux(of[1], of[0]);
    let place = store_wanted.mux(line_of(tails), line_of(heads)).name("next_place");
    // The sum of the lower half says which upper half follows: both are ready.
    let low = base.slice(0, 16).extend(17).add_tree(place.extend(17)).name("next_mem_line_low");
    let high = base.slice(16, 16);
    let high = low.bit(16).mux(high.increment(), high);
    let line = b.bits(&[low.slice(0, 16), high]).name("next_mem_line");

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
    let lines_left = LinesLeft { used_push, ring_lines, count, held_valid, spill: i.spill };
    let (waits, refused) = match &bins {
        None => lines_left.of_line(b),
        Some(bins) => lines_left.of_bins(b, bins),
    };
    let overflow = flag(b, "overflow");
    overflow.drive(refused);
    b.output("overflow", overflow);
    let hold = |(l, &id): (usize, &Net<'a>)| b.data_register(format!("holding_id_{l}"), id, i.spill.bit(l));
    let ids: Vec<_> = i.spill_id.iter().enumerate().map(hold).collect();
    let first = held_valid.first_one().name("holding_first");
    let moving_id = || b.one_of(&first.each(), &ids).name("moving_id");
    // The ID that joins the line: the held one, or one that comes out of a bin.
    let (moves, binned) = match &bins {
        None => ((holding & !count.bit(COUNT - 1) & !partial & !waits).name("id_moves"), None),
        Some(bins) => {
            let may_open = (partial | (none_away & !count.any())).name("bins_may_open");
            let moves = BinsIn { may_move: holding & !partial & !waits, moving_id: moving_id(), count, may_open };
            (bins.describe(b, moves), Some(bins))
        }
    };
    let joins = binned.map_or(moves, |bins| bins.leaving);
    let left = moves.mux(held_valid & !first, held_valid);
    held_valid.drive((i.spill | (left & !refused.repeat(L))).name("next_holding_valid"));
    b.output("push_ready", !holding & !partial);

    b.comment("Line buffer.");
    let emptied = (stored | direct | restart).name("buffer_emptied");
    let counted = joins.mux(count.increment(), count);
    let next_count = emptied.mux(zero(COUNT), counted).name("next_buffer_count");
    count.drive(next_count);
    let joining_id = binned.map_or_else(moving_id, |bins| bins.rdata);
    // A word is 0 until an ID moves there, so that what is stored is 0 behind the last ID.
    let writes = (joins.repeat(LINE_WORDS) & count.slice(0, COUNT - 1).decode()).name("buffer_writes");
    let keeps = (!(writes | emptied.repeat(LINE_WORDS))).name("buffer_keeps");
    let word = |w: usize| {
        let word = b.storage(format!("buffer_id_{w}"), ID_BITS);
        word.drive(b.one_of(&[writes.bit(w), keeps.bit(w)], &[joining_id, word]));
        word
    };
    let buffer: Vec<_> = (0..LINE_WORDS).map(word).collect();
    for (w, &id) in buffer.iter().enumerate() {
        b.output(format!("mem_id${w}"), id);
    }
    b.output("mem_count", count);
    // A line that is not full waits to be stored, and the bins have nothing more for it.
    let inside = || bins.as_ref().map_or(count.any(), |bins| count.any() | bins.any());
    let stays = (i.swap & inside()) | partial;
    let over = bins.as_ref().map_or(stored, |bins| stored & !bins.any());
    let next_partial = (stays & !over).name("next_partial_waits");
    partial.drive(next_partial);
    let last = bins.as_ref().map_or(next_partial, |bins| next_partial & bins.will_be_empty());
    store_wanted.drive(next_count.bit(COUNT - 1) | last);

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
    // Each of its words is one of these: of the line that may come, of the line buffer, of the word behind, or as it was.
    let from_memory = (!line_busy & !may_direct).name("words_from_memory");
    for w in (0..LINE_WORDS).rev() {
        let behind = w + L;
        let bank = advance.bit(w % L);
        let incoming = b.one_of(&[from_memory, may_direct], &[i.line_id[w], buffer[w]]);
        let counts = b.constant(w as u64, COUNT).below(line_count);
        let id = b.storage(format!("slot_id_{w}"), ID_BITS);
        let (next, slot_behind, has_id_behind) = match word.get(behind) {
            Some(&Some(id_behind)) => {
                let moves = b.one_of(&[line_busy & bank, line_busy & !bank], &[id_behind, id]);
                (moves, slot.bit(behind), has_id.bit(behind))
            }
            _ => (line_busy.repeat(ID_BITS) & id, b.low(), b.low()),
        };
        id.drive((incoming | next).name(format!("next_slot_id_{w}")));
        word[w] = Some(id);
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
    b.output("pull_busy", side_holds | partial | away | (!double & (holding | inside())));
    b.output(
        "pending",
        match refill {
            Refill::Interval(_) => b.low(),
            Refill::Demand => trigger | away,
        },
    );
    let in_rings = use_0.any() | use_1.any();
    let in_line_register = (slot & has_id).name("slot_holds").any();
    b.output("holds", holding | inside() | in_rings | in_flight.any() | in_line_register);
}
