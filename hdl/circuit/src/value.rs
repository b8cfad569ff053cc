//! Values of ports, between RustHDL and a circuit.

use rust_hdl::prelude::Bits;

/// The value of a port.
pub trait Value {
    /// 64 bits a word, least significant first.
    fn store(self, words: &mut [u64]);
    fn load(words: &[u64]) -> Self;
}

impl Value for bool {
    fn store(self, words: &mut [u64]) {
        words[0] = self as u64;
    }

    fn load(words: &[u64]) -> Self {
        words[0] != 0
    }
}

impl<const N: usize> Value for Bits<N> {
    fn store(self, words: &mut [u64]) {
        if N <= 64 {
            words[0] = self.to_u64();
            return;
        }
        for (i, word) in words.iter_mut().enumerate() {
            let bits = 64 * i..N.min(64 * (i + 1));
            *word = bits.fold(0, |word, bit| word | (self.get_bit(bit) as u64) << (bit % 64));
        }
    }

    fn load(words: &[u64]) -> Self {
        if N <= 64 {
            return words[0].into();
        }
        let mut bits = [false; N];
        bits.iter_mut().enumerate().for_each(|(i, bit)| *bit = words[i / 64] >> (i % 64) & 1 == 1);
        Bits::Long(bits.into())
    }
}
