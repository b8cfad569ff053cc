//! Flip-flops. RustHDL's own has an `initial` value and no reset; these have a synchronous reset, or neither.
//!
//! ```text
//!            +---+                    +---+
//!      d ----|   |---- q        d ----|   |---- q
//!    clock --|>  |         enable ----|   |
//!    reset --|   |            clock --|>  |
//!            +---+                    +---+
//!          Register               DataRegister
//! ```

use crate::circuit::network::Unconnected;
use crate::unconnected;
use rust_hdl::prelude::*;
use verilog::description::Description;

/// Control state: takes `d` at every edge, or its reset value while `reset` is high.
#[derive(LogicBlock)]
pub struct Register<T: Synth> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub d: Signal<In, T>,
    pub q: Signal<Out, T>,
    _reset_value: T,
}

impl<T: Synth> Register<T> {
    pub fn new(reset_value: T) -> Self {
        unconnected!(Self { clock, reset, d, q; _reset_value: reset_value })
    }
}

/// Resets to zero.
impl<T: Synth> Default for Register<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Synth> Unconnected for Register<T> {
    fn unconnected() -> Self {
        Self::default()
    }
}

impl<T: Synth> Unconnected for DataRegister<T> {
    fn unconnected() -> Self {
        Self::default()
    }
}

impl<T: Synth> Logic for Register<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() { self._reset_value } else { self.d.val() };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let value = format!("{:x}", self._reset_value.verilog());
        let digits = value.rsplit("'h").next().unwrap_or_default();
        Verilog::Custom(Description::Register { reset_value: Some(digits.into()) }.to_json())
    }
}

/// Data that a `valid` elsewhere vouches for: no reset, takes `d` while `enable` is high.
#[derive(LogicBlock, Default)]
pub struct DataRegister<T: Synth> {
    pub clock: Signal<In, Clock>,
    pub enable: Signal<In, bool>,
    pub d: Signal<In, T>,
    pub q: Signal<Out, T>,
}

impl<T: Synth> Logic for DataRegister<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.enable.val() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(Description::Register { reset_value: None }.to_json())
    }
}
