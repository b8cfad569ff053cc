use super::*;
use crate::units::gw::gw_front_end::tests::core::{Core, Tally};
use crate::units::gw::gw_front_end::tests::program::{Kind, Program};

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
            unit.sample(&mut out);
            awake.sample(&mut out_awake);
            assert_eq!(out, out_awake, "seed {seed}, cycle {}", core.tally.cycles);
            core.issue_tags = std::array::from_fn(|s| if s < parameters.schedulers { unit.tag(s) } else { 0 });
            core.drive(&out, &mut pins).unwrap_or_else(|text| panic!("seed {seed}: {text}"));
            // Only what writes registers is told.
            for done in pins.slices.iter_mut().flat_map(|slice| &mut slice.done).filter(|done| done.writes == 0) {
                (done.even, done.odd) = (false, false);
            }
            core.tally.quiet += unit.is_quiet() as u64;
            unit.clock(&pins, &core.done_tags);
            awake.slices.iter_mut().for_each(|slice| slice.rests = false);
            awake.clock(&pins, &core.done_tags);
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
