//! Blocks that have no Verilog of the same meaning are errors, with the block and the signal.

mod common;

use common::elaborate;
use rust_hdl::prelude::*;

fn problem<B: Block + Default + 'static>() -> String {
    elaborate::<B>("bad").expect_err("accepted").to_string()
}

#[derive(LogicBlock, Default)]
struct Latch {
    pub a: Signal<In, bool>,
    pub y: Signal<Out, bool>,
}

impl Logic for Latch {
    #[hdl_gen]
    fn update(&mut self) {
        if self.a.val() {
            self.y.next = false;
        }
    }
}

#[test]
fn a_latch() {
    assert_eq!(problem::<Latch>(), "bad: y keeps its value on some path (a latch): assign it first");
}

#[derive(LogicBlock, Default)]
struct EarlyRead {
    pub a: Signal<In, bool>,
    pub y: Signal<Out, bool>,
    x: Signal<Local, bool>,
}

impl Logic for EarlyRead {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.next = false;
        self.y.next = self.x.val();
        if self.a.val() {
            self.x.next = true;
            self.y.next = false;
        }
    }
}

#[test]
fn a_value_that_is_read_before_it_is_final() {
    assert_eq!(problem::<EarlyRead>(), "bad: x is read before its last assignment");
}

#[derive(LogicBlock, Default)]
struct Child {
    pub a: Signal<In, bool>,
    pub y: Signal<Out, bool>,
}

impl Logic for Child {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = !self.a.val();
    }
}

#[derive(LogicBlock, Default)]
struct Undriven {
    pub y: Signal<Out, bool>,
    child: Child,
}

impl Logic for Undriven {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.child.y.val();
    }
}

#[test]
fn an_undriven_input_of_a_child() {
    assert_eq!(problem::<Undriven>(), "bad.child: signal a is not driven");
}

#[derive(LogicBlock, Default)]
struct Keyword {
    pub end: Signal<In, bool>,
    pub y: Signal<Out, bool>,
}

impl Logic for Keyword {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.end.val();
    }
}

#[test]
fn a_verilog_keyword() {
    assert_eq!(problem::<Keyword>(), "bad: end is a Verilog keyword: choose another name");
}

#[derive(LogicBlock, Default)]
struct LoopName {
    pub i: Signal<In, Bits<4>>,
    pub y: [Signal<Out, bool>; 4],
}

impl Logic for LoopName {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.y[i].next = self.i.val().get_bit(i);
        }
    }
}

#[test]
fn a_loop_variable_with_the_name_of_a_signal() {
    assert_eq!(problem::<LoopName>(), "bad: loop variable i has the name of a signal");
}

#[derive(LogicBlock, Default)]
struct Collision {
    pub a: [Signal<In, bool>; 2],
    pub a_0: Signal<In, bool>,
    pub y: Signal<Out, bool>,
}

impl Logic for Collision {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = (self.a[0].val() & self.a[1].val()) | self.a_0.val();
    }
}

#[test]
fn two_signals_of_one_name() {
    assert_eq!(problem::<Collision>(), "bad: two things are called a_0 in Verilog: rename one");
}

#[derive(LogicBlock, Default)]
struct SelfLoop {
    pub a: Signal<In, bool>,
    pub y: Signal<Out, bool>,
    x: Signal<Local, bool>,
}

impl Logic for SelfLoop {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.next = self.y.val();
        self.y.next = self.x.val() & self.a.val();
    }
}

#[test]
fn a_combinational_loop() {
    assert!(problem::<SelfLoop>().starts_with("bad: RustHDL rejects it: LogicLoops"), "{}", problem::<SelfLoop>());
}
