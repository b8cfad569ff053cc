//! Where an element belongs (section 3.3): the number of the memory block that its access will touch, hashed.
//!
//! ```text
//!  index --> x 2^size --> + --> bits 38..7 --[block]--> hash --[r]--> hash
//!  target ----------------^                   ^                 ^
//!                                         enable_1          enable_2
//! ```
//!
//! The H bits: the upper log2 P are the partition, the next one the bank, the rest the set. Latency 2, one per cycle.

use super::{INDEX_BITS, TARGET_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

pub use spec::iru::HashKind;

/// Bits below the number of a block of 128 bytes.
const OFFSET: usize = 7;

/// Bits of a block's number.
const BLOCK: usize = TARGET_BITS - OFFSET;

network! {
    /// PB = log2 of the partitions, H bits of hash.
    pub struct IruHash<const PB: usize, const H: usize>, inputs Inputs, clocked {
        in index: Signal<In, Bits<INDEX_BITS>>,
        in target: Signal<In, Bits<TARGET_BITS>>,
        in size: Signal<In, Bits<3>>,
        in enable_1, enable_2: Signal<In, bool>,
        out hash: Signal<Out, Bits<H>>,
    } described by describe(hash: HashKind)
}

fn describe<'a, const PB: usize, const H: usize>(b: &'a Builder, i: &Inputs<'a, PB, H>, hash: HashKind) {
    assert!((2..BLOCK).contains(&H) && PB + 1 < H);
    b.comment("Stage 1: the block that the access touches.");
    let mut scaled = i.index.extend(TARGET_BITS).name("index_wide");
    for step in 0..3 {
        let by = 1 << step;
        let left = b.bits(&[b.constant(0, by), scaled.slice(0, TARGET_BITS - by)]);
        scaled = i.size.bit(step).mux(left, scaled).name(format!("index_by_{by}"));
    }
    let address = i.target.add_tree(scaled).name("address");
    let _ = address.slice(0, OFFSET).name("unused_offset");
    let bits = if hash == HashKind::Modulo { H } else { BLOCK };
    if bits < BLOCK {
        let _ = address.slice(OFFSET + bits, BLOCK - bits).name("unused_block");
    }
    let block = b.data_register("block", address.slice(OFFSET, bits), i.enable_1);

    b.comment("Stage 2: its hash.");
    let hash = match hash {
        HashKind::Multiplicative => fold(b, H, product(b, block)),
        HashKind::Modulo => b.bits(&[block.slice(PB + 1, H - PB - 1), block.bit(PB), block.slice(0, PB)]),
        HashKind::Xor => fold(b, H, block),
    };
    b.output("hash", b.data_register("hash", hash, i.enable_2));
}

/// `block` x 0x202041 modulo 2^32.
fn product<'a>(b: &'a Builder, block: Net<'a>) -> Net<'a> {
    let shifted = |by| b.bits(&[b.constant(0, by), block.slice(0, BLOCK - by)]);
    ((block + shifted(6)) + (shifted(13) + shifted(21))).name("product")
}

/// Exclusive or of the pieces of `width` bits, the last one with zeros above.
fn fold<'a>(b: &'a Builder, width: usize, word: Net<'a>) -> Net<'a> {
    let piece = |from: usize| word.slice(from, width.min(BLOCK - from)).extend(width);
    (0..BLOCK).step_by(width).map(piece).reduce(|x, y| x ^ y).unwrap_or(b.constant(0, width))
}
