//! Counter modulo a period.
//!
//! ```text
//!   clear ----+-------------------+
//!   enable ---| 0 ... period - 1  |---- last
//!   clock ----|>                  |
//!   reset ----+-------------------+
//! ```
//!
//! Counts the cycles with `enable` high and starts again at 0 after `period`, and with `clear`. `last` is high while the
//! count is period - 1.

use crate::circuit::{Circuit, Wire};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Counter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub clear: Signal<In, bool>,
    pub enable: Signal<In, bool>,
    pub last: Signal<Out, bool>,
    _circuit: Circuit,
    _wires: Wires,
}

struct Wires {
    clear: Wire,
    enable: Wire,
    last: Wire,
}

impl Counter {
    /// `period` is at least 2.
    pub fn new(period: u64) -> Self {
        let (circuit, wires) = describe(period);
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            clear: Signal::default(),
            enable: Signal::default(),
            last: Signal::default(),
            _circuit: circuit,
            _wires: wires,
        }
    }
}

fn describe(period: u64) -> (Circuit, Wires) {
    assert!(period >= 2);
    let width = (period - 1).ilog2() as usize + 1;
    let mut c = Circuit::default();
    let (clear, enable) = (c.input("clear", 1), c.input("enable", 1));
    let count = c.register("count", width);
    let end = c.constant(period - 1, width);
    let last = c.eq(count, end);
    let last = c.name(last, "last");
    c.output("last", last);

    let (zero, one) = (c.constant(0, width), c.constant(1, width));
    let wraps = c.and(enable, last);
    let starts_again = c.or(clear, wraps);
    let incremented = c.add(count, one);
    let counted = c.mux(enable, incremented, count);
    let next = c.mux(starts_again, zero, counted);
    let next = c.name(next, "next_count");
    c.drive(count, next);
    (c, Wires { clear, enable, last })
}

impl Logic for Counter {
    fn update(&mut self) {
        let (circuit, wires) = (&mut self._circuit, &self._wires);
        circuit.set(wires.clear, self.clear.val());
        circuit.set(wires.enable, self.enable.val());
        circuit.step(self.clock.pos_edge(), self.reset.val());
        self.last.next = circuit.get(wires.last);
    }

    fn connect(&mut self) {
        self.last.connect();
    }

    fn hdl(&self) -> Verilog {
        self._circuit.verilog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycle(c: &mut Counter, reset: bool, clear: bool, enable: bool) -> bool {
        (c.reset.next, c.clear.next, c.enable.next) = (reset, clear, enable);
        for level in [false, true] {
            c.clock.next = level.into();
            assert!(simulate(c, 100));
        }
        c.last.val()
    }

    #[test]
    fn counts_enabled_cycles_modulo_the_period() {
        for period in [2, 5, 8, 10] {
            let mut counter = Counter::new(period);
            counter.connect_all();
            assert!(!cycle(&mut counter, true, false, true));
            for i in 1..4 * period {
                assert!(!cycle(&mut counter, false, false, true) || i % period == period - 1);
                let last = counter.last.val();
                assert_eq!(last, i % period == period - 1, "period {period}, count {i}");
                assert_eq!(cycle(&mut counter, false, false, false), last, "holds without enable");
            }
            cycle(&mut counter, false, true, true);
            let until_last = (1..).find(|_| cycle(&mut counter, false, false, true)).unwrap();
            assert_eq!(until_last, period - 1, "clear starts at 0");
        }
    }
}
