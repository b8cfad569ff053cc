use super::*;
use crate::units::gw::gw_front_end::tests::core::{Core, Tally};
use crate::units::gw::gw_front_end::tests::program::{Kind, Program};
use crate::units::gw::pins::{Done, Fetch, Fill, Next, SliceIn};
use crate::units::gw::record::{self, Path};

fn small() -> Parameters {
    Parameters { schedulers: 2, warps: 32, wave: 8, swst: 3, sets: 4, ways: 2, age_cap: 8, ..Parameters::default() }
}

/// The records of a program that say where warps go on.
fn program(seed: u64) -> Program {
    let mut program = Program::random(seed, 40);
    for (pc, instruction) in program.instructions.iter_mut().enumerate() {
        instruction.record = pack(instruction.record, instruction.kind == Kind::Plain, pc % 5 == 0);
    }
    program
}

/// Runs random programs to their end; what happened.
fn run(parameters: &Parameters, pairs_on: bool, waves_on: bool, seeds: std::ops::Range<u64>) -> Tally {
    let mut all = Tally::default();
    for seed in seeds {
        let mut unit = AheadFrontEnd::new(parameters).unwrap();
        // The same, but it leaves out nothing.
        let mut awake = unit.clone();
        let mut core = Core::new(parameters, program(seed), seed);
        let (mut pins, mut out, mut out_awake) = (GwIn::default(), GwOut::default(), GwOut::default());
        (pins.pairs_on, pins.waves_on) = (pairs_on, waves_on);
        while !core.is_finished() {
            unit.show(&mut out);
            awake.show(&mut out_awake);
            assert_eq!(out, out_awake, "seed {seed}, cycle {}", core.tally.cycles);
            core.issue_tags = std::array::from_fn(|s| if s < parameters.schedulers { unit.tag(s) } else { 0 });
            core.drive(&out, &mut pins).unwrap_or_else(|text| panic!("seed {seed}: {text}"));
            // Only what writes registers is told.
            for done in pins.slices.iter_mut().flat_map(|slice| &mut slice.done).filter(|done| done.writes == 0) {
                (done.even, done.odd) = (false, false);
            }
            core.tally.quiet += unit.is_quiet() as u64;
            unit.step(&pins, &core.done_tags);
            awake.slices.iter_mut().for_each(|slice| slice.rests = false);
            awake.step(&pins, &core.done_tags);
            assert!(core.tally.cycles < 200_000, "seed {seed}: no end in sight: {:?} {unit:?}", core.tally);
        }
        all.add(&core.tally);
    }
    all
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

/// The cycles in which warp 0 alone issues what `program` says, round after round: the last instruction branches to the first.
/// What writes registers is done `latency` cycles after its issue.
fn issue_cycles(program: &[u128], latency: u64, cycles: u64) -> Vec<u64> {
    let mut unit = AheadFrontEnd::new(&small()).unwrap();
    let (mut pins, mut out) = (GwIn { fetch_room: true, pairs_on: true, ..GwIn::default() }, GwOut::default());
    let (mut issued_at, mut fetched, mut flights) = (Vec::new(), None, Vec::new());
    for cycle in 0..cycles {
        unit.show(&mut out);
        let record = |pc: u16| program.get(pc as usize).copied().unwrap_or_default();
        let fill =
            |fetch: Fetch| Fill { entry: fetch.entry, records: [0, 1].map(|slot| record(2 * fetch.line + slot)) };
        pins.fill = fetched.take().map(fill).into();
        fetched = out.fetch.get();
        pins.slices[0] = SliceIn { start: (cycle == 0) as u64, room: 15, ..SliceIn::default() };
        let mut tags = [[0; 2]; MOST_SCHEDULERS];
        if let Some(at) = flights.iter().position(|(due, _)| *due == cycle) {
            let (_, tag) = flights.swap_remove(at);
            pins.slices[0].done[0] = Done { even: true, ..Done::default() };
            tags[0][0] = tag;
        }
        if out.slices[0].halves.even {
            issued_at.push(cycle);
            let pc = out.slices[0].issue_pc;
            pins.slices[0].next[0] = Next { next: 0, pc: (pc + 1) % program.len() as u16, full: true };
            if record(pc) as u64 & 1 << 6 != 0 {
                flights.push((cycle + latency, unit.tag(0)));
            }
        }
        unit.step(&pins, &tags);
    }
    issued_at
}

fn instruction(writes: &[u8], reads: &[u8], plain: bool) -> u128 {
    pack(record::pack(writes, reads, Path::Sp, false), plain, false)
}

/// Cycles between issues of the second round.
fn distances(program: &[u128], latency: u64) -> Vec<u64> {
    let at = issue_cycles(program, latency, 500);
    at[program.len()..=2 * program.len()].windows(2).map(|two| two[1] - two[0]).collect()
}

#[test]
fn a_branch_issues_five_cycles_before_what_is_behind_it() {
    assert_eq!(distances(&[instruction(&[], &[], false)], 0), [5]);
    assert_eq!(distances(&[instruction(&[], &[], false); 3], 0), [5; 3]);
}

#[test]
fn a_long_run_of_independent_instructions_issues_one_every_three_cycles() {
    let mut program = [instruction(&[], &[], true); 8];
    program[7] = instruction(&[], &[], false);
    assert_eq!(distances(&program, 0), [3, 3, 3, 3, 3, 3, 3, 5]);
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
    assert_eq!(distances(&program, 20), [22, 1, 21, 5]);
}

#[test]
fn a_unit_at_rest_is_quiet_and_reset_brings_it_there() {
    let mut unit = AheadFrontEnd::new(&small()).unwrap();
    assert!(unit.is_quiet());
    let mut pins = GwIn { fetch_room: true, ..GwIn::default() };
    pins.slices[1].start = 0b11;
    unit.step(&pins, &Default::default());
    assert!(!unit.is_quiet());
    unit.reset();
    assert!(unit.is_quiet());
}

#[test]
fn parameters_are_checked() {
    let error = AheadFrontEnd::new(&Parameters { swst: 0, ..small() }).unwrap_err().to_string();
    assert_eq!(error, "gw_front_end: swst is 0; it must be from 2 to 16");
    for (parameters, name) in [
        (Parameters { ahead: true, reuse: false, ..small() }, "reuse"),
        (Parameters { ahead: true, ideal: true, ..small() }, "ideal"),
    ] {
        let error = parameters.check("gw").unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}
