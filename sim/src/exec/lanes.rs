//! Applying one function to all lanes of a warp.
//!
//! Cheap functions are computed for eight lanes at a time, which the compiler turns into vector instructions, up to the highest
//! lane that takes part, and only then masked; they must not fail whatever the idle lanes hold. Expensive ones are computed for
//! the lanes that need them.

use super::registers::Registers;
use crate::ptx::isa::{Slot, WARP_SIZE};
use crate::ptx::op::{Operand, Predicate};
use crate::ptx::program::Program;

pub type Row = [u64; WARP_SIZE];

/// A warp's registers together with the immediates of its kernel, as operands see them.
pub struct Lanes<'a> {
    pub program: &'a Program,
    pub regs: &'a mut Registers,
    /// Lanes in which the instruction is executed.
    pub mask: u32,
}

/// Lanes of a mask, lowest first.
#[inline(always)]
pub fn each(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        Some(lane)
    })
}

/// Lanes that are computed together.
const GROUP: usize = 8;

/// First lanes of the groups that reach up to the highest lane of a mask.
#[inline(always)]
fn groups(mask: u32) -> impl Iterator<Item = usize> {
    let lanes = WARP_SIZE - mask.leading_zeros() as usize;
    (0..lanes.div_ceil(GROUP)).map(|group| group * GROUP)
}

/// A group of lanes of each row. This and the next are functions of their own for the compiler: it compiles `map` of
/// an array once for each of its closures, and a closure in [`Lanes::map`] would be one for each instruction.
#[inline(always)]
fn group<const N: usize>(rows: [&Row; N], first: usize) -> [&[u64]; N] {
    rows.map(|row| &row[first..][..GROUP])
}

/// One lane of each row.
#[inline(always)]
fn values<const N: usize>(rows: [&[u64]; N], lane: usize) -> [u64; N] {
    rows.map(|row| row[lane])
}

impl Lanes<'_> {
    #[inline(always)]
    fn rows<const N: usize>(&self, operands: [Operand; N]) -> [&Row; N] {
        operands.map(|operand| self.row(operand))
    }

    #[inline(always)]
    pub fn row(&self, operand: Operand) -> &Row {
        match operand {
            Operand::Reg(slot) => self.regs.lanes(slot),
            Operand::Imm(index) => &self.program.immediates[index as usize],
        }
    }

    /// Lanes in which a predicate is true.
    #[inline(always)]
    pub fn predicate(&self, predicate: Predicate) -> u32 {
        match predicate {
            Predicate::Reg(guard) => self.regs.predicate(guard.slot) ^ if guard.negated { u32::MAX } else { 0 },
            Predicate::Const(value) => 0u32.wrapping_sub(u32::from(value)),
        }
    }

    #[inline(always)]
    pub fn write(&mut self, dst: Slot, values: &Row) {
        let to = self.regs.lanes_mut(dst);
        if self.mask == u32::MAX {
            *to = *values;
            return;
        }
        for first in groups(self.mask) {
            let (to, values) = (&mut to[first..][..GROUP], &values[first..][..GROUP]);
            for lane in 0..GROUP {
                to[lane] = if self.mask >> (first + lane) & 1 == 1 { values[lane] } else { to[lane] };
            }
        }
    }

    #[inline(always)]
    pub fn write_predicate(&mut self, dst: Slot, values: u32) {
        self.regs.set_predicate(dst, self.mask, values);
    }

    #[inline(always)]
    pub fn map<const N: usize>(&mut self, dst: Slot, operands: [Operand; N], f: impl Fn([u64; N]) -> u64) {
        let rows = self.rows(operands);
        let mut out = [0; WARP_SIZE];
        for first in groups(self.mask) {
            let rows = group(rows, first);
            for (lane, out) in out[first..][..GROUP].iter_mut().enumerate() {
                *out = f(values(rows, lane));
            }
        }
        self.write(dst, &out);
    }

    /// As [`Self::map`], for functions that are too dear for idle lanes.
    #[inline(always)]
    pub fn map_each<const N: usize>(&mut self, dst: Slot, operands: [Operand; N], f: impl Fn([u64; N]) -> u64) {
        let rows = self.rows(operands).map(|row| &row[..]);
        let mut out = [0; WARP_SIZE];
        for lane in each(self.mask) {
            out[lane] = f(values(rows, lane));
        }
        self.write(dst, &out);
    }

    /// Mask of the lanes in which `test` holds; lanes that do not take part may be in it or not.
    #[inline(always)]
    pub fn mask_of(&self, test: impl Fn(usize) -> bool) -> u32 {
        let mut mask = 0;
        for first in groups(self.mask) {
            for lane in 0..GROUP {
                mask |= u32::from(test(first + lane)) << (first + lane);
            }
        }
        mask
    }
}
