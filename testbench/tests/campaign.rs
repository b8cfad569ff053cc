//! The rows of the campaigns are about the RTL, the models and the stimulus of today.

use hdl::catalog::Instance;
use std::path::Path;
use testbench::campaign::{digests_of, instances, mutated};
use testbench::cosim::Digests;
use testbench::pages::cosim::{runs, Row};
use testbench::pages::Data;

fn data() -> Data {
    Data::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/data")).unwrap()
}

/// Modules of the instances whose rows are missing or stale. Both halves are looked at in parallel.
fn stale(instances: &[Instance], is_current: impl Fn(&Instance, &Digests) -> bool + Sync) -> String {
    let (one, other) = instances.split_at(instances.len() / 2);
    let is_stale = |instance: &&Instance| !is_current(instance, &digests_of(instance).unwrap());
    let stale = |some: &[Instance]| some.iter().filter(is_stale).map(|i| i.module.clone() + " ").collect::<String>();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| stale(other));
        stale(one) + &other.join().unwrap()
    })
}

#[test]
fn no_row_of_the_campaign_and_of_coverage_is_stale() {
    let (data, instances) = (data(), instances());
    assert_eq!((data.cosim.len(), data.coverage.len()), (instances.len(), instances.len()));
    let is_current = |instance: &Instance, today: &Digests| {
        let compared = data.cosim.iter().any(|row| row.module == instance.module && row.is_current(today));
        let covered = |instance: &Instance| {
            data.coverage.iter().any(|row| row.module == instance.module && row.is_current(instance, today))
        };
        compared && covered(instance)
    };
    let stale = stale(&instances, is_current);
    assert!(stale.is_empty(), "run `make campaign` and `make verification`: {stale}");
}

#[test]
fn no_row_of_the_mutants_is_stale() {
    let rows = data().mutants;
    let mutated = mutated();
    assert_eq!(rows.len(), mutated.len());
    let is_current = |instance: &Instance, today: &Digests| {
        rows.iter().any(|row| row.report.module == instance.module && row.is_of(instance, today))
    };
    let stale = stale(&mutated, is_current);
    assert!(stale.is_empty(), "run `make mutants`: {stale}");
}

/// Each is killed by the stimulus, or proven to change nothing.
#[test]
fn no_mutant_survives() {
    for report in data().mutants.iter().map(|row| &row.report) {
        assert_eq!((report.killed + report.equivalent, report.survivors.len()), (report.mutants, 0), "{report:?}");
    }
}

#[test]
fn a_row_of_another_rtl_or_stimulus_or_with_a_mismatch_is_stale() {
    let instance = hdl::catalog::find("icrn", &[("cores", 2)]).unwrap();
    let today = digests_of(&instance).unwrap();
    let data = data();
    let (row, _) = runs(&data.cosim).find(|(row, _)| row.module == "icrn_c2").unwrap();
    assert!(row.is_current(&today) && !Row::missing(&instance).is_current(&today));
    let other = "0123456789ab".to_string();
    assert!(!row.is_current(&Digests { rtl: other.clone(), ..today.clone() }));
    assert!(!row.is_current(&Digests { stimulus: other, ..today.clone() }));
    let mut different = row.clone();
    different.run.as_mut().unwrap().mismatches = 1;
    assert!(!different.is_current(&today));
}

/// Bits of pins and places of the RTL, but for those that are waived.
#[test]
fn every_bit_moves_and_every_place_is_reached() {
    data().coverage.iter().for_each(|row| assert!(!row.has_gaps(), "{row:?}"));
}
