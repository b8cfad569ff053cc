//! Expressions that RustHDL itself prints with another meaning: here Verilog must say what Rust computes.
//!
//! Yosys tabulates the emitted Verilog over all inputs; RustHDL's simulator is the reference.

use crate::common::elaborate;
use hdl::circuit::{Circuit, Wire};
use rust_hdl::prelude::*;
use std::process::Command;
use verilog::print;
use verilog::rules::Breach;
use verilog::tree::Port;

#[derive(LogicBlock, Default)]
struct Expressions {
    pub a: Signal<In, Bits<4>>,
    pub b: Signal<In, Bits<4>>,
    pub precedence: Signal<Out, bool>,
    pub wraps: Signal<Out, bool>,
    pub widened: Signal<Out, Bits<8>>,
    pub inverted: Signal<Out, Bits<8>>,
    pub narrowed: Signal<Out, Bits<2>>,
    pub shifted: Signal<Out, Bits<4>>,
    pub replaced: Signal<Out, Bits<4>>,
    pub neighbour: Signal<Out, Bits<4>>,
    pub chosen: Signal<Out, Bits<4>>,
    pub indexed: Signal<Out, bool>,
    pub none: Signal<Out, bool>,
    pub cased: Signal<Out, Bits<4>>,
    bits: [Signal<Local, bool>; 4],
    low: Signal<Local, Bits<2>>,
}

impl Logic for Expressions {
    #[hdl_gen]
    fn update(&mut self) {
        self.precedence.next = self.a.val() & self.b.val() == self.a.val();
        self.wraps.next = (self.a.val() + 1) == self.b.val();
        self.widened.next = bit_cast::<8, 4>(self.a.val() + self.b.val());
        self.inverted.next = bit_cast::<8, 4>(!self.a.val());
        self.narrowed.next = bit_cast::<2, 4>(self.b.val());
        self.shifted.next = (self.a.val() - 1) >> 1;
        self.replaced.next = self.a.val().replace_bit(2, self.b.val().get_bit(0));
        for i in 0..4 {
            self.bits[i].next = self.a.val().get_bit(i);
        }
        self.neighbour.next = 0.into();
        if self.bits[3].val() {
            self.neighbour.next = self.b.val();
        }
        self.chosen.next = self.a.val();
        if self.a.val() < self.b.val() {
            self.chosen.next = self.b.val();
        } else if self.a.val() == 9 {
            self.chosen.next = self.a.val() ^ self.b.val();
        }
        self.low.next = self.b.val().get_bits::<2>(1);
        self.indexed.next = self.a.val().get_bit(self.low.val().index());
        self.none.next = !(self.a.val().any());
        match self.low.val().index() {
            0 => self.cased.next = self.a.val(),
            1 => self.cased.next = !self.a.val(),
            _ => self.cased.next = 6.into(),
        }
    }
}

#[test]
fn verilog_says_what_rust_computes() {
    let design = elaborate::<Expressions>("expressions").unwrap();
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("design.v"), design.verilog()).unwrap();
    let outputs: [(&str, fn(&Expressions) -> u64); 12] = [
        ("precedence", |e| e.precedence.val() as u64),
        ("wraps", |e| e.wraps.val() as u64),
        ("widened", |e| e.widened.val().to_u64()),
        ("inverted", |e| e.inverted.val().to_u64()),
        ("narrowed", |e| e.narrowed.val().to_u64()),
        ("shifted", |e| e.shifted.val().to_u64()),
        ("replaced", |e| e.replaced.val().to_u64()),
        ("neighbour", |e| e.neighbour.val().to_u64()),
        ("chosen", |e| e.chosen.val().to_u64()),
        ("indexed", |e| e.indexed.val() as u64),
        ("none", |e| e.none.val() as u64),
        ("cased", |e| e.cased.val().to_u64()),
    ];
    let show: String = outputs.iter().map(|(name, _)| format!(" -show {name}")).collect();
    let script = format!("read_verilog design.v; prep -flatten -top expressions; eval -table a,b{show}");
    let yosys = Command::new("yosys").args(["-p", &script]).current_dir(directory.path()).output().expect("yosys");
    let log = String::from_utf8(yosys.stdout).unwrap();

    let mut uut = Expressions::default();
    uut.connect_all();
    let mut rows = 0;
    for line in log.lines().filter(|l| l.trim_start().starts_with("4'")) {
        let values: Vec<u64> = line.split_whitespace().filter_map(binary).collect();
        uut.a.next = values[0].into();
        uut.b.next = values[1].into();
        assert!(simulate(&mut uut, 1000));
        for ((name, expected), found) in outputs.iter().zip(&values[2..]) {
            assert_eq!(expected(&uut), *found, "{name} for a = {}, b = {}\n{}", values[0], values[1], design.verilog());
        }
        rows += 1;
    }
    assert_eq!(rows, 256, "{log}");
}

/// `4'0101`
fn binary(word: &str) -> Option<u64> {
    u64::from_str_radix(word.split_once('\'')?.1, 2).ok()
}

/// By SAT, for widths around powers of two: the text of the circuit builder against the plainest Verilog.
#[test]
fn functions_of_the_text_mean_what_their_names_say() {
    for width in [2, 3, 4, 5, 7, 8, 9, 12, 16, 17] {
        prove(width, "x < y", |c, x, y| c.lt_tree(x, y));
        prove(width, "x & -x", |c, x, _| c.first_one(x));
        prove(width, "x + y", |c, x, y| c.add_tree(x, y));
        prove(width, "x <= y ? {y, x} : {x, y}", |c, x, y| c.sorted(x, y));
        let bits: Vec<_> = (0..width).map(|bit| format!("x[{bit}]")).collect();
        prove(width, &bits.join(" + "), |c, x, _| c.ones(x));
        let up_to: Vec<_> = (0..width).rev().map(|bit| format!("|x[{bit}:0]")).collect();
        prove(width, &format!("{{{}}}", up_to.join(", ")), |c, x, _| c.up_to(x));
        let count = |bit: usize| format!("{}'d0 + {}", width.ilog2() + 1, bits[..=bit].join(" + "));
        let counts: Vec<_> = (0..width).rev().map(count).collect();
        prove(width, &format!("{{{}}}", counts.join(", ")), |c, x, _| c.ones_up_to(x));
    }
}

/// The node of two inputs of `width` bits is what `right` says.
fn prove(width: usize, right: &str, node: impl Fn(&mut Circuit, Wire, Wire) -> Wire) {
    let mut circuit = Circuit::default();
    let (x, y) = (circuit.input("x", width), circuit.input("y", width));
    let left = node(&mut circuit, x, y);
    let (msb, left_msb) = (width - 1, circuit.width(left) - 1);
    circuit.output("left", left);
    let ports = vec![Port::input("x", width), Port::input("y", width), Port::output("left", left_msb + 1)];
    let unit = print::module(&circuit.body().module("unit", ports), Breach::Stop);
    let module = format!(
        "{unit}module proof (input [{msb}:0] x, input [{msb}:0] y, output [{left_msb}:0] left, output [{left_msb}:0] right);\n\
         unit unit (.x(x), .y(y), .left(left));\nassign right = {right};\nendmodule\n"
    );
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("proof.v"), &module).unwrap();
    let script = "read_verilog proof.v; prep -flatten -top proof; sat -verify -prove left right";
    let yosys = Command::new("yosys").args(["-p", script]).current_dir(directory.path()).output().expect("yosys");
    assert!(yosys.status.success(), "{module}\n{}", String::from_utf8_lossy(&yosys.stdout));
}
