//! Loads, stores and atomics: what they do to the memories, and what they tell the timing model.

use std::ops::Range;

use super::address_error::AddressError;
use super::atomic;
use super::effect::{AccessKind, Demand};
use super::fault::{Cause, Fault, MemoryAccess};
use super::lanes::{each, Lanes};
use super::memory::check_alignment;
use super::spaces::Spaces;
use super::warp::{Scratch, WarpInfo};
use crate::ptx::address_map::resolve;
use crate::ptx::isa::{Slot, Space, WARP_SIZE};
use crate::ptx::op::{Address, Atomic, Load, MemorySpace, Operand, Store};

const SPACES: [Space; 5] = [Space::Global, Space::Shared, Space::Local, Space::Const, Space::Param];

/// One memory instruction of one warp.
pub struct MemoryInstruction<'a, 'r, 's, 'd> {
    pub pc: u32,
    pub warp: &'a WarpInfo,
    pub lanes: Lanes<'r>,
    pub spaces: &'a mut Spaces<'s>,
    pub scratch: &'d mut Scratch,
}

impl<'d> MemoryInstruction<'_, '_, '_, 'd> {
    pub fn load(mut self, load: &Load) -> Result<Demand<'d>, Fault> {
        let bytes = u32::from(load.element.bits / 8) * u32::from(load.count);
        self.begin(&load.address, AccessKind::Read, bytes);
        match load.address.space {
            MemorySpace::Known(space) => self.load_from(load, space, self.lanes.mask)?,
            MemorySpace::Generic => self.in_each_space(|this, space, lanes| this.load_from(load, space, lanes))?,
        }
        Ok(self.scratch.demand())
    }

    pub fn store(mut self, store: &Store) -> Result<Demand<'d>, Fault> {
        let bytes = u32::from(store.element_bytes) * u32::from(store.count);
        self.begin(&store.address, AccessKind::Write, bytes);
        match store.address.space {
            MemorySpace::Known(space) => self.store_to(store, space, self.lanes.mask)?,
            MemorySpace::Generic => self.in_each_space(|this, space, lanes| this.store_to(store, space, lanes))?,
        }
        Ok(self.scratch.demand())
    }

    pub fn atomic(mut self, atomic: &Atomic) -> Result<Demand<'d>, Fault> {
        self.begin(&atomic.address, AccessKind::Atomic(atomic.op), u32::from(atomic.bytes));
        self.scratch.access.dst = atomic.dst;
        self.scratch.access.operands[0] = *self.lanes.row(atomic.a);
        if let Some(b) = atomic.b {
            self.scratch.access.operands[1] = *self.lanes.row(b);
        }
        match atomic.address.space {
            MemorySpace::Known(space) => self.atomic_in(atomic, space, self.lanes.mask)?,
            MemorySpace::Generic => self.in_each_space(|this, space, lanes| this.atomic_in(atomic, space, lanes))?,
        }
        Ok(self.scratch.demand())
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
                access.address = row.map(|base| base.wrapping_add(offset));
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
        if self.spaces.global.checker.is_some() {
            self.check(space, lanes, None);
        }
        match load.element.bits {
            8 => self.load_elements::<1>(load, space, lanes),
            16 => self.load_elements::<2>(load, space, lanes),
            32 => self.load_elements::<4>(load, space, lanes),
            _ => self.load_elements::<8>(load, space, lanes),
        }
    }

    /// Loads elements of `SIZE` bytes.
    #[inline(always)]
    fn load_elements<const SIZE: usize>(&mut self, load: &Load, space: Space, lanes: u32) -> Result<(), Fault> {
        if load.address.base.is_none() && space != Space::Local {
            return self.load_uniform::<SIZE>(load, space, lanes);
        }
        if let (1, Some((dst, bits))) = (load.count, load.dst[0]) {
            return self.load_single::<SIZE>(load, space, lanes, dst, bits);
        }
        for lane in each(lanes) {
            let raw = self.view_or_fault(space, lane, SIZE * usize::from(load.count))?;
            let mut values = [0; 4];
            for (value, element) in values.iter_mut().zip(raw.chunks_exact(SIZE)) {
                *value = little_endian::<SIZE>(element);
            }
            for (dst, value) in load.dst.iter().zip(values).take(usize::from(load.count)) {
                if let Some((slot, bits)) = *dst {
                    self.lanes.regs.set(slot, lane, load.element.extend(value, bits));
                }
            }
        }
        Ok(())
    }

    /// One element a lane.
    #[inline(always)]
    fn load_single<const SIZE: usize>(
        &mut self,
        load: &Load,
        space: Space,
        lanes: u32,
        dst: Slot,
        bits: u8,
    ) -> Result<(), Fault> {
        for lane in each(lanes) {
            let value = little_endian::<SIZE>(self.view_or_fault(space, lane, SIZE)?);
            let value = if load.element.signed { load.element.extend(value, bits) } else { value };
            self.lanes.regs.set(dst, lane, value);
        }
        Ok(())
    }

    /// All lanes load the same, as with parameters.
    fn load_uniform<const SIZE: usize>(&mut self, load: &Load, space: Space, lanes: u32) -> Result<(), Fault> {
        let first = lanes.trailing_zeros() as usize;
        let raw = self.view_or_fault(space, first, SIZE * usize::from(load.count))?;
        let mut values = [0; 4];
        for (value, element) in values.iter_mut().zip(raw.chunks_exact(SIZE)) {
            *value = little_endian::<SIZE>(element);
        }
        for (dst, value) in load.dst.iter().zip(values).take(usize::from(load.count)) {
            if let Some((slot, bits)) = *dst {
                self.lanes.write(slot, &[load.element.extend(value, bits); WARP_SIZE]);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn store_to(&mut self, store: &Store, space: Space, lanes: u32) -> Result<(), Fault> {
        if self.spaces.global.checker.is_some() {
            self.check(space, lanes, Some(store));
        }
        match store.element_bytes {
            1 => self.store_elements::<1>(store, space, lanes),
            2 => self.store_elements::<2>(store, space, lanes),
            4 => self.store_elements::<4>(store, space, lanes),
            _ => self.store_elements::<8>(store, space, lanes),
        }
    }

    /// Stores elements of `SIZE` bytes.
    #[inline(always)]
    fn store_elements<const SIZE: usize>(&mut self, store: &Store, space: Space, lanes: u32) -> Result<(), Fault> {
        let count = usize::from(store.count);
        if count == 1 {
            return self.store_single::<SIZE>(store.src[0], space, lanes);
        }
        let rows = store.src.map(|src| *self.lanes.row(src));
        let mut changed = false;
        for lane in each(lanes) {
            let address = self.scratch.access.address[lane];
            match self.view_mut(space, lane, address, SIZE * count) {
                Ok(to) => {
                    for (element, row) in to.chunks_exact_mut(SIZE).zip(&rows) {
                        changed |= put::<SIZE>(element, row[lane]);
                    }
                }
                Err(error) => return Err(self.fault(lane, space, error)),
            }
        }
        self.scratch.changed |= changed;
        Ok(())
    }

    /// One element a lane.
    #[inline(always)]
    fn store_single<const SIZE: usize>(&mut self, src: Operand, space: Space, lanes: u32) -> Result<(), Fault> {
        let row = *self.lanes.row(src);
        let mut changed = false;
        for lane in each(lanes) {
            let address = self.scratch.access.address[lane];
            match self.view_mut(space, lane, address, SIZE) {
                Ok(to) => changed |= put::<SIZE>(to, row[lane]),
                Err(error) => return Err(self.fault(lane, space, error)),
            }
        }
        self.scratch.changed |= changed;
        Ok(())
    }

    /// Global atomics are only checked here; those in shared memory are done, lane by lane.
    fn atomic_in(&mut self, atomic: &Atomic, space: Space, lanes: u32) -> Result<(), Fault> {
        if self.spaces.global.checker.is_some() {
            self.check(space, lanes, None);
        }
        let bytes = usize::from(atomic.bytes);
        for lane in each(lanes) {
            let address = self.scratch.access.address[lane];
            let [a, b] = &self.scratch.access.operands;
            let (a, b) = (a[lane], b[lane]);
            if space == Space::Local {
                return Err(self.fault(lane, space, AddressError::NoAtomics { address }));
            }
            let done = match self.view_mut(space, lane, address, bytes) {
                Ok(_) if space == Space::Global => None,
                Ok(word) => Some(atomic::apply_to(atomic.op, word, a, b)),
                Err(error) => return Err(self.fault(lane, space, error)),
            };
            let Some((old, changed)) = done else { continue };
            self.scratch.changed |= changed;
            if let Some(dst) = atomic.dst {
                self.lanes.regs.set(dst, lane, old);
            }
        }
        Ok(())
    }

    /// The bytes that a lane loads.
    #[inline(always)]
    fn view_or_fault(&self, space: Space, lane: usize, bytes: usize) -> Result<&[u8], Fault> {
        let address = self.scratch.access.address[lane];
        self.view(space, lane, address, bytes).map_err(|error| self.fault(lane, space, error))
    }

    #[inline(always)]
    pub(super) fn view(&self, space: Space, lane: usize, address: u64, bytes: usize) -> Result<&[u8], AddressError> {
        match space {
            Space::Global => self.spaces.global.access(address, bytes),
            Space::Shared => within(self.spaces.shared, address, bytes),
            Space::Local => within(&self.spaces.local[self.local_range(lane)], address, bytes),
            Space::Const => within(self.spaces.constants, address, bytes),
            Space::Param => within(self.spaces.params, address, bytes),
        }
    }

    #[inline(always)]
    pub(super) fn view_mut(
        &mut self,
        space: Space,
        lane: usize,
        address: u64,
        bytes: usize,
    ) -> Result<&mut [u8], AddressError> {
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
    pub(super) fn fault(&self, lane: usize, space: Space, error: AddressError) -> Fault {
        let access = match self.scratch.access.kind {
            AccessKind::Read => MemoryAccess::Load,
            AccessKind::Write => MemoryAccess::Store,
            AccessKind::Atomic(_) => MemoryAccess::Atomic,
        };
        let bytes = self.lanes.program.stack_bytes;
        let cause = match error {
            AddressError::BeyondEnd { .. } if space == Space::Local && bytes > 0 => Cause::StackOverflow { bytes },
            error => Cause::Memory { access, space, error },
        };
        self.thread_fault(lane, cause)
    }

    /// Fault of a read that is not the instruction's own access.
    #[cold]
    pub(super) fn read_fault(&self, lane: usize, space: Space, error: AddressError) -> Fault {
        self.thread_fault(lane, Cause::Memory { access: MemoryAccess::Load, space, error })
    }

    #[cold]
    pub(super) fn thread_fault(&self, lane: usize, cause: Cause) -> Fault {
        Fault::new(self.lanes.program, self.pc, self.warp, lane as u32, cause)
    }
}

/// Where the bytes lie in a memory of `size` bytes.
#[inline(always)]
fn check_range(size: usize, address: u64, bytes: usize) -> Result<Range<usize>, AddressError> {
    check_alignment(address, bytes)?;
    match address.checked_add(bytes as u64) {
        Some(end) if end <= size as u64 => Ok(address as usize..end as usize),
        _ => Err(AddressError::BeyondEnd { address, bytes, size }),
    }
}

#[inline(always)]
fn within(memory: &[u8], address: u64, bytes: usize) -> Result<&[u8], AddressError> {
    Ok(&memory[check_range(memory.len(), address, bytes)?])
}

/// Stores a value; true if there was another one.
#[inline(always)]
fn put<const SIZE: usize>(to: &mut [u8], value: u64) -> bool {
    let changed = little_endian::<SIZE>(to) != little_endian::<SIZE>(&value.to_le_bytes());
    to[..SIZE].copy_from_slice(&value.to_le_bytes()[..SIZE]);
    changed
}

#[inline(always)]
pub(super) fn little_endian<const SIZE: usize>(bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..SIZE].copy_from_slice(&bytes[..SIZE]);
    u64::from_le_bytes(wide)
}
