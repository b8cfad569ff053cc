//! RTL and model of the Graph-Waving units in lock-step, and RTL that is broken on purpose. Here are the small instances, for as
//! many cycles as every event needs; all of them, for long, are in `make campaign`.

use testbench::cosim::{cosim, Cosim};

/// No difference, no violation, and every event of the unit's traffic happened.
fn assert_equal(unit: &str, parameters: &[(&str, u64)], cycles: u64) {
    let directory = tempfile::tempdir().unwrap();
    let report = cosim(unit, parameters, cycles, 1, directory.path(), &mut |_| {}).unwrap();
    assert_eq!(report.failure(), None);
    assert_eq!((report.cycles, report.mismatches), (cycles, 0));
    assert!(report.comparisons >= cycles);
}

/// One scheduler's warps.
const PLACES: &[(&str, u64)] = &[("warps", 8), ("wave", 4)];
const TABLE: &[(&str, u64)] = &[("warps", 8), ("wave", 4), ("swst", 2)];
const AGED_TABLE: &[(&str, u64)] = &[("warps", 8), ("wave", 4), ("swst", 2), ("age_cap", 8)];
const STORAGE: &[(&str, u64)] = &[("schedulers", 2), ("sets", 4), ("ways", 2)];
const STATUS: &[(&str, u64)] = &[("warps", 8), ("wave", 4), ("sets", 4), ("ways", 2)];
const FRONT_END: &[(&str, u64)] =
    &[("schedulers", 2), ("warps", 16), ("wave", 4), ("swst", 2), ("sets", 4), ("ways", 2), ("age_cap", 8)];

#[test]
fn instruction_storage() {
    assert_equal("instruction_storage", STORAGE, 200_000);
}

#[test]
fn warp_status_table() {
    assert_equal("warp_status_table", STATUS, 200_000);
}

#[test]
fn fetch_arbiter() {
    assert_equal("fetch_arbiter", &[("schedulers", 2), ("warps", 8)], 200_000);
}

#[test]
fn scoreboard() {
    assert_equal("scoreboard", PLACES, 200_000);
}

#[test]
fn scalar_register_map() {
    assert_equal("scalar_register_map", PLACES, 200_000);
}

#[test]
fn swfu() {
    assert_equal("swfu", AGED_TABLE, 200_000);
}

#[test]
fn scalar_wave_scoreboard() {
    assert_equal("scalar_wave_scoreboard", TABLE, 200_000);
}

#[test]
fn pair_scheduler() {
    assert_equal("pair_scheduler", TABLE, 200_000);
}

#[test]
fn baseline() {
    assert_equal("instruction_buffer", &[("warps", 8)], 200_000);
    assert_equal("round_robin_scheduler", &[("warps", 8)], 200_000);
}

#[test]
fn gw_front_end() {
    assert_equal("gw_front_end", FRONT_END, 200_000);
}
