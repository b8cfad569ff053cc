//! The registers of one warp: a row of 32 lanes for each slot.

use crate::ptx::isa::{Slot, WARP_SIZE};

/// Values are kept zero-extended from the width of the register. A predicate is a lane mask and has its own table, indexed by the same slots.
#[derive(Clone, Debug, Default, Hash)]
pub struct Registers {
    rows: Vec<[u64; WARP_SIZE]>,
    masks: Vec<u32>,
}

impl Registers {
    /// So many registers, all zero, for the next warp.
    pub fn start(&mut self, slots: usize) {
        self.rows.clear();
        self.rows.resize(slots, [0; WARP_SIZE]);
        self.masks.clear();
        self.masks.resize(slots, 0);
    }

    pub fn get(&self, slot: Slot, lane: usize) -> u64 {
        self.rows[slot as usize][lane]
    }

    pub fn set(&mut self, slot: Slot, lane: usize, value: u64) {
        self.rows[slot as usize][lane] = value;
    }

    /// All lanes of a register that is not a predicate.
    #[inline(always)]
    pub fn lanes(&self, slot: Slot) -> &[u64; WARP_SIZE] {
        &self.rows[slot as usize]
    }

    #[inline(always)]
    pub fn lanes_mut(&mut self, slot: Slot) -> &mut [u64; WARP_SIZE] {
        &mut self.rows[slot as usize]
    }

    /// Lanes in which a predicate register is true.
    #[inline(always)]
    pub fn predicate(&self, slot: Slot) -> u32 {
        self.masks[slot as usize]
    }

    /// Sets a predicate register in `lanes` to the bits of `values`.
    #[inline(always)]
    pub fn set_predicate(&mut self, slot: Slot, lanes: u32, values: u32) {
        let mask = &mut self.masks[slot as usize];
        *mask = (*mask & !lanes) | (values & lanes);
    }
}
