//! Last step of a redistribution event (section III-C): from ranked banks to pairs of a giver and a taker.
//!
//! ```text
//!  rank:   0   1   2  ...  L/2-1 | L/2  ...  L-3 L-2 L-1
//!          |   |   '-------------+------------'   |   |
//!          |   '-----------------+----------------'   |      rank L-1-p gives to rank p
//!          '---------------------+--------------------'
//! ```
//!
//! Combinational. A pair starts if the giver has at least two more than the taker and, on the pull side, the taker has
//! less than the threshold. Out come, lane by lane: who gives, who takes, and from which lane.

use crate::circuit::{Circuit, Wire};
use rust_hdl::prelude::*;
use std::array::from_fn;

/// L lanes, S = log2(L); words of W = C + S bits.
#[derive(LogicBlock)]
pub struct Pairing<const L: usize, const S: usize, const W: usize> {
    pub serve_pull: Signal<In, bool>,
    pub rotation: Signal<In, Bits<S>>,
    pub ranked: [Signal<In, Bits<W>>; L],
    pub gives: Signal<Out, Bits<L>>,
    pub takes: Signal<Out, Bits<L>>,
    pub donor: [Signal<Out, Bits<S>>; L],
    _circuit: Circuit,
    _wires: Wires,
}

struct Wires {
    serve_pull: Wire,
    rotation: Wire,
    ranked: Vec<Wire>,
    gives: Wire,
    takes: Wire,
    donor: Vec<Wire>,
}

impl<const L: usize, const S: usize, const W: usize> Pairing<L, S, W> {
    /// `threshold` in work IDs.
    pub fn new(threshold: u64) -> Self {
        assert_eq!(L, 1 << S);
        let (circuit, wires) = describe(L, S, W, threshold);
        Self {
            serve_pull: Signal::default(),
            rotation: Signal::default(),
            ranked: from_fn(|_| Signal::default()),
            gives: Signal::default(),
            takes: Signal::default(),
            donor: from_fn(|_| Signal::default()),
            _circuit: circuit,
            _wires: wires,
        }
    }
}

fn describe(lanes: usize, lane_bits: usize, width: usize, threshold: u64) -> (Circuit, Wires) {
    let mut c = Circuit::default();
    let count_bits = width - lane_bits;
    let serve_pull = c.input("serve_pull", 1);
    let rotation = c.input("rotation", lane_bits);
    let ranked = c.inputs("ranked", lanes, width);

    c.comment("Which lane has a rank, as a number and one-hot.");
    let (mut lane, mut one_hot) = (vec![], vec![]);
    for (rank, &word) in ranked.iter().enumerate() {
        let rotated = c.slice(word, 0, lane_bits);
        let number = c.sub(rotated, rotation);
        lane.push(c.name(number, format!("lane_of_rank_{rank}")));
        let decoded = c.decode(lane[rank]);
        one_hot.push(c.name(decoded, format!("one_hot_of_rank_{rank}")));
    }

    c.comment("A pair starts if it evens out, and on the pull side only for a taker below the threshold.");
    let threshold = super::threshold(&mut c, threshold, count_bits);
    let one = c.constant(1, count_bits);
    let start = |c: &mut Circuit, p: usize| {
        let taker = c.slice(ranked[p], lane_bits, count_bits);
        let giver = c.slice(ranked[lanes - 1 - p], lane_bits, count_bits);
        let one_more = c.add(taker, one);
        let evens_out = c.lt(one_more, giver);
        let starves = c.lt(taker, threshold);
        let serve_push = c.not(serve_pull);
        let needs = c.or(serve_push, starves);
        let starts = c.and(evens_out, needs);
        c.name(starts, format!("start_pair_{p}"))
    };
    let starts: Vec<_> = (0..lanes / 2).map(|p| start(&mut c, p)).collect();

    c.comment("Lane by lane.");
    let lanes_of = |c: &mut Circuit, name: &str, rank: &dyn Fn(usize) -> usize| {
        let term = |c: &mut Circuit, p: usize| {
            let mask = c.replicate(starts[p], lanes);
            c.and(mask, one_hot[rank(p)])
        };
        let terms: Vec<_> = (0..lanes / 2).map(|p| term(c, p)).collect();
        let all = c.or_all(&terms);
        let all = c.name(all, name);
        c.output(name, all);
        all
    };
    let gives = lanes_of(&mut c, "gives", &|p| lanes - 1 - p);
    let takes = lanes_of(&mut c, "takes", &|p| p);
    let donor_of = |c: &mut Circuit, i: usize| {
        let term = |c: &mut Circuit, p: usize| {
            let mine = c.bit(one_hot[p], i);
            let mask = c.replicate(mine, lane_bits);
            c.and(mask, lane[lanes - 1 - p])
        };
        let terms: Vec<_> = (0..lanes / 2).map(|p| term(c, p)).collect();
        let donor = c.or_all(&terms);
        let donor = c.name(donor, format!("donor${i}"));
        c.output(format!("donor${i}"), donor);
        donor
    };
    let donor = (0..lanes).map(|i| donor_of(&mut c, i)).collect();
    (c, Wires { serve_pull, rotation, ranked, gives, takes, donor })
}

impl<const L: usize, const S: usize, const W: usize> Logic for Pairing<L, S, W> {
    fn update(&mut self) {
        let (circuit, wires) = (&mut self._circuit, &self._wires);
        circuit.set(wires.serve_pull, self.serve_pull.val());
        circuit.set(wires.rotation, self.rotation.val());
        for (wire, port) in wires.ranked.iter().zip(&self.ranked) {
            circuit.set(*wire, port.val());
        }
        circuit.step(false, false);
        self.gives.next = circuit.get(wires.gives);
        self.takes.next = circuit.get(wires.takes);
        for (wire, port) in wires.donor.iter().zip(&mut self.donor) {
            port.next = circuit.get(*wire);
        }
    }

    fn connect(&mut self) {
        self.gives.connect();
        self.takes.connect();
        self.donor.iter_mut().for_each(Logic::connect);
    }

    fn hdl(&self) -> Verilog {
        self._circuit.verilog()
    }
}
