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
//!               | partition 0: head, tail, occupancy          |--> pull_occupancy, push_occupancy
//!               | partition 1: head, tail, occupancy          |--> empty, full
//!               | reserved                <- reserve, ...     |
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
//! them, so that everyone but a pull sees them as taken without an adder in the way.

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
        // The two FIFOs: where the oldest ID is, where the next one goes, how many entries are taken.
        head_0, tail_0: Register<Bits<A>>,
        occupancy_0: Register<Bits<C>>,
        head_1: Register<Bits<A>> = Register::new(half.into()),
        tail_1: Register<Bits<A>> = Register::new(half.into()),
        occupancy_1: Register<Bits<C>>,
        // Entries of the pull side that are promised to a refill.
        reserved: Register<Bits<C>>,
        // IDs in both FIFOs.
        ids: Register<Bits<C>>,
        // Answers to the requests of the previous cycle.
        pull_done, wru_pop_done, wru_push_done, fill_done: Register<bool>,

        push_side: Signal<Local, bool>,
        capacity, reserved_0, reserved_1: Signal<Local, Bits<C>>,
        has_id_0, has_id_1, full_0, full_1, pull_has_id, wru_has_id, wru_full, fill_full: Signal<Local, bool>,

        lane_pop, lane_idle, wru_pop_granted, wru_append_granted, fill_granted, pop, append, part: Signal<Local, bool>,

        pointer, incremented, next_pointer: Signal<Local, Bits<A>>,
        change, change_0, change_1, promise, promise_0, promise_1, promised: Signal<Local, Bits<C>>,
        vacant: Signal<Local, bool>,

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
        // What does not fit the bank is never reserved.
        let refill = refill.min(entries);
    }
}

impl<const A: usize, const C: usize> Logic for Bank<A, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, double_mode, pull_side, head_0, tail_0, occupancy_0, head_1, tail_1, occupancy_1, ids);
        clock!(self, clock, sram, reserved, pull_done, wru_pop_done, wru_push_done, fill_done);
        self.double_mode.reset.next = self.reset.val();
        self.pull_side.reset.next = self.reset.val();
        self.head_0.reset.next = self.reset.val();
        self.tail_0.reset.next = self.reset.val();
        self.occupancy_0.reset.next = self.reset.val();
        self.head_1.reset.next = self.reset.val();
        self.tail_1.reset.next = self.reset.val();
        self.occupancy_1.reset.next = self.reset.val();
        self.reserved.reset.next = self.reset.val();
        self.ids.reset.next = self.reset.val();
        self.pull_done.reset.next = self.reset.val();
        self.wru_pop_done.reset.next = self.reset.val();
        self.wru_push_done.reset.next = self.reset.val();
        self.fill_done.reset.next = self.reset.val();

        // How full the partitions are. A pull or pop finds an ID where more is occupied than reserved.
        self.push_side.next = self.double_mode.q.val() & (!self.pull_side.q.val());
        self.capacity.next = self.entries.val();
        if self.double_mode.q.val() {
            self.capacity.next = self.half_entries.val();
        }
        self.reserved_0.next = self.reserved.q.val();
        self.reserved_1.next = self.no_ids.val();
        if self.pull_side.q.val() {
            self.reserved_0.next = self.no_ids.val();
            self.reserved_1.next = self.reserved.q.val();
        }
        self.has_id_0.next = self.occupancy_0.q.val() != self.reserved_0.val();
        self.has_id_1.next = self.occupancy_1.q.val() != self.reserved_1.val();
        self.full_0.next = self.occupancy_0.q.val() == self.capacity.val();
        self.full_1.next = self.occupancy_1.q.val() == self.capacity.val();

        // ... as each requester sees it.
        self.pull_has_id.next = self.has_id_0.val();
        self.pull_occupancy.next = self.occupancy_0.q.val();
        if self.pull_side.q.val() {
            self.pull_has_id.next = self.has_id_1.val();
            self.pull_occupancy.next = self.occupancy_1.q.val();
        }
        self.full.next = self.full_0.val();
        if self.push_side.val() {
            self.full.next = self.full_1.val();
        }
        self.wru_has_id.next = self.has_id_0.val();
        self.wru_full.next = self.full_0.val();
        if self.wru_part.val() {
            self.wru_has_id.next = self.has_id_1.val();
            self.wru_full.next = self.full_1.val();
        }
        self.fill_full.next = self.full_0.val();
        if self.fill_part.val() {
            self.fill_full.next = self.full_1.val();
        }

        // One access a cycle: the lane's if it has one, else the WRU's, else a fill.
        self.lane_pop.next = self.pull.val() & self.pull_has_id.val();
        self.lane_idle.next = !(self.lane_pop.val() | self.push.val());
        self.wru_pop_granted.next = (self.wru_pop.val() & self.lane_idle.val()) & self.wru_has_id.val();
        self.wru_append_granted.next = (self.wru_push.val() & self.lane_idle.val()) & (!self.wru_full.val());
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

        // A partition's pointers wrap within it: in double-buffer mode the upper address bit stays.
        self.pointer.next = self.head_0.q.val();
        if self.append.val() {
            self.pointer.next = self.tail_0.q.val();
        }
        if self.part.val() {
            self.pointer.next = self.head_1.q.val();
            if self.append.val() {
                self.pointer.next = self.tail_1.q.val();
            }
        }
        self.incremented.next = self.pointer.val() + 1;
        self.next_pointer.next = self.incremented.val();
        if self.double_mode.q.val() {
            self.next_pointer.next =
                (self.incremented.val() & self.offset_mask.val()) | (self.pointer.val() & self.start_1.val());
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

        // What becomes of the reserved entries of the pull side.
        self.promise.next = self.no_ids.val();
        if self.reserve.val() {
            self.promise.next = self.refill.val();
            if self.unreserve.val() {
                self.promise.next = self.refill_less_one.val();
            }
        } else if self.unreserve.val() {
            self.promise.next = self.minus_one.val();
        }
        self.promise_0.next = self.promise.val();
        self.promise_1.next = self.no_ids.val();
        if self.pull_side.q.val() {
            self.promise_0.next = self.no_ids.val();
            self.promise_1.next = self.promise.val();
        }
        self.promised.next = self.reserved.q.val() + self.promise.val();
        self.reserved.d.next = self.promised.val();
        if self.fill_granted.val() & self.fill_reserved.val() {
            self.reserved.d.next = self.promised.val() - 1;
        }

        // An ID that takes a reserved entry leaves the occupancy as it is.
        self.change.next = self.no_ids.val();
        if self.pop.val() {
            self.change.next = self.minus_one.val();
            self.ids.d.next = self.ids.q.val() - 1;
        }
        if self.append.val() {
            self.ids.d.next = self.ids.q.val() + 1;
            if !(self.fill_granted.val() & self.fill_reserved.val()) {
                self.change.next = self.one.val();
            }
        }
        self.change_0.next = self.change.val();
        self.change_1.next = self.no_ids.val();
        if self.part.val() {
            self.change_0.next = self.no_ids.val();
            self.change_1.next = self.change.val();
        }
        self.occupancy_0.d.next = (self.occupancy_0.q.val() + self.promise_0.val()) + self.change_0.val();
        self.occupancy_1.d.next = (self.occupancy_1.q.val() + self.promise_1.val()) + self.change_1.val();
        if self.pop.val() {
            if self.part.val() {
                self.head_1.d.next = self.next_pointer.val();
            } else {
                self.head_0.d.next = self.next_pointer.val();
            }
        }
        if self.append.val() {
            if self.part.val() {
                self.tail_1.d.next = self.next_pointer.val();
            } else {
                self.tail_0.d.next = self.next_pointer.val();
            }
        }

        if self.swap.val() & (self.double_mode.q.val() & self.empty.val()) {
            self.pull_side.d.next = !self.pull_side.q.val();
        }
        self.vacant.next = !(self.ids.q.val().any() | self.reserved.q.val().any());
        if self.configure.val() & self.vacant.val() {
            self.double_mode.d.next = self.double_buffer.val();
            self.pull_side.d.next = false;
            self.head_0.d.next = self.start_0.val();
            self.tail_0.d.next = self.start_0.val();
            self.head_1.d.next = self.start_1.val();
            self.tail_1.d.next = self.start_1.val();
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
            self.push_occupancy.next = self.occupancy_1.q.val();
        }
        if self.pull_side.q.val() {
            self.push_occupancy.next = self.occupancy_0.q.val();
        }
        self.held.next = self.ids.q.val();
        self.empty.next = !(self.pull_occupancy.val().any());
    }
}
