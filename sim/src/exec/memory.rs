//! Device memory: a heap of allocations and the static variables of modules, with every access checked.

use super::address_error::{AddressError, Allocation, Nearest};
use super::check::finding::Findings;
use super::check::{Checker, Checks};
use super::device_heap::DeviceHeap;
use super::output::Output;
use super::texture::{Texels, Textures};
use super::written::Written;
use crate::ptx::address_map::{ALLOCATION_BYTES, HEAP_BASE, STATICS_BASE};
use std::collections::BTreeMap;

/// A contiguous range of allocations, each starting at a multiple of [`ALLOCATION_BYTES`].
#[derive(Clone, Debug)]
struct Segment {
    base: u64,
    data: Vec<u8>,
    /// For each page of [`ALLOCATION_BYTES`]: offset of the first byte past its allocation.
    limits: Vec<usize>,
    /// As `limits`, for writes: 0 where nothing may be written.
    write_limits: Vec<usize>,
    /// In the order of allocation, freed ones too.
    allocations: Vec<Allocation>,
    /// The number of each allocation that is not freed, by its address.
    live: BTreeMap<u64, usize>,
    /// Offsets of what has been freed: first byte and end. No two of them touch.
    holes: BTreeMap<usize, usize>,
    /// Flags of `data`, if reads of bytes that nobody has written are looked for.
    written: Written,
}

impl Segment {
    fn new(base: u64) -> Self {
        Segment {
            base,
            data: Vec::new(),
            limits: Vec::new(),
            write_limits: Vec::new(),
            allocations: Vec::new(),
            live: BTreeMap::new(),
            holes: BTreeMap::new(),
            written: Written::default(),
        }
    }

    fn alloc(&mut self, bytes: u64, alignment: u64) -> u64 {
        let length = length(bytes);
        let start = self.take_hole(length, alignment).unwrap_or_else(|| self.grow(length, alignment));
        let pages = start / ALLOCATION_BYTES as usize..(start + length) / ALLOCATION_BYTES as usize;
        for limits in [&mut self.limits, &mut self.write_limits] {
            limits[pages.clone()].fill(start + bytes as usize);
        }
        self.written.set(start..start + length, false);
        let address = self.base + start as u64;
        self.live.insert(address, self.allocations.len());
        self.allocations.push(Allocation { address, bytes, freed: false });
        address
    }

    /// New memory behind all that is there. What is left out for the alignment belongs to nobody.
    fn grow(&mut self, length: usize, alignment: u64) -> usize {
        let start = self.aligned(self.data.len(), alignment);
        self.data.resize(start + length, 0);
        for limits in [&mut self.limits, &mut self.write_limits] {
            limits.resize((start + length) / ALLOCATION_BYTES as usize, 0);
        }
        start
    }

    /// The first hole that is large enough, filled with zeros.
    fn take_hole(&mut self, length: usize, alignment: u64) -> Option<usize> {
        let aligned = |begin: usize| self.aligned(begin, alignment);
        let (begin, end) =
            self.holes.iter().map(|(begin, end)| (*begin, *end)).find(|(b, e)| aligned(*b) + length <= *e)?;
        let start = aligned(begin);
        self.holes.remove(&begin);
        for (from, to) in [(begin, start), (start + length, end)] {
            if from < to {
                self.holes.insert(from, to);
            }
        }
        self.data[start..start + length].fill(0);
        Some(start)
    }

    /// The first offset from `start` on whose address is a multiple of `alignment`.
    fn aligned(&self, mut start: usize, alignment: u64) -> usize {
        while !(self.base + start as u64).is_multiple_of(alignment) {
            start += ALLOCATION_BYTES as usize;
        }
        start
    }

    /// Gives the bytes of the allocation that begins at `address` and is none from now on.
    fn free(&mut self, address: u64) -> Option<u64> {
        let allocation = &mut self.allocations[self.live.remove(&address)?];
        allocation.freed = true;
        let bytes = allocation.bytes;
        let mut begin = (address - self.base) as usize;
        let mut end = begin + length(bytes);
        for limits in [&mut self.limits, &mut self.write_limits] {
            limits[begin / ALLOCATION_BYTES as usize..end / ALLOCATION_BYTES as usize].fill(0);
        }
        if let Some((before, _)) = self.holes.range(..begin).next_back().filter(|(_, e)| **e == begin) {
            begin = *before;
        }
        end = self.holes.remove(&end).unwrap_or(end);
        self.holes.insert(begin, end);
        Some(bytes)
    }

    /// The last allocation that had `address` and has been freed.
    fn freed(&self, address: u64) -> Option<(usize, Allocation)> {
        let had = |a: &Allocation| a.freed && (a.address..a.address + a.bytes).contains(&address);
        self.allocations.iter().copied().enumerate().rfind(|(_, a)| had(a))
    }

    /// From now on nothing is written to the allocation that begins at `address`.
    fn protect(&mut self, address: u64) {
        for allocation in self.allocations.iter().filter(|allocation| allocation.address == address) {
            let first = (address - self.base) / ALLOCATION_BYTES;
            let pages = allocation.bytes.div_ceil(ALLOCATION_BYTES);
            self.write_limits[first as usize..][..pages as usize].fill(0);
        }
    }

    /// Offset of `address` if `bytes` from there lie in one allocation.
    #[inline(always)]
    fn offset(&self, address: u64, bytes: usize) -> Option<usize> {
        self.offset_within(&self.limits, address, bytes)
    }

    /// Offset of `address` if `bytes` from there lie in one allocation that may be written.
    #[inline(always)]
    fn offset_to_write(&self, address: u64, bytes: usize) -> Option<usize> {
        self.offset_within(&self.write_limits, address, bytes)
    }

    #[inline(always)]
    fn offset_within(&self, limits: &[usize], address: u64, bytes: usize) -> Option<usize> {
        let offset = address.wrapping_sub(self.base) as usize;
        let limit = *limits.get(offset / ALLOCATION_BYTES as usize)?;
        (offset + bytes <= limit).then_some(offset)
    }
}

/// Bytes that an allocation of so many takes.
fn length(bytes: u64) -> usize {
    bytes.next_multiple_of(ALLOCATION_BYTES).max(ALLOCATION_BYTES) as usize
}

/// Device memory of one GPU.
#[derive(Clone, Debug)]
pub struct Memory {
    heap: Segment,
    statics: Segment,
    /// The heap that kernels allocate from.
    pub device_heap: DeviceHeap,
    /// Textures and surfaces by their handles.
    pub textures: Textures,
    /// The buffer that kernels print to.
    pub output: Output,
    /// Checks of the kernels that run on this memory; `None`: nothing is checked.
    pub(crate) checker: Option<Box<Checker>>,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Texels for Memory {
    fn texels(&self, address: u64, bytes: usize) -> Result<&[u8], AddressError> {
        self.bytes(address, bytes)
    }
}

impl Memory {
    pub fn new() -> Self {
        Memory {
            heap: Segment::new(HEAP_BASE),
            statics: Segment::new(STATICS_BASE),
            device_heap: DeviceHeap::default(),
            textures: Textures::default(),
            output: Output::default(),
            checker: None,
        }
    }

    /// Checks kernels from now on. What is allocated so far counts as written, and so do all variables of modules: without an initialiser
    /// they are zero.
    pub fn start_checks(&mut self, checks: Checks) {
        if checks.uninitialised {
            self.heap.written.start(self.heap.data.len());
            self.device_heap.start_checks();
        }
        self.checker = Some(Box::new(Checker::new(checks)));
    }

    /// Checks that are on; `None`: nothing is checked.
    pub fn checks(&self) -> Option<Checks> {
        self.checker.as_ref().map(|checker| checker.checks)
    }

    /// A kernel begins.
    pub(crate) fn start_launch(&mut self) {
        if let Some(checker) = &mut self.checker {
            checker.start_launch();
        }
    }

    /// Findings since the last time. They are there after a launch that failed, too.
    pub fn take_findings(&mut self) -> Findings {
        self.checker.as_mut().map(|checker| std::mem::take(&mut checker.findings)).unwrap_or_default()
    }

    /// The bytes, which lie in one allocation, count as written.
    pub fn mark_written(&mut self, address: u64, bytes: u64) {
        if let Some(offset) = self.heap.offset(address, bytes as usize) {
            self.heap.written.set(offset..offset + bytes as usize, true);
        }
    }

    /// Nobody has written any of these bytes, as far as anybody looked.
    pub(super) fn is_unwritten(&self, address: u64, bytes: usize) -> bool {
        match self.heap.offset(address, bytes) {
            Some(offset) => self.heap.written.is_none(offset..offset + bytes),
            None => self.device_heap.is_unwritten(address, bytes),
        }
    }

    /// Device address of new, zeroed memory: at the next multiple of 256 bytes, from [`HEAP_BASE`] on.
    pub fn alloc(&mut self, bytes: u64) -> u64 {
        self.alloc_aligned(bytes, ALLOCATION_BYTES)
    }

    /// As [`Self::alloc`], at a multiple of `alignment` bytes: a power of two, or a small multiple of one.
    pub fn alloc_aligned(&mut self, bytes: u64, alignment: u64) -> u64 {
        self.heap.alloc(bytes, alignment)
    }

    /// Gives an allocation's memory back, for later ones. Gives its bytes; `None`: no allocation begins at `address`.
    pub fn free(&mut self, address: u64) -> Option<u64> {
        self.heap.free(address)
    }

    /// The number, in the order of allocation, and the first byte and the bytes of the allocation that has `address`.
    fn allocation(&self, address: u64) -> Option<(usize, u64, u64)> {
        let (begin, number) = self.heap.live.range(..=address).next_back()?;
        let bytes = self.heap.allocations[*number].bytes;
        (address - begin < bytes).then_some((*number, *begin, bytes))
    }

    /// Address and bytes of every allocation that is not freed, in the order of their addresses.
    pub fn allocations(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.heap.live.iter().map(|(address, number)| (*address, self.heap.allocations[*number].bytes))
    }

    /// Places a module's `.global` variables; they replace those of an earlier module.
    pub fn place_statics(&mut self, image: &[u8]) {
        self.statics = Segment::new(STATICS_BASE);
        self.add_statics(image);
    }

    /// Where the `.global` variables of one more module go.
    pub fn statics_end(&self) -> u64 {
        STATICS_BASE + self.statics.data.len() as u64
    }

    /// Places a module's `.global` variables at [`Self::statics_end`], behind those of earlier modules.
    pub fn add_statics(&mut self, image: &[u8]) {
        if !image.is_empty() {
            let start = (self.statics.alloc(image.len() as u64, ALLOCATION_BYTES) - STATICS_BASE) as usize;
            self.statics.data[start..start + image.len()].copy_from_slice(image);
        }
    }

    /// From now on the allocation that begins at `address` can be read but not written, by anybody.
    pub fn protect(&mut self, address: u64) {
        self.heap.protect(address);
    }

    #[inline(always)]
    fn segment(&self, address: u64) -> &Segment {
        if address >= HEAP_BASE {
            &self.heap
        } else {
            &self.statics
        }
    }

    #[inline(always)]
    pub fn bytes(&self, address: u64, bytes: usize) -> Result<&[u8], AddressError> {
        let segment = self.segment(address);
        match segment.offset(address, bytes) {
            Some(offset) => Ok(&segment.data[offset..offset + bytes]),
            None => self.device_heap.bytes(address, bytes).ok_or_else(|| self.out_of_bounds(address, bytes)),
        }
    }

    #[inline(always)]
    pub fn bytes_mut(&mut self, address: u64, bytes: usize) -> Result<&mut [u8], AddressError> {
        match self.segment(address).offset_to_write(address, bytes) {
            Some(offset) => {
                let segment = if address >= HEAP_BASE { &mut self.heap } else { &mut self.statics };
                segment.written.set(offset..offset + bytes, true);
                Ok(&mut segment.data[offset..offset + bytes])
            }
            None => match self.device_heap.range(address, bytes) {
                Some(range) => Ok(self.device_heap.range_mut(range)),
                None => Err(self.not_writable(address, bytes)),
            },
        }
    }

    /// The bytes that a kernel accesses: a power of two of them, aligned to their number, and in one allocation.
    #[inline(always)]
    pub fn access(&self, address: u64, bytes: usize) -> Result<&[u8], AddressError> {
        check_alignment(address, bytes)?;
        self.bytes(address, bytes)
    }

    #[inline(always)]
    pub fn access_mut(&mut self, address: u64, bytes: usize) -> Result<&mut [u8], AddressError> {
        check_alignment(address, bytes)?;
        self.bytes_mut(address, bytes)
    }

    pub fn read(&self, address: u64, out: &mut [u8]) -> Result<(), AddressError> {
        out.copy_from_slice(self.bytes(address, out.len())?);
        Ok(())
    }

    pub fn write(&mut self, address: u64, data: &[u8]) -> Result<(), AddressError> {
        self.bytes_mut(address, data.len())?.copy_from_slice(data);
        Ok(())
    }

    pub fn read_u32s(&self, address: u64, count: usize) -> Result<Vec<u32>, AddressError> {
        let bytes = self.bytes(address, 4 * count)?;
        Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    pub fn write_u32s(&mut self, address: u64, words: &[u32]) -> Result<(), AddressError> {
        let bytes = self.bytes_mut(address, 4 * words.len())?;
        for (to, word) in bytes.chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn not_writable(&self, address: u64, bytes: usize) -> AddressError {
        match self.bytes(address, bytes) {
            Ok(_) => AddressError::ReadOnly { address },
            Err(error) => error,
        }
    }

    #[cold]
    #[inline(never)]
    fn out_of_bounds(&self, address: u64, bytes: usize) -> AddressError {
        let distance = |a: &Allocation| match address {
            before if before < a.address => a.address - before,
            inside_or_after => inside_or_after.saturating_sub(a.address + a.bytes),
        };
        if let Some((number, Allocation { address: begin, bytes: size, .. })) = self.heap.freed(address) {
            if self.allocation(address).is_none() {
                return AddressError::Freed { address, bytes, number, begin, size };
            }
        }
        let live = self.heap.allocations.iter().copied().enumerate().filter(|(_, a)| !a.freed);
        let nearest = live.min_by_key(|(_, a)| distance(a));
        AddressError::OutOfBounds { address, bytes, nearest: Nearest::new(nearest) }
    }
}

/// `bytes` is a power of two.
#[inline(always)]
pub(super) fn check_alignment(address: u64, bytes: usize) -> Result<(), AddressError> {
    if address & (bytes as u64 - 1) == 0 {
        Ok(())
    } else {
        Err(AddressError::Misaligned { address, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_follow_each_other_in_units_of_256_bytes() {
        let mut memory = Memory::new();
        assert_eq!(memory.alloc(1), 0xC000_0000);
        assert_eq!(memory.alloc(256), 0xC000_0100);
        assert_eq!(memory.alloc(257), 0xC000_0200);
        assert_eq!(memory.alloc(4), 0xC000_0400);
    }

    #[test]
    fn an_allocation_may_ask_for_more_alignment() {
        let mut memory = Memory::new();
        memory.alloc(1);
        let a = memory.alloc_aligned(4, 1536);
        assert_eq!((a % 1536, a > 0xC000_0000), (0, true));
        assert_eq!(memory.alloc(4), a + 256);
        memory.access(a, 4).unwrap();
        assert!(memory.access(a - 256, 4).is_err(), "what was left out belongs to nobody");
    }

    #[test]
    fn an_access_must_lie_in_what_was_asked_for() {
        let mut memory = Memory::new();
        let a = memory.alloc(10);
        memory.alloc(4);
        assert!(memory.access(a + 8, 2).is_ok());
        assert!(memory.access(a + 8, 4).is_err());
        assert!(memory.access(a + 16, 4).is_err());
        assert!(memory.access(0, 4).is_err());
        assert!(memory.access(u64::MAX - 3, 4).is_err());
        let text = memory.access(a + 12, 4).unwrap_err().to_string();
        assert_eq!(
            text,
            "4 bytes at 0xc000000c lie in no allocation; nearest is allocation 0 at 0xc0000000 of 10 bytes"
        );
    }

    #[test]
    fn what_is_protected_can_be_read_but_not_written() {
        let mut memory = Memory::new();
        let [before, a, after] = [4, 600, 4].map(|bytes| memory.alloc(bytes));
        memory.write(a, &[7; 600]).unwrap();
        memory.protect(a);
        assert_eq!(memory.bytes(a, 600).unwrap(), [7; 600]);
        for address in [a, a + 256, a + 596] {
            assert_eq!(memory.access_mut(address, 4), Err(AddressError::ReadOnly { address }));
        }
        assert!(memory.access_mut(a + 600, 4).unwrap_err().to_string().contains("lie in no allocation"));
        assert!(memory.access_mut(before, 4).is_ok() && memory.access_mut(after, 4).is_ok());
    }

    #[test]
    fn what_is_freed_cannot_be_accessed_and_is_taken_again() {
        let mut memory = Memory::new();
        let [a, b, c] = [300, 10, 4].map(|bytes| memory.alloc(bytes));
        memory.write(a, &[7; 300]).unwrap();
        assert_eq!((memory.free(a), memory.free(a), memory.free(b + 1)), (Some(300), None, None));
        let text = memory.access(a + 256, 4).unwrap_err().to_string();
        assert_eq!(text, "4 bytes at 0xc0000100 lie in allocation 0 at 0xc0000000 of 300 bytes, which has been freed");
        assert_eq!(memory.free(b), Some(10));
        assert_eq!(memory.alloc(768), a, "two neighbours make one hole");
        assert_eq!(memory.bytes(a, 768).unwrap(), [0; 768], "new memory is zeroed");
        assert!(memory.access(b, 4).is_ok() && memory.access(c, 4).is_ok());
        assert_eq!(memory.allocation(b), Some((3, a, 768)));
        assert_eq!(memory.allocation(c + 4), None);
    }

    #[test]
    fn a_hole_keeps_what_an_aligned_allocation_leaves() {
        let mut memory = Memory::new();
        let before = memory.alloc(256);
        let hole = memory.alloc(8192);
        memory.alloc(4);
        memory.free(hole);
        let aligned = memory.alloc_aligned(4096, 4096);
        assert_eq!(aligned, 0xC000_1000);
        assert_eq!(memory.alloc(256), before + 256);
        assert_eq!(memory.alloc(256), before + 512);
    }

    #[test]
    fn modules_have_their_statics_side_by_side() {
        let mut memory = Memory::new();
        memory.add_statics(&[1, 2, 3, 4]);
        let second = memory.statics_end();
        memory.add_statics(&[5, 6, 7, 8]);
        assert_eq!(second, STATICS_BASE + 256);
        assert_eq!(memory.read_u32s(STATICS_BASE, 1).unwrap(), [0x0403_0201]);
        assert_eq!(memory.read_u32s(second, 1).unwrap(), [0x0807_0605]);
    }

    #[test]
    fn statics_are_replaced_by_those_of_the_next_module() {
        let mut memory = Memory::new();
        memory.place_statics(&[1, 2, 3, 4]);
        assert_eq!(memory.read_u32s(STATICS_BASE, 1).unwrap(), [0x0403_0201]);
        memory.place_statics(&[]);
        assert!(memory.read_u32s(STATICS_BASE, 1).is_err());
    }
}
