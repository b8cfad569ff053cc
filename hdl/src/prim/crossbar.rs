//! Full crossbar of L lanes with registered outputs: an output that wants data takes what its source offers.
//!
//! ```text
//!                +-----------------+    +---+
//!  data_in_0 ----|                 |----|   |---- data_out_0
//!   ...          |    L x L mux    |    |   |      ...
//!  data_in_L-1 --|                 |----|>  |---- data_out_L-1
//!                +--------^--------+    +-^-+
//!  source_0 ... ----------+               |
//!                +--------v--------+      |
//!  offered ------|     L x L mux   |--&---+------ taken
//!                +-----------------+  |
//!  wanted ----------------------------+
//! ```
//!
//! `taken[i]` says in the same cycle that output i wants data (`wanted[i]`) and its source has some (`offered[source_i]`);
//! `data_out_i` is then `data_in[source_i]` from the next cycle on, until the next time. No reset: whoever wanted data
//! knows when it means something.

use crate::circuit::{Circuit, Wire};
use crate::unconnected;
use rust_hdl::prelude::*;

/// L lanes of W bits; S = log2(L).
#[derive(LogicBlock)]
pub struct Crossbar<const L: usize, const W: usize, const S: usize> {
    pub clock: Signal<In, Clock>,
    pub offered: Signal<In, Bits<L>>,
    pub wanted: Signal<In, Bits<L>>,
    pub source: [Signal<In, Bits<S>>; L],
    pub data_in: [Signal<In, Bits<W>>; L],
    pub taken: Signal<Out, Bits<L>>,
    pub data_out: [Signal<Out, Bits<W>>; L],
    _circuit: Circuit,
    _wires: Wires,
}

struct Wires {
    offered: Wire,
    wanted: Wire,
    source: Vec<Wire>,
    data_in: Vec<Wire>,
    taken: Wire,
    data_out: Vec<Wire>,
}

impl<const L: usize, const W: usize, const S: usize> Default for Crossbar<L, W, S> {
    fn default() -> Self {
        assert_eq!(L, 1 << S);
        let (circuit, wires) = describe(L, W, S);
        unconnected!(Self {
            clock, offered, wanted, source, data_in, taken, data_out;
            _circuit: circuit,
            _wires: wires,
        })
    }
}

fn describe(lanes: usize, width: usize, source_bits: usize) -> (Circuit, Wires) {
    let mut c = Circuit::default();
    let offered = c.input("offered", lanes);
    let wanted = c.input("wanted", lanes);
    let source = c.inputs("source", lanes, source_bits);
    let data_in = c.inputs("data_in", lanes, width);

    let take = |c: &mut Circuit, i: usize| {
        let (wants, has) = (c.bit(wanted, i), c.index(offered, source[i]));
        c.and(wants, has)
    };
    let takes: Vec<_> = (0..lanes).rev().map(|i| take(&mut c, i)).collect();
    let taken = c.concat(&takes);
    let taken = c.name(taken, "taken");
    c.output("taken", taken);

    let output = |c: &mut Circuit, i: usize| {
        let chosen = c.select(source[i], &data_in);
        let chosen = c.name(chosen, format!("chosen_{i}"));
        let enable = c.bit(taken, i);
        let name = format!("data_out${i}");
        let out = c.data_register(name.as_str(), chosen, enable);
        c.output(name, out);
        out
    };
    let data_out = (0..lanes).map(|i| output(&mut c, i)).collect();
    (c, Wires { offered, wanted, source, data_in, taken, data_out })
}

impl<const L: usize, const W: usize, const S: usize> Logic for Crossbar<L, W, S> {
    fn update(&mut self) {
        let (circuit, wires) = (&mut self._circuit, &self._wires);
        circuit.set(wires.offered, self.offered.val());
        circuit.set(wires.wanted, self.wanted.val());
        for i in 0..L {
            circuit.set(wires.source[i], self.source[i].val());
            circuit.set(wires.data_in[i], self.data_in[i].val());
        }
        circuit.step(self.clock.pos_edge(), false);
        self.taken.next = circuit.get(wires.taken);
        for (wire, port) in wires.data_out.iter().zip(&mut self.data_out) {
            port.next = circuit.get(*wire);
        }
    }

    fn connect(&mut self) {
        self.taken.connect();
        self.data_out.iter_mut().for_each(Logic::connect);
    }

    fn hdl(&self) -> Verilog {
        self._circuit.verilog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::array::from_fn;

    #[test]
    fn outputs_take_what_their_source_offers() {
        let mut x = Crossbar::<4, 8, 2>::default();
        x.connect_all();
        let mut expected = [None; 4];
        for case in 0..4096u64 {
            // Inputs are spread over the bits of `case` so that all combinations of one lane come along.
            let (offered, wanted) = (case & 15, case >> 4 & 15);
            let source: [u64; 4] = from_fn(|i| (case >> 8 >> (i % 3)) & 3);
            let data: [u64; 4] = from_fn(|i| (37 * case + 11 * i as u64) & 0xff);
            x.offered.next = offered.into();
            x.wanted.next = wanted.into();
            for i in 0..4 {
                x.source[i].next = source[i].into();
                x.data_in[i].next = data[i].into();
            }
            x.clock.next = false.into();
            assert!(simulate(&mut x, 100));
            let taken: u64 = (0..4).map(|i| (wanted >> i & offered >> source[i] & 1) << i).sum();
            assert_eq!(x.taken.val().to_u64(), taken);
            x.clock.next = true.into();
            assert!(simulate(&mut x, 100));
            for i in 0..4 {
                if taken >> i & 1 == 1 {
                    expected[i] = Some(data[source[i] as usize]);
                }
                if let Some(expected) = expected[i] {
                    assert_eq!(x.data_out[i].val().to_u64(), expected);
                }
            }
        }
    }
}
