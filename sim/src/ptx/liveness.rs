//! Registers that a thread needs: the most that are live at once.

use super::control_flow::successors;
use super::instr::{BranchTable, Instr};

/// 32-bit registers live at the worst place of `code`. `registers[slot]` is what a slot takes: 0 for a predicate, 1, or 2 for 64 bits.
pub fn most_live(code: &[Instr], tables: &[BranchTable], registers: &[u32]) -> u32 {
    live_in(code, tables, registers.len()).iter().map(|set| weight(set, registers)).max().unwrap_or(0)
}

/// For each instruction, and for the end, the slots whose values are still needed when it begins: one bit each.
pub fn live_in(code: &[Instr], tables: &[BranchTable], slots: usize) -> Vec<Vec<u64>> {
    let words = slots.div_ceil(64);
    let mut live_in = vec![vec![0u64; words]; code.len() + 1];
    let mut live = vec![0u64; words];
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (0..code.len()).rev() {
            live_before(code, tables, pc, &live_in, &mut live);
            if live != live_in[pc] {
                live_in[pc].copy_from_slice(&live);
                changed = true;
            }
        }
    }
    live_in
}

fn live_before(code: &[Instr], tables: &[BranchTable], pc: usize, live_in: &[Vec<u64>], live: &mut [u64]) {
    live.fill(0);
    for successor in successors(code, tables, pc) {
        for (to, from) in live.iter_mut().zip(&live_in[successor]) {
            *to |= from;
        }
    }
    let instr = &code[pc];
    // A guarded write may leave the old value.
    if instr.guard.is_none() {
        for slot in instr.writes.as_slice() {
            live[*slot as usize / 64] &= !(1 << (slot % 64));
        }
    }
    for slot in instr.reads.as_slice() {
        live[*slot as usize / 64] |= 1 << (slot % 64);
    }
}

fn weight(set: &[u64], registers: &[u32]) -> u32 {
    let is_live = |slot: usize| set[slot / 64] >> (slot % 64) & 1 == 1;
    registers.iter().enumerate().filter(|(slot, _)| is_live(*slot)).map(|(_, count)| count).sum()
}
