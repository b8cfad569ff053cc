//! First step of a redistribution event (section III-C): which side of the banks it serves, and the words to sort.
//!
//! ```text
//!  pull_occupancy_0 ... --+--[ some below threshold? some 2 or more? ]--+
//!                         |                                             |
//!                         |        double_buffer --[ single: pull ]-------+---- serve_pull
//!                         +--|\                                         |
//!                            | |<---------------------------------------+
//!  push_occupancy_0 ... -----|/|---- { occupancy_i, (i + rotation) mod L } ---- word_0 ... word_L-1
//!  rotation -----------------------------'
//! ```
//!
//! Combinational. In double-buffer mode the pull side is served if some bank starves there while another could help;
//! else the push side, to use the capacity of all banks. The lane number in the lower bits makes words distinct and
//! tells, after sorting, whose it was; `rotation` lets ties go to other lanes each time.

use crate::circuit::{Circuit, Wire};
use rust_hdl::prelude::*;
use std::array::from_fn;

/// L lanes, S = log2(L); C bits of occupancy; W = C + S.
#[derive(LogicBlock)]
pub struct SideSelect<const L: usize, const S: usize, const C: usize, const W: usize> {
    pub double_buffer: Signal<In, bool>,
    pub rotation: Signal<In, Bits<S>>,
    pub pull_occupancy: [Signal<In, Bits<C>>; L],
    pub push_occupancy: [Signal<In, Bits<C>>; L],
    pub serve_pull: Signal<Out, bool>,
    pub word: [Signal<Out, Bits<W>>; L],
    _circuit: Circuit,
    _wires: Wires,
}

struct Wires {
    double: Wire,
    rotation: Wire,
    pull_occupancy: Vec<Wire>,
    push_occupancy: Vec<Wire>,
    serve_pull: Wire,
    word: Vec<Wire>,
}

impl<const L: usize, const S: usize, const C: usize, const W: usize> SideSelect<L, S, C, W> {
    /// `threshold` in work IDs.
    pub fn new(threshold: u64) -> Self {
        assert!(L == 1 << S && W == C + S);
        let (circuit, wires) = describe(L, S, C, threshold);
        Self {
            double_buffer: Signal::default(),
            rotation: Signal::default(),
            pull_occupancy: from_fn(|_| Signal::default()),
            push_occupancy: from_fn(|_| Signal::default()),
            serve_pull: Signal::default(),
            word: from_fn(|_| Signal::default()),
            _circuit: circuit,
            _wires: wires,
        }
    }
}

fn describe(lanes: usize, lane_bits: usize, count_bits: usize, threshold: u64) -> (Circuit, Wires) {
    let mut c = Circuit::default();
    let double = c.input("double_buffer", 1);
    let rotation = c.input("rotation", lane_bits);
    let pull_occupancy = c.inputs("pull_occupancy", lanes, count_bits);
    let push_occupancy = c.inputs("push_occupancy", lanes, count_bits);

    c.comment("The pull side, if a bank starves there and another could help.");
    let threshold = super::threshold(&mut c, threshold, count_bits);
    let below: Vec<_> = pull_occupancy.iter().rev().map(|&occupancy| c.lt(occupancy, threshold)).collect();
    let below = c.concat(&below);
    let below = c.name(below, "below_threshold");
    let two_or_more = |c: &mut Circuit, occupancy: Wire| {
        let upper = c.slice(occupancy, 1, count_bits - 1);
        c.any(upper)
    };
    let spare: Vec<_> = pull_occupancy.iter().rev().map(|&occupancy| two_or_more(&mut c, occupancy)).collect();
    let spare = c.concat(&spare);
    let spare = c.name(spare, "two_or_more");
    let (some_starve, some_can_help) = (c.any(below), c.any(spare));
    let useful = c.and(some_starve, some_can_help);
    let single = c.not(double);
    let serve_pull = c.or(single, useful);
    let serve_pull = c.name(serve_pull, "serve_pull");
    c.output("serve_pull", serve_pull);

    c.comment("Occupancy and rotated lane number, as one key.");
    let key = |c: &mut Circuit, i: usize| {
        let occupancy = c.mux(serve_pull, pull_occupancy[i], push_occupancy[i]);
        let lane = c.constant(i as u64, lane_bits);
        let rotated = c.add(rotation, lane);
        let word = c.concat(&[occupancy, rotated]);
        let word = c.name(word, format!("word${i}"));
        c.output(format!("word${i}"), word);
        word
    };
    let word = (0..lanes).map(|i| key(&mut c, i)).collect();
    (c, Wires { double, rotation, pull_occupancy, push_occupancy, serve_pull, word })
}

impl<const L: usize, const S: usize, const C: usize, const W: usize> Logic for SideSelect<L, S, C, W> {
    fn update(&mut self) {
        let (circuit, wires) = (&mut self._circuit, &self._wires);
        circuit.set(wires.double, self.double_buffer.val());
        circuit.set(wires.rotation, self.rotation.val());
        for i in 0..L {
            circuit.set(wires.pull_occupancy[i], self.pull_occupancy[i].val());
            circuit.set(wires.push_occupancy[i], self.push_occupancy[i].val());
        }
        circuit.step(false, false);
        self.serve_pull.next = circuit.get(wires.serve_pull);
        for (wire, port) in wires.word.iter().zip(&mut self.word) {
            port.next = circuit.get(*wire);
        }
    }

    fn connect(&mut self) {
        self.serve_pull.connect();
        self.word.iter_mut().for_each(Logic::connect);
    }

    fn hdl(&self) -> Verilog {
        self._circuit.verilog()
    }
}
