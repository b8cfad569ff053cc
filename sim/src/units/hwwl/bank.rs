//! `bank`: a lane's worklist (III-B). Behaviourally: two queues, of which one at a time is popped by the lane.

use super::pins::{BankIn, BankOut, LINE_IDS};
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use std::collections::VecDeque;

/// Room of a queue at the start; those of a bank of up to this many entries never grow.
const FIRST_ROOM: usize = 65_536;

#[derive(Clone, Debug)]
pub struct Bank {
    entries: u32,
    /// Entries that one `reserve` promises: the words of a line that belong to this bank.
    refill: u32,
    double_mode: bool,
    /// Partition that is the pull side.
    pull_part: usize,
    queues: [VecDeque<u32>; 2],
    /// Entries of the pull side that are promised to a refill.
    reserved: u32,
    out: BankOut,
}

impl Bank {
    /// An empty bank of `entries` IDs in single-buffer mode, for a core of `lanes` lanes.
    pub fn new(entries: usize, lanes: usize) -> Result<Self, ParameterError> {
        spec::hwwl::BANK.checked(&[("entries", entries as u64), ("lanes", lanes as u64)])?;
        Ok(Self::of_any_size(entries as u32, lanes))
    }

    pub(super) fn of_any_size(entries: u32, lanes: usize) -> Self {
        let room = FIRST_ROOM.min(entries as usize);
        let mut bank = Bank {
            entries,
            refill: (LINE_IDS / lanes) as u32,
            double_mode: false,
            pull_part: 0,
            queues: [VecDeque::with_capacity(room), VecDeque::with_capacity(room / 2)],
            reserved: 0,
            out: BankOut::default(),
        };
        bank.show_occupancy();
        bank
    }

    /// This cycle's output pins, without a copy.
    #[inline]
    pub(super) fn pins(&self) -> &BankOut {
        &self.out
    }

    fn push_part(&self) -> usize {
        if self.double_mode {
            1 - self.pull_part
        } else {
            0
        }
    }

    /// IDs that a partition holds at most.
    fn capacity(&self) -> u32 {
        self.entries >> self.double_mode as u32
    }

    fn occupancy(&self, part: usize) -> u32 {
        self.queues[part].len() as u32 + if part == self.pull_part { self.reserved } else { 0 }
    }

    fn is_full(&self, part: usize) -> bool {
        self.occupancy(part) == self.capacity()
    }

    /// The lane's request; true if it took the memory's port.
    fn lane_access(&mut self, pins: &BankIn) -> bool {
        if pins.pull {
            if let Some(id) = self.queues[self.pull_part].pop_front() {
                self.out.pull_valid = true;
                self.out.id = id;
            }
        }
        if pins.push {
            let part = self.push_part();
            self.queues[part].push_back(pins.push_id);
        }
        self.out.pull_valid || pins.push
    }

    /// The redistribution unit's request, in a cycle in which the lane leaves the port free; true if it took the port.
    fn wru_access(&mut self, pins: &BankIn) -> bool {
        let part = pins.wru_part as usize;
        if pins.wru_pop {
            if let Some(id) = self.queues[part].pop_front() {
                self.out.wru_valid = true;
                self.out.id = id;
            }
        }
        if pins.wru_push && !self.is_full(part) {
            self.queues[part].push_back(pins.wru_id);
            self.out.wru_accepted = true;
        }
        self.out.wru_valid || self.out.wru_accepted
    }

    /// A fill, in a cycle in which nobody else took the port.
    fn fill_access(&mut self, pins: &BankIn) {
        let part = if pins.fill_reserved { self.pull_part } else { pins.fill_part as usize };
        if pins.fill_push && (pins.fill_reserved || !self.is_full(part)) {
            self.queues[part].push_back(pins.fill_id);
            self.out.fill_accepted = true;
        }
    }

    /// Promises given and kept in this cycle.
    fn count_reserved(&mut self, pins: &BankIn) -> Result<(), Fault> {
        let kept = (self.out.fill_accepted && pins.fill_reserved) as u32 + pins.unreserve as u32;
        let reserved = self.reserved + if pins.reserve { self.refill } else { 0 };
        rule(kept <= reserved, "bank: a reserved fill or unreserve, but nothing is reserved")?;
        self.reserved = reserved - kept;
        rule(self.occupancy(self.pull_part) <= self.capacity(), "bank: reserve without free entries")
    }

    fn show_occupancy(&mut self) {
        let (pull_part, push_part) = (self.pull_part, self.push_part());
        self.out.pull_occupancy = self.occupancy(pull_part);
        self.out.push_occupancy = if self.double_mode { self.occupancy(push_part) } else { 0 };
        self.out.held = (self.queues[0].len() + self.queues[1].len()) as u32;
        self.out.empty = self.out.pull_occupancy == 0;
        self.out.full = self.is_full(push_part);
    }

    /// Inputs that may not come together, by the table of inputs. A `wru_pop` beside `configure`, or of partition 1 in
    /// single-buffer mode, is allowed: it can only meet an empty partition, and then nothing happens.
    fn check_rules(&self, pins: &BankIn) -> Result<(), Fault> {
        let BankIn { configure, swap, pull, push, reserve, unreserve, fill_push, .. } = *pins;
        rule(!(pull && push), "bank: pull and push together")?;
        rule(!(push && self.out.full), "bank: push to a full side")?;
        rule(!(pins.wru_pop && pins.wru_push), "bank: wru_pop and wru_push together")?;
        let with_swap = pull || push || reserve || unreserve;
        rule(!(swap && with_swap), "bank: swap together with pull, push, reserve or unreserve")?;
        let with_configure = with_swap || swap || fill_push || pins.wru_push;
        rule(!(configure && with_configure), "bank: configure does not come alone")?;
        rule(self.double_mode || !(pins.wru_push && pins.wru_part), "bank: wru_part high in single-buffer mode")?;
        let part_1_filled = fill_push && !pins.fill_reserved && pins.fill_part;
        rule(self.double_mode || !part_1_filled, "bank: fill_part high in single-buffer mode")
    }
}

impl Unit for Bank {
    type In = BankIn;
    type Out = BankOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(self.entries as usize)
    }

    fn outputs(&self) -> BankOut {
        self.out
    }

    fn clock(&mut self, pins: &BankIn) -> Result<(), Fault> {
        self.check_rules(pins)?;
        let exchange = pins.swap && self.double_mode && self.out.empty;
        let reconfigure = pins.configure && self.out.held == 0 && self.reserved == 0;
        self.out.pull_valid = false;
        self.out.wru_valid = false;
        self.out.wru_accepted = false;
        self.out.fill_accepted = false;
        if !self.lane_access(pins) && !self.wru_access(pins) {
            self.fill_access(pins);
        }
        self.count_reserved(pins)?;
        if exchange {
            self.pull_part = 1 - self.pull_part;
        }
        if reconfigure {
            self.double_mode = pins.double_buffer;
            self.pull_part = 0;
        }
        self.show_occupancy();
        Ok(())
    }

    fn reset(&mut self) {
        *self = Self::of_any_size(self.entries, LINE_IDS / self.refill as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bank(double: bool) -> Bank {
        let mut bank = Bank::new(4, 32).unwrap();
        bank.clock(&BankIn { configure: true, double_buffer: double, ..Default::default() }).unwrap();
        bank
    }

    fn pull() -> BankIn {
        BankIn { pull: true, ..Default::default() }
    }

    fn push(push_id: u32) -> BankIn {
        BankIn { push: true, push_id, ..Default::default() }
    }

    fn swap() -> BankIn {
        BankIn { swap: true, ..Default::default() }
    }

    fn wru_pop(part: bool) -> BankIn {
        BankIn { wru_pop: true, wru_part: part, ..Default::default() }
    }

    fn wru_push(part: bool, wru_id: u32) -> BankIn {
        BankIn { wru_push: true, wru_part: part, wru_id, ..Default::default() }
    }

    fn after(bank: &mut Bank, pins: &BankIn) -> BankOut {
        bank.clock(pins).unwrap();
        bank.outputs()
    }

    #[test]
    fn single_buffer_is_one_fifo_of_all_entries() {
        let mut bank = bank(false);
        for id in 1..=4 {
            let out = after(&mut bank, &push(id));
            assert_eq!((out.pull_occupancy, out.push_occupancy, out.full), (id, 0, id == 4));
        }
        for id in 1..=4 {
            let out = after(&mut bank, &pull());
            assert_eq!((out.pull_valid, out.id, out.held), (true, id, 4 - id));
        }
        let out = after(&mut bank, &pull());
        assert!(!out.pull_valid && out.empty);
    }

    #[test]
    fn double_buffer_pushes_to_the_side_that_is_not_pulled() {
        let mut bank = bank(true);
        assert_eq!(after(&mut bank, &push(7)).push_occupancy, 1);
        let out = after(&mut bank, &push(8));
        assert_eq!((out.pull_occupancy, out.push_occupancy, out.empty, out.full), (0, 2, true, true));
        assert_eq!(out.held, 2);
        assert!(!after(&mut bank, &pull()).pull_valid);
        let out = after(&mut bank, &swap());
        assert_eq!((out.pull_occupancy, out.push_occupancy), (2, 0));
        assert_eq!(after(&mut bank, &swap()).pull_occupancy, 2, "the pull side is not empty: ignored");
        assert_eq!(after(&mut bank, &pull()).id, 7);
    }

    #[test]
    fn swap_is_ignored_in_single_buffer_mode_and_configure_while_anything_is_held() {
        let mut bank = bank(false);
        bank.clock(&swap()).unwrap();
        assert_eq!(after(&mut bank, &push(1)).pull_occupancy, 1);
        let out = after(&mut bank, &BankIn { configure: true, double_buffer: true, ..Default::default() });
        assert_eq!((out.pull_occupancy, out.push_occupancy), (1, 0));
        assert_eq!(after(&mut bank, &push(2)).pull_occupancy, 2, "still one FIFO");
    }

    #[test]
    fn configure_makes_partition_0_the_pull_side() {
        let mut bank = bank(true);
        bank.clock(&swap()).unwrap();
        bank.clock(&BankIn { configure: true, double_buffer: true, ..Default::default() }).unwrap();
        assert_eq!(after(&mut bank, &wru_push(false, 3)).pull_occupancy, 1);
    }

    #[test]
    fn a_lane_that_takes_the_port_turns_the_wru_away() {
        let mut bank = bank(false);
        bank.clock(&push(1)).unwrap();
        let out = after(&mut bank, &BankIn { pull: true, ..wru_push(false, 2) });
        assert_eq!((out.pull_valid, out.wru_accepted), (true, false));
        let out = after(&mut bank, &BankIn { pull: true, ..wru_push(false, 2) });
        assert_eq!((out.pull_valid, out.wru_accepted), (false, true), "an empty pull leaves the port free");
        let out = after(&mut bank, &BankIn { push: true, push_id: 3, ..wru_pop(false) });
        assert_eq!((out.wru_valid, out.pull_occupancy), (false, 2));
        let out = after(&mut bank, &wru_pop(false));
        assert_eq!((out.wru_valid, out.pull_valid, out.id), (true, false, 2));
    }

    #[test]
    fn the_wru_names_a_partition_that_stays_itself_across_a_swap() {
        let mut bank = bank(true);
        let out = after(&mut bank, &BankIn { swap: true, ..wru_push(false, 5) });
        assert_eq!((out.wru_accepted, out.pull_occupancy, out.push_occupancy), (true, 0, 1));
        assert_eq!(after(&mut bank, &wru_pop(false)).id, 5);
        assert!(!after(&mut bank, &wru_pop(false)).wru_valid);
    }

    #[test]
    fn a_full_partition_does_not_accept() {
        let mut bank = bank(true);
        assert!(after(&mut bank, &wru_push(true, 1)).wru_accepted);
        assert!(after(&mut bank, &wru_push(true, 2)).wru_accepted);
        assert!(!after(&mut bank, &wru_push(true, 3)).wru_accepted);
        assert!(after(&mut bank, &wru_push(false, 3)).wru_accepted);
    }

    #[test]
    fn reset_empties_and_returns_to_single_buffer_mode() {
        let mut bank = bank(true);
        bank.clock(&push(1)).unwrap();
        bank.reset();
        assert_eq!(bank.outputs(), BankOut { empty: true, ..Default::default() });
        assert_eq!(after(&mut bank, &push(1)).pull_occupancy, 1);
    }

    #[test]
    fn entries_out_of_range_are_refused() {
        for entries in [0, 2, 24, 131_072] {
            let error = Bank::new(entries, 16).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("bank: entries = {entries}, but it must be a power of two from 4 to 65536")
            );
        }
    }

    fn fill(reserved: bool, part: bool, id: u32) -> BankIn {
        BankIn { fill_push: true, fill_reserved: reserved, fill_part: part, fill_id: id, ..Default::default() }
    }

    #[test]
    fn a_reserved_entry_is_occupied_for_all_but_a_pull() {
        let mut bank = Bank::new(8, 16).unwrap();
        let out = after(&mut bank, &BankIn { reserve: true, ..Default::default() });
        assert_eq!((out.pull_occupancy, out.held, out.empty), (2, 0, false));
        assert!(!after(&mut bank, &pull()).pull_valid);
        for id in 0..6 {
            assert!(!bank.outputs().full);
            bank.clock(&push(id)).unwrap();
        }
        assert!(bank.outputs().full);
        assert!(!after(&mut bank, &wru_push(false, 9)).wru_accepted, "the free entries are promised");
        assert!(!after(&mut bank, &fill(false, false, 9)).fill_accepted);
        let out = after(&mut bank, &fill(true, false, 100));
        assert_eq!((out.fill_accepted, out.pull_occupancy, out.held), (true, 8, 7));
        let out = after(&mut bank, &BankIn { unreserve: true, ..Default::default() });
        assert_eq!((out.pull_occupancy, out.full), (7, false));
        for id in (0..6).chain([100]) {
            assert_eq!(after(&mut bank, &pull()).id, id, "a fill queues behind what was there");
        }
    }

    #[test]
    fn lanes_come_before_the_wru_and_both_before_fills() {
        let mut bank = bank(false);
        let out = after(&mut bank, &BankIn { push: true, push_id: 1, ..fill(false, false, 5) });
        assert_eq!((out.fill_accepted, out.held), (false, 1));
        let out = after(&mut bank, &BankIn { wru_push: true, wru_id: 2, ..fill(false, false, 5) });
        assert_eq!((out.wru_accepted, out.fill_accepted), (true, false));
        let out = after(&mut bank, &BankIn { wru_pop: true, ..fill(false, false, 5) });
        assert_eq!((out.wru_valid, out.fill_accepted, out.id), (true, false, 1));
        let out = after(&mut bank, &BankIn { pull: true, ..fill(false, false, 5) });
        assert_eq!((out.pull_valid, out.fill_accepted, out.id), (true, false, 2));
        let out = after(&mut bank, &BankIn { pull: true, ..fill(false, false, 5) });
        assert_eq!(
            (out.pull_valid, out.fill_accepted),
            (false, true),
            "a pull that finds nothing leaves the port free"
        );
    }

    #[test]
    fn promises_of_one_cycle_add_up() {
        let mut bank = Bank::new(8, 16).unwrap();
        bank.clock(&BankIn { reserve: true, ..Default::default() }).unwrap();
        let out = after(&mut bank, &BankIn { reserve: true, unreserve: true, ..fill(true, false, 1) });
        assert_eq!((out.pull_occupancy, out.held), (3, 1), "2 + 2 reserved, one filled, one given back");
    }

    #[test]
    fn reserved_entries_hold_back_swap_and_configure() {
        let mut bank = Bank::new(16, 16).unwrap();
        bank.clock(&BankIn { reserve: true, ..Default::default() }).unwrap();
        bank.clock(&BankIn { configure: true, double_buffer: true, ..Default::default() }).unwrap();
        assert_eq!(after(&mut bank, &push(1)).pull_occupancy, 3, "still one FIFO");

        let mut bank = Bank::new(16, 16).unwrap();
        bank.clock(&BankIn { configure: true, double_buffer: true, ..Default::default() }).unwrap();
        bank.clock(&push(1)).unwrap();
        bank.clock(&BankIn { reserve: true, ..Default::default() }).unwrap();
        let out = after(&mut bank, &swap());
        assert_eq!((out.pull_occupancy, out.push_occupancy), (2, 1));
        bank.clock(&BankIn { unreserve: true, ..Default::default() }).unwrap();
        bank.clock(&BankIn { unreserve: true, ..Default::default() }).unwrap();
        let out = after(&mut bank, &swap());
        assert_eq!((out.pull_occupancy, out.push_occupancy), (1, 0));
    }

    #[test]
    fn illegal_inputs_are_refused() {
        let fault = bank(false).clock(&BankIn { push: true, ..pull() }).unwrap_err();
        assert_eq!(fault.to_string(), "bank: pull and push together");
    }

    proptest! {
        /// IDs leave in the order in which they came, none is lost, none appears.
        #[test]
        fn order_and_number_are_kept(requests in prop::collection::vec(0..5u8, 1..400)) {
            let mut bank = bank(true);
            let mut held: [Vec<u32>; 2] = Default::default();
            let mut pull_side = 0;
            for (i, request) in requests.into_iter().enumerate() {
                let id = i as u32;
                let request = if request == 0 && bank.outputs().full { 1 } else { request };
                let out = match request {
                    0 => after(&mut bank, &push(id)),
                    1 => after(&mut bank, &pull()),
                    2 => after(&mut bank, &swap()),
                    3 => after(&mut bank, &wru_pop(id.is_multiple_of(2))),
                    _ => after(&mut bank, &wru_push(id.is_multiple_of(2), id)),
                };
                match request {
                    0 => held[1 - pull_side].push(id),
                    2 if held[pull_side].is_empty() => pull_side = 1 - pull_side,
                    4 if out.wru_accepted => held[(id.is_multiple_of(2)) as usize].push(id),
                    _ => {}
                }
                if out.pull_valid {
                    prop_assert_eq!(out.id, held[pull_side].remove(0));
                }
                if out.wru_valid {
                    prop_assert_eq!(out.id, held[(id.is_multiple_of(2)) as usize].remove(0));
                }
                prop_assert_eq!(out.pull_occupancy as usize, held[pull_side].len());
                prop_assert_eq!(out.push_occupancy as usize, held[1 - pull_side].len());
            }
        }
    }
}
