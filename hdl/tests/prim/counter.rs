//! The counter against ordinary arithmetic.

use hdl::prim::counter::Counter;
use rust_hdl::prelude::*;

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
