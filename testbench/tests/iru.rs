//! RTL and model of the reorder units in lock-step, and RTL that is broken on purpose. Here are the small instances, for as many
//! cycles as every event needs; all of them, for long, are in `make campaign`.

use testbench::cosim::{cosim, Cosim};

/// No difference, no violation, and every event of the unit's traffic happened.
fn assert_equal(unit: &str, parameters: &[(&str, u64)], cycles: u64) {
    let directory = tempfile::tempdir().unwrap();
    let report = cosim(unit, parameters, cycles, 1, directory.path(), &mut |_| {}).unwrap();
    assert_eq!(report.failure(), None);
    assert_eq!((report.cycles, report.mismatches), (cycles, 0));
    assert!(report.comparisons >= cycles);
}

const PLACE: &[(&str, u64)] = &[("partitions", 2), ("sets", 8)];
const UNIT: &[(&str, u64)] = &[("partitions", 2), ("sets", 8), ("timeout", 16), ("requests", 16)];

#[test]
fn sram_1r1w() {
    assert_equal("sram_1r1w", &[("words", 32), ("width", 192)], 100_000);
    assert_equal("sram_1r1w", &[("words", 16), ("width", 16)], 100_000);
}

#[test]
fn queue() {
    assert_equal("queue", &[("entries", 16)], 200_000);
    assert_equal("queue", &[("entries", 64)], 200_000);
}

#[test]
fn hash_of_every_kind() {
    for hash in 0..3 {
        assert_equal("iru_hash", &[("hash", hash)], 100_000);
    }
}

#[test]
fn fp32_add() {
    assert_equal("fp32_add", &[], 2_000_000);
}

#[test]
fn prefetcher() {
    assert_equal("prefetcher", &[("partitions", 4)], 200_000);
    assert_equal("prefetcher", &[("partitions", 2)], 200_000);
}

#[test]
fn classifier() {
    assert_equal("classifier", PLACE, 200_000);
    assert_equal("classifier", &[("partitions", 4), ("sets", 8)], 200_000);
}

#[test]
fn ring_stop() {
    assert_equal("ring_stop", PLACE, 200_000);
    assert_equal("ring_stop", &[("partitions", 4), ("sets", 8)], 200_000);
}

#[test]
fn reorder_bank() {
    assert_equal("reorder_bank", PLACE, 500_000);
}

#[test]
fn data_replier() {
    assert_equal("data_replier", UNIT, 500_000);
}

#[test]
fn iru_partition() {
    assert_equal("iru_partition", UNIT, 500_000);
}

#[test]
fn iru() {
    assert_equal("iru", UNIT, 300_000);
}

/// The RTL of `unit` with one place changed is caught.
fn assert_caught(unit: &str, parameters: &[(&str, u64)], from: &str, to: &str) {
    let directory = tempfile::tempdir().unwrap();
    let broken = Cosim::with_changed_verilog(unit, parameters, |verilog| {
        assert_eq!(verilog.matches(from).count(), 1, "`{from}` is not there exactly once");
        verilog.replace(from, to)
    });
    let report = broken.unwrap().run(1_000_000, 1, directory.path(), &mut |_| {}).unwrap();
    let difference = report.difference.unwrap_or_else(|| panic!("{unit}: not caught: `{to}` for `{from}`"));
    assert_ne!(difference.model, difference.rtl);
}

#[test]
fn a_changed_comparator_is_caught() {
    let (from, to) = ("secondary_2 < old_secondary_2", "old_secondary_2 < secondary_2");
    assert_caught("reorder_bank", PLACE, from, to);
    assert_caught("data_replier", UNIT, "age == 5'd16", "age == 5'd17");
    assert_caught("ring_stop", PLACE, "credit == 4'd8", "credit == 4'd9");
}

#[test]
fn ties_that_go_away_from_zero_are_caught() {
    assert_caught("fp32_add", &[], "shifted_4[3] & ((|shifted_4[2:0]) | shifted_4[4])", "shifted_4[3]");
}

/// An element would be compared with what a slot had before its equal was added.
#[test]
fn equal_elements_that_meet_in_flight_are_caught() {
    assert_caught("reorder_bank", PLACE, "(valid_7 & (index_7 == element_word[79:56]))", "1'd0");
}

#[test]
fn a_dropped_reset_is_caught() {
    assert_caught("queue", &[("entries", 16)], "            count_q <= 5'd0;\n", "");
    assert_caught("ring_stop", PLACE, "            credit <= 4'd0;\n", "");
    assert_caught("reorder_bank", PLACE, "            valid_7 <= 1'd0;\n", "");
}
