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
