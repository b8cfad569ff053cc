//! Blocks that have no Verilog of the same meaning are errors, with the block and the signal.

use crate::common::elaborate;
use rust_hdl::prelude::*;

fn problem<B: Block + Default + 'static>() -> String {
    elaborate::<B>("bad").expect_err("accepted").to_string()
}

/// Fields and kernel of a block.
macro_rules! block {
    ($block:ident { $($fields:tt)* } $kernel:tt) => {
        #[derive(LogicBlock, Default)]
        struct $block { $($fields)* }

        impl Logic for $block $kernel
    };
}

/// A test for each block, which is refused in these words.
macro_rules! refused {
    ($($test:ident: $block:ident $fields:tt $kernel:tt => $message:literal)+) => {$(
        block! { $block $fields $kernel }

        #[test]
        fn $test() {
            assert_eq!(problem::<$block>(), $message);
        }
    )+};
}

block! {
    Child { pub a: Signal<In, bool>, pub y: Signal<Out, bool> } {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = !self.a.val();
        }
    }
}

refused! {
    a_latch: Latch { pub a: Signal<In, bool>, pub y: Signal<Out, bool> } {
        #[hdl_gen]
        fn update(&mut self) {
            if self.a.val() {
                self.y.next = false;
            }
        }
    } => "bad: y keeps its value on some path (a latch): assign it first"

    a_value_that_is_read_before_it_is_final: EarlyRead {
        pub a: Signal<In, bool>, pub y: Signal<Out, bool>, x: Signal<Local, bool>
    } {
        #[hdl_gen]
        fn update(&mut self) {
            self.x.next = false;
            self.y.next = self.x.val();
            if self.a.val() {
                self.x.next = true;
                self.y.next = false;
            }
        }
    } => "bad: x is read before its last assignment"

    an_undriven_input_of_a_child: Undriven { pub y: Signal<Out, bool>, child: Child } {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.child.y.val();
        }
    } => "bad.child: signal a is not driven"

    a_verilog_keyword: Keyword { pub end: Signal<In, bool>, pub y: Signal<Out, bool> } {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.end.val();
        }
    } => "bad: end is a Verilog keyword: choose another name"

    a_loop_variable_with_the_name_of_a_signal: LoopName {
        pub i: Signal<In, Bits<4>>, pub y: [Signal<Out, bool>; 4]
    } {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..4 {
                self.y[i].next = self.i.val().get_bit(i);
            }
        }
    } => "bad: loop variable i has the name of a signal"

    two_signals_of_one_name: Collision {
        pub a: [Signal<In, bool>; 2], pub a_0: Signal<In, bool>, pub y: Signal<Out, bool>
    } {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = (self.a[0].val() & self.a[1].val()) | self.a_0.val();
        }
    } => "bad: two things are called a_0 in Verilog: rename one"
}

block! {
    SelfLoop { pub a: Signal<In, bool>, pub y: Signal<Out, bool>, x: Signal<Local, bool> } {
        #[hdl_gen]
        fn update(&mut self) {
            self.x.next = self.y.val();
            self.y.next = self.x.val() & self.a.val();
        }
    }
}

#[test]
fn a_combinational_loop() {
    let problem = problem::<SelfLoop>();
    assert!(problem.starts_with("bad: RustHDL rejects it: LogicLoops"), "{problem}");
}
