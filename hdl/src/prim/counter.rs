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

use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    pub struct Counter, inputs Inputs, clocked {
        in clear, enable: Signal<In, bool>,
        out last: Signal<Out, bool>,
    }
    /// `period` is at least 2.
    described by describe(period: u64)
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>, period: u64) {
    assert!(period >= 2);
    let width = (period - 1).ilog2() as usize + 1;
    let count = b.register("count", width);
    let last = count.is(period - 1).name("last");
    b.output("last", last);
    let starts_again = i.clear | (i.enable & last);
    let counted = i.enable.mux(count.increment(), count);
    count.drive(starts_again.mux(b.constant(0, width), counted).name("next_count"));
}
