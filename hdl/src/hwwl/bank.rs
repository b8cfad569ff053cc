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
use crate::prim::register::Register;
use crate::prim::sram_1rw::Sram1rw;
use rust_hdl::prelude::*;

/// E = 2^A entries; C = A + 1 bits count them.
#[derive(LogicBlock)]
pub struct Bank<const A: usize, const C: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,

    pub configure: Signal<In, bool>,
    pub double_buffer: Signal<In, bool>,
    pub swap: Signal<In, bool>,
    pub pull: Signal<In, bool>,
    pub push: Signal<In, bool>,
    pub push_id: Signal<In, Bits<ID_BITS>>,
    pub wru_pop: Signal<In, bool>,
    pub wru_push: Signal<In, bool>,
    pub wru_part: Signal<In, bool>,
    pub wru_id: Signal<In, Bits<ID_BITS>>,
    pub fill_push: Signal<In, bool>,
    pub fill_reserved: Signal<In, bool>,
    pub fill_part: Signal<In, bool>,
    pub fill_id: Signal<In, Bits<ID_BITS>>,
    pub reserve: Signal<In, bool>,
    pub unreserve: Signal<In, bool>,

    pub pull_valid: Signal<Out, bool>,
    pub wru_valid: Signal<Out, bool>,
    pub wru_accepted: Signal<Out, bool>,
    pub fill_accepted: Signal<Out, bool>,
    pub id: Signal<Out, Bits<ID_BITS>>,
    pub pull_occupancy: Signal<Out, Bits<C>>,
    pub push_occupancy: Signal<Out, Bits<C>>,
    pub held: Signal<Out, Bits<C>>,
    pub empty: Signal<Out, bool>,
    pub full: Signal<Out, bool>,

    sram: Sram1rw<ID_BITS, A>,

    /// Mode, and the partition that is the pull side.
    double_mode: Register<bool>,
    pull_side: Register<bool>,
    /// The two FIFOs: where the oldest ID is, where the next one goes, how many entries are taken.
    head_0: Register<Bits<A>>,
    tail_0: Register<Bits<A>>,
    occupancy_0: Register<Bits<C>>,
    head_1: Register<Bits<A>>,
    tail_1: Register<Bits<A>>,
    occupancy_1: Register<Bits<C>>,
    /// Entries of the pull side that are promised to a refill.
    reserved: Register<Bits<C>>,
    /// IDs in both FIFOs.
    ids: Register<Bits<C>>,
    /// Answers to the requests of the previous cycle.
    pull_done: Register<bool>,
    wru_pop_done: Register<bool>,
    wru_push_done: Register<bool>,
    fill_done: Register<bool>,

    push_side: Signal<Local, bool>,
    capacity: Signal<Local, Bits<C>>,
    reserved_0: Signal<Local, Bits<C>>,
    reserved_1: Signal<Local, Bits<C>>,
    has_id_0: Signal<Local, bool>,
    has_id_1: Signal<Local, bool>,
    full_0: Signal<Local, bool>,
    full_1: Signal<Local, bool>,
    pull_has_id: Signal<Local, bool>,
    wru_has_id: Signal<Local, bool>,
    wru_full: Signal<Local, bool>,
    fill_full: Signal<Local, bool>,

    lane_pop: Signal<Local, bool>,
    lane_idle: Signal<Local, bool>,
    wru_pop_granted: Signal<Local, bool>,
    wru_append_granted: Signal<Local, bool>,
    fill_granted: Signal<Local, bool>,
    pop: Signal<Local, bool>,
    append: Signal<Local, bool>,
    part: Signal<Local, bool>,

    pointer: Signal<Local, Bits<A>>,
    incremented: Signal<Local, Bits<A>>,
    next_pointer: Signal<Local, Bits<A>>,
    change: Signal<Local, Bits<C>>,
    change_0: Signal<Local, Bits<C>>,
    change_1: Signal<Local, Bits<C>>,
    promise: Signal<Local, Bits<C>>,
    promise_0: Signal<Local, Bits<C>>,
    promise_1: Signal<Local, Bits<C>>,
    promised: Signal<Local, Bits<C>>,
    vacant: Signal<Local, bool>,

    entries: Constant<Bits<C>>,
    half_entries: Constant<Bits<C>>,
    refill: Constant<Bits<C>>,
    refill_less_one: Constant<Bits<C>>,
    one: Constant<Bits<C>>,
    minus_one: Constant<Bits<C>>,
    no_ids: Constant<Bits<C>>,
    start_0: Constant<Bits<A>>,
    start_1: Constant<Bits<A>>,
    offset_mask: Constant<Bits<A>>,
}

impl<const A: usize, const C: usize> Bank<A, C> {
    /// `refill`: entries that `reserve` reserves, the words of a line of memory that belong to one bank.
    pub fn new(refill: u64) -> Self {
        let entries: u64 = 1 << A;
        assert_eq!(C, count_bits(entries as usize));
        assert_eq!(A, address_bits(entries as usize));
        let half = entries / 2;
        // What does not fit the bank is never reserved.
        let refill = refill.min(entries);
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            configure: Signal::default(),
            double_buffer: Signal::default(),
            swap: Signal::default(),
            pull: Signal::default(),
            push: Signal::default(),
            push_id: Signal::default(),
            wru_pop: Signal::default(),
            wru_push: Signal::default(),
            wru_part: Signal::default(),
            wru_id: Signal::default(),
            fill_push: Signal::default(),
            fill_reserved: Signal::default(),
            fill_part: Signal::default(),
            fill_id: Signal::default(),
            reserve: Signal::default(),
            unreserve: Signal::default(),
            pull_valid: Signal::default(),
            wru_valid: Signal::default(),
            wru_accepted: Signal::default(),
            fill_accepted: Signal::default(),
            id: Signal::default(),
            pull_occupancy: Signal::default(),
            push_occupancy: Signal::default(),
            held: Signal::default(),
            empty: Signal::default(),
            full: Signal::default(),
            sram: Sram1rw::default(),
            double_mode: Register::default(),
            pull_side: Register::default(),
            head_0: Register::default(),
            tail_0: Register::default(),
            occupancy_0: Register::default(),
            head_1: Register::new(half.into()),
            tail_1: Register::new(half.into()),
            occupancy_1: Register::default(),
            reserved: Register::default(),
            ids: Register::default(),
            pull_done: Register::default(),
            wru_pop_done: Register::default(),
            wru_push_done: Register::default(),
            fill_done: Register::default(),
            push_side: Signal::default(),
            capacity: Signal::default(),
            reserved_0: Signal::default(),
            reserved_1: Signal::default(),
            has_id_0: Signal::default(),
            has_id_1: Signal::default(),
            full_0: Signal::default(),
            full_1: Signal::default(),
            pull_has_id: Signal::default(),
            wru_has_id: Signal::default(),
            wru_full: Signal::default(),
            fill_full: Signal::default(),
            lane_pop: Signal::default(),
            lane_idle: Signal::default(),
            wru_pop_granted: Signal::default(),
            wru_append_granted: Signal::default(),
            fill_granted: Signal::default(),
            pop: Signal::default(),
            append: Signal::default(),
            part: Signal::default(),
            pointer: Signal::default(),
            incremented: Signal::default(),
            next_pointer: Signal::default(),
            change: Signal::default(),
            change_0: Signal::default(),
            change_1: Signal::default(),
            promise: Signal::default(),
            promise_0: Signal::default(),
            promise_1: Signal::default(),
            promised: Signal::default(),
            vacant: Signal::default(),
            entries: Constant::new(entries.into()),
            half_entries: Constant::new(half.into()),
            refill: Constant::new(refill.into()),
            refill_less_one: Constant::new((refill - 1).into()),
            one: Constant::new(1.into()),
            minus_one: Constant::new((2 * entries - 1).into()),
            no_ids: Constant::new(0.into()),
            start_0: Constant::new(0.into()),
            start_1: Constant::new(half.into()),
            offset_mask: Constant::new((half - 1).into()),
        }
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
