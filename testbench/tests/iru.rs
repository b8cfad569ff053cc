//! RTL and model of the units of the IRU in lock-step, and RTL that is broken on purpose. Here are the small instances, for as many
//! cycles as every coverage point needs; all of them, for long, are in `make campaign`.

use crate::common::units::{self, assert_caught};
use sim::unit::{Pins, Unit};
use sim::units::iru::{Classifier, HashKind, Iru, Parameters};
use testbench::stimulus::iru::{ClassifierStimulus, IruStimulus};
use testbench::stimulus::Stimulus;

const SETS: &[(&str, u64)] = &[("sets", 8)];
const PLACE: &[(&str, u64)] = &[("partitions", 2), ("sets", 8)];
const UNIT: &[(&str, u64)] = &[("partitions", 2), ("sets", 8), ("timeout", 16), ("requests", 16)];
/// Partitions two cycles apart.
const FAR: &[(&str, u64)] = &[("partitions", 2), ("sets", 8), ("timeout", 16), ("requests", 16), ("link", 2)];

units::equal! {
    iru_hash: 100_000, [("hash", 0)], [("hash", 1)], [("hash", 2)];
    prefetcher: 200_000, [("partitions", 4)], [("partitions", 2)];
    classifier: 200_000, PLACE, [("partitions", 4), ("sets", 8)];
    ring_stop: 200_000, SETS;
    reorder_bank: 500_000, SETS;
    data_replier: 500_000, UNIT;
    iru_partition: 500_000, UNIT;
    iru: 300_000, UNIT, FAR;
}

#[test]
fn a_changed_comparator_is_caught() {
    let (from, to) = ("secondary_q[2*32 +: 32] < old_secondary_2_q", "old_secondary_2_q < secondary_q[2*32 +: 32]");
    assert_caught("reorder_bank", SETS, from, to);
    assert_caught("data_replier", UNIT, "age_q == 5'd16", "age_q == 5'd17");
    assert_caught("ring_stop", SETS, "credit_q == 4'd8", "credit_q == 4'd9");
}

/// The end would be seen while an element is in a link (two partitions use one way alone), and that of the job before after `start`.
#[test]
fn an_end_that_comes_too_early_is_caught() {
    assert_caught("iru", FAR, "links_empty_q <= cw_empty & ccw_empty;", "links_empty_q <= cw_empty | ccw_empty;");
    assert_caught("iru", FAR, "wire counts = ~(start | started_q);", "wire counts = ~(start & started_q);");
}

/// An element would be compared with what a slot had before its equal was added.
#[test]
fn equal_elements_that_meet_in_flight_are_caught() {
    assert_caught("reorder_bank", SETS, " | same_index_q[6];", " | (same_index_q[6] & same_index_q[5]);");
}

/// Fields move over their whole width.
#[test]
fn a_narrow_field_is_caught() {
    let narrow = "count_q <= start ? {count[24], 11'd0, count[12:0]} : count_q;";
    assert_caught("prefetcher", &[], "count_q <= start ? count : count_q;", narrow);
    let narrow = "assign link_position = {link_word_q[23:17] & 7'd0, link_word_q[16:0]};";
    assert_caught("ring_stop", SETS, "assign link_position = link_word_q[23:0];", narrow);
}

#[test]
fn a_dropped_reset_is_caught() {
    assert_caught("ring_stop", SETS, "            link_valid_q <= 1'b0;\n", "");
    assert_caught("reorder_bank", SETS, "            valid_q <= 6'd0;\n", "            valid_q[5:1] <= 5'd0;\n");
}

/// The stimulus alone finds an implementation that hashes otherwise, without another one to compare with.
#[test]
fn stimulus_knows_the_home_of_each_element() {
    let right = Parameters { partitions: 2, sets: 8, timeout: 16, requests: 16, ..Default::default() };
    let wrong = Parameters { hash: HashKind::Xor, ..right };
    assert_eq!(violation(Iru::new(&right).unwrap(), IruStimulus::new(&right, 1)), None);
    let text = violation(Iru::new(&wrong).unwrap(), IruStimulus::new(&right, 1)).unwrap();
    assert!(text.contains("its index was"), "{text}");
    assert_eq!(violation(Classifier::new(&right).unwrap(), ClassifierStimulus::new(&right, 1)), None);
    let text = violation(Classifier::new(&wrong).unwrap(), ClassifierStimulus::new(&right, 1)).unwrap();
    assert!(text.contains("its way and place are"), "{text}");
}

/// The first violation that the stimulus sees at a unit.
fn violation<U: Unit>(mut unit: U, mut stimulus: impl Stimulus<In = U::In, Out = U::Out>) -> Option<String> {
    let mut pins = U::In::for_pins(&unit.interface().inputs);
    for _ in 0..20_000 {
        if stimulus.next(&unit.outputs(), &mut pins) {
            unit.reset();
        } else {
            unit.clock(&pins).unwrap();
        }
        if let Some(text) = stimulus.violation() {
            return Some(text.into());
        }
    }
    None
}
