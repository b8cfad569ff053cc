use super::*;
use crate::units::gw::pins::Offer;

fn scheduler() -> PairScheduler {
    PairScheduler::new(&Parameters { schedulers: 1, warps: 8, wave: 4, ..Default::default() }).unwrap()
}

/// These places are ready, the pairs of `same` have one pc, and every path has room.
fn ready(places: u64, same: u32) -> PairSchedulerIn {
    PairSchedulerIn { ready: places, same, room: 0b1111, pairs_on: true, ..Default::default() }
}

fn offer(swid: u8, path: u8, urgent: bool) -> Offer<WaveOffer> {
    Offer::some(WaveOffer { swid, path, urgent })
}

/// The places that issue next, or the wave.
fn after(unit: &mut PairScheduler, pins: &PairSchedulerIn) -> (u64, Option<u8>) {
    unit.clock(pins);
    let out = unit.outputs();
    (out.halves.places(), out.wave.get())
}

#[test]
fn pairs_go_before_halves_and_halves_before_waves() {
    let mut unit = scheduler();
    let pins = PairSchedulerIn { offer: offer(3, 0, false), ..ready(0b00_11_00_01, 0b0100) };
    assert_eq!(after(&mut unit, &pins), (0b00_11_00_00, None));
    // What issues is still ready in the cycle in which it does.
    assert_eq!(after(&mut unit, &pins), (0b00_00_00_01, None));
    assert_eq!(after(&mut unit, &PairSchedulerIn { ready: 0b1, ..pins }), (0, Some(3)));
    assert_eq!(after(&mut unit, &PairSchedulerIn { ready: 0, ..pins }), (0, None));
    assert_eq!(after(&mut unit, &PairSchedulerIn { ready: 0, ..pins }), (0, Some(3)));
}

#[test]
fn an_urgent_wave_goes_before_all_others() {
    let mut unit = scheduler();
    let pins = PairSchedulerIn { offer: offer(3, 2, true), ..ready(0b11, 0b1) };
    assert_eq!(after(&mut unit, &PairSchedulerIn { room: 0b1011, ..pins }), (0b11, None));
    assert_eq!(after(&mut unit, &pins), (0, Some(3)));
    assert_eq!(after(&mut unit, &pins), (0b11, None));
}

#[test]
fn halves_of_other_pcs_issue_alone() {
    let mut unit = scheduler();
    assert_eq!(after(&mut unit, &ready(0b11, 0)).0, 0b01);
    assert_eq!(after(&mut unit, &ready(0b11, 0)).0, 0b10);
    // With pairs off as well.
    let mut unit = scheduler();
    let pins = PairSchedulerIn { pairs_on: false, ..ready(0b11, 0b1) };
    assert_eq!(after(&mut unit, &pins).0, 0b01);
}

#[test]
fn even_alone_and_odd_alone() {
    let mut unit = scheduler();
    unit.clock(&ready(0b0100, 0b11));
    assert_eq!(unit.outputs().halves, Halves { even: true, odd: false, pair: 1 });
    unit.clock(&ready(0b1000, 0b11));
    assert_eq!(unit.outputs().halves, Halves { even: false, odd: true, pair: 1 });
}

#[test]
fn pairs_and_places_take_turns() {
    let mut unit = scheduler();
    let pairs: Vec<u64> = (0..5).map(|_| after(&mut unit, &ready(0b11_00_11_11, 0b1111)).0).collect();
    assert_eq!(pairs, [0b11, 0b1100, 0b1100_0000, 0b11, 0b1100]);
    // Behind pair 1 now; place 5 alone, then the pointer is in the middle of no pair.
    assert_eq!(after(&mut unit, &ready(0b0010_0001, 0)).0, 0b0010_0000);
    assert_eq!(after(&mut unit, &ready(0b0010_0001, 0)).0, 0b1);
    // The pointer is at place 1: its pair comes first.
    assert_eq!(after(&mut unit, &ready(0b1110, 0b11)).0, 0b1100, "place 0 is not ready");
    let mut unit = scheduler();
    unit.clock(&ready(0b1, 0));
    unit.clock(&ready(0, 0));
    assert_eq!(after(&mut unit, &ready(0b1111, 0b11)).0, 0b11);
}

#[test]
fn a_path_without_room_takes_nothing() {
    let mut unit = scheduler();
    let mut pins = ready(0b1111, 0b11);
    pins.path[..4].copy_from_slice(&[1, 1, 3, 3]);
    assert_eq!(after(&mut unit, &PairSchedulerIn { room: 0b0101, ..pins }).0, 0);
    assert_eq!(after(&mut unit, &PairSchedulerIn { room: 0b1000, ..pins }).0, 0b1100);
    assert_eq!(after(&mut unit, &PairSchedulerIn { room: 0b0010, ..pins }).0, 0b11);
    let pins = PairSchedulerIn { offer: offer(0, 1, false), ..Default::default() };
    assert_eq!(after(&mut unit, &PairSchedulerIn { room: 0b1101, ..pins }), (0, None));
}

#[test]
fn scalars_wait_for_their_wave() {
    let mut unit = scheduler();
    let pins = PairSchedulerIn { scalar: 0b01, ..ready(0b11, 0b1) };
    assert_eq!(after(&mut unit, &pins).0, 0b10);
    assert_eq!(after(&mut unit, &PairSchedulerIn { scalar: 0b11, ..pins }).0, 0);
}

#[test]
fn reset_issues_nothing_and_begins_anew() {
    let mut unit = scheduler();
    unit.clock(&ready(0b11, 0b1));
    unit.reset();
    assert_eq!(unit.outputs(), PairSchedulerOut::default());
    assert_eq!(after(&mut unit, &ready(0b1111, 0b11)).0, 0b11);
}
