//! One core's worklist (section III-B, figure 2): a bank per lane and the work redistribution unit.
//!
//! ```text
//!  pull, push, push_id_i      +---------+---------+-----+---------+
//!  --------------------------->  bank 0 | bank 1  | ... | bank L-1|---> status, id_i, overflow
//!                             +--^---+--+---------+-----+---------+
//!                  pop, push,    |   | *_occupancy_i, id_i,
//!                  part, push_id |   v wru_valid, wru_accepted
//!                             +--+--------------------------------+
//!                             |           wru_sorting             |
//!                             +-----------------------------------+
//!  configure, kernel_end ----> mode, pull side, count of all IDs, DONE  ---> count, pull_part
//! ```
//!
//! A pull of an empty bank answers DONE if every pull side is empty and no ID can arrive on the pull partition from
//! within the core, else WAIT. Latency of a pull is one cycle, throughput one pull or push of all lanes a cycle.

use super::bank::Bank;
use super::wru_sorting::WruSorting;
use super::ID_BITS;
use crate::prim::popcount::Popcount;
use crate::prim::register::Register;
use rust_hdl::prelude::*;
use std::array::from_fn;

/// L lanes, S = log2(L), L1 = S + 1 bits count lanes, L2 = 2 L bits of status; banks of 2^A entries, C = A + 1;
/// W = C + S; T = log2(L x E) + 1 bits count all IDs.
#[derive(LogicBlock)]
pub struct HwwlCore<
    const L: usize,
    const S: usize,
    const L1: usize,
    const L2: usize,
    const A: usize,
    const C: usize,
    const W: usize,
    const T: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,

    pub configure: Signal<In, bool>,
    pub double_buffer: Signal<In, bool>,
    pub kernel_end: Signal<In, bool>,
    pub pull: Signal<In, Bits<L>>,
    pub push: Signal<In, Bits<L>>,
    pub push_id: [Signal<In, Bits<ID_BITS>>; L],

    pub status: Signal<Out, Bits<L2>>,
    pub overflow: Signal<Out, Bits<L>>,
    pub count: Signal<Out, Bits<T>>,
    pub pull_part: Signal<Out, bool>,
    pub id: [Signal<Out, Bits<ID_BITS>>; L],

    bank: [Bank<A, C>; L],
    wru: WruSorting<L, S, C, W>,
    moved: Popcount<L, L1>,

    double_mode: Register<bool>,
    pull_side: Register<bool>,
    held: Register<Bits<T>>,
    /// Lanes whose pull of the previous cycle found nothing, and whether all work was done then.
    missed: Register<Bits<L>>,
    done: Register<bool>,

    bank_empty: Signal<Local, Bits<L>>,
    bank_full: Signal<Local, Bits<L>>,
    bank_overflow: Signal<Local, Bits<L>>,
    bank_valid: Signal<Local, Bits<L>>,
    bank_accepted: Signal<Local, Bits<L>>,
    lane_status: Signal<Local, Bits<L2>>,
    arriving: Signal<Local, bool>,
    drained: Signal<Local, bool>,
    swap: Signal<Local, bool>,
    configured: Signal<Local, bool>,
    moved_ids: Signal<Local, Bits<T>>,

    no_lanes: Constant<Bits<L>>,
    no_status: Constant<Bits<L2>>,
}

impl<
        const L: usize,
        const S: usize,
        const L1: usize,
        const L2: usize,
        const A: usize,
        const C: usize,
        const W: usize,
        const T: usize,
    > HwwlCore<L, S, L1, L2, A, C, W, T>
{
    /// `threshold` in work IDs, `interval` in cycles, even and at least 10.
    pub fn new(threshold: u64, interval: u64) -> Self {
        assert!(L1 == S + 1 && L2 == 2 * L && T == S + A + 1);
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            configure: Signal::default(),
            double_buffer: Signal::default(),
            kernel_end: Signal::default(),
            pull: Signal::default(),
            push: Signal::default(),
            push_id: from_fn(|_| Signal::default()),
            status: Signal::default(),
            overflow: Signal::default(),
            count: Signal::default(),
            pull_part: Signal::default(),
            id: from_fn(|_| Signal::default()),
            bank: from_fn(|_| Bank::default()),
            wru: WruSorting::new(threshold, interval),
            moved: Popcount::default(),
            double_mode: Register::default(),
            pull_side: Register::default(),
            held: Register::default(),
            missed: Register::default(),
            done: Register::default(),
            bank_empty: Signal::default(),
            bank_full: Signal::default(),
            bank_overflow: Signal::default(),
            bank_valid: Signal::default(),
            bank_accepted: Signal::default(),
            lane_status: Signal::default(),
            arriving: Signal::default(),
            drained: Signal::default(),
            swap: Signal::default(),
            configured: Signal::default(),
            moved_ids: Signal::default(),
            no_lanes: Constant::new(0.into()),
            no_status: Constant::new(0.into()),
        }
    }
}

impl<
        const L: usize,
        const S: usize,
        const L1: usize,
        const L2: usize,
        const A: usize,
        const C: usize,
        const W: usize,
        const T: usize,
    > Logic for HwwlCore<L, S, L1, L2, A, C, W, T>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, double_mode, pull_side, held);
        clock!(self, clock, wru, missed, done);
        self.wru.reset.next = self.reset.val();
        self.double_mode.reset.next = self.reset.val();
        self.pull_side.reset.next = self.reset.val();
        self.held.reset.next = self.reset.val();
        self.missed.reset.next = self.reset.val();
        self.done.reset.next = self.reset.val();

        // What the banks say, as vectors.
        self.bank_empty.next = self.no_lanes.val();
        self.bank_full.next = self.no_lanes.val();
        self.bank_overflow.next = self.no_lanes.val();
        self.bank_valid.next = self.no_lanes.val();
        self.bank_accepted.next = self.no_lanes.val();
        for i in 0..L {
            self.bank_empty.next = self.bank_empty.val().replace_bit(i, self.bank[i].empty.val());
            self.bank_full.next = self.bank_full.val().replace_bit(i, self.bank[i].full.val());
            self.bank_overflow.next = self.bank_overflow.val().replace_bit(i, self.bank[i].overflow.val());
            self.bank_valid.next = self.bank_valid.val().replace_bit(i, self.bank[i].wru_valid.val());
            self.bank_accepted.next = self.bank_accepted.val().replace_bit(i, self.bank[i].wru_accepted.val());
        }

        // Work is done if every pull side is empty and no pair could still bring an ID there.
        self.arriving.next = self.wru.moving.val() & (self.wru.part.val() == self.pull_side.q.val());
        self.drained.next = self.bank_empty.val().all() & (!self.arriving.val());

        // Mode and sides.
        self.configured.next = self.configure.val() & (!(self.held.q.val().any()));
        self.swap.next = (self.kernel_end.val() & self.double_mode.q.val()) & self.drained.val();
        if self.swap.val() {
            self.pull_side.d.next = !self.pull_side.q.val();
        }
        if self.configured.val() {
            self.double_mode.d.next = self.double_buffer.val();
            self.pull_side.d.next = false;
        }
        self.pull_part.next = self.pull_side.q.val();

        // Banks: lane i, and the redistribution unit.
        for i in 0..L {
            self.bank[i].clock.next = self.clock.val();
            self.bank[i].reset.next = self.reset.val();
            self.bank[i].configure.next = self.configured.val();
            self.bank[i].double_buffer.next = self.double_buffer.val();
            self.bank[i].swap.next = self.swap.val();
            self.bank[i].pull.next = self.pull.val().get_bit(i);
            self.bank[i].push.next = self.push.val().get_bit(i);
            self.bank[i].push_id.next = self.push_id[i].val();
            self.bank[i].wru_pop.next = self.wru.pop.val().get_bit(i);
            self.bank[i].wru_push.next = self.wru.push.val().get_bit(i);
            self.bank[i].wru_part.next = self.wru.part.val();
            self.bank[i].wru_id.next = self.wru.push_id[i].val();
            self.wru.pull_occupancy[i].next = self.bank[i].pull_occupancy.val();
            self.wru.push_occupancy[i].next = self.bank[i].push_occupancy.val();
            self.wru.id[i].next = self.bank[i].id.val();
        }
        self.wru.double_buffer.next = self.double_mode.q.val();
        self.wru.pull_part.next = self.pull_side.q.val();
        self.wru.wru_valid.next = self.bank_valid.val();
        self.wru.wru_accepted.next = self.bank_accepted.val();

        // All IDs in the core. Pulls and pushes never meet in a cycle.
        self.moved.bits.next =
            (self.pull.val() & (!self.bank_empty.val())) | (self.push.val() & (!self.bank_full.val()));
        self.moved_ids.next = bit_cast::<T, L1>(self.moved.count.val());
        self.held.d.next = self.held.q.val() + self.moved_ids.val();
        if self.pull.val().any() {
            self.held.d.next = self.held.q.val() - self.moved_ids.val();
        }
        self.count.next = self.held.q.val();

        // Answers: 0 no pull, 1 an ID, 2 WAIT, 3 DONE.
        self.missed.d.next = self.pull.val() & self.bank_empty.val();
        self.done.d.next = self.drained.val();
        self.lane_status.next = self.no_status.val();
        for i in 0..L {
            self.lane_status.next = self.lane_status.val().replace_bit((2 * i) + 1, self.missed.q.val().get_bit(i));
            self.lane_status.next = self.lane_status.val().replace_bit(
                2 * i,
                self.bank[i].pull_valid.val() | (self.missed.q.val().get_bit(i) & self.done.q.val()),
            );
            self.id[i].next = self.bank[i].id.val();
        }
        self.status.next = self.lane_status.val();
        self.overflow.next = self.bank_overflow.val();
    }
}
