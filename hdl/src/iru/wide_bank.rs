//! A bank of the reordering hash (section 3.3) that takes bundles: S/2 sets of 32 elements, direct mapped, without tags.
//!
//! ```text
//!  local --> queue 32 --+          +--------+  elements   +-----------+ write +----------------------+
//!  cw -----> queue 64 --+--------->| intake |------------>|   port    |------>| 32 slots, each of    |
//!  ccw ----> queue 64 --+          +--------+             |           | read  | S/2 x 57 and         |
//!                                   next set              |           |------>| S/2 x 24             |
//!                                                         +-^-------^-+       +-----------+----------+
//!                                                     write |       | group               |
//!                                                +----------+---+ +-+----+                v
//!  merged <--------------------------------------| filter, W    | | take |       filter, gather -> beat_*
//!                                                | adders       | +-^----+
//!                                                +--------------+   |
//!  complete_*, best_*, count <-- occupancy                        take_*
//! ```
//!
//! Elements of a bundle are written at once, into any slots of their set: each slot has its own memories, one for index and
//! secondary value with a bit that says whether it is apart, and one for the position.
//!
//! A bundle without conflicts: queue 2 cycles, stages 2, then appended; with filter merged or appended 3 cycles later (minimum)
//! or 6 (addition). One a cycle. A take is as in [`super::reorder_bank`].

use super::beat::Beat;
use super::element::ElementIn;
use super::element_queue::{wire_queue, ElementQueue};
use super::flight::EARLY;
use super::occupancy::{Occupancy, OCCUPANCY_BITS};
use super::take::{Take, BEAT};
use super::wide_filter::WideFilter;
use super::wide_intake::WideIntake;
use super::wide_port::{WidePort, APART_VALUE_BITS};
use super::{INDEX_BITS, POSITION_BITS, SECONDARY_BITS, SLOTS, SLOT_BITS, VALUE_BITS};
use crate::circuit::wiring::Wiring;
use crate::prim::fp32_add::Fp32Add;
use crate::prim::sram_1r1w::Sram1r1w;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// 2^A sets, M = A + 6 bits count the elements, bundles of W = X + 1 elements, N = 80 + A + 81 X bits of a bundle and its set.
    pub struct WideBank<const A: usize, const M: usize, const N: usize, const W: usize, const X: usize> {
        in local, cw, ccw: ElementIn<A, X>,
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
        out merged: Signal<Out, Bits<W>>,
        out count: Signal<Out, Bits<M>>,
        out idle: Signal<Out, bool>,
    }
    children default {
        local_queue: ElementQueue<5, 6, A, N, X>,
        ring_queue: Vec<ElementQueue<6, 7, A, N, X>> = (0..2).map(|_| ElementQueue::default()).collect(),
        intake: WideIntake<A, N, W>,
        port: WidePort<A, W, X>,
        slot: Vec<Sram1r1w<APART_VALUE_BITS, A>> = (0..SLOTS).map(|_| Sram1r1w::default()).collect(),
        position: Vec<Sram1r1w<POSITION_BITS, A>> = (0..SLOTS).map(|_| Sram1r1w::default()).collect(),
        sets: Occupancy<A, M, X>,
        filtering: WideFilter<A, W>,
        adder: Vec<Fp32Add> = (0..W).map(|_| Fp32Add::default()).collect(),
        taker: Take<A>,
        gather: Beat<SLOTS>,
    }
}

impl<const A: usize, const M: usize, const N: usize, const W: usize, const X: usize> WideBank<A, M, N, W, X> {
    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Bundles come in.");
        wire_queue!(w, self, [local_queue], local, local_ready, local_valid, local_word, local_take, 0);
        wire_queue!(w, self, [ring_queue[0]], cw, cw_ready, cw_valid, cw_word, cw_take, 1);
        wire_queue!(w, self, [ring_queue[1]], ccw, ccw_ready, ccw_valid, ccw_word, ccw_take, 2);
        wire!(w: [self.intake] <- [self]: clock, reset, filter);
        wire!(w: [self.intake] <- [self.filtering]: in_flight);
        wire!(w: [self.intake] <- [self.port]: leaves, splits);
        wire!(w: self.idle <- self.intake.idle);
        self.wire_port(w);
        self.wire_filter(w);
        self.wire_occupancy(w);
        self.wire_take(w);
    }

    fn wire_port(&mut self, w: &mut Wiring) {
        w.comment(" The memories.");
        wire!(w: [self.port] <- [self.intake]: filters, present, home_set);
        wire!(w: [self.port] <- [self.sets]: occupancy, next_slot);
        wire!(w: [self.port] <- [self.filtering]: home_is_taken);
        wire!(w: self.port.filter_write <- self.filtering.write);
        wire!(w: self.port.filter_found <- self.filtering.write_found);
        wire!(w: self.port.filter_keeps_position <- self.filtering.keeps_position);
        wire!(w: self.port.filter_apart <- self.filtering.write_apart);
        wire!(w: self.port.filter_set <- self.filtering.write_set);
        for l in 0..W {
            wire!(w: [self.port][l] <- [self.intake][l]: element_word);
            wire!(w: [self.port][l] <- [self.filtering][l]: may_append);
            wire!(w: self.port.filter_slot[l] <- self.filtering.write_slot[l]);
            wire!(w: self.port.filter_word[l] <- self.filtering.write_word[l]);
        }
        wire!(w: [self.port] <- [self.taker]: taking, taken_set, group_read, group);
        for s in 0..SLOTS {
            wire!(w: self.slot[s].clock <- self.clock);
            wire!(w: self.slot[s].write <- self.port.write, bit s);
            wire!(w: self.slot[s].write_addr <- self.port.write_set);
            wire!(w: self.slot[s].wdata <- self.port.write_value[s]);
            wire!(w: self.slot[s].read <- self.port.read, bit s);
            wire!(w: self.slot[s].read_addr <- self.port.read_set[s]);
        }
        for s in 0..SLOTS {
            wire!(w: self.position[s].clock <- self.clock);
            wire!(w: self.position[s].write <- self.port.write_position, bit s);
            wire!(w: self.position[s].write_addr <- self.port.write_set);
            wire!(w: self.position[s].wdata <- self.port.position[s]);
            wire!(w: self.position[s].read <- self.port.read_position, bit s);
            wire!(w: self.position[s].read_addr <- self.taker.taken_set);
        }
    }

    fn wire_filter(&mut self, w: &mut Wiring) {
        w.comment(" Filter.");
        wire!(w: [self.filtering] <- [self]: clock, reset, take, take_set);
        wire!(w: self.filtering.adds <- self.filter, bit 1);
        wire!(w: [self.filtering] <- [self.port]: enters);
        wire!(w: [self.filtering] <- [self.intake]: home_set, next_set, passes);
        wire!(w: self.filtering.occupied <- self.sets.occupancy, SLOT_BITS bits from 0);
        wire!(w: [self.filtering] <- [self.taker]: taken_set);
        for s in 0..SLOTS {
            wire!(w: self.filtering.slot_value[s] <- self.slot[s].rdata);
        }
        for l in 0..W {
            wire!(w: [self.filtering][l] <- [self.intake][l]: element_word);
            wire!(w: [self.adder[l]] <- [self]: clock, reset);
            wire!(w: self.adder[l].a <- self.filtering.add_a[l]);
            wire!(w: self.adder[l].b <- self.filtering.add_b[l]);
            wire!(w: self.filtering.sum[l] <- self.adder[l].sum);
        }
        wire!(w: [self] <- [self.filtering]: merged);
    }

    fn wire_occupancy(&mut self, w: &mut Wiring) {
        w.comment(" How full the sets are.");
        wire!(w: [self.sets] <- [self]: clock, reset, take, take_set);
        wire!(w: [self.sets] <- [self.intake]: home_set, next_set, passes, filters);
        wire!(w: [self.sets] <- [self.port]: grow, write_set);
        for k in 0..X {
            wire!(w: [self.sets][k] <- [self.port][k]: grow_more);
        }
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
            wire!(w: self.gather.slot_value[s] <- self.slot[s].rdata, VALUE_BITS bits from 0);
            wire!(w: self.gather.slot_position[s] <- self.position[s].rdata);
        }
        for j in 0..BEAT {
            wire!(w: self.beat_index[j] <- self.gather.index[j]);
            wire!(w: self.beat_secondary[j] <- self.gather.secondary[j]);
            wire!(w: self.beat_position[j] <- self.gather.position[j]);
        }
    }
}
