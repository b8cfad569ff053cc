//! Population count: how many of N bits are high, by a tree of adders. Combinational.
//!
//! ```text
//!  bits[0] ---(+)--+
//!  bits[1] ---'    (+)-- ... -- count
//!  bits[2] ---(+)--'
//!  bits[3] ---'
//! ```

use crate::circuit::{Circuit, Wire};
use rust_hdl::prelude::*;

/// N bits, a power of two; C bits count 0 ..= N.
#[derive(LogicBlock)]
pub struct Popcount<const N: usize, const C: usize> {
    pub bits: Signal<In, Bits<N>>,
    pub count: Signal<Out, Bits<C>>,
    _circuit: Circuit,
    _bits: Wire,
    _count: Wire,
}

impl<const N: usize, const C: usize> Default for Popcount<N, C> {
    fn default() -> Self {
        assert!(N.is_power_of_two() && C == N.ilog2() as usize + 1);
        let mut c = Circuit::default();
        let bits = c.input("bits", N);
        let mut sums: Vec<Wire> = (0..N).map(|i| c.bit(bits, i)).collect();
        let mut level = 0;
        while sums.len() > 1 {
            sums = sums
                .chunks(2)
                .enumerate()
                .map(|(i, pair)| add(&mut c, format!("sum{level}_{i}"), pair[0], pair[1]))
                .collect();
            level += 1;
        }
        let count = sums[0];
        c.output("count", count);
        Self { bits: Signal::default(), count: Signal::default(), _circuit: c, _bits: bits, _count: count }
    }
}

/// The sum with its carry.
fn add(c: &mut Circuit, name: String, a: Wire, b: Wire) -> Wire {
    let width = c.width(a) + 1;
    let (a, b) = (c.zero_extend(a, width), c.zero_extend(b, width));
    let sum = c.add(a, b);
    c.name(sum, name)
}

impl<const N: usize, const C: usize> Logic for Popcount<N, C> {
    fn update(&mut self) {
        self._circuit.set(self._bits, self.bits.val());
        self._circuit.step(false, false);
        self.count.next = self._circuit.get(self._count);
    }

    fn connect(&mut self) {
        self.count.connect();
    }

    fn hdl(&self) -> Verilog {
        self._circuit.verilog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts<const N: usize, const C: usize>(values: impl Iterator<Item = u64>) {
        let mut popcount = Popcount::<N, C>::default();
        popcount.connect_all();
        for bits in values {
            popcount.bits.next = bits.into();
            assert!(simulate(&mut popcount, 100));
            assert_eq!(popcount.count.val().to_u64(), bits.count_ones() as u64);
        }
    }

    #[test]
    fn counts_the_bits_that_are_high() {
        counts::<16, 5>(0..1 << 16);
        counts::<4, 3>(0..1 << 4);
        counts::<1, 1>(0..2);
    }
}
