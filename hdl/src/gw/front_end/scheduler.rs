//! Parts of one scheduler of the front end: places of its warps, what they wait for, and what issues.
//!
//! ```text
//!  answer, link, fill -->+--------------+  held   +---------+ address_*  +---------+ land_*
//!  start, wake, answer ->| place states |-------->| chooser |----------->| decoder |-------+
//!                        | place pcs    |         +---------+   word --->+---------+       |
//!                        +---+------+---+                                                  v
//!                       look |      | missed      +-------+  first_*, second_*   +-------------------+
//!                        +---v--+ +-v-----+       |windows|<---------------------| slots, slot lists |
//!  look_* <--------------|look  | | wants |       +---+---+                      | forms             |
//!                        |ups   | +-+-----+           |                          +---------^---------+
//!                        +------+   v want_*     +----v---+   +------+   +------+          | done_*, clear
//!                                                | picker |<--| wave |<--| wave |          |
//!                                                +----+---+   | table|   |former|          |
//!  issue_*, wave_* <-------------- issued <-----------+       +---+--+   +------+          |
//!                                                                 +------------------------+
//! ```
//!
//! From issue to issue of a warp: 1 cycle if the second instruction is checked, 3 on average in a long run. From the answer to a
//! branch: 5.

use super::answers::Answers;
use super::chooser::Chooser;
use super::decoder::Decoder;
use super::forms::Forms;
use super::issued::Issued;
use super::look_ups::LookUps;
use super::picker::Picker;
use super::place_pcs::PlacePcs;
use super::place_states::PlaceStates;
use super::record::WORD_BITS;
use super::references::References;
use super::slot_lists::SlotLists;
use super::slots::{Slots, DONE};
use super::wants::Wants;
use super::wave_former::WaveFormer;
use super::wave_table::WaveTable;
use super::windows::Windows;
use super::{SLOTS, SLOT_BITS};
use crate::circuit::wiring::Wiring;
use crate::gw::record::{REGISTERS, WRITES_BITS};
use crate::gw::{LINE_BITS, PC_BITS};
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// N places, H = N / 2 pairs, waves of V lanes, T entries of the SWST; P, Q, G, I bits number a place, a pair, a group, an
    /// entry of the SWST, and E an entry of the storage, which has K ways; L = V x `SLOTS`.
    pub struct Scheduler<
        const N: usize, const H: usize, const V: usize, const T: usize, const P: usize, const Q: usize, const G: usize,
        const I: usize, const E: usize, const K: usize, const L: usize, const X: usize, const D: usize
    > {
        in start, wake: Signal<In, Bits<N>>,
        in room: Signal<In, Bits<4>>,
        in answer_even, answer_odd: Signal<In, bool>,
        in answer_pair: Signal<In, Bits<Q>>,
        in even_next, odd_next: Signal<In, Bits<2>>,
        in even_pc, odd_pc: Signal<In, Bits<PC_BITS>>,
        in even_full, odd_full: Signal<In, bool>,
        in done_even, done_odd: [Signal<In, bool>; DONE],
        in done_pair: [Signal<In, Bits<Q>>; DONE],
        in done_even_slot, done_odd_slot: [Signal<In, Bits<SLOT_BITS>>; DONE],
        in done_wave: Signal<In, bool>,
        in done_swid: Signal<In, Bits<I>>,
        in pairs_on, waves_on: Signal<In, bool>,
        in answer: Signal<In, Bits<2>>,
        in answer_entry: Signal<In, Bits<E>>,
        in link_valid: Signal<In, bool>,
        in link: Signal<In, Bits<E>>,
        in word: Signal<In, Bits<WORD_BITS>>,
        in fill_valid, fetch_valid: Signal<In, bool>,
        in fill_entry, fetch_entry: Signal<In, Bits<E>>,
        in ask_line: Signal<In, Bits<LINE_BITS>>,
        in asked: Signal<In, bool>,
        in asked_place: Signal<In, Bits<P>>,
        out issue_even, issue_odd: Signal<Out, bool>,
        out issue_pair: Signal<Out, Bits<Q>>,
        out issue_pc: Signal<Out, Bits<PC_BITS>>,
        out even_slot, odd_slot: Signal<Out, Bits<SLOT_BITS>>,
        out issue_wave: Signal<Out, bool>,
        out issue_swid: Signal<Out, Bits<I>>,
        out wave_group: Signal<Out, Bits<G>>,
        out wave_mask: Signal<Out, Bits<V>>,
        out wave_pc: Signal<Out, Bits<PC_BITS>>,
        out ready, scalar: Signal<Out, Bits<N>>,
        out table_full: Signal<Out, bool>,
        out look_valid, look_follows: Signal<Out, bool>,
        out look_line: Signal<Out, Bits<LINE_BITS>>,
        out look_from: Signal<Out, Bits<E>>,
        out want_valid: Signal<Out, bool>,
        out want_place: Signal<Out, Bits<P>>,
        out want_line: Signal<Out, Bits<LINE_BITS>>,
        out address_valid: Signal<Out, bool>,
        out address_entry: Signal<Out, Bits<E>>,
        out read_end: Signal<Out, bool>,
        out read_entry: Signal<Out, Bits<E>>,
        out used_ways: Signal<Out, Bits<K>>,
    }
    /// `age_cap`: cycles after which a scalar wave goes first; `lowest`: the lowest place goes first, not the next in turn.
    children new(age_cap: u64, lowest: bool) {
        answers: Answers<N, H, Q>,
        states: PlaceStates<N, H, P, E>,
        pcs: PlacePcs<N, E>,
        chooser: Chooser<N, H, Q, E>,
        decoder: Decoder<N, H, Q>,
        lists: SlotLists,
        list_memory: Vec<Sram1r1w<WRITES_BITS, Q>> = (0..SLOTS).map(|_| Sram1r1w::new(H)).collect(),
        slots: Slots<N, H, V, Q, L, D>,
        forms: Forms<N, H>,
        form_memory: Vec<Sram1r1w<REGISTERS, Q>> = (0..2).map(|_| Sram1r1w::new(H)).collect(),
        windows: Windows<N, V, D>,
        picker: Picker<N, H, E, X, D> = Picker::new(lowest),
        issued: Issued<N, H, V, T, Q, G, I, L, X>,
        references: References<N, E, K>,
        looks: LookUps<N, H, E>,
        wants: Wants<N, P>,
        former: WaveFormer<N, V, G, X>,
        waves: WaveTable<N, V, T, G, I, X> = WaveTable::new(age_cap),
        wave_memory: Sram1r1w<L, I> = Sram1r1w::new(T),
    }
}

impl<
        const N: usize,
        const H: usize,
        const V: usize,
        const T: usize,
        const P: usize,
        const Q: usize,
        const G: usize,
        const I: usize,
        const E: usize,
        const K: usize,
        const L: usize,
        const X: usize,
        const D: usize,
    > Scheduler<N, H, V, T, P, Q, G, I, E, K, L, X, D>
{
    fn wire(&mut self, w: &mut Wiring) {
        self.wire_states(w);
        self.wire_pcs(w);
        self.wire_chooser(w);
        self.wire_decoder(w);
        self.wire_lists(w);
        self.wire_slots(w);
        self.wire_forms(w);
        self.wire_windows(w);
        self.wire_picker(w);
        self.wire_issued(w);
        self.wire_searches(w);
        self.wire_references(w);
        self.wire_waves(w);
    }

    fn wire_states(&mut self, w: &mut Wiring) {
        w.comment(" Where the places are.");
        wire!(w: [self.answers] <- [self]: answer_even, answer_odd, answer_pair);
        wire!(w: [self.states] <- [self]: clock, reset, start, wake, even_next, odd_next, even_full, odd_full, answer,
            answer_entry, fill_valid, fill_entry, fetch_valid, fetch_entry, asked, asked_place, link_valid, link);
        wire!(w: self.states.resolved <- self.answers.resolved);
        wire!(w: self.states.answered <- self.looks.answered);
        wire!(w: [self.states] <- [self.chooser]: reads, read_end, read_entry);
        wire!(w: [self.states] <- [self.decoder]: landing, lands_on, leaves, land_turns, land_flows);
    }

    fn wire_pcs(&mut self, w: &mut Wiring) {
        w.comment(" Pcs.");
        wire!(w: [self.pcs] <- [self]: clock, reset, start, even_pc, odd_pc);
        wire!(w: [self.pcs] <- [self.waves]: wave_pc, wave_carry);
        wire!(w: self.pcs.resolved <- self.answers.resolved);
        wire!(w: [self.pcs] <- [self.issued]: issues, issue_pc);
        match X {
            0 => wire!(w: self.pcs.issue_wave <- self.picker.issue_wave),
            _ => wire!(w: self.pcs.issue_wave <- self.picker.issue_offer[0]),
        }
        wire!(w: self.pcs.checked <- self.chooser.checked);
        wire!(w: self.pcs.checked_entry <- self.chooser.address_entry);
        for place in 0..N {
            wire!(w: self.pcs.entry[place] <- self.states.entry[place]);
        }
    }

    fn wire_chooser(&mut self, w: &mut Wiring) {
        w.comment(" What is checked.");
        wire!(w: [self.chooser] <- [self]: clock, reset, answer, answer_entry);
        wire!(w: self.chooser.held <- self.states.held);
        wire!(w: [self.chooser] <- [self.decoder]: leaves);
        wire!(w: self.chooser.ahead_2 <- self.pcs.ahead_2);
        wire!(w: self.chooser.halves <- self.picker.halves);
        wire!(w: self.chooser.slot <- self.pcs.slot);
        wire!(w: self.chooser.roomy <- self.slots.roomy);
        wire!(w: self.chooser.resolved_pairs <- self.answers.resolved_pairs);
        wire!(w: [self.chooser] <- [self.looks]: at_answer, answered_pairs, answered_even, answered_odd);
        for place in 0..N {
            wire!(w: self.chooser.entry[place] <- self.states.entry[place]);
        }
        wire!(w: [self] <- [self.chooser]: address_valid, address_entry, read_end, read_entry);
    }

    fn wire_decoder(&mut self, w: &mut Wiring) {
        w.comment(" The record.");
        wire!(w: [self.decoder] <- [self]: clock, reset, word, link_valid);
        wire!(w: [self.decoder] <- [self.chooser]: reads, read_pairs, read_pair, read_even, read_odd, read_slot,
            read_end);
        wire!(w: self.decoder.full <- self.states.full);
    }

    fn wire_lists(&mut self, w: &mut Wiring) {
        w.comment(" Registers of the slots.");
        wire!(w: [self.lists] <- [self]: clock, reset);
        wire!(w: [self.lists] <- [self.decoder]: land_needs);
        wire!(w: self.lists.takes <- self.slots.takes);
        for slot in 0..SLOTS {
            wire!(w: self.list_memory[slot].clock <- self.clock);
            wire!(w: self.list_memory[slot].read <- self.chooser.address_valid);
            wire!(w: self.list_memory[slot].read_addr <- self.chooser.address_pair);
            wire!(w: self.list_memory[slot].write <- self.lists.write[slot]);
            wire!(w: self.list_memory[slot].write_addr <- self.decoder.land_pair);
            wire!(w: self.list_memory[slot].wdata <- self.decoder.land_list);
            wire!(w: self.lists.list[slot] <- self.list_memory[slot].rdata);
        }
    }

    fn wire_slots(&mut self, w: &mut Wiring) {
        w.comment(" Slots.");
        wire!(w: [self.slots] <- [self]: clock, reset);
        for k in 0..DONE {
            wire!(w: [self.slots][k] <- [self][k]: done_even, done_odd, done_pair, done_even_slot, done_odd_slot);
        }
        wire!(w: self.slots.clear <- self.waves.clear);
        wire!(w: self.slots.lanes <- self.wave_memory.rdata);
        wire!(w: [self.slots] <- [self.decoder]: land_pairs, land_pair, land_even, land_odd, land_takes);
        wire!(w: self.slots.hits <- self.lists.hits);
    }

    fn wire_forms(&mut self, w: &mut Wiring) {
        w.comment(" Forms of registers.");
        wire!(w: [self.forms] <- [self]: clock, reset, waves_on);
        wire!(w: [self.forms] <- [self.decoder]: land_pairs, land_scalar, even_full, odd_full, land_reads, land_writes);
        wire!(w: self.forms.fresh <- self.states.fresh);
        wire!(w: self.forms.form_even <- self.form_memory[0].rdata);
        wire!(w: self.forms.form_odd <- self.form_memory[1].rdata);
        wire!(w: self.form_memory[0].write <- self.decoder.land_even);
        wire!(w: self.form_memory[1].write <- self.decoder.land_odd);
        wire!(w: self.form_memory[0].wdata <- self.forms.new_even);
        wire!(w: self.form_memory[1].wdata <- self.forms.new_odd);
        for half in 0..2 {
            wire!(w: self.form_memory[half].clock <- self.clock);
            wire!(w: self.form_memory[half].read <- self.chooser.address_valid);
            wire!(w: self.form_memory[half].read_addr <- self.chooser.address_pair);
            wire!(w: self.form_memory[half].write_addr <- self.decoder.land_pair);
        }
    }

    fn wire_windows(&mut self, w: &mut Wiring) {
        w.comment(" Windows.");
        wire!(w: [self.windows] <- [self]: clock, reset);
        wire!(w: self.windows.issues <- self.issued.issues);
        wire!(w: [self.windows] <- [self.decoder]: landing, land_takes, land_path);
        wire!(w: self.windows.land_slot <- self.lists.slot);
        wire!(w: [self.windows] <- [self.slots]: even_waits, odd_waits, even_ready, odd_ready, ready_after);
        wire!(w: self.windows.cleared <- self.waves.clear);
        wire!(w: [self.windows] <- [self.forms]: even_scalar, odd_scalar);
        for place in 0..N {
            wire!(w: self.windows.frees[place] <- self.slots.frees[place]);
        }
        wire!(w: self.ready <- self.windows.first_ready);
        wire!(w: self.scalar <- self.former.scalars);
    }

    fn wire_picker(&mut self, w: &mut Wiring) {
        w.comment(" What issues in the next cycle.");
        wire!(w: [self.picker] <- [self]: clock, reset, room, pairs_on);
        wire!(w: [self.picker] <- [self.windows]: first_ready, first_scalar, second_ready, second_scalar);
        for place in 0..N {
            wire!(w: [self.picker][place] <- [self.windows][place]: first_path, second_path);
            wire!(w: self.picker.front_entry[place] <- self.pcs.front_entry[place]);
        }
        wire!(w: self.picker.front_slot <- self.pcs.front_slot);
        wire!(w: [self.picker] <- [self.waves]: offer_valid, offer_urgent, offer_path);
        for x in 0..X {
            wire!(w: [self.picker][x] <- [self.former][x]: scalar_pick, may_join);
            wire!(w: self.picker.scalar_can[x] <- self.waves.scalar_can[x]);
        }
        for d in 0..D {
            wire!(w: self.picker.lands_first[d] <- self.windows.lands_first[d]);
            wire!(w: [self.picker][d] <- [self.slots][d]: even_clear, odd_clear);
            wire!(w: self.picker.even_scalar[d] <- self.forms.even_scalar);
            wire!(w: self.picker.odd_scalar[d] <- self.forms.odd_scalar);
            wire!(w: self.picker.land_even[d] <- self.decoder.land_even);
            wire!(w: self.picker.land_odd[d] <- self.decoder.land_odd);
            wire!(w: self.picker.land_pairs[d] <- self.decoder.land_pairs);
            wire!(w: self.picker.land_path[d] <- self.decoder.land_path);
        }
        wire!(w: [self] <- [self.picker]: issue_even, issue_odd, issue_wave);
    }

    fn wire_issued(&mut self, w: &mut Wiring) {
        w.comment(" What issues in this cycle.");
        wire!(w: [self.issued] <- [self.picker]: issue_pairs, halves, issue_wave);
        wire!(w: [self.issued] <- [self.waves]: issue_waves, wave_group, wave_members);
        wire!(w: [self] <- [self.waves]: wave_group, wave_mask);
        match X {
            0 => wire!(w: self.wave_pc <- self.waves.wave_pc),
            _ => wire!(w: self.wave_pc <- self.issued.pc_of_wave[0]),
        }
        for x in 0..X {
            wire!(w: self.issued.wave_pc[x] <- self.waves.wave_pc);
            wire!(w: self.issued.issue_express[x] <- self.picker.issue_express[x]);
        }
        for place in 0..N {
            wire!(w: self.issued.front_pc[place] <- self.pcs.front_pc[place]);
            wire!(w: self.issued.first_slot[place] <- self.windows.first_slot[place]);
        }
        wire!(w: self.issued.first_takes <- self.windows.first_takes);
        wire!(w: [self] <- [self.issued]: issue_pair, issue_pc, even_slot, odd_slot, issue_swid);
    }

    fn wire_searches(&mut self, w: &mut Wiring) {
        w.comment(" Look-ups and fetches.");
        wire!(w: [self.looks] <- [self]: clock, reset, answer_even, answer_odd, even_next, odd_next, even_pc, odd_pc,
            fetch_valid, fetch_entry);
        wire!(w: [self.looks] <- [self.states]: look, follow);
        wire!(w: self.looks.beyond <- self.pcs.beyond);
        wire!(w: self.looks.resolved_pairs <- self.answers.resolved_pairs);
        wire!(w: [self] <- [self.looks]: look_valid, look_follows, look_line, look_from);
        wire!(w: [self.wants] <- [self]: clock, reset);
        wire!(w: [self.wants] <- [self.states]: missed, missed_next);
        wire!(w: self.wants.beyond <- self.pcs.beyond);
        wire!(w: [self] <- [self.wants]: want_valid, want_place, want_line);
        for place in 0..N {
            wire!(w: self.looks.front_line[place] <- self.pcs.front_line[place]);
            wire!(w: self.looks.entry[place] <- self.states.entry[place]);
            wire!(w: self.wants.front_line[place] <- self.pcs.front_line[place]);
        }
    }

    fn wire_references(&mut self, w: &mut Wiring) {
        w.comment(" References to lines.");
        wire!(w: [self.references] <- [self]: clock, reset);
        wire!(w: [self.references] <- [self.states]: fill, held);
        wire!(w: self.references.ahead <- self.pcs.ahead);
        wire!(w: self.references.ask_line <- self.ask_line);
        for place in 0..N {
            wire!(w: self.references.entry[place] <- self.states.entry[place]);
            wire!(w: self.references.front_entry[place] <- self.pcs.front_entry[place]);
        }
        wire!(w: self.used_ways <- self.references.used_ways);
    }

    fn wire_waves(&mut self, w: &mut Wiring) {
        w.comment(" Scalar waves.");
        wire!(w: [self.former] <- [self]: clock, reset);
        wire!(w: self.former.ready <- self.windows.first_ready);
        wire!(w: self.former.scalar <- self.windows.first_scalar);
        wire!(w: [self.former] <- [self.waves]: joined, joining);
        for x in 0..X {
            wire!(w: self.former.expresses[x] <- self.picker.expresses[x]);
            wire!(w: [self.waves][x] <- [self.picker][x]: expresses, express_places);
        }
        for place in 0..N {
            wire!(w: self.former.front_pc[place] <- self.pcs.front_pc[place]);
            wire!(w: self.former.first_path[place] <- self.windows.first_path[place]);
        }
        wire!(w: [self.waves] <- [self]: clock, reset, done_wave, done_swid);
        wire!(w: [self.waves] <- [self.former]: found, found_lanes, key_group, key_pc, key_path);
        wire!(w: self.waves.issue_wave <- self.picker.issue_wave);
        wire!(w: self.waves.members <- self.issued.members);
        wire!(w: self.table_full <- self.waves.table_full);
        wire!(w: self.wave_memory.clock <- self.clock);
        wire!(w: self.wave_memory.write <- self.picker.issue_wave);
        wire!(w: self.wave_memory.write_addr <- self.issued.issue_swid);
        wire!(w: self.wave_memory.wdata <- self.issued.lanes);
        wire!(w: self.wave_memory.read <- self.done_wave);
        wire!(w: self.wave_memory.read_addr <- self.done_swid);
    }
}
