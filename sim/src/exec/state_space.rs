//! Loads, stores and atomics: what they do to the memories, and what they tell the timing model.

use std::ops::Range;

use super::atomic;
use super::effect::{AccessKind, Effect};
use super::fault::{Cause, Fault, MemoryAccess};
use super::lanes::{each, Lanes};
use super::memory::AddressError;
use super::warp::{Scratch, Spaces, WarpInfo};
use crate::ptx::address_map::resolve;
use crate::ptx::op::{Address, Atomic, Load, MemorySpace, Store};
use crate::ptx::program::{Slot, Space, WARP_SIZE};

const SPACES: [Space; 5] = [Space::Global, Space::Shared, Space::Local, Space::Const, Space::Param];

/// One memory instruction of one warp.
pub struct MemoryInstruction<'a, 'r, 's> {
    pub pc: u32,
    pub warp: &'a WarpInfo,
    pub lanes: Lanes<'r>,
    pub spaces: &'a mut Spaces<'s>,
    pub scratch: &'a mut Scratch,
}

impl MemoryInstruction<'_, '_, '_> {
    pub fn load(mut self, load: &Load) -> Result<Effect, Fault> {
        let bytes = u32::from(load.element.bits / 8) * u32::from(load.count);
        self.begin(&load.address, AccessKind::Read, bytes);
        match load.address.space {
            MemorySpace::Known(space) => self.load_from(load, space, self.lanes.mask)?,
            MemorySpace::Generic => self.in_each_space(|this, space, lanes| this.load_from(load, space, lanes))?,
        }
        Ok(Effect::Access)
    }

    pub fn store(mut self, store: &Store) -> Result<Effect, Fault> {
        let bytes = u32::from(store.element_bytes) * u32::from(store.count);
        self.begin(&store.address, AccessKind::Write, bytes);
        match store.address.space {
            MemorySpace::Known(space) => self.store_to(store, space, self.lanes.mask)?,
            MemorySpace::Generic => self.in_each_space(|this, space, lanes| this.store_to(store, space, lanes))?,
        }
        Ok(Effect::Access)
    }

    pub fn atomic(mut self, atomic: &Atomic) -> Result<Effect, Fault> {
        self.begin(&atomic.address, AccessKind::Atomic(atomic.op), u32::from(atomic.bytes));
        self.scratch.access.operands[0] = *self.lanes.row(atomic.a);
        if let Some(b) = atomic.b {
            self.scratch.access.operands[1] = *self.lanes.row(b);
        }
        match atomic.address.space {
            MemorySpace::Known(space) => self.atomic_in(atomic, space, self.lanes.mask)?,
            MemorySpace::Generic => self.in_each_space(|this, space, lanes| this.atomic_in(atomic, space, lanes))?,
        }
        Ok(Effect::Access)
    }

    /// Computes the addresses and fills in what the timing model wants to know.
    #[inline(always)]
    fn begin(&mut self, address: &Address, kind: AccessKind, bytes: u32) {
        let access = &mut self.scratch.access;
        access.kind = kind;
        access.lanes = self.lanes.mask;
        access.bytes = bytes;
        let offset = address.offset as u64;
        match address.base {
            Some(base) => {
                let row = self.lanes.row(base);
                for lane in 0..WARP_SIZE {
                    access.address[lane] = row[lane].wrapping_add(offset);
                }
            }
            None => access.address = [offset; WARP_SIZE],
        }
        if let MemorySpace::Known(space) = address.space {
            access.space = space;
        }
    }

    /// Resolves generic addresses and does the work space by space. If lanes are in several, the access that is reported is
    /// that of the first of [`SPACES`] alone: no compiler makes timing depend on the others.
    fn in_each_space(&mut self, mut work: impl FnMut(&mut Self, Space, u32) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut lanes_of = [0; SPACES.len()];
        for lane in each(self.lanes.mask) {
            let (space, address) = resolve(self.scratch.access.address[lane]);
            self.scratch.access.address[lane] = address;
            for (lanes, candidate) in lanes_of.iter_mut().zip(SPACES) {
                *lanes |= u32::from(space == candidate) << lane;
            }
        }
        let mut reported = None;
        for (space, lanes) in SPACES.into_iter().zip(lanes_of).filter(|(_, lanes)| *lanes != 0) {
            reported.get_or_insert((space, lanes));
            work(self, space, lanes)?;
        }
        if let Some((space, lanes)) = reported {
            self.scratch.access.space = space;
            self.scratch.access.lanes = lanes;
        }
        Ok(())
    }

    #[inline(always)]
    fn load_from(&mut self, load: &Load, space: Space, lanes: u32) -> Result<(), Fault> {
        let size = usize::from(load.element.bits / 8);
        let bytes = self.scratch.access.bytes as usize;
        if let (Some((dst, _)), 1, 4, false, Space::Global) =
            (load.dst[0], load.count, size, load.element.signed, space)
        {
            return self.load_words(dst, lanes);
        }
        for lane in each(lanes) {
            let address = self.scratch.access.address[lane];
            let raw = match self.view(space, lane, address, bytes) {
                Ok(raw) => raw,
                Err(error) => return Err(self.fault(lane, space, error)),
            };
            let mut values = [0u64; 4];
            for (value, element) in values.iter_mut().zip(raw.chunks_exact(size)) {
                *value = little_endian(element);
            }
            self.write_elements(load, lane, values);
        }
        Ok(())
    }

    /// The most frequent load of all: 32 bits of global memory.
    #[inline(always)]
    fn load_words(&mut self, dst: Slot, lanes: u32) -> Result<(), Fault> {
        let to = self.lanes.regs.lanes_mut(dst);
        for lane in each(lanes) {
            let address = self.scratch.access.address[lane];
            match self.spaces.global.word(address) {
                Ok(word) => to[lane] = u64::from(word),
                Err(error) => return Err(self.fault(lane, Space::Global, error)),
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn write_elements(&mut self, load: &Load, lane: usize, values: [u64; 4]) {
        for (dst, value) in load.dst.iter().zip(values).take(usize::from(load.count)) {
            if let Some((slot, bits)) = *dst {
                self.lanes.regs.set(slot, lane, load.element.extend(value, bits));
            }
        }
    }

    #[inline(always)]
    fn store_to(&mut self, store: &Store, space: Space, lanes: u32) -> Result<(), Fault> {
        let size = usize::from(store.element_bytes);
        let bytes = self.scratch.access.bytes as usize;
        for lane in each(lanes) {
            let mut data = [0u8; 32];
            for (i, src) in store.src.iter().take(usize::from(store.count)).enumerate() {
                let value = self.lanes.row(*src)[lane];
                data[i * size..i * size + 8].copy_from_slice(&value.to_le_bytes());
            }
            let address = self.scratch.access.address[lane];
            match self.view_mut(space, lane, address, bytes) {
                Ok(to) => to.copy_from_slice(&data[..bytes]),
                Err(error) => return Err(self.fault(lane, space, error)),
            }
        }
        Ok(())
    }

    /// Global atomics are only checked here; those in shared memory are done, lane by lane.
    fn atomic_in(&mut self, atomic: &Atomic, space: Space, lanes: u32) -> Result<(), Fault> {
        let bytes = usize::from(atomic.bytes);
        for lane in each(lanes) {
            let address = self.scratch.access.address[lane];
            let [a, b] = self.scratch.access.operands.map(|row| row[lane]);
            let done = match self.view_mut(space, lane, address, bytes) {
                Ok(_) if space == Space::Global => None,
                Ok(word) => Some(atomic::apply_to(atomic.op, word, a, b)),
                Err(error) => return Err(self.fault(lane, space, error)),
            };
            if let (Some(old), Some(dst)) = (done, atomic.dst) {
                self.lanes.regs.set(dst, lane, old);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn view(&self, space: Space, lane: usize, address: u64, bytes: usize) -> Result<&[u8], AddressError> {
        match space {
            Space::Global => self.spaces.global.access(address, bytes),
            Space::Shared => within(self.spaces.shared, address, bytes),
            Space::Local => within(&self.spaces.local[self.local_range(lane)], address, bytes),
            Space::Const => within(self.spaces.constants, address, bytes),
            Space::Param => within(self.spaces.params, address, bytes),
        }
    }

    #[inline(always)]
    fn view_mut(&mut self, space: Space, lane: usize, address: u64, bytes: usize) -> Result<&mut [u8], AddressError> {
        let local = self.local_range(lane);
        let memory = match space {
            Space::Global => return self.spaces.global.access_mut(address, bytes),
            Space::Shared => &mut *self.spaces.shared,
            Space::Local => &mut self.spaces.local[local],
            Space::Const | Space::Param => return Err(AddressError::ReadOnly { address }),
        };
        let range = check_range(memory.len(), address, bytes)?;
        Ok(&mut memory[range])
    }

    fn local_range(&self, lane: usize) -> Range<usize> {
        let bytes = self.lanes.program.local_bytes as usize;
        lane * bytes..(lane + 1) * bytes
    }

    #[cold]
    fn fault(&self, lane: usize, space: Space, error: AddressError) -> Fault {
        let access = match self.scratch.access.kind {
            AccessKind::Read => MemoryAccess::Load,
            AccessKind::Write => MemoryAccess::Store,
            AccessKind::Atomic(_) => MemoryAccess::Atomic,
        };
        Fault::new(self.lanes.program, self.pc, self.warp, lane as u32, Cause::Memory { access, space, error })
    }
}

/// Where the bytes lie in a memory of `size` bytes.
#[inline(always)]
fn check_range(size: usize, address: u64, bytes: usize) -> Result<Range<usize>, AddressError> {
    if address % bytes as u64 != 0 {
        return Err(AddressError::Misaligned { address, bytes });
    }
    match address.checked_add(bytes as u64) {
        Some(end) if end <= size as u64 => Ok(address as usize..end as usize),
        _ => Err(AddressError::BeyondEnd { address, bytes, size }),
    }
}

#[inline(always)]
fn within(memory: &[u8], address: u64, bytes: usize) -> Result<&[u8], AddressError> {
    Ok(&memory[check_range(memory.len(), address, bytes)?])
}

/// Up to 8 bytes.
#[inline(always)]
fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
