use super::*;

/// Two groups of four, two entries, waves are urgent at age 4.
fn swfu() -> Swfu {
    let parameters = Parameters { schedulers: 1, warps: 8, wave: 4, swst: 2, age_cap: 4, ..Default::default() };
    Swfu::new(&parameters).unwrap()
}

/// These places are ready and scalar, with this pc.
fn scalars(places: u64, pc: u16) -> SwfuIn {
    let mut pins = SwfuIn { ready: places, scalar: places, ..Default::default() };
    pins.pc[..8].fill(pc);
    pins.path[..8].copy_from_slice(&[0, 1, 2, 3, 0, 1, 2, 3]);
    pins
}

fn issue(swid: u8) -> SwfuIn {
    SwfuIn { issue_wave: true, issue_swid: swid, ..Default::default() }
}

fn done(swid: u8) -> SwfuIn {
    SwfuIn { done: Offer::some(swid), ..Default::default() }
}

fn after(unit: &mut Swfu, pins: &SwfuIn) -> SwfuOut {
    unit.clock(pins);
    unit.outputs()
}

fn wave(group: u8, mask: u16, pc: u16) -> Offer<WavePins> {
    Offer::some(WavePins { group, mask, pc })
}

#[test]
fn scalars_of_one_group_and_pc_form_a_wave() {
    let mut unit = swfu();
    let out = after(&mut unit, &scalars(0b1101_0110, 30));
    assert_eq!((out.wave[0], out.wave[1].valid, out.joined), (wave(0, 0b0110, 30), false, 0b0110));
    assert_eq!(out.offer, Offer::some(WaveOffer { swid: 0, path: 1, urgent: false }));
    let out = after(&mut unit, &scalars(0b1101_0110, 30));
    assert_eq!((out.wave[1], out.joined, out.offer.item.swid), (wave(1, 0b1101, 30), 0b1101_0110, 0));
}

#[test]
fn only_those_that_are_ready_and_scalar_join() {
    let mut unit = swfu();
    let pins = SwfuIn { ready: 0b0011, scalar: 0b0110, ..scalars(0, 5) };
    assert_eq!(after(&mut unit, &pins).wave[0], wave(0, 0b0010, 5));
}

#[test]
fn a_place_joins_the_wave_of_its_pc_that_has_not_issued() {
    let mut unit = swfu();
    unit.clock(&scalars(0b0001, 30));
    let out = after(&mut unit, &scalars(0b0101, 30));
    assert_eq!((out.wave[0], out.wave[1].valid), (wave(0, 0b0101, 30), false));
    let out = after(&mut unit, &scalars(0b0010, 31));
    assert_eq!((out.wave[0], out.wave[1]), (wave(0, 0b0101, 30), wave(0, 0b0010, 31)));
}

#[test]
fn an_issued_wave_is_closed() {
    let mut unit = swfu();
    unit.clock(&scalars(0b0001, 30));
    // Nobody joins in the cycle in which it issues, nor later.
    let out = after(&mut unit, &SwfuIn { issue_wave: true, issue_swid: 0, ..scalars(0b0010, 30) });
    assert_eq!((out.wave[0], out.wave[1], out.joined), (wave(0, 0b0001, 30), wave(0, 0b0010, 30), 0b0010));
    assert_eq!(out.offer.item.swid, 1);
    let out = after(&mut unit, &scalars(0b0110, 30));
    assert_eq!((out.wave[0], out.wave[1]), (wave(0, 0b0001, 30), wave(0, 0b0110, 30)));
}

#[test]
fn without_an_entry_a_scalar_waits_until_one_is_free() {
    let mut unit = swfu();
    unit.clock(&scalars(0b0001, 30));
    unit.clock(&SwfuIn { ready: 0b0010, ..scalars(0b0010, 31) });
    let out = after(&mut unit, &scalars(0b1000, 32));
    assert!(out.table_full && out.joined == 0b0011);
    unit.clock(&issue(0));
    assert!(!unit.outputs().table_full);
    // It is free from the cycle after it is done.
    let out = after(&mut unit, &SwfuIn { done: Offer::some(0), ..scalars(0b1000, 32) });
    assert!(out.table_full && !out.wave[0].valid && out.wave[1].valid);
    let out = after(&mut unit, &scalars(0b1000, 32));
    assert_eq!((out.table_full, out.wave[0]), (false, wave(0, 0b1000, 32)));
    // Entry 1 was allocated first.
    assert_eq!(out.offer.item.swid, 1);
}

#[test]
fn the_oldest_is_offered_and_urgent_at_the_age_cap() {
    let mut unit = swfu();
    unit.clock(&scalars(0b0001, 30));
    let urgent: Vec<bool> = (0..6)
        .map(|_| {
            let urgent = unit.outputs().offer.item.urgent;
            unit.clock(&SwfuIn::default());
            urgent
        })
        .collect();
    assert_eq!(urgent, [false, false, false, false, true, true]);
    unit.clock(&scalars(0b0010, 31));
    assert!(unit.outputs().offer.item.urgent);
    unit.clock(&issue(0));
    assert_eq!(unit.outputs().offer, Offer::some(WaveOffer { swid: 1, path: 1, urgent: false }));
    unit.clock(&issue(1));
    assert!(!unit.outputs().offer.valid);
}

#[test]
fn places_are_chosen_in_turn() {
    let mut unit = swfu();
    let mut pins = scalars(0b0111, 0);
    (pins.pc[0], pins.pc[1], pins.pc[2]) = (10, 11, 12);
    let out = after(&mut unit, &pins);
    assert_eq!(out.wave[0], wave(0, 0b0001, 10));
    unit.clock(&SwfuIn { issue_wave: true, ..pins });
    // Place 0 again has something, but 2 is next.
    let out = after(&mut unit, &SwfuIn { done: Offer::some(0), ..Default::default() });
    assert_eq!((out.wave[0].valid, out.wave[1]), (false, wave(0, 0b0010, 11)));
    assert_eq!(after(&mut unit, &pins).wave[0], wave(0, 0b0100, 12));
}

#[test]
fn reset_empties_the_table() {
    let mut unit = swfu();
    unit.clock(&scalars(0b0101, 30));
    unit.clock(&issue(0));
    unit.clock(&scalars(0b0010, 31));
    unit.reset();
    let out = unit.outputs();
    assert!(out.joined == 0 && !out.offer.valid && !out.wave.iter().any(|wave| wave.valid));
    assert_eq!(after(&mut unit, &scalars(0b0010, 31)).wave[0], wave(0, 0b0010, 31));
    unit.clock(&issue(0));
    assert!(!after(&mut unit, &done(0)).wave[0].valid);
}
