//! AES with a key of 128 bits (FIPS 197), each block by itself. The kernel looks up what each byte adds to a column; the reference
//! goes through the steps of the standard, byte by byte.

use super::session::{kernels_with, Session};
use super::{check, inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "bytes of the text", default: 262_198, max: 1 << 26 };

/// Threads of a CTA, a word of the text each, as in the kernel.
const THREADS: u32 = 256;
const ROUNDS: usize = 10;

type Block = [u8; 16];

/// Gives the encrypted text, which is filled up with zeros to whole CTAs of 1,024 bytes; four bytes a word, the first the lowest.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let substitutes = substitutes();
    let [encrypt] = kernels_with(kernels::AES, ["aes_encrypt"], &[("tables", tables(&substitutes))])?;
    let mut session = Session::new(gpu, watch);
    let mut text: Vec<u8> = inputs::words(size as usize, 1).map(|word| word as u8).collect();
    let ctas = size.div_ceil(4 * THREADS);
    text.resize((ctas * 4 * THREADS) as usize, 0);
    let mut words = inputs::words(4, 2);
    let key = as_block(&std::array::from_fn(|_| words.next().expect("four words")));
    let keys = round_keys(key, &substitutes);
    let (text_words, key_words) = (as_words(&text), as_words(keys.as_flattened()));
    let (from, key) = (session.upload(&text_words)?, session.upload(&key_words)?);
    let out = session.alloc(text_words.len());
    let params = Params::default().u64(from).u64(key).u64(out);
    session.launch(
        &encrypt,
        Start { level: 0, work: text_words.len() as u64 },
        [ctas, 1, 1],
        [THREADS, 1, 1],
        params,
    )?;
    session.finish_with(out, text_words.len(), |found| {
        let encrypted: Vec<u8> =
            text.as_chunks().0.iter().flat_map(|block| encrypted(*block, &keys, &substitutes)).collect();
        check::array(found, &as_words(&encrypted), |word| format!("{word:#010x}"))?;
        Ok("all blocks equal".into())
    })
}

fn as_words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn as_block(words: &[u32; 4]) -> Block {
    std::array::from_fn(|i| words[i / 4].to_le_bytes()[i % 4])
}

/// In the field of 256 elements: polynomials over bits, modulo x^8 + x^4 + x^3 + x + 1.
fn product(a: u8, b: u8) -> u8 {
    let step = |(sum, a): (u8, u8), bit: u32| {
        let sum = if b >> bit & 1 == 1 { sum ^ a } else { sum };
        (sum, a << 1 ^ if a >> 7 == 1 { 0x1b } else { 0 })
    };
    (0..8).fold((0, a), step).0
}

/// Substitute of each byte (5.1.1): its inverse, or 0 for 0, taken through an affine map of its bits.
fn substitutes() -> [u8; 256] {
    std::array::from_fn(|byte| {
        let inverse = (0..=255).find(|&other| product(byte as u8, other) == 1).unwrap_or(0);
        (1..5).fold(inverse ^ 0x63, |sum, by| sum ^ inverse.rotate_left(by))
    })
}

/// Tables of the kernel: for a byte in each row, the column that it alone would be mixed to.
fn tables(substitutes: &[u8; 256]) -> Vec<u32> {
    let column =
        |row: usize, byte: u8| u32::from_le_bytes(mixed(std::array::from_fn(|r| if r == row { byte } else { 0 })));
    (0..4).flat_map(|row| substitutes.iter().map(move |&byte| column(row, byte))).collect()
}

/// A column after MixColumns (5.1.3).
fn mixed(column: [u8; 4]) -> [u8; 4] {
    std::array::from_fn(|row| {
        let factors = [2, 3, 1, 1];
        (0..4).fold(0, |sum, by| sum ^ product(factors[by], column[(row + by) % 4]))
    })
}

/// The key of each round (5.2).
fn round_keys(key: Block, substitutes: &[u8; 256]) -> [Block; ROUNDS + 1] {
    let (mut keys, mut constant) = ([key; ROUNDS + 1], 1);
    for round in 1..=ROUNDS {
        let before = keys[round - 1];
        let mut key = before;
        for i in 0..16 {
            key[i] ^= match i {
                // The last word before, turned by a byte and substituted.
                0..4 => substitutes[before[12 + (i + 1) % 4] as usize] ^ if i == 0 { constant } else { 0 },
                _ => key[i - 4],
            };
        }
        (keys[round], constant) = (key, product(constant, 2));
    }
    keys
}

/// The cipher (5.1), a byte at a time: byte i of a block is in row i % 4 and column i / 4.
fn encrypted(mut block: Block, keys: &[Block; ROUNDS + 1], substitutes: &[u8; 256]) -> Block {
    let with_key = |block: Block, round: usize| std::array::from_fn(|i| block[i] ^ keys[round][i]);
    block = with_key(block, 0);
    for round in 1..=ROUNDS {
        let shifted: Block = std::array::from_fn(|i| substitutes[block[(i + i % 4 * 4) % 16] as usize]);
        block = shifted;
        if round < ROUNDS {
            block = *shifted
                .as_chunks()
                .0
                .iter()
                .map(|&column| mixed(column))
                .collect::<Vec<_>>()
                .as_flattened()
                .as_array()
                .expect("four columns");
        }
        block = with_key(block, round);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Block {
        u128::from_str_radix(hex, 16).unwrap().to_be_bytes()
    }

    /// FIPS 197: the example of the cipher (appendix B) with its last round key (A.1), and the first vector (C.1).
    #[test]
    fn reference_gives_the_standards_vectors() {
        let substitutes = substitutes();
        assert_eq!((substitutes[0], substitutes[0x53], substitutes[0xff]), (0x63, 0xed, 0x16));
        for (key, text, expected, last_key) in [
            (
                "2b7e151628aed2a6abf7158809cf4f3c",
                "3243f6a8885a308d313198a2e0370734",
                "3925841d02dc09fbdc118597196a0b32",
                "d014f9a8c9ee2589e13f0cc8b6630ca6",
            ),
            (
                "000102030405060708090a0b0c0d0e0f",
                "00112233445566778899aabbccddeeff",
                "69c4e0d86a7b0430d8cdb78070b4c55a",
                "13111d7fe3944a17f307a78b4d2b30c5",
            ),
        ] {
            let keys = round_keys(bytes(key), &substitutes);
            assert_eq!(keys[ROUNDS], bytes(last_key));
            assert_eq!(encrypted(bytes(text), &keys, &substitutes), bytes(expected));
        }
    }

    /// The tables are another way to the same columns.
    #[test]
    fn columns_are_sums_of_what_their_bytes_add() {
        let substitutes = substitutes();
        let tables = tables(&substitutes);
        let column = [0x00, 0x53, 0xff, 0x80];
        let sum = (0..4).fold(0, |sum, row| sum ^ tables[256 * row + column[row] as usize]);
        assert_eq!(sum.to_le_bytes(), mixed(column.map(|byte| substitutes[byte as usize])));
    }
}
