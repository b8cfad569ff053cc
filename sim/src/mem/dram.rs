//! A DRAM channel: banks with open rows, GDDR5 timing constraints, first-ready first-come-first-served (FR-FCFS).
//!
//! Times are command cycles. One command a cycle: a read or write to an open row if some bank can take one, else an activate or
//! precharge. Each bank works for one request at a time: the oldest that hits its open row, else its oldest.

use super::address::AddressMap;
use super::l2_slice::Transfer;
use crate::config::{Config, Dram};
use crate::stats::DramStats;
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug)]
struct Waiting {
    transfer: Transfer,
    row: u64,
}

#[derive(Clone, Debug, Default)]
struct Bank {
    queue: VecDeque<Waiting>,
    /// Index in `queue` of the request that the bank works for.
    current: Option<usize>,
    open: Option<u64>,
    /// The current request found its row open.
    hit: bool,
    /// Earliest cycles of the next activate, read or write, and precharge.
    activate_at: u64,
    column_at: u64,
    precharge_at: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Column,
    Activate,
    Precharge,
}

#[derive(Clone, Debug)]
pub struct Channel {
    config: Dram,
    map: AddressMap,
    banks: Vec<Bank>,
    /// Banks with requests, one bit each.
    busy: u32,
    waiting: usize,
    /// Bank that is looked at first.
    next_bank: usize,
    now: u64,
    activate_at: u64,
    read_at: u64,
    write_at: u64,
    group_at: Vec<u64>,
    /// Reads on their way to the pins, with the cycle in which their data is complete.
    moving: VecDeque<(u64, Transfer)>,
    pub done: VecDeque<Transfer>,
    pub stats: DramStats,
}

impl Channel {
    pub fn new(config: &Config) -> Self {
        let dram = &config.dram;
        let bank = || Bank { queue: VecDeque::with_capacity(dram.queue), ..Bank::default() };
        Channel {
            config: dram.clone(),
            map: AddressMap::new(config),
            banks: (0..dram.banks).map(|_| bank()).collect(),
            busy: 0,
            waiting: 0,
            next_bank: 0,
            now: 0,
            activate_at: 0,
            read_at: 0,
            write_at: 0,
            group_at: vec![0; dram.bank_groups],
            moving: VecDeque::with_capacity(dram.return_queue),
            done: VecDeque::with_capacity(dram.return_queue),
            stats: DramStats::default(),
        }
    }

    pub fn can_accept(&self) -> bool {
        self.waiting < self.config.queue
    }

    pub fn push(&mut self, transfer: Transfer) {
        let (bank, row) = (self.map.bank(transfer.address), self.map.row(transfer.address));
        self.banks[bank].queue.push_back(Waiting { transfer, row });
        self.busy |= 1 << bank;
        self.waiting += 1;
    }

    /// Command cycle `now`. Cycles before [`Channel::next_event`] may be left out.
    pub fn step(&mut self, now: u64) {
        self.now = now;
        while self.moving.front().is_some_and(|(at, _)| *at <= now) {
            self.done.extend(self.moving.pop_front().map(|(_, transfer)| transfer));
        }
        if self.busy != 0 {
            self.choose();
            self.issue();
        }
    }

    /// Gives each bank a request to work for.
    fn choose(&mut self) {
        let mut busy = self.busy;
        while busy != 0 {
            let bank = &mut self.banks[busy.trailing_zeros() as usize];
            busy &= busy - 1;
            if bank.current.is_none() {
                let hit = bank.queue.iter().position(|w| Some(w.row) == bank.open);
                bank.hit = hit.is_some();
                bank.current = Some(hit.unwrap_or(0));
            }
        }
    }

    /// Command that the bank needs next, and the cycle from which on it can have it.
    fn need(&self, index: usize) -> Option<(Command, u64)> {
        let bank = &self.banks[index];
        let waiting = bank.queue.get(bank.current?)?;
        if bank.open == Some(waiting.row) {
            let bus = if waiting.transfer.write { self.write_at } else { self.read_at };
            let group = self.group_at[index % self.group_at.len()];
            let mut at = bank.column_at.max(bus).max(group);
            if !waiting.transfer.write && self.done.len() + self.moving.len() >= self.config.return_queue {
                at = u64::MAX;
            }
            return Some((Command::Column, at));
        }
        match bank.open {
            None => Some((Command::Activate, bank.activate_at.max(self.activate_at))),
            Some(_) => Some((Command::Precharge, bank.precharge_at)),
        }
    }

    /// Issues the first possible read or write, else the first possible activate or precharge.
    fn issue(&mut self) {
        let banks = self.banks.len();
        let mut row_command = None;
        for i in 0..banks {
            let index = (self.next_bank + i) % banks;
            if self.busy >> index & 1 == 0 {
                continue;
            }
            match self.need(index) {
                Some((Command::Column, at)) if at <= self.now => {
                    self.column(index);
                    self.next_bank = (index + 1) % banks;
                    return;
                }
                Some((command, at)) if command != Command::Column && at <= self.now && row_command.is_none() => {
                    row_command = Some((index, command));
                }
                _ => {}
            }
        }
        match row_command {
            Some((index, Command::Activate)) => self.activate(index),
            Some((index, _)) => self.precharge(index),
            None => {}
        }
    }

    fn activate(&mut self, index: usize) {
        let t = &self.config.timing;
        let bank = &mut self.banks[index];
        bank.open = bank.current.and_then(|i| bank.queue.get(i)).map(|w| w.row);
        bank.column_at = self.now + t.rcd;
        bank.precharge_at = self.now + t.ras;
        bank.activate_at = self.now + t.rc;
        self.activate_at = self.now + t.rrd;
        self.stats.activates += 1;
    }

    fn precharge(&mut self, index: usize) {
        let bank = &mut self.banks[index];
        bank.open = None;
        bank.activate_at = bank.activate_at.max(self.now + self.config.timing.rp);
        self.stats.precharges += 1;
    }

    fn column(&mut self, index: usize) {
        let bus = self.config.transfer_cycles();
        let t = &self.config.timing;
        let now = self.now;
        let bank = &mut self.banks[index];
        let Some(Waiting { transfer, .. }) = bank.current.take().and_then(|i| bank.queue.remove(i)) else { return };
        let next = now + t.ccd.max(bus);
        if transfer.write {
            bank.precharge_at = bank.precharge_at.max(now + t.wl + bus + t.wr);
            self.write_at = self.write_at.max(next);
            self.read_at = self.read_at.max(now + t.wl + bus + t.cdlr);
            self.stats.writes += 1;
        } else {
            bank.precharge_at = bank.precharge_at.max(now + t.rtpl);
            self.read_at = self.read_at.max(next);
            // The bus turns round: two idle cycles between read data and write data.
            self.write_at = self.write_at.max(now + (t.cl + bus + 2).saturating_sub(t.wl));
            self.moving.push_back((now + t.cl + bus, transfer));
            self.stats.reads += 1;
        }
        self.stats.row_hits += bank.hit as u64;
        self.stats.bytes += self.config.transfer_bytes();
        self.stats.busy_cycles += bus;
        if bank.queue.is_empty() {
            self.busy &= !(1 << index);
        }
        self.waiting -= 1;
        let groups = self.group_at.len();
        self.group_at[index % groups] = now + t.ccdl;
    }

    /// Next command cycle in which something can happen, if no request comes; `u64::MAX` if nothing can.
    pub fn next_event(&self) -> u64 {
        let moving = self.moving.front().map_or(u64::MAX, |(at, _)| *at);
        let banks = (0..self.banks.len()).filter(|i| self.busy >> i & 1 == 1);
        // A bank that has not chosen yet does so in the next cycle.
        let needs = banks.map(|i| self.need(i).map_or(self.now + 1, |(_, at)| at)).min().unwrap_or(u64::MAX);
        moving.min(needs).max(self.now + 1)
    }

    pub fn is_idle(&self) -> bool {
        self.busy == 0 && self.moving.is_empty() && self.done.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEAP: u64 = 0xC000_0000;

    fn channel() -> Channel {
        Channel::new(&Config::preset("hwwl-micro14").unwrap())
    }

    /// Command cycle in which the last of some reads is complete.
    fn reads(offsets: &[u64]) -> (u64, DramStats) {
        let mut channel = channel();
        offsets.iter().for_each(|o| channel.push(Transfer { address: HEAP + o, write: false, slice: 0 }));
        let mut now = 0;
        while channel.done.len() < offsets.len() {
            now += 1;
            assert!(now < 10_000);
            channel.step(now);
        }
        (now, channel.stats)
    }

    #[test]
    fn the_timing_constraints_add_up() {
        // Activate in cycle 1, read after RCD = 12, data after CL = 12 and two cycles of burst.
        assert_eq!(reads(&[0]).0, 1 + 12 + 12 + 2);
        // Reads of one row: column to column in one bank group, CCDL = 3.
        assert_eq!(reads(&[0, 32]).0, 27 + 3);
        // Another row of the same bank: activate to activate, RC = 40.
        let row = 6 * 65_536;
        let (end, stats) = reads(&[0, row]);
        assert_eq!(end, 27 + 40);
        assert_eq!((stats.activates, stats.precharges, stats.row_hits), (2, 1, 0));
    }

    #[test]
    fn what_hits_an_open_row_goes_first() {
        let row = 6 * 65_536;
        let (_, stats) = reads(&[0, row, 32, 64]);
        assert_eq!((stats.activates, stats.row_hits), (2, 2));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Every read is answered once; the data bus is never used twice at a time; skipping to the next event changes nothing.
        #[test]
        fn every_read_is_answered_once(traffic in prop::collection::vec((0u64..3000, any::<bool>(), 0u64..30), 1..200)) {
            let run = |skip: bool| {
                let mut channel = channel();
                let mut arrivals = Vec::new();
                let mut at = 1;
                for (block, write, gap) in &traffic {
                    at += gap;
                    let address = HEAP + block % 60 * 32 + block / 60 * 49_152;
                    arrivals.push((at, Transfer { address, write: *write, slice: 0 }));
                }
                let (mut next, mut now, mut wake) = (0, 0, 0);
                let mut done = Vec::new();
                while next < arrivals.len() || !channel.is_idle() {
                    now += 1;
                    assert!(now < 100_000);
                    if !skip || wake <= now {
                        channel.step(now);
                        wake = channel.next_event();
                    }
                    done.extend(channel.done.drain(..).map(|t| (now, t.address)));
                    while next < arrivals.len() && arrivals[next].0 <= now && channel.can_accept() {
                        channel.push(arrivals[next].1);
                        next += 1;
                        wake = now + 1;
                    }
                }
                (done, channel.stats, now)
            };
            let (done, stats, now) = run(false);
            let mut expected: Vec<u64> = traffic.iter().filter(|t| !t.1).map(|t| HEAP + t.0 % 60 * 32 + t.0 / 60 * 49_152).collect();
            let mut addresses: Vec<u64> = done.iter().map(|d| d.1).collect();
            expected.sort_unstable();
            addresses.sort_unstable();
            prop_assert_eq!(addresses, expected);
            prop_assert!(stats.busy_cycles <= now);
            prop_assert_eq!(stats.reads + stats.writes, traffic.len() as u64);
            prop_assert_eq!((done, stats, now), run(true));
        }
    }
}
