//! The parameter block of a launch, laid out as the CUDA ABI wants it: each value at a multiple of its size.

#[derive(Clone, Debug, Default)]
pub struct Params(Vec<u8>);

impl Params {
    pub fn u32(mut self, value: u32) -> Self {
        self.align(4);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A 64-bit number or a device address.
    pub fn u64(mut self, value: u64) -> Self {
        self.align(8);
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn f32(self, value: f32) -> Self {
        self.u32(value.to_bits())
    }

    /// Another block of parameters behind this one.
    pub fn then(mut self, other: &Params) -> Self {
        self.align(8);
        self.0.extend(&other.0);
        self
    }

    pub fn bytes(self) -> Vec<u8> {
        self.0
    }

    fn align(&mut self, bytes: usize) {
        self.0.resize(self.0.len().next_multiple_of(bytes), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_at_multiples_of_their_size() {
        let block = Params::default().u32(1).u64(2).u32(3).u32(4).bytes();
        assert_eq!(block.len(), 24);
        let joined = Params::default().u32(9).then(&Params(block.clone())).bytes();
        assert_eq!((joined[0], &joined[8..]), (9, &block[..]));
        assert_eq!((block[0], block[8], block[16], block[20]), (1, 2, 3, 4));
    }
}
