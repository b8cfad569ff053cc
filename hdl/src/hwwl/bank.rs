//! A lane's worklist (section III-B): one single-port SRAM as FIFO of work IDs.
//!
//! ```text
//!  pull, push, push_id ------+     +-------------+ address, wdata  +----------+
//!  wru_pop, wru_push, wru_* -+---->| lane before |---------------->| sram_1rw |----> id
//!  fill_push, fill_* --------+     | WRU before  |                 | E x 24   |
//!                                  | fill        |                 +----------+
//!                                  +------+------+
//!                                         | pop, append
//!               +-------------------------v-------------------+
//!               | partition 0: head, tail, occupancy, IDs     |--> pull_occupancy, push_occupancy
//!               | partition 1: head, tail, occupancy, IDs     |--> empty, full
//!               |                         <- reserve, ...     |
//!               | double_mode, pull_side  <- configure, swap  |--> held
//!               +---------------------------------------------+
//! ```
//!
//! In single-buffer mode partition 0 is one FIFO of E entries; in double-buffer mode the partitions are two FIFOs of E/2
//! entries in the lower and upper half of the SRAM. Heads and tails are physical addresses, so that nothing but a
//! multiplexer lies between them and the SRAM.
//!
//! One access a cycle: lanes, then the WRU, then fills (from memory or another core). The answer to a request
//! (`pull_valid`, `wru_valid`, `wru_accepted`, `fill_accepted`, and the ID) is there in the next cycle.
//!
//! A refill from memory (III-D) first reserves entries of the pull side. Occupancies are kept with the reserved entries in
//! them, so that everyone but a pull sees them as taken; the IDs are counted beside them. Whether a partition has an
//! ID is a flag of its own, and the next value of every counter is ready for each kind of access, so that who gets
//! the port only has to choose.

use super::{address_bits, count_bits, ID_BITS};
use crate::kernel;
use crate::prim::register::Register;
use crate::prim::sram_1rw::Sram1rw;
use rust_hdl::prelude::*;

kernel! {
    /// E = 2^A entries; C = A + 1 bits count them.
    pub struct Bank<const A: usize, const C: usize> {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, bool>,

        pub configure, double_buffer, swap, pull, push: Signal<In, bool>,
        pub push_id: Signal<In, Bits<ID_BITS>>,
        pub wru_pop, wru_push, wru_part: Signal<In, bool>,
        pub wru_id: Signal<In, Bits<ID_BITS>>,
        pub fill_push, fill_reserved, fill_part: Signal<In, bool>,
        pub fill_id: Signal<In, Bits<ID_BITS>>,
        pub reserve, unreserve: Signal<In, bool>,

        pub pull_valid, wru_valid, wru_accepted, fill_accepted: Signal<Out, bool>,
        pub id: Signal<Out, Bits<ID_BITS>>,
        pub pull_occupancy, push_occupancy, held: Signal<Out, Bits<C>>,
        pub empty, full: Signal<Out, bool>,

        sram: Sram1rw<ID_BITS, A> = Sram1rw::default(),

        // Mode, and the partition that is the pull side.
        double_mode, pull_side: Register<bool>,
        // The two FIFOs: where the oldest ID is, where the next one goes, how many entries are taken, how many IDs there are.
        head: [Register<Bits<A>>; 2] = [Register::default(), Register::new(half.into())],
        tail: [Register<Bits<A>>; 2] = [Register::default(), Register::new(half.into())],
        occupancy, ids: [Register<Bits<C>>; 2],
        // One bit per FIFO: it has an ID.
        has_id: [Register<bool>; 2],
        // Answers to the requests of the previous cycle.
        pull_done, wru_pop_done, wru_push_done, fill_done: Register<bool>,

        push_side: Signal<Local, bool>,
        pull_has_id, wru_has_id, wru_full, fill_full: Signal<Local, bool>,

        lane_pop, lane_idle, wru_pop_granted, wru_append_granted, fill_granted, pop, append, part: Signal<Local, bool>,
        here, pulls, pops, appends, grows: [Signal<Local, bool>; 2],

        pointer: Signal<Local, Bits<A>>,
        head_behind, tail_behind, next_head, next_tail: [Signal<Local, Bits<A>>; 2],
        promise: Signal<Local, Bits<C>>,
        promised, taken, one_more, one_less, more_ids, fewer_ids: [Signal<Local, Bits<C>>; 2],
        has_one_id: [Signal<Local, bool>; 2],
        all_taken, half_taken, is_full: [Signal<Local, bool>; 2],
        vacant, configured: Signal<Local, bool>,
        start: [Signal<Local, Bits<A>>; 2],

        entries: Constant<Bits<C>> = Constant::new(entries.into()),
        half_entries: Constant<Bits<C>> = Constant::new(half.into()),
        refill: Constant<Bits<C>> = Constant::new(refill.into()),
        refill_less_one: Constant<Bits<C>> = Constant::new((refill - 1).into()),
        one: Constant<Bits<C>> = Constant::new(1.into()),
        minus_one: Constant<Bits<C>> = Constant::new((2 * entries - 1).into()),
        no_ids: Constant<Bits<C>> = Constant::new(0.into()),
        start_0: Constant<Bits<A>> = Constant::new(0.into()),
        start_1: Constant<Bits<A>> = Constant::new(half.into()),
        offset_mask: Constant<Bits<A>> = Constant::new((half - 1).into()),
    }
    /// `refill`: entries that `reserve` reserves, the words of a line of memory that belong to one bank.
    new(refill: u64) after {
        let entries: u64 = 1 << A;
        assert_eq!(C, count_bits(entries as usize));
        assert_eq!(A, address_bits(entries as usize));
        let half = entries / 2;
        // IDs that do not fit the bank are never reserved.
        let refill = refill.min(entries);
    }
}

impl<const A: usize, const C: usize> Logic for Bank<A, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, double_mode, pull_side);
        clock!(self, clock, sram, pull_done, wru_pop_done, wru_push_done, fill_done);
        self.double_mode.reset.next = self.reset.val();
        self.pull_side.reset.next = self.reset.val();
        self.pull_done.reset.next = self.reset.val();
        self.wru_pop_done.reset.next = self.reset.val();
        self.wru_push_done.reset.next = self.reset.val();
        self.fill_done.reset.next = self.reset.val();
        for p in 0..2 {
            self.head[p].clock.next = self.clock.val();
            self.tail[p].clock.next = self.clock.val();
            self.occupancy[p].clock.next = self.clock.val();
            self.ids[p].clock.next = self.clock.val();
            self.has_id[p].clock.next = self.clock.val();
            self.head[p].reset.next = self.reset.val();
            self.tail[p].reset.next = self.reset.val();
            self.occupancy[p].reset.next = self.reset.val();
            self.ids[p].reset.next = self.reset.val();
            self.has_id[p].reset.next = self.reset.val();
        }

        // The partitions' fill, as each requester sees it. Never is more taken than there is, so that one bit tells.
        for p in 0..2 {
            self.all_taken[p].next = (self.occupancy[p].q.val() & self.entries.val()).any();
            self.half_taken[p].next = (self.occupancy[p].q.val() & self.half_entries.val()).any();
            self.is_full[p].next = self.all_taken[p].val() | (self.double_mode.q.val() & self.half_taken[p].val());
        }
        self.push_side.next = self.double_mode.q.val() & (!self.pull_side.q.val());
        self.pull_has_id.next = self.has_id[0].q.val();
        self.pull_occupancy.next = self.occupancy[0].q.val();
        if self.pull_side.q.val() {
            self.pull_has_id.next = self.has_id[1].q.val();
            self.pull_occupancy.next = self.occupancy[1].q.val();
        }
        self.full.next = self.is_full[0].val();
        if self.push_side.val() {
            self.full.next = self.is_full[1].val();
        }
        self.wru_has_id.next = self.has_id[0].q.val();
        self.wru_full.next = self.is_full[0].val();
        if self.wru_part.val() {
            self.wru_has_id.next = self.has_id[1].q.val();
            self.wru_full.next = self.is_full[1].val();
        }
        self.fill_full.next = self.is_full[0].val();
        if self.fill_part.val() {
            self.fill_full.next = self.is_full[1].val();
        }

        // One access a cycle: the lane's if it has one, else the WRU's, else a fill.
        self.lane_pop.next = self.pull.val() & self.pull_has_id.val();
        self.lane_idle.next = !(self.lane_pop.val() | self.push.val());
        self.wru_pop_granted.next = (self.wru_pop.val() & self.wru_has_id.val()) & self.lane_idle.val();
        self.wru_append_granted.next = (self.wru_push.val() & (!self.wru_full.val())) & self.lane_idle.val();
        self.fill_granted.next = (self.fill_push.val() & (self.fill_reserved.val() | (!self.fill_full.val())))
            & (self.lane_idle.val() & (!(self.wru_pop_granted.val() | self.wru_append_granted.val())));
        self.pop.next = self.lane_pop.val() | self.wru_pop_granted.val();
        self.append.next = (self.push.val() | self.wru_append_granted.val()) | self.fill_granted.val();
        self.part.next = self.fill_part.val();
        if self.fill_reserved.val() {
            self.part.next = self.pull_side.q.val();
        }
        if self.wru_pop_granted.val() | self.wru_append_granted.val() {
            self.part.next = self.wru_part.val();
        }
        if self.push.val() {
            self.part.next = self.push_side.val();
        }
        if self.lane_pop.val() {
            self.part.next = self.pull_side.q.val();
        }

        self.pointer.next = self.head[0].q.val();
        if self.append.val() {
            self.pointer.next = self.tail[0].q.val();
        }
        if self.part.val() {
            self.pointer.next = self.head[1].q.val();
            if self.append.val() {
                self.pointer.next = self.tail[1].q.val();
            }
        }
        self.sram.en.next = self.pop.val() | self.append.val();
        self.sram.we.next = self.append.val();
        self.sram.addr.next = self.pointer.val();
        self.sram.wdata.next = self.fill_id.val();
        if self.wru_append_granted.val() {
            self.sram.wdata.next = self.wru_id.val();
        }
        if self.push.val() {
            self.sram.wdata.next = self.push_id.val();
        }

        // The reserved entries of the pull side.
        self.promise.next = self.no_ids.val();
        if self.reserve.val() {
            self.promise.next = self.refill.val();
            if self.unreserve.val() {
                self.promise.next = self.refill_less_one.val();
            }
        } else if self.unreserve.val() {
            self.promise.next = self.minus_one.val();
        }

        // All that can become of a partition is ready before the access is known.
        self.vacant.next = !(self.occupancy[0].q.val().any() | self.occupancy[1].q.val().any());
        self.configured.next = self.configure.val() & self.vacant.val();
        self.start[0].next = self.start_0.val();
        self.start[1].next = self.start_1.val();
        self.here[0].next = !self.part.val();
        self.here[1].next = self.part.val();
        self.pulls[0].next = !self.pull_side.q.val();
        self.pulls[1].next = self.pull_side.q.val();
        for p in 0..2 {
            self.pops[p].next = self.pop.val() & self.here[p].val();
            self.appends[p].next = self.append.val() & self.here[p].val();
            // An ID that takes a reserved entry leaves the occupancy as it is.
            self.grows[p].next = self.appends[p].val() & (!(self.fill_granted.val() & self.fill_reserved.val()));

            // Pointers wrap within the partition: in double-buffer mode the upper address bit stays.
            self.head_behind[p].next = self.head[p].q.val() + 1;
            self.tail_behind[p].next = self.tail[p].q.val() + 1;
            self.next_head[p].next = self.head_behind[p].val();
            self.next_tail[p].next = self.tail_behind[p].val();
            if self.double_mode.q.val() {
                self.next_head[p].next =
                    (self.head_behind[p].val() & self.offset_mask.val()) | (self.head[p].q.val() & self.start_1.val());
                self.next_tail[p].next =
                    (self.tail_behind[p].val() & self.offset_mask.val()) | (self.tail[p].q.val() & self.start_1.val());
            }
            self.head[p].d.next = self.head[p].q.val();
            if self.pops[p].val() {
                self.head[p].d.next = self.next_head[p].val();
            }
            self.tail[p].d.next = self.tail[p].q.val();
            if self.appends[p].val() {
                self.tail[p].d.next = self.next_tail[p].val();
            }
            if self.configured.val() {
                self.head[p].d.next = self.start[p].val();
                self.tail[p].d.next = self.start[p].val();
            }

            self.promised[p].next = self.no_ids.val();
            if self.pulls[p].val() {
                self.promised[p].next = self.promise.val();
            }
            self.taken[p].next = self.occupancy[p].q.val() + self.promised[p].val();
            self.one_more[p].next = self.taken[p].val() + 1;
            self.one_less[p].next = self.taken[p].val() - 1;
            self.occupancy[p].d.next = self.taken[p].val();
            if self.pops[p].val() {
                self.occupancy[p].d.next = self.one_less[p].val();
            }
            if self.grows[p].val() {
                self.occupancy[p].d.next = self.one_more[p].val();
            }

            self.more_ids[p].next = self.ids[p].q.val() + 1;
            self.fewer_ids[p].next = self.ids[p].q.val() - 1;
            self.has_one_id[p].next = self.ids[p].q.val() == self.one.val();
            self.ids[p].d.next = self.ids[p].q.val();
            self.has_id[p].d.next = self.has_id[p].q.val();
            if self.pops[p].val() {
                self.ids[p].d.next = self.fewer_ids[p].val();
                self.has_id[p].d.next = !self.has_one_id[p].val();
            }
            if self.appends[p].val() {
                self.ids[p].d.next = self.more_ids[p].val();
                self.has_id[p].d.next = true;
            }
        }

        if self.swap.val() & (self.double_mode.q.val() & self.empty.val()) {
            self.pull_side.d.next = !self.pull_side.q.val();
        }
        if self.configured.val() {
            self.double_mode.d.next = self.double_buffer.val();
            self.pull_side.d.next = false;
        }

        // Answers, in the next cycle.
        self.pull_done.d.next = self.lane_pop.val();
        self.wru_pop_done.d.next = self.wru_pop_granted.val();
        self.wru_push_done.d.next = self.wru_append_granted.val();
        self.fill_done.d.next = self.fill_granted.val();
        self.pull_valid.next = self.pull_done.q.val();
        self.wru_valid.next = self.wru_pop_done.q.val();
        self.wru_accepted.next = self.wru_push_done.q.val();
        self.fill_accepted.next = self.fill_done.q.val();
        self.id.next = self.sram.rdata.val();

        self.push_occupancy.next = self.no_ids.val();
        if self.double_mode.q.val() {
            self.push_occupancy.next = self.occupancy[1].q.val();
        }
        if self.pull_side.q.val() {
            self.push_occupancy.next = self.occupancy[0].q.val();
        }
        self.held.next = self.ids[0].q.val() + self.ids[1].q.val();
        self.empty.next = !(self.pull_occupancy.val().any());
    }
}
