//! Read-modify-write of one word, as the memory partition does it.

use super::address_error::AddressError;
use super::memory::Memory;
use crate::ptx::isa::AtomicOp;

/// The new value of a word that held `old`. `bytes` is 2, 4 or 8; values are zero-extended.
pub fn combine(op: AtomicOp, bytes: u32, old: u64, a: u64, b: u64) -> u64 {
    let narrow = bytes == 4;
    let signed = |v: u64| if narrow { v as u32 as i32 as i64 } else { v as i64 };
    let new = match op {
        AtomicOp::Add => old.wrapping_add(a),
        AtomicOp::And => old & a,
        AtomicOp::Or => old | a,
        AtomicOp::Xor => old ^ a,
        AtomicOp::Exch => a,
        AtomicOp::Cas => {
            if old == a {
                b
            } else {
                old
            }
        }
        AtomicOp::Inc => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
        AtomicOp::MinU => old.min(a),
        AtomicOp::MaxU => old.max(a),
        AtomicOp::MinS => signed(old).min(signed(a)) as u64,
        AtomicOp::MaxS => signed(old).max(signed(a)) as u64,
        AtomicOp::AddF16 => super::half::add(old, a),
        AtomicOp::AddF16x2 => super::half::add_pairs(old, a),
        AtomicOp::AddF32 => super::float::add_f32(old, a),
        AtomicOp::AddFlushedF32 => super::float::add_flushed(old, a),
        AtomicOp::AddUnquietF64 => super::float::add_unquiet(old, a),
        AtomicOp::AddF64 => super::float::add_f64(old, a),
    };
    if narrow {
        new as u32 as u64
    } else {
        new
    }
}

/// Does one lane's atomic in global memory; gives the old value and whether the new one is another. Operands are those in
/// [`super::Access::operands`]; `bytes` is 2, 4 or 8.
pub fn apply(
    op: AtomicOp,
    bytes: u32,
    memory: &mut Memory,
    address: u64,
    a: u64,
    b: u64,
) -> Result<(u64, bool), AddressError> {
    Ok(apply_to(in_partition(op), memory.access_mut(address, bytes as usize)?, a, b))
}

/// Sums of a memory partition are not those of a core: f32 has no subnormal numbers there (PTX ISA, `atom`), and a NaN of f64 stays
/// as it is.
fn in_partition(op: AtomicOp) -> AtomicOp {
    match op {
        AtomicOp::AddF32 => AtomicOp::AddFlushedF32,
        AtomicOp::AddF64 => AtomicOp::AddUnquietF64,
        op => op,
    }
}

/// Changes the bytes of a word. Gives the old value; true if the new one differs.
pub fn apply_to(op: AtomicOp, word: &mut [u8], a: u64, b: u64) -> (u64, bool) {
    let bytes = word.len();
    let mut wide = [0; 8];
    wide[..bytes].copy_from_slice(word);
    let old = u64::from_le_bytes(wide);
    let new = combine(op, bytes as u32, old, a, b);
    word.copy_from_slice(&new.to_le_bytes()[..bytes]);
    (old, new != old)
}
