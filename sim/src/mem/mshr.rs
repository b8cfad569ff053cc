//! Miss status holding registers: who waits for which block on its way.

use std::collections::VecDeque;

#[derive(Clone, Debug)]
struct Entry<T> {
    /// Number of the block (a line or a sector).
    block: u64,
    /// Replies that have not come yet.
    missing: u32,
    waiting: VecDeque<T>,
}

/// Why a request cannot wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    NoEntry,
    NoMerge,
}

/// A table of entries; `T` is what waits. Nothing is allocated after construction.
#[derive(Clone, Debug)]
pub struct Mshrs<T> {
    entries: Vec<Entry<T>>,
    /// Entries whose block is on its way.
    live: Vec<u32>,
    free: Vec<u32>,
    /// Entries whose block has come, in order; the first is being read out.
    ready: VecDeque<u32>,
    merges: usize,
}

impl<T> Mshrs<T> {
    /// `merges`: requests that an entry can hold, the first included.
    pub fn new(entries: usize, merges: usize) -> Self {
        let entry = || Entry { block: 0, missing: 0, waiting: VecDeque::with_capacity(merges) };
        Mshrs {
            entries: (0..entries).map(|_| entry()).collect(),
            live: Vec::with_capacity(entries),
            free: (0..entries as u32).rev().collect(),
            ready: VecDeque::with_capacity(entries),
            merges,
        }
    }

    fn find(&self, block: u64) -> Option<usize> {
        self.live.iter().map(|i| *i as usize).find(|i| self.entries[*i].block == block)
    }

    /// Could a request for `block` wait now? `Ok(true)` if it would join one that is on its way.
    pub fn check(&self, block: u64) -> Result<bool, Refused> {
        match self.find(block) {
            Some(i) if self.entries[i].waiting.len() < self.merges => Ok(true),
            Some(_) => Err(Refused::NoMerge),
            None if self.free.is_empty() => Err(Refused::NoEntry),
            None => Ok(false),
        }
    }

    /// Lets a request wait; [`Mshrs::check`] has said that it can. `replies` is what completes a new entry.
    pub fn wait(&mut self, block: u64, replies: u32, request: T) {
        match self.find(block) {
            Some(i) => self.entries[i].waiting.push_back(request),
            None => {
                if let Some(i) = self.free.pop() {
                    self.live.push(i);
                    let entry = &mut self.entries[i as usize];
                    (entry.block, entry.missing) = (block, replies);
                    entry.waiting.push_back(request);
                }
            }
        }
    }

    /// A reply for `block`; true if it was the last one.
    pub fn reply(&mut self, block: u64) -> bool {
        let Some(position) = self.live.iter().position(|i| self.entries[*i as usize].block == block) else {
            return false;
        };
        let index = self.live[position];
        let entry = &mut self.entries[index as usize];
        entry.missing -= 1;
        if entry.missing > 0 {
            return false;
        }
        self.live.remove(position);
        self.ready.push_back(index);
        true
    }

    /// Something can be taken out.
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Takes out the next request whose block has come.
    pub fn take(&mut self) -> Option<T> {
        let index = *self.ready.front()?;
        let entry = &mut self.entries[index as usize];
        let request = entry.waiting.pop_front();
        if entry.waiting.is_empty() {
            self.ready.pop_front();
            self.free.push(index);
        }
        request
    }

    pub fn is_empty(&self) -> bool {
        self.live.is_empty() && self.ready.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_for_one_block_wait_together() {
        let mut mshrs = Mshrs::new(2, 2);
        assert_eq!(mshrs.check(5), Ok(false));
        mshrs.wait(5, 2, 'a');
        assert_eq!(mshrs.check(5), Ok(true));
        mshrs.wait(5, 2, 'b');
        assert_eq!(mshrs.check(5), Err(Refused::NoMerge));
        mshrs.wait(6, 1, 'c');
        assert_eq!(mshrs.check(7), Err(Refused::NoEntry));
        assert!(!mshrs.reply(5));
        assert_eq!(mshrs.take(), None);
        assert!(mshrs.reply(5));
        assert_eq!([mshrs.take(), mshrs.take(), mshrs.take()], [Some('a'), Some('b'), None]);
        assert!(mshrs.reply(6));
        assert_eq!(mshrs.take(), Some('c'));
        assert!(mshrs.is_empty());
    }
}
