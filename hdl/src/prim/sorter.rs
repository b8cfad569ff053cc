//! Pipelined sorting network: N words of W bits, ascending as unsigned integers.
//!
//! ```text
//!                +----------+   +---+   +----------+   +---+
//!  in_item_0 ----|          |---|   |---|          |---|   |---- out_item_0 (least)
//!     ...        |  `cut`   |   |   |   |  `cut`   |   |   |        ...
//!  in_item_N-1 --|  layers  |---|>  |---|  layers  |---|>  |---- out_item_N-1
//!                +----------+   +-^-+   +----------+   +-^-+
//!                                 |                      |
//!  in_valid ----------------------+-------[reg]----------+-[reg]-- out_valid
//! ```
//!
//! A layer is a row of compare-exchange cells on different places. There is a register after every `cut` layers and
//! always after the last: latency ceil(layers / cut) cycles, one set of items a cycle. A stage's registers take a new
//! value only if the set before them is valid, so that an idle sorter does not toggle. `reset` clears the valid bits.
//! Part of HWWL's work redistribution unit (III-C).

use super::sorting_network::{self, Network};
use crate::circuit::{Circuit, Wire};
use rust_hdl::prelude::*;
use std::array::from_fn;

#[derive(LogicBlock)]
pub struct Sorter<const N: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub in_valid: Signal<In, bool>,
    pub in_item: [Signal<In, Bits<W>>; N],
    pub out_valid: Signal<Out, bool>,
    pub out_item: [Signal<Out, Bits<W>>; N],
    _circuit: Circuit,
    _wires: Wires,
}

struct Wires {
    in_valid: Wire,
    in_item: Vec<Wire>,
    out_valid: Wire,
    out_item: Vec<Wire>,
}

/// Cycles that a sorter of `layers` layers takes.
pub const fn latency(layers: usize, cut: usize) -> usize {
    layers.div_ceil(cut)
}

/// The network for N items: the best known one, else odd-even merge.
pub fn network(items: usize) -> Network {
    sorting_network::best_known(items).unwrap_or_else(|| sorting_network::odd_even_merge(items))
}

impl<const N: usize, const W: usize> Sorter<N, W> {
    /// Cuts `network` after every `cut` layers.
    pub fn new(network: &Network, cut: usize) -> Self {
        assert!(cut > 0);
        let (circuit, wires) = describe(N, W, network, cut);
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            in_valid: Signal::default(),
            in_item: from_fn(|_| Signal::default()),
            out_valid: Signal::default(),
            out_item: from_fn(|_| Signal::default()),
            _circuit: circuit,
            _wires: wires,
        }
    }
}

fn describe(n: usize, width: usize, network: &Network, cut: usize) -> (Circuit, Wires) {
    let mut c = Circuit::default();
    let in_valid = c.input("in_valid", 1);
    let in_item = c.inputs("in_item", n, width);
    let (mut valid, mut items) = (in_valid, in_item.clone());
    let stages: Vec<_> = network.chunks(cut).collect();
    for (stage, layers) in stages.iter().enumerate() {
        for (i, layer) in layers.iter().enumerate() {
            let number = stage * cut + i;
            c.comment(format!("Stage {stage}, layer {number}."));
            for &(a, b) in layer {
                compare_exchange(&mut c, number, (a, b), &mut items);
            }
        }
        let last = stage + 1 == stages.len();
        let valid_name = if last { "out_valid".into() } else { format!("stage{stage}_valid") };
        let next_valid = c.register(valid_name, 1);
        c.drive(next_valid, valid);
        for (place, item) in items.iter_mut().enumerate() {
            let name = if last { format!("out_item${place}") } else { format!("stage{stage}_item_{place}") };
            *item = c.data_register(name, *item, valid);
        }
        valid = next_valid;
    }
    c.output("out_valid", valid);
    for (place, &item) in items.iter().enumerate() {
        c.output(format!("out_item${place}"), item);
    }
    (c, Wires { in_valid, in_item, out_valid: valid, out_item: items })
}

/// The smaller of two items to place `a`, the larger to place `b`.
fn compare_exchange(c: &mut Circuit, layer: usize, (a, b): (usize, usize), items: &mut [Wire]) {
    let (x, y) = (items[a], items[b]);
    let swap = c.lt(y, x);
    let swap = c.name(swap, format!("swap{layer}_{a}_{b}"));
    let least = c.mux(swap, y, x);
    items[a] = c.name(least, format!("layer{layer}_item_{a}"));
    let most = c.mux(swap, x, y);
    items[b] = c.name(most, format!("layer{layer}_item_{b}"));
}

impl<const N: usize, const W: usize> Logic for Sorter<N, W> {
    fn update(&mut self) {
        let (circuit, wires) = (&mut self._circuit, &self._wires);
        circuit.set(wires.in_valid, self.in_valid.val());
        for (wire, item) in wires.in_item.iter().zip(&self.in_item) {
            circuit.set(*wire, item.val());
        }
        circuit.step(self.clock.pos_edge(), self.reset.val());
        self.out_valid.next = circuit.get(wires.out_valid);
        for (wire, item) in wires.out_item.iter().zip(&mut self.out_item) {
            item.next = circuit.get(*wire);
        }
    }

    fn connect(&mut self) {
        self.out_valid.connect();
        self.out_item.iter_mut().for_each(Logic::connect);
    }

    fn hdl(&self) -> Verilog {
        self._circuit.verilog()
    }
}
