//! One bank of the reordering hash (section 3.3): S/2 sets of 32 elements, direct mapped, without tags.
//!
//! ```text
//!  local --> queue 32 --+          +--------+   element   +-----------+ write +----------------------+
//!  cw -----> queue 64 --+--------->| intake |------------>| bank_port |------>| 32 memories, a slot  |
//!  ccw ----> queue 64 --+          +--------+             |           | read  | each, of S/2 x 56; 4 |
//!                                   next set              |           |------>| of 4 S x 24          |
//!                                                         +-^-------^-+       +-----------+----------+
//!                                                     write |       | group               |
//!                                                +----------+---+ +-+----+                v
//!  merged <--------------------------------------| filter, adder| | take |       filter, gather -> beat_*
//!                                                +--------------+ +-^----+
//!  complete_*, best_*, count <-- occupancy                          |
//!                                                                 take_*
//! ```
//!
//! The filter compares the indices of all slots of a set, and needs the secondary value of the one that it finds: each slot
//! has a memory of its own for these two. A position is only read with its group of four: four memories have all positions.
//!
//! An element without conflicts: queue 2 cycles, stages 2, then appended; with filter merged or appended 3 cycles later
//! (minimum) or 6 (addition). One a cycle, also with filter, and without filter beside a take. A take: its first beat 3
//! cycles after `take` at the earliest, four elements a cycle.

use super::bank_port::BankPort;
use super::beat::Beat;
use super::element::ElementIn;
use super::element_queue::{wire_queue, ElementQueue};
use super::filter::{Filter, MERGING};
use super::flight::EARLY;
use super::intake::Intake;
use super::occupancy::{Occupancy, OCCUPANCY_BITS};
use super::take::{Take, BEAT};
use super::{INDEX_BITS, POSITION_BITS, SECONDARY_BITS, SLOTS, SLOT_BITS, VALUE_BITS};
use crate::circuit::wiring::Wiring;
use crate::prim::fp32_add::Fp32Add;
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// 2^A sets, M = A + 6 bits count the elements, N = 80 + A bits of an element and its set, G = A + 3 bits of a set and a
    /// group of its slots.
    pub struct ReorderBank<const A: usize, const M: usize, const N: usize, const G: usize> {
        in local, cw, ccw: ElementIn<A, 0>,
        in filter: Signal<In, Bits<2>>,
        in take: Signal<In, bool>,
        in take_set: Signal<In, Bits<A>>,
        in take_count: Signal<In, Bits<OCCUPANCY_BITS>>,
        in beat_room: Signal<In, bool>,
        out local_ready, cw_ready, ccw_ready, complete_valid: Signal<Out, bool>,
        out complete_set, best_set: Signal<Out, Bits<A>>,
        out best_count: Signal<Out, Bits<OCCUPANCY_BITS>>,
        out take_ready, beat_valid: Signal<Out, bool>,
        out beat_mask: Signal<Out, Bits<BEAT>>,
        out beat_last: Signal<Out, bool>,
        out beat_index: [Signal<Out, Bits<INDEX_BITS>>; BEAT],
        out beat_secondary: [Signal<Out, Bits<SECONDARY_BITS>>; BEAT],
        out beat_position: [Signal<Out, Bits<POSITION_BITS>>; BEAT],
        out merged: Signal<Out, bool>,
        out count: Signal<Out, Bits<M>>,
        out idle: Signal<Out, bool>,
    }
    children default {
        local_queue: ElementQueue<5, 6, A, N, 0>,
        ring_queue: Vec<ElementQueue<6, 7, A, N, 0>> = (0..2).map(|_| ElementQueue::default()).collect(),
        intake: Intake<A, N>,
        port: BankPort<A, G>,
        slot: Vec<Sram1r1w<VALUE_BITS, A>> = (0..SLOTS).map(|_| Sram1r1w::default()).collect(),
        position: Vec<Sram1r1w<POSITION_BITS, G>> = (0..BEAT).map(|_| Sram1r1w::default()).collect(),
        sets: Occupancy<A, M, 0>,
        filtering: Filter<A>,
        adder: Fp32Add,
        taker: Take<A>,
        gather: Beat<BEAT>,
    }
}

impl<const A: usize, const M: usize, const N: usize, const G: usize> ReorderBank<A, M, N, G> {
    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Elements come in.");
        wire_queue!(w, self, [local_queue], local, local_ready, local_valid, local_word, local_take, 0);
        wire_queue!(w, self, [ring_queue[0]], cw, cw_ready, cw_valid, cw_word, cw_take, 1);
        wire_queue!(w, self, [ring_queue[1]], ccw, ccw_ready, ccw_valid, ccw_word, ccw_take, 2);
        wire!(w: [self.intake] <- [self]: clock, reset);
        wire!(w: self.intake.filter <- self.filter);
        wire!(w: self.intake.in_flight <- self.filtering.in_flight);
        wire!(w: self.intake.leaves <- self.port.leaves);
        wire!(w: self.idle <- self.intake.idle);
        self.wire_port(w);
        self.wire_filter(w);
        self.wire_occupancy(w);
        self.wire_take(w);
    }

    fn wire_port(&mut self, w: &mut Wiring) {
        w.comment(" The memories.");
        wire!(w: [self.port] <- [self.intake]: filters, element_valid, element_word, home_set);
        wire!(w: [self.port] <- [self.sets]: occupancy, next_slot);
        wire!(w: [self.port] <- [self.filtering]: index_in_flight, may_append, home_is_taken);
        wire!(w: self.port.filter_write <- self.filtering.write);
        wire!(w: self.port.filter_found <- self.filtering.write_found);
        wire!(w: self.port.filter_slot <- self.filtering.write_slot);
        wire!(w: self.port.filter_set <- self.filtering.write_set);
        wire!(w: self.port.filter_keeps_position <- self.filtering.keeps_position);
        wire!(w: self.port.filter_word <- self.filtering.write_word);
        wire!(w: [self.port] <- [self.taker]: taking, taken_set, group_read, group);
        for s in 0..SLOTS {
            wire!(w: self.slot[s].clock <- self.clock);
            wire!(w: self.slot[s].write <- self.port.write, bit s);
            wire!(w: self.slot[s].write_addr <- self.port.write_set);
            wire!(w: self.slot[s].wdata <- self.port.write_value);
            wire!(w: self.slot[s].read <- self.port.read, bit s);
            wire!(w: self.slot[s].read_addr <- self.port.read_set);
        }
        for j in 0..BEAT {
            wire!(w: self.position[j].clock <- self.clock);
            wire!(w: self.position[j].write <- self.port.write_position, bit j);
            wire!(w: self.position[j].write_addr <- self.port.write_group);
            wire!(w: self.position[j].wdata <- self.port.position);
            wire!(w: self.position[j].read <- self.taker.group_read);
            wire!(w: self.position[j].read_addr <- self.port.read_group);
        }
    }

    fn wire_filter(&mut self, w: &mut Wiring) {
        w.comment(" Filter.");
        wire!(w: [self.filtering] <- [self]: clock, reset, take, take_set);
        wire!(w: self.filtering.adds <- self.filter, bit 1);
        wire!(w: self.filtering.enters <- self.port.enters);
        wire!(w: [self.filtering] <- [self.intake]: element_word, home_set, next_set, next_index, passes);
        wire!(w: self.filtering.occupied <- self.sets.occupancy, SLOT_BITS bits from 0);
        wire!(w: self.filtering.taken_set <- self.taker.taken_set);
        for s in 0..MERGING {
            wire!(w: self.filtering.slot_value[s] <- self.slot[s].rdata);
        }
        wire!(w: [self.adder] <- [self]: clock, reset);
        wire!(w: self.adder.a <- self.filtering.add_a);
        wire!(w: self.adder.b <- self.filtering.add_b);
        wire!(w: self.filtering.sum <- self.adder.sum);
        wire!(w: self.merged <- self.filtering.merged);
    }

    fn wire_occupancy(&mut self, w: &mut Wiring) {
        w.comment(" How full the sets are.");
        wire!(w: [self.sets] <- [self]: clock, reset, take, take_set);
        wire!(w: [self.sets] <- [self.intake]: home_set, next_set, passes);
        wire!(w: self.sets.filters <- self.intake.filters);
        wire!(w: [self.sets] <- [self.port]: grow, write_set);
        wire!(w: self.sets.adds <- self.filter, bit 1);
        for n in 0..EARLY {
            wire!(w: self.sets.flight_set[n] <- self.filtering.flight_set[n]);
        }
        wire!(w: self.sets.next_filter_set <- self.filtering.next_write_set);
        wire!(w: [self.sets] <- [self.taker]: taking, taken_set, shrink, shrink_to, shrink_by);
        wire!(w: [self] <- [self.sets]: complete_valid, complete_set, best_set, best_count, count);
    }

    fn wire_take(&mut self, w: &mut Wiring) {
        w.comment(" Elements go out.");
        wire!(w: [self.taker] <- [self]: clock, reset, take, take_set, take_count, beat_room);
        wire!(w: self.taker.occupancy <- self.sets.taken_occupancy);
        wire!(w: self.taker.set_in_flight <- self.filtering.taken_set_in_flight);
        wire!(w: [self] <- [self.taker]: take_ready, beat_valid, beat_mask, beat_last);
        wire!(w: self.gather.group <- self.taker.beat_group);
        wire!(w: self.gather.mask <- self.taker.beat_mask);
        for s in 0..SLOTS {
            wire!(w: self.gather.slot_value[s] <- self.slot[s].rdata);
        }
        for j in 0..BEAT {
            wire!(w: self.gather.slot_position[j] <- self.position[j].rdata);
            wire!(w: self.beat_index[j] <- self.gather.index[j]);
            wire!(w: self.beat_secondary[j] <- self.gather.secondary[j]);
            wire!(w: self.beat_position[j] <- self.gather.position[j]);
        }
    }
}
