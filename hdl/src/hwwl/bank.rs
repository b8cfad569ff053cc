//! A lane's worklist (section III-B): one single-port SRAM as FIFO of work IDs.
//!
//! ```text
//!  pull, push, push_id ------+     +-------------+ address, wdata  +----------+
//!                            +---->| lane before |---------------->| sram_1rw |----> id
//!  wru_pop, wru_push, ------ +     | WRU         |                 | E x 24   |
//!  wru_part, wru_id                +------+------+                 +----------+
//!                                         | pop, append
//!               +-------------------------v-------------------+
//!               | partition 0: head, tail, count              |--> pull_occupancy, push_occupancy
//!               | partition 1: head, tail, count              |--> empty, full
//!               | double_mode, pull_side   <- configure, swap |
//!               +---------------------------------------------+
//! ```
//!
//! In single-buffer mode partition 0 is one FIFO of E entries; in double-buffer mode the partitions are two FIFOs of E/2
//! entries in the lower and upper half of the SRAM. Heads and tails are physical addresses, so that nothing but a
//! multiplexer lies between them and the SRAM.
//!
//! One access a cycle, lanes before the WRU. The answer to a request (`pull_valid`, `wru_valid`, `wru_accepted`,
//! `overflow`, and the ID) is there in the next cycle.

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

    pub pull_valid: Signal<Out, bool>,
    pub wru_valid: Signal<Out, bool>,
    pub wru_accepted: Signal<Out, bool>,
    pub id: Signal<Out, Bits<ID_BITS>>,
    pub overflow: Signal<Out, bool>,
    pub pull_occupancy: Signal<Out, Bits<C>>,
    pub push_occupancy: Signal<Out, Bits<C>>,
    pub empty: Signal<Out, bool>,
    pub full: Signal<Out, bool>,

    sram: Sram1rw<ID_BITS, A>,

    /// Mode, and the partition that is the pull side.
    double_mode: Register<bool>,
    pull_side: Register<bool>,
    /// The two FIFOs: where the oldest ID is, where the next one goes, how many there are.
    head_0: Register<Bits<A>>,
    tail_0: Register<Bits<A>>,
    count_0: Register<Bits<C>>,
    head_1: Register<Bits<A>>,
    tail_1: Register<Bits<A>>,
    count_1: Register<Bits<C>>,
    /// Answers to the requests of the previous cycle.
    pull_done: Register<bool>,
    wru_pop_done: Register<bool>,
    wru_push_done: Register<bool>,
    overflowed: Register<bool>,

    push_side: Signal<Local, bool>,
    capacity: Signal<Local, Bits<C>>,
    empty_0: Signal<Local, bool>,
    empty_1: Signal<Local, bool>,
    full_0: Signal<Local, bool>,
    full_1: Signal<Local, bool>,
    pull_empty: Signal<Local, bool>,
    push_full: Signal<Local, bool>,
    wru_empty: Signal<Local, bool>,
    wru_full: Signal<Local, bool>,

    lane_pop: Signal<Local, bool>,
    lane_append: Signal<Local, bool>,
    port_free: Signal<Local, bool>,
    wru_pop_granted: Signal<Local, bool>,
    wru_append_granted: Signal<Local, bool>,
    pop: Signal<Local, bool>,
    append: Signal<Local, bool>,
    part: Signal<Local, bool>,

    pointer: Signal<Local, Bits<A>>,
    incremented: Signal<Local, Bits<A>>,
    next_pointer: Signal<Local, Bits<A>>,
    count: Signal<Local, Bits<C>>,
    next_count: Signal<Local, Bits<C>>,

    entries: Constant<Bits<C>>,
    half_entries: Constant<Bits<C>>,
    no_ids: Constant<Bits<C>>,
    start_0: Constant<Bits<A>>,
    start_1: Constant<Bits<A>>,
    offset_mask: Constant<Bits<A>>,
}

impl<const A: usize, const C: usize> Default for Bank<A, C> {
    fn default() -> Self {
        let entries: u64 = 1 << A;
        assert_eq!(C, count_bits(entries as usize));
        assert_eq!(A, address_bits(entries as usize));
        let half = entries / 2;
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
            pull_valid: Signal::default(),
            wru_valid: Signal::default(),
            wru_accepted: Signal::default(),
            id: Signal::default(),
            overflow: Signal::default(),
            pull_occupancy: Signal::default(),
            push_occupancy: Signal::default(),
            empty: Signal::default(),
            full: Signal::default(),
            sram: Sram1rw::default(),
            double_mode: Register::default(),
            pull_side: Register::default(),
            head_0: Register::default(),
            tail_0: Register::default(),
            count_0: Register::default(),
            head_1: Register::new(half.into()),
            tail_1: Register::new(half.into()),
            count_1: Register::default(),
            pull_done: Register::default(),
            wru_pop_done: Register::default(),
            wru_push_done: Register::default(),
            overflowed: Register::default(),
            push_side: Signal::default(),
            capacity: Signal::default(),
            empty_0: Signal::default(),
            empty_1: Signal::default(),
            full_0: Signal::default(),
            full_1: Signal::default(),
            pull_empty: Signal::default(),
            push_full: Signal::default(),
            wru_empty: Signal::default(),
            wru_full: Signal::default(),
            lane_pop: Signal::default(),
            lane_append: Signal::default(),
            port_free: Signal::default(),
            wru_pop_granted: Signal::default(),
            wru_append_granted: Signal::default(),
            pop: Signal::default(),
            append: Signal::default(),
            part: Signal::default(),
            pointer: Signal::default(),
            incremented: Signal::default(),
            next_pointer: Signal::default(),
            count: Signal::default(),
            next_count: Signal::default(),
            entries: Constant::new(entries.into()),
            half_entries: Constant::new(half.into()),
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
        dff_setup!(self, clock, double_mode, pull_side, head_0, tail_0, count_0, head_1, tail_1, count_1);
        clock!(self, clock, sram, pull_done, wru_pop_done, wru_push_done, overflowed);
        self.double_mode.reset.next = self.reset.val();
        self.pull_side.reset.next = self.reset.val();
        self.head_0.reset.next = self.reset.val();
        self.tail_0.reset.next = self.reset.val();
        self.count_0.reset.next = self.reset.val();
        self.head_1.reset.next = self.reset.val();
        self.tail_1.reset.next = self.reset.val();
        self.count_1.reset.next = self.reset.val();
        self.pull_done.reset.next = self.reset.val();
        self.wru_pop_done.reset.next = self.reset.val();
        self.wru_push_done.reset.next = self.reset.val();
        self.overflowed.reset.next = self.reset.val();

        // How full the partitions are.
        self.push_side.next = self.double_mode.q.val() & (!self.pull_side.q.val());
        self.capacity.next = self.entries.val();
        if self.double_mode.q.val() {
            self.capacity.next = self.half_entries.val();
        }
        self.empty_0.next = !(self.count_0.q.val().any());
        self.empty_1.next = !(self.count_1.q.val().any());
        self.full_0.next = self.count_0.q.val() == self.capacity.val();
        self.full_1.next = self.count_1.q.val() == self.capacity.val();

        // ... as each requester sees it.
        self.pull_empty.next = self.empty_0.val();
        if self.pull_side.q.val() {
            self.pull_empty.next = self.empty_1.val();
        }
        self.push_full.next = self.full_0.val();
        if self.push_side.val() {
            self.push_full.next = self.full_1.val();
        }
        self.wru_empty.next = self.empty_0.val();
        self.wru_full.next = self.full_0.val();
        if self.wru_part.val() {
            self.wru_empty.next = self.empty_1.val();
            self.wru_full.next = self.full_1.val();
        }

        // One access a cycle: the lane's if it has one, else the WRU's.
        self.lane_pop.next = self.pull.val() & (!self.pull_empty.val());
        self.lane_append.next = self.push.val() & (!self.push_full.val());
        self.port_free.next = !(self.lane_pop.val() | self.lane_append.val());
        self.wru_pop_granted.next = (self.wru_pop.val() & self.port_free.val()) & (!self.wru_empty.val());
        self.wru_append_granted.next = (self.wru_push.val() & self.port_free.val()) & (!self.wru_full.val());
        self.pop.next = self.lane_pop.val() | self.wru_pop_granted.val();
        self.append.next = self.lane_append.val() | self.wru_append_granted.val();
        self.part.next = self.wru_part.val();
        if self.lane_pop.val() {
            self.part.next = self.pull_side.q.val();
        } else if self.lane_append.val() {
            self.part.next = self.push_side.val();
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
        self.count.next = self.count_0.q.val();
        if self.part.val() {
            self.count.next = self.count_1.q.val();
        }
        self.next_count.next = self.count.val() + 1;
        if self.pop.val() {
            self.next_count.next = self.count.val() - 1;
        }

        self.sram.en.next = self.pop.val() | self.append.val();
        self.sram.we.next = self.append.val();
        self.sram.addr.next = self.pointer.val();
        self.sram.wdata.next = self.wru_id.val();
        if self.lane_append.val() {
            self.sram.wdata.next = self.push_id.val();
        }

        if self.pop.val() | self.append.val() {
            if self.part.val() {
                self.count_1.d.next = self.next_count.val();
            } else {
                self.count_0.d.next = self.next_count.val();
            }
        }
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

        if self.swap.val() & (self.double_mode.q.val() & self.pull_empty.val()) {
            self.pull_side.d.next = !self.pull_side.q.val();
        }
        if self.configure.val() & (self.empty_0.val() & self.empty_1.val()) {
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
        self.overflowed.d.next = self.push.val() & self.push_full.val();
        self.pull_valid.next = self.pull_done.q.val();
        self.wru_valid.next = self.wru_pop_done.q.val();
        self.wru_accepted.next = self.wru_push_done.q.val();
        self.overflow.next = self.overflowed.q.val();
        self.id.next = self.sram.rdata.val();

        self.pull_occupancy.next = self.count_0.q.val();
        self.push_occupancy.next = self.no_ids.val();
        if self.double_mode.q.val() {
            self.push_occupancy.next = self.count_1.q.val();
        }
        if self.pull_side.q.val() {
            self.pull_occupancy.next = self.count_1.q.val();
            self.push_occupancy.next = self.count_0.q.val();
        }
        self.empty.next = self.pull_empty.val();
        self.full.next = self.push_full.val();
    }
}
