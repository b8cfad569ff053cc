//! First in, first out, with the oldest entry on the pins of a memory.
//!
//! ```text
//!               +-----------------+
//!   push -------|  sram_1r1w      |
//!   push_data --|  D = 2^A words  |---- head_data
//!               |  of W bits      |
//!               +--^-----------^--+
//!                  | tail      | head      +------------+
//!               +--+-----------+--+        | head_valid |---- head_valid
//!               | count           |------->|            |
//!               +-----------------+        +-----^------+
//!                  |                             |
//!              full, empty                     take
//! ```
//!
//! An entry is read, and leaves the D, as soon as nothing is on the pins or `take` takes what is: a push into an empty
//! queue in cycle t is the head from t + 2, and one entry a cycle goes through. `push` never while `full`, `take` only
//! while `head_valid`.

use super::register::Register;
use super::sram_1r1w::Sram1r1w;
use rust_hdl::prelude::*;

/// D = 2^A entries of W bits; C = A + 1 bits count them.
#[derive(LogicBlock)]
pub struct Queue<const W: usize, const A: usize, const C: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub push: Signal<In, bool>,
    pub push_data: Signal<In, Bits<W>>,
    pub take: Signal<In, bool>,
    pub head_valid: Signal<Out, bool>,
    pub head_data: Signal<Out, Bits<W>>,
    pub full: Signal<Out, bool>,
    pub empty: Signal<Out, bool>,

    sram: Sram1r1w<W, A>,
    head: Register<Bits<A>>,
    tail: Register<Bits<A>>,
    count: Register<Bits<C>>,
    on_pins: Register<bool>,
    read: Signal<Local, bool>,
    entries: Constant<Bits<C>>,
}

impl<const W: usize, const A: usize, const C: usize> Default for Queue<W, A, C> {
    fn default() -> Self {
        assert_eq!(C, A + 1);
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            push: Signal::default(),
            push_data: Signal::default(),
            take: Signal::default(),
            head_valid: Signal::default(),
            head_data: Signal::default(),
            full: Signal::default(),
            empty: Signal::default(),
            sram: Sram1r1w::default(),
            head: Register::default(),
            tail: Register::default(),
            count: Register::default(),
            on_pins: Register::default(),
            read: Signal::default(),
            entries: Constant::new((1u64 << A).into()),
        }
    }
}

impl<const W: usize, const A: usize, const C: usize> Logic for Queue<W, A, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, head, tail, count);
        clock!(self, clock, sram, on_pins);
        self.head.reset.next = self.reset.val();
        self.tail.reset.next = self.reset.val();
        self.count.reset.next = self.reset.val();
        self.on_pins.reset.next = self.reset.val();

        self.read.next = self.count.q.val().any() & ((!self.on_pins.q.val()) | self.take.val());
        self.on_pins.d.next = self.read.val() | (self.on_pins.q.val() & (!self.take.val()));
        if self.read.val() {
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.push.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if self.push.val() & (!self.read.val()) {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.read.val() & (!self.push.val()) {
            self.count.d.next = self.count.q.val() - 1;
        }

        self.sram.write.next = self.push.val();
        self.sram.write_addr.next = self.tail.q.val();
        self.sram.wdata.next = self.push_data.val();
        self.sram.read.next = self.read.val();
        self.sram.read_addr.next = self.head.q.val();

        self.head_valid.next = self.on_pins.q.val();
        self.head_data.next = self.sram.rdata.val();
        self.full.next = self.count.q.val() == self.entries.val();
        self.empty.next = !(self.count.q.val().any() | self.on_pins.q.val());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    type Queue4 = Queue<16, 2, 3>;

    fn queue() -> Queue4 {
        let mut queue = Queue4::default();
        queue.connect_all();
        check_all(&queue).unwrap();
        queue.reset.next = true;
        cycle(&mut queue, None, false);
        queue.reset.next = false;
        queue
    }

    fn cycle(queue: &mut Queue4, push: Option<u64>, take: bool) {
        queue.push.next = push.is_some();
        queue.push_data.next = push.unwrap_or(0xdead).into();
        queue.take.next = take;
        for level in [false, true] {
            queue.clock.next = level.into();
            assert!(simulate(queue, 100));
        }
    }

    #[test]
    fn a_push_is_the_head_two_cycles_later() {
        let mut queue = queue();
        assert!(queue.empty.val());
        cycle(&mut queue, Some(7), false);
        assert!(!queue.head_valid.val() && !queue.empty.val());
        cycle(&mut queue, None, false);
        assert!(queue.head_valid.val());
        assert_eq!(queue.head_data.val().to_u64(), 7);
        cycle(&mut queue, None, true);
        assert!(!queue.head_valid.val() && queue.empty.val());
    }

    #[test]
    fn holds_its_entries_and_a_head() {
        let mut queue = queue();
        for i in 0..5 {
            assert!(!queue.full.val(), "{i}");
            cycle(&mut queue, Some(i), false);
        }
        assert!(queue.full.val());
        for i in 0..5 {
            assert!(queue.head_valid.val());
            assert_eq!(queue.head_data.val().to_u64(), i, "one a cycle");
            cycle(&mut queue, None, true);
            assert!(!queue.full.val());
        }
        assert!(queue.empty.val());
    }

    #[test]
    fn keeps_the_order_under_random_traffic() {
        let mut queue = queue();
        // What is in the memory, and what is on the pins.
        let (mut inside, mut head) = (VecDeque::new(), None);
        let mut state = 1u64;
        for i in 0..5000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (wish_push, wish_take) =
                (state >> 33 & 3 != 0 && i / 50 % 2 == 0 || state >> 35 & 3 == 0, state >> 40 & 1 == 1);
            assert_eq!(queue.head_valid.val(), head.is_some());
            if let Some(head) = head {
                assert_eq!(queue.head_data.val().to_u64(), head);
            }
            assert_eq!(queue.full.val(), inside.len() == 4);
            assert_eq!(queue.empty.val(), inside.is_empty() && head.is_none());
            let push = (wish_push && inside.len() < 4).then_some(i % 65536);
            let take = wish_take && head.is_some();
            cycle(&mut queue, push, take);
            if take || head.is_none() {
                head = inside.pop_front();
            }
            inside.extend(push);
        }
    }
}
