//! Where an element belongs (section 3.3): the number of the memory block that its access will touch, hashed.
//!
//! ```text
//!  index --> x 2^size --> + --> bits 38..7 --[block]--> hash --[r]--> hash
//!  target ----------------^                   ^                 ^
//!                                         enable_1          enable_2
//! ```
//!
//! Of the H bits the upper log2 P are the partition, the next one the bank, the rest the set. Latency 2, one a cycle.

use super::{INDEX_BITS, TARGET_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits below the number of a block of 128 bytes.
const OFFSET: usize = 7;

/// Bits of a block's number.
const BLOCK: usize = TARGET_BITS - OFFSET;

/// Which hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// Fold of block x (1 + 2^6 + 2^13 + 2^21).
    Multiplicative,
    /// Lower bits of the block.
    Modulo,
    /// Fold of the block.
    Xor,
}

network! {
    /// H bits of hash.
    pub struct IruHash<const H: usize>, inputs Inputs, clocked {
        in index: Signal<In, Bits<INDEX_BITS>>,
        in target: Signal<In, Bits<TARGET_BITS>>,
        in size: Signal<In, Bits<3>>,
        in enable_1: Signal<In, bool>,
        in enable_2: Signal<In, bool>,
        out hash: Signal<Out, Bits<H>>,
    }
}

impl<const H: usize> IruHash<H> {
    pub fn new(hash: Hash) -> Self {
        assert!((2..BLOCK).contains(&H));
        Self::describe_as(|b, i| describe(b, &i, hash))
    }
}

fn describe<'a, const H: usize>(b: &'a Builder, i: &Inputs<'a, H>, hash: Hash) {
    b.comment("Stage 1: the block that the access touches.");
    let mut scaled = i.index.extend(TARGET_BITS).name("index_wide");
    for step in 0..3 {
        let by = 1 << step;
        let left = b.bits(&[b.constant(0, by), scaled.slice(0, TARGET_BITS - by)]);
        scaled = i.size.bit(step).mux(left, scaled).name(format!("index_by_{by}"));
    }
    let address = (i.target + scaled).name("address");
    let _ = address.slice(0, OFFSET).name("unused_offset");
    let bits = if hash == Hash::Modulo { H } else { BLOCK };
    if bits < BLOCK {
        let _ = address.slice(OFFSET + bits, BLOCK - bits).name("unused_block");
    }
    let block = b.data_register("block", address.slice(OFFSET, bits), i.enable_1);

    b.comment("Stage 2: its hash.");
    let hash = match hash {
        Hash::Multiplicative => fold(b, H, product(b, block)),
        Hash::Modulo => block,
        Hash::Xor => fold(b, H, block),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's definition, in arithmetic.
    fn expected(hash: Hash, bits: u32, index: u64, target: u64, size: u64) -> u64 {
        let block = (target + (index << size)) % (1 << 39) >> 7;
        let fold = |x: u64| (0..32).step_by(bits as usize).fold(0, |sum, from| sum ^ (x >> from) % (1 << bits));
        match hash {
            Hash::Multiplicative => fold(block * 2_105_409 % (1 << 32)),
            Hash::Modulo => block % (1 << bits),
            Hash::Xor => fold(block),
        }
    }

    fn check<const H: usize>() {
        for kind in [Hash::Multiplicative, Hash::Modulo, Hash::Xor] {
            let mut hash = Box::new(IruHash::<H>::new(kind));
            hash.connect_all();
            check_all(&*hash).unwrap();
            let mut state = 3u64;
            let mut wanted = vec![];
            for _ in 0..300 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let (index, target, size) = (state >> 40, state >> 20 & 0x7f_ffff_ffff, state >> 17 & 7);
                hash.index.next = index.into();
                hash.target.next = target.into();
                hash.size.next = size.into();
                (hash.enable_1.next, hash.enable_2.next) = (true, true);
                cycle(&mut hash);
                wanted.push(expected(kind, H as u32, index, target, size));
                if let [.., before, _] = wanted[..] {
                    assert_eq!(hash.hash.val().to_u64(), before, "{kind:?} of {H} bits");
                }
            }
            // Stage 2 holds while stage 1 goes on.
            let before = hash.hash.val();
            hash.enable_2.next = false;
            cycle(&mut hash);
            assert_eq!(hash.hash.val(), before);
            (hash.enable_1.next, hash.enable_2.next) = (false, true);
            cycle(&mut hash);
            assert_eq!(hash.hash.val().to_u64(), *wanted.last().unwrap());
        }
    }

    fn cycle<const H: usize>(hash: &mut IruHash<H>) {
        for level in [false, true] {
            hash.clock.next = level.into();
            assert!(simulate(hash, 100));
        }
    }

    #[test]
    fn is_the_hash_of_the_block() {
        check::<4>();
        check::<10>();
    }
}
