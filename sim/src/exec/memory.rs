//! Device memory: a heap of allocations and the module's static variables, with every access checked.

use super::device_heap::DeviceHeap;
use super::output::Output;
use crate::ptx::address_map::{ALLOCATION_BYTES, HEAP_BASE, STATICS_BASE};
use thiserror::Error;

/// An address that cannot be accessed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    #[error("{bytes} bytes at {address:#x} lie in no allocation{nearest}")]
    OutOfBounds { address: u64, bytes: usize, nearest: Nearest },
    #[error("{bytes} bytes at {address:#x} lie beyond its {size} bytes")]
    BeyondEnd { address: u64, bytes: usize, size: usize },
    #[error("{address:#x} is not a multiple of the {bytes} bytes accessed")]
    Misaligned { address: u64, bytes: usize },
    #[error("{address:#x} is read-only")]
    ReadOnly { address: u64 },
    /// PTX, `atom`: a generic address must point to global or shared memory.
    #[error("{address:#x} is a thread's own; atomics are for global and shared memory")]
    NoAtomics { address: u64 },
}

/// The allocation that lies closest to an address, for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nearest(Option<(usize, Allocation)>);

impl Nearest {
    /// Its number in the order of allocation, the module's own variables not counted.
    pub fn allocation(&self) -> Option<usize> {
        self.0.map(|(number, _)| number)
    }
}

impl std::fmt::Display for Nearest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            None => write!(f, "; nothing is allocated"),
            Some((number, Allocation { address, bytes })) => {
                write!(f, "; nearest is allocation {number} at {address:#x} of {bytes} bytes")
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Allocation {
    address: u64,
    /// As asked for.
    bytes: u64,
}

/// A contiguous range of allocations, each starting at a multiple of [`ALLOCATION_BYTES`].
#[derive(Clone, Debug)]
struct Segment {
    base: u64,
    data: Vec<u8>,
    /// For each page of [`ALLOCATION_BYTES`]: offset of the first byte past its allocation.
    limits: Vec<usize>,
    /// As `limits`, for writes: 0 where nothing may be written.
    write_limits: Vec<usize>,
    allocations: Vec<Allocation>,
}

impl Segment {
    fn new(base: u64) -> Self {
        Segment { base, data: Vec::new(), limits: Vec::new(), write_limits: Vec::new(), allocations: Vec::new() }
    }

    fn alloc(&mut self, bytes: u64, alignment: u64) -> u64 {
        let mut start = self.data.len();
        while !(self.base + start as u64).is_multiple_of(alignment) {
            start += ALLOCATION_BYTES as usize;
        }
        // What is left out belongs to nobody.
        let end = start + bytes.next_multiple_of(ALLOCATION_BYTES).max(ALLOCATION_BYTES) as usize;
        self.data.resize(end, 0);
        for limits in [&mut self.limits, &mut self.write_limits] {
            limits.resize(start / ALLOCATION_BYTES as usize, 0);
            limits.resize(end / ALLOCATION_BYTES as usize, start + bytes as usize);
        }
        let address = self.base + start as u64;
        self.allocations.push(Allocation { address, bytes });
        address
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

    /// The same of an allocation that may be written.
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

/// Device memory of one GPU.
#[derive(Clone, Debug)]
pub struct Memory {
    heap: Segment,
    statics: Segment,
    /// What kernels allocate from.
    pub device_heap: DeviceHeap,
    /// What kernels print to.
    pub output: Output,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    pub fn new() -> Self {
        Memory {
            heap: Segment::new(HEAP_BASE),
            statics: Segment::new(STATICS_BASE),
            device_heap: DeviceHeap::default(),
            output: Output::default(),
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

    /// Places a module's `.global` variables; they replace those of an earlier module.
    pub fn place_statics(&mut self, image: &[u8]) {
        self.statics = Segment::new(STATICS_BASE);
        if !image.is_empty() {
            self.statics.alloc(image.len() as u64, ALLOCATION_BYTES);
            self.statics.data[..image.len()].copy_from_slice(image);
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
                Ok(&mut segment.data[offset..offset + bytes])
            }
            None if self.device_heap.bytes(address, bytes).is_none() => Err(self.not_writable(address, bytes)),
            None => Ok(self.device_heap.bytes_mut(address, bytes).unwrap_or_default()),
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
        let nearest = self.heap.allocations.iter().copied().enumerate().min_by_key(|(_, a)| distance(a));
        AddressError::OutOfBounds { address, bytes, nearest: Nearest(nearest) }
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
    fn statics_are_replaced_by_those_of_the_next_module() {
        let mut memory = Memory::new();
        memory.place_statics(&[1, 2, 3, 4]);
        assert_eq!(memory.read_u32s(STATICS_BASE, 1).unwrap(), [0x0403_0201]);
        memory.place_statics(&[]);
        assert!(memory.read_u32s(STATICS_BASE, 1).is_err());
    }
}
