use super::*;
use crate::units::gw::pins::{Halves, Wave};
use crate::units::gw::record::{list, pack, Path};

fn scoreboard() -> Scoreboard {
    Scoreboard::new(&Parameters { schedulers: 1, warps: 16, wave: 8, ..Default::default() }).unwrap()
}

fn after(unit: &mut Scoreboard, pins: &ScoreboardIn) -> (u64, u64) {
    unit.clock(pins);
    (unit.ready(), unit.waits())
}

/// The record of what was checked in the previous cycle.
fn record(writes: &[u8], reads: &[u8]) -> ScoreboardIn {
    ScoreboardIn { record: pack(writes, reads, Path::Sp, false), ..Default::default() }
}

/// `places` are checked with this record; then they are ready, or wait.
fn check(unit: &mut Scoreboard, places: u64, writes: &[u8], reads: &[u8]) -> (u64, u64) {
    unit.clock(&ScoreboardIn { check_warps: places, ..Default::default() });
    after(unit, &record(writes, reads))
}

fn done(pair: u8, writes: &[u8]) -> Done {
    Done { even: true, odd: false, pair, writes: list(writes) as u32 }
}

fn issue(pair: u8) -> ScoreboardIn {
    ScoreboardIn { halves: Halves { even: true, odd: true, pair }, ..Default::default() }
}

#[test]
fn the_record_comes_a_cycle_after_the_check() {
    let mut unit = scoreboard();
    let pins = ScoreboardIn { check_warps: 0b101, ..record(&[1], &[]) };
    assert_eq!(after(&mut unit, &pins), (0, 0));
    assert_eq!(after(&mut unit, &record(&[2], &[])), (0b101, 0));
    assert_eq!(after(&mut unit, &record(&[3], &[])), (0b101, 0));
}

#[test]
fn a_register_that_will_be_written_keeps_readers_and_writers_waiting() {
    for (writes, reads) in [(&[][..], &[7][..]), (&[7], &[]), (&[1, 2, 3, 7], &[4, 5])] {
        let mut unit = scoreboard();
        assert_eq!(check(&mut unit, 1, &[7], &[]), (1, 0));
        assert_eq!(after(&mut unit, &issue(0)), (0, 0));
        assert_eq!(check(&mut unit, 1, writes, reads), (0, 1));
        // The same register of another warp.
        assert_eq!(check(&mut unit, 2, writes, reads), (2, 1));
    }
    let mut unit = scoreboard();
    check(&mut unit, 1, &[7], &[]);
    unit.clock(&issue(0));
    assert_eq!(check(&mut unit, 1, &[8], &[6]), (1, 0));
}

#[test]
fn a_written_register_ends_the_waiting_and_is_pending_no_more() {
    let mut unit = scoreboard();
    check(&mut unit, 0b1111, &[7], &[]);
    (0..2).for_each(|pair| unit.clock(&issue(pair)));
    assert_eq!(check(&mut unit, 0b1111, &[], &[7]), (0, 0b1111));
    let pins = ScoreboardIn { done: [done(0, &[7]), Done { odd: true, ..done(1, &[7]) }], ..Default::default() };
    assert_eq!(after(&mut unit, &pins), (0, 0b0010));
    assert_eq!(check(&mut unit, 0b1101, &[], &[7]), (0b1101, 0b0010));
}

#[test]
fn a_check_while_one_of_the_registers_is_written_decides_nothing() {
    let mut unit = scoreboard();
    check(&mut unit, 1, &[7, 8], &[]);
    unit.clock(&issue(0));
    unit.clock(&ScoreboardIn { check_warps: 1, ..Default::default() });
    let pins = ScoreboardIn { done: [done(0, &[7]), Done::default()], ..record(&[], &[7]) };
    assert_eq!(after(&mut unit, &pins), (0, 0));
    assert_eq!(check(&mut unit, 1, &[], &[8]), (0, 1));
    let pins = ScoreboardIn { done: [Done::default(), done(0, &[8])], ..Default::default() };
    assert_eq!(after(&mut unit, &pins), (0, 0));
    assert_eq!(check(&mut unit, 1, &[], &[7, 8]), (1, 0));
}

#[test]
fn what_is_written_by_one_record_is_not_forgotten_with_another() {
    let mut unit = scoreboard();
    check(&mut unit, 1, &[7], &[]);
    unit.clock(&issue(0));
    // Ready in the very cycle in which another register is written.
    unit.clock(&ScoreboardIn { check_warps: 1, ..Default::default() });
    let pins = ScoreboardIn { done: [done(0, &[7]), Done::default()], ..record(&[9], &[]) };
    assert_eq!(after(&mut unit, &pins), (1, 0));
    unit.clock(&issue(0));
    assert_eq!(check(&mut unit, 1, &[], &[9]), (0, 1));
}

#[test]
fn a_wave_issues_and_is_cleared_by_its_mask() {
    let mut unit = scoreboard();
    check(&mut unit, 0xff00, &[7], &[]);
    let wave = Wave { issue: true, group: 1, mask: 0b0101_0011 };
    assert_eq!(after(&mut unit, &ScoreboardIn { wave, ..Default::default() }), (0b1010_1100 << 8, 0));
    assert_eq!(check(&mut unit, 0b0101_0011 << 8, &[], &[7]).1, 0b0101_0011 << 8);
    let clear = Offer::some(Clear { group: 1, mask: 0b0001_0001, writes: list(&[7]) as u32 });
    assert_eq!(after(&mut unit, &ScoreboardIn { clear, ..Default::default() }).1, 0b0100_0010 << 8);
}

#[test]
fn the_path_is_that_of_the_last_check() {
    let mut unit = scoreboard();
    unit.clock(&ScoreboardIn { check_warps: 0b110, ..Default::default() });
    unit.clock(&ScoreboardIn { check_warps: 0b100, record: pack(&[], &[], Path::Memory, true), ..Default::default() });
    assert_eq!(unit.outputs().path[..4], [0, 3, 3, 0]);
    unit.clock(&ScoreboardIn { record: pack(&[], &[], Path::Dp, true), ..Default::default() });
    assert_eq!(unit.outputs().path[..4], [0, 3, 2, 0]);
    unit.reset();
    assert_eq!(unit.outputs(), ScoreboardOut::default());
}
