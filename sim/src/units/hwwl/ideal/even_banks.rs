//! The banks of magic redistribution (HWWL, IV-D): all of them evenly filled after every cycle.

use std::collections::VecDeque;

/// Banks that differ by one ID at most.
#[derive(Clone, Debug)]
pub(super) struct EvenBanks {
    banks: Vec<VecDeque<u32>>,
    held: usize,
    changed: bool,
}

impl EvenBanks {
    pub fn new(banks: usize) -> Self {
        let bank = || VecDeque::with_capacity(super::FIRST_ROOM / banks);
        EvenBanks { banks: (0..banks).map(|_| bank()).collect(), held: 0, changed: false }
    }

    /// Moves the oldest IDs of banks that have too many to banks that have too few.
    pub fn even_out(&mut self) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        let share = self.held / self.banks.len();
        // Banks that may have one more than the share: first those that have it.
        let mut more = self.held % self.banks.len();
        let mut to = 0;
        for from in 0..self.banks.len() {
            while self.banks[from].len() > share {
                if self.banks[from].len() == share + 1 && more > 0 {
                    more -= 1;
                    break;
                }
                to = self.next_short(to, share);
                if to == self.banks.len() {
                    break;
                }
                self.carry(from, to);
            }
        }
        self.share_rest(share, more);
    }

    /// The first bank from `start` on with less than `share`.
    fn next_short(&self, start: usize, share: usize) -> usize {
        let short = self.banks[start.min(self.banks.len())..].iter().position(|bank| bank.len() < share);
        short.map_or(self.banks.len(), |place| start + place)
    }

    /// IDs above the share and one go to banks at the share.
    fn share_rest(&mut self, share: usize, mut more: usize) {
        let mut to = 0;
        for from in 0..self.banks.len() {
            while self.banks[from].len() > share + 1 && more > 0 {
                while self.banks[to].len() != share {
                    to += 1;
                }
                self.carry(from, to);
                more -= 1;
            }
        }
    }

    fn carry(&mut self, from: usize, to: usize) {
        let id = self.banks[from].pop_front();
        self.banks[to].extend(id);
    }

    pub fn len(&self) -> usize {
        self.held
    }

    pub fn push(&mut self, bank: usize, id: u32) {
        self.banks[bank].push_back(id);
        (self.held, self.changed) = (self.held + 1, true);
    }

    pub fn pull(&mut self, bank: usize) -> Option<u32> {
        let id = self.banks[bank].pop_front()?;
        (self.held, self.changed) = (self.held - 1, true);
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magic_banks_differ_by_one_at_most() {
        let mut even = EvenBanks::new(5);
        let (mut next, mut step) = (0, 1u32);
        for round in 0..2_000u32 {
            step = step.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bank = (step >> 16) as usize % 5;
            if round % 7 < 4 {
                for _ in 0..(step >> 24) % 9 {
                    even.banks[bank].push_back(next);
                    (next, even.held) = (next + 1, even.held + 1);
                }
            } else {
                even.held -= even.banks[bank].len();
                even.banks[bank].clear();
            }
            even.changed = true;
            even.even_out();
            let lengths = even.banks.iter().map(VecDeque::len);
            assert_eq!(lengths.clone().sum::<usize>(), even.held);
            assert!(lengths.clone().max().unwrap() - lengths.min().unwrap() <= 1);
        }
    }
}
