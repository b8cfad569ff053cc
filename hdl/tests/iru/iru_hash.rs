//! The hash against its definition in `docs/iru.md`.

use crate::common::{clock, connected, Random, Word};
use hdl::iru::iru_hash::{HashKind, IruHash};

/// The definition in arithmetic.
fn expected(hash: HashKind, partition_bits: u32, bits: u32, index: u64, target: u64, size: u64) -> u64 {
    let block = ((target + (index << size)) % (1 << 39)) >> 7;
    let fold = |x: u64| (0..32).step_by(bits as usize).fold(0, |sum, from| sum ^ ((x >> from) % (1 << bits)));
    match hash {
        HashKind::Multiplicative => fold(block * 2_105_409 % (1 << 32)),
        HashKind::Modulo => {
            let partitions = 1 << partition_bits;
            let (partition, bank, set) =
                (block % partitions, block / partitions % 2, block % (1 << bits) / (2 * partitions));
            (partition * 2 + bank) * (1 << bits) / (2 * partitions) + set
        }
        HashKind::Xor => fold(block),
    }
}

fn check<const PB: usize, const H: usize>() {
    for kind in [HashKind::Multiplicative, HashKind::Modulo, HashKind::Xor] {
        let mut hash = connected!(IruHash::<PB, H>::new(kind));
        let mut random = Random(3);
        let mut wanted = vec![];
        for _ in 0..300 {
            let (index, target, size) =
                (random.below(1 << 24), random.bits() << 7 | random.below(1 << 7), random.below(8));
            hash.index.next = index.into();
            hash.target.next = target.into();
            hash.size.next = size.into();
            (hash.enable_1.next, hash.enable_2.next) = (true, true);
            clock!(hash);
            wanted.push(expected(kind, PB as u32, H as u32, index, target, size));
            if let [.., before, _] = wanted[..] {
                assert_eq!(hash.hash.word(), before, "{kind:?} of {H} bits");
            }
        }
        // Stage 2 holds while stage 1 goes on.
        let before = hash.hash.val();
        hash.enable_2.next = false;
        clock!(hash);
        assert_eq!(hash.hash.val(), before);
        (hash.enable_1.next, hash.enable_2.next) = (false, true);
        clock!(hash);
        assert_eq!(hash.hash.word(), *wanted.last().unwrap());
    }
}

#[test]
fn is_the_hash_of_the_block() {
    check::<1, 4>();
    check::<2, 10>();
}
