use super::*;
use crate::units::gw::gw_record::{pack, Record};
use crate::units::gw::pins::{Done, Fetch, Fill, Next, SliceIn};
use crate::units::gw::record::{self, Path};
use core::{Core, Tally};
use program::Program;

mod core;
mod program;

fn small() -> Parameters {
    Parameters { schedulers: 2, warps: 32, wave: 8, swst: 3, sets: 4, ways: 2, age_cap: 8, ..Parameters::default() }
}

/// Runs random programs to their end; what happened.
fn run(parameters: &Parameters, pairs_on: bool, waves_on: bool, seeds: std::ops::Range<u64>) -> Tally {
    let mut all = Tally::default();
    for seed in seeds {
        let mut unit = GwFrontEnd::new(parameters).unwrap();
        // The same, but it leaves out nothing.
        let mut awake = unit.clone();
        let mut core = Core::new(parameters, Program::random(seed, 40), seed);
        let mut pins = GwIn { pairs_on, waves_on, ..GwIn::default() };
        while !core.is_finished() {
            let out = unit.outputs();
            assert_eq!(out, awake.outputs(), "seed {seed}, cycle {}", core.tally.cycles);
            core.drive(&out, &mut pins).unwrap_or_else(|text| panic!("seed {seed}: {text}"));
            if unit.is_quiet() {
                check_quiet(&unit, &pins);
                core.tally.quiet += 1;
            }
            unit.clock(&pins).unwrap();
            awake.slices.iter_mut().for_each(|slice| slice.rests = false);
            awake.clock(&pins).unwrap();
            assert!(core.tally.cycles < 200_000, "seed {seed}: no end in sight: {:?} {unit:?}", core.tally);
        }
        all.add(&core.tally);
    }
    all
}

/// A cycle in which no input says anything leaves the unit as it is, whatever room there is.
fn check_quiet(unit: &GwFrontEnd, pins: &GwIn) {
    let mut low = GwIn { pairs_on: pins.pairs_on, waves_on: pins.waves_on, fetch_room: true, ..Default::default() };
    low.slices.iter_mut().for_each(|pins| pins.room = 0b1111);
    let mut after = unit.clone();
    after.clock(&low).unwrap();
    assert_eq!(format!("{after:?}"), format!("{unit:?}"));
}

#[test]
fn every_warp_executes_its_program_in_order_and_ends() {
    let tally = run(&small(), true, true, 0..30);
    assert!(tally.pairs > 100 && tally.halves > 100 && tally.waves > 100, "{tally:?}");
    assert!(2 * tally.members > 3 * tally.waves && tally.partial > 0, "{tally:?}");
    assert!(tally.full > 0 && tally.table_full > 0 && tally.quiet > 0, "{tally:?}");
    assert!(tally.fetches < tally.lines_entered, "nothing was shared: {tally:?}");
}

#[test]
fn ways_past_window_and_table_keep_the_order_of_a_program() {
    for (land, express, prefetch, lowest, window) in [
        (true, false, false, false, 2),
        (false, true, false, false, 2),
        (false, false, true, false, 2),
        (true, true, true, true, 2),
        (true, true, true, false, 1),
    ] {
        let parameters = Parameters { land, express, prefetch, lowest, window, ..small() };
        let tally = run(&parameters, true, true, 0..12);
        assert!(tally.pairs > 100 && tally.halves > 100 && tally.waves > 100, "{parameters:?}: {tally:?}");
    }
}

#[test]
fn the_papers_processor_runs_to_the_end() {
    let tally = run(&Parameters::default(), true, true, 0..3);
    assert!(tally.pairs > 1_000 && tally.waves > 1_000, "{tally:?}");
}

#[test]
fn other_shapes_run_to_the_end() {
    for (schedulers, warps, wave, swst) in [(1, 4, 4, 2), (1, 64, 16, 16), (4, 32, 8, 2), (2, 128, 4, 5)] {
        let parameters = Parameters { schedulers, warps, wave, swst, ways: 3, ..small() };
        let tally = run(&parameters, true, true, 0..4);
        assert!(tally.waves > 0 && tally.pairs > 0, "{parameters:?}: {tally:?}");
    }
}

#[test]
fn pairs_and_waves_can_be_switched_off() {
    let tally = run(&small(), false, true, 0..6);
    assert!(tally.pairs == 0 && tally.waves > 0 && tally.halves > 0, "{tally:?}");
    let tally = run(&small(), true, false, 0..6);
    assert!(tally.waves == 0 && tally.pairs > 0, "{tally:?}");
}

#[test]
fn without_reuse_every_warp_fetches_for_itself() {
    let with = run(&small(), true, true, 0..6);
    let without = run(&Parameters { reuse: false, ..small() }, true, true, 0..6);
    assert!(without.pairs > 0 && without.waves > 0 && without.full == 0, "{without:?}");
    assert!(without.fetches > 3 * with.fetches, "{without:?} {with:?}");
    run(&Parameters { reuse: false, ..Parameters::default() }, true, true, 0..2);
    run(&Parameters { reuse: false, ..small() }, false, false, 0..4);
}

#[test]
fn an_ideal_front_end_keeps_all_rules_and_takes_no_more_cycles() {
    for parameters in [small(), Parameters { reuse: false, ..small() }, Parameters::default()] {
        let real = run(&parameters, true, true, 0..6);
        let ideal = run(&Parameters { ideal: true, ..parameters }, true, true, 0..6);
        assert!(ideal.cycles < real.cycles && ideal.waves > 0 && ideal.pairs > 0, "{ideal:?} {real:?}");
    }
}

/// The cycles in which warp 0 alone issues what `program` says, round after round: the last instruction branches to the first.
/// An instruction that writes registers is done `latency` cycles after its issue, and one that is not plain
/// is answered in the next cycle, or at once by an ideal core.
fn issue_cycles(parameters: &Parameters, program: &[u128], latency: u64, cycles: u64) -> Vec<u64> {
    let mut unit = GwFrontEnd::new(parameters).unwrap();
    let mut pins = GwIn { fetch_room: true, pairs_on: true, waves_on: true, ..GwIn::default() };
    let (mut issued_at, mut fetched, mut flights, mut answer) = (Vec::new(), None, Vec::new(), None);
    let mut waves: Vec<(u64, u8)> = Vec::new();
    for cycle in 0..cycles {
        let out = unit.outputs();
        let record = |pc: u16| program.get(pc as usize).copied().unwrap_or_default();
        let fill =
            |fetch: Fetch| Fill { entry: fetch.entry, records: [0, 1].map(|slot| record(2 * fetch.line + slot)) };
        pins.fill = fetched.take().map(fill).into();
        fetched = out.fetch.get();
        pins.slices[0] = SliceIn { start: (cycle == 0) as u64, room: 15, ..SliceIn::default() };
        if let Some(at) = flights.iter().position(|(due, _)| *due == cycle) {
            let (_, even_slot) = flights.swap_remove(at);
            pins.slices[0].done[0] = Done { even: true, even_slot, ..Done::default() };
        }
        if let Some(at) = waves.iter().position(|(due, _)| *due == cycle) {
            pins.slices[0].done_wave = Some(waves.swap_remove(at).1).into();
        }
        if let Some(swid) = out.slices[0].wave.get() {
            issued_at.push(cycle);
            waves.push((cycle + latency, swid));
        }
        if out.slices[0].halves.even {
            issued_at.push(cycle);
            let pc = out.slices[0].issue_pc;
            if !Record::unpack(record(pc)).plain {
                let next = Next { next: 0, pc: (pc + 1) % program.len() as u16, full: true };
                answer = Some((cycle + u64::from(!parameters.ideal), next));
            }
            if record(pc) as u64 & 1 << 6 != 0 {
                flights.push((cycle + latency, out.slices[0].even_slot));
            }
        }
        if let Some((_, next)) = answer.take_if(|(due, _)| *due == cycle) {
            (pins.slices[0].answered.even, pins.slices[0].next[0]) = (true, next);
        }
        unit.clock(&pins).unwrap();
    }
    issued_at
}

fn instruction(writes: &[u8], reads: &[u8], plain: bool) -> u128 {
    pack(record::pack(writes, reads, Path::Sp, false), plain, false)
}

fn scalar(writes: &[u8], reads: &[u8]) -> u128 {
    pack(record::pack(writes, reads, Path::Sp, true), true, false)
}

/// Cycles between issues of the second round.
fn distances(program: &[u128], latency: u64) -> Vec<u64> {
    distances_with(&small(), program, latency)
}

fn distances_with(parameters: &Parameters, program: &[u128], latency: u64) -> Vec<u64> {
    let at = issue_cycles(parameters, program, latency, 500);
    at[program.len()..=2 * program.len()].windows(2).map(|two| two[1] - two[0]).collect()
}

#[test]
fn a_branch_is_answered_five_cycles_before_what_is_behind_it_issues() {
    assert_eq!(distances(&[instruction(&[], &[], false)], 0), [1 + 5]);
    assert_eq!(distances(&[instruction(&[], &[], false); 3], 0), [1 + 5; 3]);
}

#[test]
fn a_long_run_of_independent_instructions_issues_one_every_three_cycles() {
    let mut program = [instruction(&[], &[], true); 8];
    program[7] = instruction(&[], &[], false);
    assert_eq!(distances(&program, 0), [3, 3, 3, 3, 3, 3, 3, 6]);
}

#[test]
fn an_ideal_front_end_issues_in_consecutive_cycles() {
    let ideal = Parameters { ideal: true, ..small() };
    let mut program = [instruction(&[], &[], true); 8];
    program[7] = instruction(&[], &[], false);
    assert_eq!(distances_with(&ideal, &program, 0), [1; 8]);
    assert_eq!(distances_with(&ideal, &[instruction(&[], &[], false); 3], 0), [1; 3]);
}

#[test]
fn a_result_lets_what_waits_for_it_issue_two_cycles_later_and_the_next_one_with_it() {
    let program = [
        instruction(&[1], &[], true),
        instruction(&[2], &[1], true),
        instruction(&[], &[], true),
        instruction(&[], &[2], false),
    ];
    // The second waits 20 cycles for the first, and the third is checked by then.
    assert_eq!(distances(&program, 20), [22, 1, 21, 6]);
}

/// From the end of a wave to the issue of a scalar that waited for it: the formation of a wave, or the way around it.
#[test]
fn a_scalar_goes_through_the_formation_of_waves_or_at_once() {
    let program = [scalar(&[1], &[]), scalar(&[2], &[1]), instruction(&[], &[], false)];
    let express = Parameters { express: true, ..small() };
    assert_eq!(distances(&program, 20), [20 + 7, 2, 1 + 9]);
    assert_eq!(distances_with(&express, &program, 20), [20 + 3, 2, 1 + 5]);
}

#[test]
fn a_unit_at_rest_is_quiet_and_reset_brings_it_there() {
    let mut unit = GwFrontEnd::new(&small()).unwrap();
    assert!(unit.is_quiet());
    let mut pins = GwIn { fetch_room: true, ..GwIn::default() };
    pins.slices[1].start = 0b11;
    unit.clock(&pins).unwrap();
    assert!(!unit.is_quiet());
    unit.reset();
    assert!(unit.is_quiet());
}

#[test]
fn parameters_are_checked() {
    let error = GwFrontEnd::new(&Parameters { swst: 0, ..small() }).unwrap_err().to_string();
    assert_eq!(error, "gw_front_end: swst = 0, but it must be from 2 to 16");
}
