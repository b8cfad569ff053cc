//! Checks of a unit in the tests of all systems.

use std::fs;
use testbench::by_name::{cosim, replay};
use testbench::cosim::Cosim;
use testbench::lockstep::{Difference, Evidence};

/// A test for each unit: `assert_equal` for so many cycles with each list of parameters.
macro_rules! equal {
    ($($unit:ident: $cycles:literal $(, $parameters:expr)+;)+) => {
        $(#[test]
        fn $unit() {
            $(units::assert_equal(stringify!($unit), &$parameters, $cycles);)+
        })+
    };
}
pub(crate) use equal;

/// No difference, no violation, and every coverage point of the unit's stimulus was hit.
pub fn assert_equal(unit: &str, parameters: &[(&str, u64)], cycles: u64) {
    let directory = tempfile::tempdir().unwrap();
    let report = cosim(unit, parameters, cycles, 1, directory.path(), &mut |_| {}).unwrap();
    assert_eq!(report.failure(), None);
    assert_eq!((report.cycles, report.mismatches), (cycles, 0));
    assert!(report.comparisons >= cycles);
}

/// `unit` with one place of its Verilog changed.
pub fn changed(unit: &str, parameters: &[(&str, u64)], from: &str, to: &str) -> Cosim {
    let changed = Cosim::with_changed_verilog(unit, parameters, |verilog| {
        assert_eq!(verilog.matches(from).count(), 1, "`{from}` is not there exactly once");
        verilog.replace(from, to)
    });
    changed.unwrap()
}

/// The RTL of `unit` with one place changed is caught. The difference's trace leads to the same difference again, and
/// to none on the RTL as it should be.
pub fn assert_caught(unit: &str, parameters: &[(&str, u64)], from: &str, to: &str) -> Difference {
    let directory = tempfile::tempdir().unwrap();
    let broken = changed(unit, parameters, from, to);
    let report = broken.run(1_000_000, 1, directory.path(), &mut |_| {}).unwrap();
    let difference = report.difference.unwrap_or_else(|| panic!("{unit}: not caught: `{to}` for `{from}`"));
    assert_eq!(report.mismatches, 1);
    assert_ne!(difference.model, difference.rtl);
    let Evidence::Files { waveform, trace } = &difference.evidence else { panic!("{difference}") };
    let line = difference.to_string();
    let cycle = format!("cycle {}", difference.cycle);
    let files = [waveform.to_str().unwrap(), trace.to_str().unwrap()];
    for text in [unit, &cycle, &difference.pin, &difference.model, &difference.rtl, files[0], files[1]] {
        assert!(line.contains(text), "{line}");
    }
    assert!(fs::metadata(waveform).unwrap().len() > 1000);

    let again = broken.replay(trace, &directory.path().join("again")).unwrap().expect("the same difference");
    assert_eq!(
        (&again.cycle, &again.pin, &again.model, &again.rtl),
        (&difference.cycle, &difference.pin, &difference.model, &difference.rtl)
    );
    assert_eq!(replay(trace, directory.path()).unwrap(), None);
    difference
}
