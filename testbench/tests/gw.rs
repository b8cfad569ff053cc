//! RTL and model of the units of Graph-Waving in lock-step, and RTL that is broken on purpose. Here are the small instances, for as
//! many cycles as every coverage point needs; all of them, for long, are in `make campaign`.

use crate::common::units;
use sim::unit::Unit;
use sim::units::gw::pins::next::HALTS;
use sim::units::gw::pins::{B32In, Done, GwIn, Offer};
use sim::units::gw::{B32FrontEnd, B32Parameters, GwFrontEnd, Parameters};
use spec::gw::{FAST_FRONT_END, SMALL_FRONT_END};
use testbench::stimulus::gw::{B32FrontEndStimulus, GwFrontEndStimulus};
use testbench::stimulus::Stimulus;

/// The registers that an instruction reads, in its record.
const READS: u128 = ((1 << 42) - 1) << 28;
/// It may go into a wave.
const SCALAR: u128 = 1 << 72;

const BASELINE: &[(&str, u64)] = &[("schedulers", 2), ("warps", 16)];

units::equal! {
    fetch_arbiter: 200_000, [("schedulers", 2), ("warps", 8)];
    instruction_buffer: 200_000, [("warps", 8)];
    round_robin_scheduler: 200_000, [("warps", 8)];
    gw_front_end: 200_000, FAST_FRONT_END;
    b32_front_end: 200_000, BASELINE;
}

/// The RTL of the front end with one place changed is caught.
fn assert_caught(from: &str, to: &str) {
    let difference = units::assert_caught("gw_front_end", SMALL_FRONT_END, from, to);
    assert!(difference.cycle > 0, "{difference}");
}

#[test]
fn a_reset_that_loses_against_an_input_is_caught() {
    let valid = "            slot_valid_q <= 48'd0;\n";
    let broken = valid.replace("slot_valid_q", "if (~write_valid) slot_valid_q");
    units::assert_caught("instruction_buffer", &[], valid, &broken);
}

#[test]
fn a_younger_victim_is_caught() {
    assert_caught("& ~(candidates[1] & ask_order)};", "& ~(candidates[1] & ~ask_order)};");
}

/// Programs are longer than 64 instructions, and use all registers.
#[test]
fn a_narrow_field_is_caught() {
    let narrow = "= {10'd0, front_pc[i*16 + 1 +: 5]};";
    assert_caught("= front_pc[i*16 + 1 +: 15];", narrow);
    assert_caught("(64'd1 << writes[5:0])", "(64'd1 << writes[2:0])");
}

/// A line is replaced that a warp has just found.
#[test]
fn a_victim_that_is_taken_is_caught() {
    assert_caught("(|victim_q) & ~is_taken", "(|victim_q) | is_taken");
}

/// An instruction that writes a register waits for those that write it before.
#[test]
fn a_write_that_does_not_wait_for_a_write_is_caught() {
    assert_caught(
        "land_needs <= registers_read | registers_written",
        "land_needs <= registers_read | (registers_written & 64'd1)",
    );
}

#[test]
fn a_wave_that_is_urgent_too_early_is_caught() {
    assert_caught("head_stays = (|open_q) & ~issue_wave", "head_stays = (|open_q)");
}

#[test]
fn a_warp_that_joins_an_issued_wave_is_caught() {
    assert_caught("joins = fit_q & open_q & ~issue_waves &", "joins = fit_q & open_q &");
}

/// First violation that the stimulus itself reports of a broken unit with legal inputs.
fn violation<U: Unit>(
    mut unit: U,
    mut stimulus: impl Stimulus<In = U::In, Out = U::Out>,
    break_it: impl Fn(&mut U::In),
) -> String {
    let mut pins = U::In::default();
    for _ in 0..200_000 {
        let resets = stimulus.next(&unit.outputs(), &mut pins);
        if let Some(text) = stimulus.violation() {
            return text.into();
        }
        if resets {
            unit.reset();
            continue;
        }
        let mut broken = pins.clone();
        break_it(&mut broken);
        unit.clock(&broken).unwrap();
    }
    panic!("no violation");
}

fn small() -> Parameters {
    Parameters { schedulers: 2, warps: 16, wave: 4, swst: 2, sets: 4, ways: 2, age_cap: 8, ..Default::default() }
}

fn front_end(break_it: impl Fn(&mut GwIn)) -> String {
    violation(GwFrontEnd::new(&small()).unwrap(), GwFrontEndStimulus::new(&small(), 1), break_it)
}

#[test]
fn registers_that_stay_pending_make_warps_hang() {
    let text = front_end(|pins| pins.slices[1].done[1] = Done::default());
    assert!(text.ends_with(" warps hang"), "{text}");
}

#[test]
fn a_lost_fill_makes_warps_hang() {
    let text = front_end(|pins| pins.fill.valid &= pins.fill.item.entry != 3);
    assert!(text.ends_with(" warps hang"), "{text}");
}

#[test]
fn issues_that_a_program_does_not_have_are_named() {
    let text = front_end(|pins| {
        let answer = &mut pins.slices[0].next[1];
        answer.pc ^= u16::from(answer.next == HALTS);
    });
    assert!(text.contains(" issues at pc "), "{text}");
    let text = front_end(|pins| {
        let record = &mut pins.fill.item.records[1];
        *record &= if *record & SCALAR == 0 { !READS } else { u128::MAX };
    });
    assert!(text.contains(" with registers pending: "), "{text}");
    let text = front_end(|pins| pins.waves_on = false);
    assert!(text.ends_with(", in a wave: false"), "{text}");
    let text = front_end(|pins| pins.slices[0].room = 15);
    assert!(text.ends_with(" on a path without room"), "{text}");
    let text = front_end(|pins| pins.slices[1].room = 0);
    assert!(text.ends_with(" issues, but some warp could"), "{text}");
}

/// A register is written in the very cycle in which a check finds it pending.
#[test]
fn a_lost_wake_of_the_baseline_is_caught() {
    let (from, to) = ("(waits | fails_places) & ~named;", "(waits & ~named) | fails_places;");
    let difference = units::assert_caught("b32_front_end", BASELINE, from, to);
    assert!(difference.cycle > 0, "{difference}");
}

#[test]
fn a_line_that_a_branch_left_is_caught() {
    let (from, to) = ("{ends | ~stays}", "{ends & ~stays}");
    let difference = units::assert_caught("b32_front_end", BASELINE, from, to);
    assert!(difference.pin == "fetch_valid" || difference.pin == "issue_valid_0", "{difference}");
    assert!(difference.cycle > 0, "{difference}");
}

fn baseline(break_it: impl Fn(&mut B32In)) -> String {
    let parameters = B32Parameters { schedulers: 2, warps: 16, lowest: false };
    violation(B32FrontEnd::new(&parameters).unwrap(), B32FrontEndStimulus::new(&parameters, 1), break_it)
}

#[test]
fn what_a_front_end_of_the_baseline_must_not_do_is_named() {
    let text = baseline(|pins| pins.slices[1].done[1] = Offer::default());
    assert!(text.ends_with(" warps hang"), "{text}");
    let text = baseline(|pins| pins.fill.valid &= pins.fill.item.place != 3);
    assert!(text.ends_with(" warps hang"), "{text}");
    let text = baseline(|pins| pins.slices[0].room = 15);
    assert!(text.ends_with(" on a path without room"), "{text}");
    let text = baseline(|pins| pins.slices[1].room = 0);
    assert!(text.ends_with(" issues, but some warp could"), "{text}");
    let text = baseline(|pins| pins.fill.item.records[1] &= 7 << 70);
    assert!(text.contains(" with registers pending: "), "{text}");
}
