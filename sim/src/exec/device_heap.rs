//! The heap that kernels allocate from with `malloc`: first fit, in units of 16 bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::written::Written;
use crate::ptx::address_map::DEVICE_HEAP_BASE;

/// Bytes of the heap unless the host sets another limit: CUDA's `cudaLimitMallocHeapSize`.
const DEVICE_HEAP_BYTES: u64 = 8 << 20;
/// Blocks begin at multiples of this.
const ALIGNMENT: u64 = 16;

/// Blocks by their place in the heap. They live until they are freed, over launches.
#[derive(Clone, Debug)]
pub struct DeviceHeap {
    limit: u64,
    /// Bytes that have been used so far, from the beginning of the heap.
    data: Vec<u8>,
    /// Bytes of each block, as asked for.
    blocks: BTreeMap<u64, u64>,
    /// Bytes of each gap between blocks. Two gaps never touch.
    gaps: BTreeMap<u64, u64>,
    /// Flags of `data`, if reads of bytes that nobody has written are looked for.
    written: Written,
}

impl Default for DeviceHeap {
    fn default() -> Self {
        DeviceHeap {
            limit: DEVICE_HEAP_BYTES,
            data: Vec::new(),
            blocks: BTreeMap::new(),
            gaps: BTreeMap::from([(0, DEVICE_HEAP_BYTES)]),
            written: Written::default(),
        }
    }
}

/// Room for a block of so many bytes.
fn taken(bytes: u64) -> u64 {
    bytes.max(1).next_multiple_of(ALIGNMENT)
}

impl DeviceHeap {
    /// Sets the size of the heap; false if a kernel has allocated from it already.
    pub fn set_limit(&mut self, bytes: u64) -> bool {
        if !self.blocks.is_empty() {
            return bytes == self.limit;
        }
        let limit = bytes.next_multiple_of(ALIGNMENT);
        (self.limit, self.gaps) = (limit, BTreeMap::from([(0, limit)]));
        true
    }

    /// Address of a new block, or 0 if there is no room.
    pub fn alloc(&mut self, bytes: u64) -> u64 {
        if bytes > self.limit {
            return 0;
        }
        let needed = taken(bytes);
        let Some((at, gap)) = self.gaps.iter().find(|(_, gap)| **gap >= needed).map(|(at, gap)| (*at, *gap)) else {
            return 0;
        };
        self.gaps.remove(&at);
        if gap > needed {
            self.gaps.insert(at + needed, gap - needed);
        }
        self.blocks.insert(at, bytes);
        self.data.resize(self.data.len().max((at + needed) as usize), 0);
        self.written.set(at as usize..(at + needed) as usize, false);
        DEVICE_HEAP_BASE + at
    }

    /// Frees the block that begins at `address`; false if there is none.
    pub fn free(&mut self, address: u64) -> bool {
        let mut at = address.wrapping_sub(DEVICE_HEAP_BASE);
        let Some(bytes) = self.blocks.remove(&at) else { return false };
        let mut gap = taken(bytes);
        if let Some(next) = self.gaps.remove(&(at + gap)) {
            gap += next;
        }
        if let Some((before, bytes)) = self.gaps.range(..at).next_back().map(|(before, bytes)| (*before, *bytes)) {
            if before + bytes == at {
                (at, gap) = (before, gap + bytes);
            }
        }
        self.gaps.insert(at, gap);
        true
    }

    /// Where `bytes` from `address` on lie in the data, if one block holds them.
    pub(super) fn range(&self, address: u64, bytes: usize) -> Option<Range<usize>> {
        let at = address.checked_sub(DEVICE_HEAP_BASE)?;
        let (block, size) = self.blocks.range(..=at).next_back()?;
        let end = at.checked_add(bytes as u64)?;
        (end <= block + size).then_some(at as usize..end as usize)
    }

    /// From now on. What is allocated so far counts as written.
    pub fn start_checks(&mut self) {
        self.written.start(self.data.len());
    }

    /// Nobody has written any of these bytes.
    pub fn is_unwritten(&self, address: u64, bytes: usize) -> bool {
        self.range(address, bytes).is_some_and(|range| self.written.is_none(range))
    }

    pub fn bytes(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        Some(&self.data[self.range(address, bytes)?])
    }

    /// For a store to a [`Self::range`].
    pub(super) fn range_mut(&mut self, range: Range<usize>) -> &mut [u8] {
        self.written.set(range.clone(), true);
        &mut self.data[range]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_lie_apart() {
        let mut heap = DeviceHeap::default();
        assert!(heap.set_limit(64));
        let [a, b] = [1, 17].map(|bytes| heap.alloc(bytes));
        assert_eq!((a, b), (DEVICE_HEAP_BASE, DEVICE_HEAP_BASE + 16));
        assert!(heap.bytes(a, 1).is_some() && heap.bytes(a, 2).is_none() && heap.bytes(b + 16, 1).is_some());
        assert_eq!([heap.alloc(17), heap.alloc(16), heap.alloc(1)], [0, DEVICE_HEAP_BASE + 48, 0]);
        assert!(!heap.set_limit(1 << 20));
    }

    #[test]
    fn what_is_freed_can_be_had_again_as_one_block() {
        let mut heap = DeviceHeap::default();
        heap.set_limit(64);
        let [a, b, c, d] = [16, 16, 16, 16].map(|bytes| heap.alloc(bytes));
        assert!(heap.free(a) && heap.free(c) && heap.free(b));
        assert!(!heap.free(b) && !heap.free(d + 1));
        assert!(heap.bytes(a, 1).is_none());
        assert_eq!(heap.alloc(48), a);
        assert_eq!(heap.alloc(1), 0);
    }
}
