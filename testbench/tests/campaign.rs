//! The rows of the campaigns are about the RTL, the models and the traffic of today.

use std::collections::BTreeMap;
use std::path::Path;
use testbench::cosim::{digests, units, Digests};
use testbench::pages::cosim::runs;
use testbench::pages::Data;

/// The seed of the campaigns.
const SEED: u64 = 1;

fn data() -> Data {
    Data::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/data")).unwrap()
}

/// The inputs that a row was made with.
struct Row<'a> {
    module: &'a str,
    unit: &'a str,
    parameters: &'a BTreeMap<String, u64>,
    /// The digests of RTL and stimulus, shortened.
    digests: [&'a str; 2],
}

/// What a row says it was made with, if today another thing would be.
fn staleness(row: &Row) -> Option<String> {
    let parameters: Vec<_> = row.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let Digests { rtl, traffic } = digests(row.unit, &parameters, SEED).unwrap();
    let [old_rtl, old_traffic] = row.digests;
    let is_stale = |old: &str, new: &str| old.len() != 12 || !new.starts_with(old);
    let stale = [("RTL", is_stale(old_rtl, &rtl)), ("model or traffic", is_stale(old_traffic, &traffic))];
    let stale: Vec<_> = stale.iter().filter(|(_, stale)| *stale).map(|(what, _)| *what).collect();
    (!stale.is_empty()).then(|| format!("{} ({})", row.module, stale.join(", ")))
}

/// Each row is of today, and each unit has one; `command` makes them anew.
fn assert_current(rows: &[Row], command: &str) {
    for unit in units() {
        assert!(rows.iter().any(|row| row.unit == unit), "no row of {unit}: run `{command}`");
    }
    let (one, other) = rows.split_at(rows.len() / 2);
    let stale = |rows: &[Row]| rows.iter().filter_map(staleness).collect::<Vec<_>>();
    let stale = std::thread::scope(|scope| {
        let other = scope.spawn(|| stale(other));
        [stale(one), other.join().unwrap()].concat()
    });
    assert!(stale.is_empty(), "rows are stale, run `{command}`: {}", stale.join("; "));
}

#[test]
fn no_row_of_the_campaign_is_stale() {
    let rows = data().cosim;
    let missing: Vec<_> = rows.iter().filter(|row| row.run.is_none()).map(|row| &row.module).collect();
    assert!(missing.is_empty(), "docs/data/cosim.json is not complete, run `make campaign`: {missing:?}");
    let made_with = runs(&rows).map(|(row, run)| Row {
        module: &row.module,
        unit: &row.unit,
        parameters: &row.parameters,
        digests: [&run.rtl, &run.traffic],
    });
    assert_current(&made_with.collect::<Vec<_>>(), "make campaign");
    let different: Vec<_> = runs(&rows).filter(|(_, run)| run.mismatches > 0).collect();
    assert!(different.is_empty(), "{different:?}");
}

#[test]
fn no_row_of_the_planted_faults_is_stale() {
    let reports = data().mutants;
    let made_with = reports.iter().map(|report| Row {
        module: &report.module,
        unit: &report.unit,
        parameters: &report.parameters,
        digests: [&report.digests.rtl[..12], &report.digests.traffic[..12]],
    });
    assert_current(&made_with.collect::<Vec<_>>(), "make mutants");
}

/// Each is found by traffic, or proven to change nothing.
#[test]
fn no_planted_fault_survives() {
    for report in data().mutants {
        assert_eq!((report.killed + report.equivalent, report.survivors.len()), (report.mutants, 0), "{report:?}");
    }
}

#[test]
fn a_row_of_another_rtl_or_traffic_is_stale() {
    let Digests { rtl, traffic } = digests("icrn", &[("cores", 2)], SEED).unwrap();
    let parameters = &[("cores".to_string(), 2)].into();
    let stale = |rtl, traffic| staleness(&Row { module: "icrn_c2", unit: "icrn", parameters, digests: [rtl, traffic] });
    let (rtl, traffic, other) = (&rtl[..12], &traffic[..12], "0123456789ab");
    assert_eq!(stale(rtl, traffic), None);
    assert_eq!(stale(other, traffic).unwrap(), "icrn_c2 (RTL)");
    assert_eq!(stale(rtl, other).unwrap(), "icrn_c2 (model or traffic)");
    assert_eq!(stale("", "").unwrap(), "icrn_c2 (RTL, model or traffic)");
}

/// Bits of pins and places of the RTL, but for those that are waived.
#[test]
fn every_bit_moves_and_every_place_is_reached() {
    let rows = data().coverage;
    assert!(rows.len() >= units().len(), "docs/data/coverage.json is not complete: run `make verification`");
    for row in rows {
        assert!(row.still.is_empty() && row.never.is_empty(), "{row:?}");
    }
}
