//! Miss status holding registers: who waits for which block on its way.

use std::collections::VecDeque;

#[derive(Clone, Debug)]
struct Entry<T> {
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
    /// Blocks on their way, and the entry of each.
    blocks: Vec<u64>,
    live: Vec<u32>,
    free: Vec<u32>,
    /// Entries whose block has come, in order; the first is being read out.
    ready: VecDeque<u32>,
    merges: usize,
}

impl<T> Mshrs<T> {
    /// `merges`: requests that an entry can hold, the first included.
    pub fn new(entries: usize, merges: usize) -> Self {
        let entry = || Entry { missing: 0, waiting: VecDeque::with_capacity(merges) };
        Mshrs {
            entries: (0..entries).map(|_| entry()).collect(),
            blocks: Vec::with_capacity(entries),
            live: Vec::with_capacity(entries),
            free: (0..entries as u32).rev().collect(),
            ready: VecDeque::with_capacity(entries),
            merges,
        }
    }

    /// Could a request for `block` wait now? If so, the entry of one that is on its way, for [`Mshrs::merge`].
    pub fn check(&self, block: u64) -> Result<Option<u32>, Refused> {
        match self.blocks.iter().position(|b| *b == block) {
            Some(i) if self.entries[self.live[i] as usize].waiting.len() < self.merges => Ok(Some(self.live[i])),
            Some(_) => Err(Refused::NoMerge),
            None if self.free.is_empty() => Err(Refused::NoEntry),
            None => Ok(None),
        }
    }

    /// Lets a request wait at an entry that [`Mshrs::check`] gave.
    pub fn merge(&mut self, entry: u32, request: T) {
        self.entries[entry as usize].waiting.push_back(request);
    }

    /// Lets a request wait for a block that nobody waits for yet; [`Mshrs::check`] has said that there is an entry.
    /// `replies`: the number of replies that complete the block.
    pub fn start(&mut self, block: u64, replies: u32, request: T) {
        if let Some(i) = self.free.pop() {
            self.live.push(i);
            self.blocks.push(block);
            self.entries[i as usize].missing = replies;
            self.entries[i as usize].waiting.push_back(request);
        }
    }

    /// A reply for `block`; true if it was the last one.
    pub fn reply(&mut self, block: u64) -> bool {
        let Some(position) = self.blocks.iter().position(|b| *b == block) else { return false };
        let index = self.live[position];
        let entry = &mut self.entries[index as usize];
        entry.missing -= 1;
        if entry.missing > 0 {
            return false;
        }
        self.live.swap_remove(position);
        self.blocks.swap_remove(position);
        self.ready.push_back(index);
        true
    }

    /// Something can be taken out.
    #[inline]
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Takes out the next request whose block has come.
    #[inline]
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
        assert_eq!(mshrs.check(5), Ok(None));
        mshrs.start(5, 2, 'a');
        let entry = mshrs.check(5).unwrap().unwrap();
        mshrs.merge(entry, 'b');
        assert_eq!(mshrs.check(5), Err(Refused::NoMerge));
        mshrs.start(6, 1, 'c');
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
