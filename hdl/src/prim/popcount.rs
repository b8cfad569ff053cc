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

/// N bits; C bits count 0 ..= N.
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
        assert_eq!(C, N.ilog2() as usize + 1);
        let mut c = Circuit::default();
        let bits = c.input("bits", N);
        let mut sums: Vec<Wire> = (0..N).map(|i| c.bit(bits, i)).collect();
        let mut level = 0;
        while sums.len() > 1 {
            sums = sums.chunks(2).enumerate().map(|(i, pair)| add(&mut c, format!("sum{level}_{i}"), pair)).collect();
            level += 1;
        }
        let count = c.zero_extend(sums[0], C);
        c.output("count", count);
        Self { bits: Signal::default(), count: Signal::default(), _circuit: c, _bits: bits, _count: count }
    }
}

/// The sum of one or two numbers, with a carry.
fn add(c: &mut Circuit, name: String, pair: &[Wire]) -> Wire {
    let &[a, b] = pair else { return pair[0] };
    let width = c.width(a).max(c.width(b)) + 1;
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
