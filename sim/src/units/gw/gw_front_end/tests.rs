pub mod core;
pub mod program;

use super::*;
use crate::units::gw::pins::{Fill, Next};
use core::{Core, Tally};
use program::Program;

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
        let mut pins = GwIn::default();
        (pins.pairs_on, pins.waves_on) = (pairs_on, waves_on);
        while !core.is_finished() {
            let what = |text: String| panic!("seed {seed}: {text}");
            core.drive(&unit.outputs(), &mut pins).unwrap_or_else(what);
            if unit.is_quiet() {
                check_quiet(&unit, &pins);
                core.tally.quiet += 1;
            }
            assert_eq!(unit.outputs(), awake.outputs(), "seed {seed}, cycle {}", core.tally.cycles);
            unit.clock(&pins);
            awake.slices.iter_mut().for_each(|slice| slice.rests = false);
            awake.clock(&pins);
            assert!(core.tally.cycles < 200_000, "seed {seed}: no end in sight: {:?}", core.tally);
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
    after.clock(&low);
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
fn the_papers_processor_runs_to_the_end() {
    let tally = run(&Parameters::default(), true, true, 0..3);
    assert!(tally.pairs > 1_000 && tally.waves > 1_000, "{tally:?}");
}

#[test]
fn other_shapes_run_to_the_end() {
    let p = small();
    for (schedulers, warps, wave, swst) in [(1, 4, 4, 2), (1, 64, 16, 16), (4, 32, 8, 2), (2, 128, 4, 5)] {
        let parameters = Parameters { schedulers, warps, wave, swst, ways: 3, ..p };
        let tally = run(&parameters, true, true, 0..4);
        assert!(tally.waves > 0 && tally.pairs > 0, "{parameters:?}: {tally:?}");
    }
}

#[test]
fn without_pairs_halves_issue_alone() {
    let tally = run(&small(), false, true, 0..6);
    assert!(tally.pairs == 0 && tally.waves > 0 && tally.halves > 0, "{tally:?}");
}

#[test]
fn without_waves_scalars_issue_as_others_do() {
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

/// One warp that executes `count` instructions without operands, with a filled storage: cycles between issues.
fn issue_distances(parameters: &Parameters, count: u16) -> Vec<u64> {
    let mut unit = GwFrontEnd::new(parameters).unwrap();
    let mut pins = GwIn { fetch_room: true, pairs_on: true, ..Default::default() };
    let (mut issued_at, mut fetched) = (Vec::new(), None);
    // The first time round fills the storage, the second is measured.
    for cycle in 0..2_000 {
        let out = unit.outputs();
        pins.fill = fetched.take().map(|entry| Fill { entry, records: [0; 2] }).into();
        fetched = out.fetch.get().map(|fetch| fetch.entry);
        pins.slices[0] = SliceIn { start: (cycle == 0) as u64, room: 15, ..Default::default() };
        if out.slices[0].halves.even {
            issued_at.push(cycle);
            let pc = (out.slices[0].issue_pc + 1) % count;
            pins.slices[0].next[0] = Next { next: 0, pc, full: true };
        }
        unit.clock(&pins);
    }
    let second = &issued_at[count as usize..2 * count as usize + 1];
    second.windows(2).map(|two| two[1] - two[0]).collect()
}

#[test]
fn four_cycles_from_issue_to_issue_within_an_entry_and_six_with_a_look_up() {
    assert_eq!(issue_distances(&small(), 4), [4, 6, 4, 6]);
    assert_eq!(issue_distances(&small(), 2), [4, 4]);
    assert_eq!(issue_distances(&small(), 1), [4]);
}

#[test]
fn an_ideal_front_end_issues_in_consecutive_cycles() {
    let ideal = Parameters { ideal: true, ..small() };
    assert_eq!(issue_distances(&ideal, 8), [1; 8]);
}

#[test]
fn an_ideal_front_end_keeps_all_rules_and_takes_no_more_cycles() {
    for parameters in [small(), Parameters { reuse: false, ..small() }, Parameters::default()] {
        let real = run(&parameters, true, true, 0..6);
        let ideal = run(&Parameters { ideal: true, ..parameters }, true, true, 0..6);
        assert!(ideal.cycles < real.cycles && ideal.waves > 0 && ideal.pairs > 0, "{ideal:?} {real:?}");
    }
}

#[test]
fn a_unit_at_rest_is_quiet_and_reset_brings_it_there() {
    let parameters = small();
    let fresh = GwFrontEnd::new(&parameters).unwrap();
    assert!(fresh.is_quiet());
    let mut unit = fresh.clone();
    let mut pins = GwIn { fetch_room: true, ..Default::default() };
    pins.slices[1].start = 0b11;
    unit.clock(&pins);
    assert!(!unit.is_quiet());
    unit.reset();
    assert!(unit.is_quiet());
    assert_eq!(unit.outputs(), fresh.outputs());
}

#[test]
fn parameters_are_checked_by_every_part() {
    let bad = Parameters { swst: 0, ..small() };
    for (unit, error) in [
        ("gw_front_end", GwFrontEnd::new(&bad).err()),
        ("instruction_storage", InstructionStorage::new(&bad).err()),
        ("warp_status_table", WarpStatusTable::new(&bad).err()),
        ("fetch_arbiter", FetchArbiter::new(&bad).err()),
        ("scoreboard", Scoreboard::new(&bad).err()),
        ("scalar_register_map", ScalarRegisterMap::new(&bad).err()),
        ("swfu", Swfu::new(&bad).err()),
        ("scalar_wave_scoreboard", ScalarWaveScoreboard::new(&bad).err()),
        ("pair_scheduler", PairScheduler::new(&bad).err()),
    ] {
        assert_eq!(error.unwrap().to_string(), format!("{unit}: swst is 0; it must be from 2 to 16"));
    }
}
