use super::*;

fn table() -> WarpStatusTable {
    let parameters = Parameters { schedulers: 1, warps: 8, wave: 4, ..Default::default() };
    WarpStatusTable::new(&parameters).unwrap()
}

fn answer(answer: u8, line: u16, entry: u16) -> WarpStatusTableIn {
    WarpStatusTableIn { answer: AnswerPins { answer, line, entry }, ..Default::default() }
}

fn after(unit: &mut WarpStatusTable, pins: &WarpStatusTableIn) -> WarpStatusTableOut {
    unit.clock(pins);
    unit.outputs()
}

fn rest(unit: &mut WarpStatusTable) -> WarpStatusTableOut {
    after(unit, &WarpStatusTableIn::default())
}

fn start(unit: &mut WarpStatusTable, places: u64) {
    unit.clock(&WarpStatusTableIn { start: places, ..Default::default() });
}

/// Both halves of a pair, or one, issue; `next` follows for both.
fn issue(even: bool, odd: bool, pair: u8, next: u8, pc: u16) -> WarpStatusTableIn {
    let next = Next { next, pc, full: true };
    WarpStatusTableIn { halves: Halves { even, odd, pair }, next: [next; 2], ..Default::default() }
}

/// Places 0 to 3 hold entry 9 with pc 0.
fn held() -> WarpStatusTable {
    let mut unit = table();
    start(&mut unit, 0b1111);
    unit.clock(&answer(AnswerPins::HIT, 0, 9));
    unit
}

#[test]
fn a_place_looks_up_its_line_until_it_is_answered() {
    let mut unit = table();
    start(&mut unit, 0b10010);
    assert_eq!(unit.outputs().look, Offer::some(0));
    assert_eq!(unit.outputs().full, 0b10010);
    // Place 4 comes after place 1, then place 1 again.
    for _ in 0..3 {
        assert_eq!(rest(&mut unit).look, Offer::some(0));
    }
    let out = after(&mut unit, &answer(AnswerPins::HIT, 0, 5));
    assert_eq!((out.look.valid, out.take), (false, Count { count: 2, entry: 5 }));
    assert_eq!((out.check_warps, out.check_valid, out.check_entry, out.check_slot), (0b10010, true, 5, false));
    assert_eq!(rest(&mut unit).take.count, 0);
}

#[test]
fn look_ups_take_turns() {
    let mut unit = held();
    // Places 0 to 2 go to lines 1, 2, 3.
    unit.clock(&issue(true, false, 0, GOES_ON, 2));
    unit.clock(&issue(false, true, 0, GOES_ON, 4));
    let out = after(&mut unit, &issue(true, false, 1, GOES_ON, 6));
    assert_eq!(out.look.item, 3);
    let lines: Vec<u16> = (0..4).map(|_| rest(&mut unit).look.item).collect();
    assert_eq!(lines, [1, 2, 3, 1]);
}

#[test]
fn a_miss_is_fetched_and_a_fill_serves_all_of_the_line() {
    let mut unit = table();
    start(&mut unit, 0b11);
    let out = after(&mut unit, &answer(AnswerPins::MISS, 0, 0));
    assert_eq!((out.look.valid, out.want), (false, Offer::some(Want { place: 0, line: 0 })));
    // Answers of other lines are none of their business.
    assert!(after(&mut unit, &answer(AnswerPins::HIT, 1, 0)).want.valid);
    start(&mut unit, 0b100);
    let out = after(&mut unit, &answer(AnswerPins::PENDING, 0, 0));
    assert!(!out.want.valid && !out.look.valid && !out.check_valid);
    let out = after(&mut unit, &answer(AnswerPins::HIT, 0, 3));
    assert_eq!((out.take, out.check_warps), (Count { count: 3, entry: 3 }, 0b111));
}

#[test]
fn wants_take_turns_when_they_are_asked() {
    let mut unit = table();
    start(&mut unit, 0b101);
    assert_eq!(after(&mut unit, &answer(AnswerPins::MISS, 0, 0)).want.item.place, 0);
    assert_eq!(rest(&mut unit).want.item.place, 0);
    let asked = |place| WarpStatusTableIn { asked: Offer::some(place), ..Default::default() };
    assert_eq!(after(&mut unit, &asked(0)).want.item.place, 2);
    assert_eq!(after(&mut unit, &asked(2)).want.item.place, 0);
}

#[test]
fn those_of_one_pc_are_checked_together_and_not_again_before_the_result_is_known() {
    let mut unit = held();
    assert_eq!(unit.outputs().check_warps, 0b1111);
    assert_eq!(rest(&mut unit).check_warps, 0);
    // The scoreboard's outputs two cycles after the check: 0 and 1 are ready, 2 waits, of 3 nothing is said.
    let said = WarpStatusTableIn { ready: 0b0011, waits: 0b0100, ..Default::default() };
    assert_eq!(after(&mut unit, &WarpStatusTableIn::default()).check_warps, 0);
    assert_eq!(after(&mut unit, &said).check_warps, 0b1000);
    assert_eq!(after(&mut unit, &said).check_warps, 0);
    // Place 2 waits no more.
    let said = WarpStatusTableIn { ready: 0b1011, ..Default::default() };
    assert_eq!(after(&mut unit, &said).check_warps, 0b0100);
}

#[test]
fn a_place_that_goes_on_in_its_line_is_checked_in_the_next_cycle() {
    let mut unit = held();
    let said = WarpStatusTableIn { ready: 0b1111, ..Default::default() };
    (0..3).for_each(|_| unit.clock(&said));
    let out = after(&mut unit, &WarpStatusTableIn { ready: 0b1111, ..issue(true, true, 0, GOES_ON, 1) });
    assert_eq!((out.check_warps, out.check_entry, out.check_slot), (0b0011, 9, true));
    assert_eq!((out.dropped.count, out.pc[0], out.pc[1], out.pc[2]), (0, 1, 1, 0));
    assert_eq!(out.same, 0b11);
}

#[test]
fn another_line_gives_the_reference_back() {
    let mut unit = held();
    let out = after(&mut unit, &issue(true, true, 0, GOES_ON, 2));
    assert_eq!((out.dropped, out.look), (Count { count: 2, entry: 9 }, Offer::some(1)));
    assert_eq!(out.same, 0b10);
    assert_eq!(rest(&mut unit).dropped.count, 0);
}

#[test]
fn halted_and_ended_places_hold_nothing_and_go_on_as_they_should() {
    let mut unit = held();
    let out = after(&mut unit, &issue(true, true, 0, HALTS, 1));
    assert_eq!((out.dropped.count, out.look.valid, out.same), (2, false, 0b10));
    let out = after(&mut unit, &WarpStatusTableIn { wake: 0b01, ..issue(true, false, 1, ENDS, 1) });
    assert_eq!((out.dropped.count, out.look), (1, Offer::some(0)));
    // Place 2 is free: it may start. Place 1 has halted.
    start(&mut unit, 0b100);
    let out = after(&mut unit, &answer(AnswerPins::HIT, 0, 4));
    assert_eq!((out.take.count, out.pc[0], out.pc[2]), (2, 1, 0));
}

#[test]
fn members_of_a_wave_go_on_at_the_next_pc() {
    let mut unit = held();
    let part = Next { full: false, ..Next { next: GOES_ON, pc: 0, full: false } };
    unit.clock(&WarpStatusTableIn { next: [part; 2], ..issue(false, true, 1, GOES_ON, 0) });
    let out = unit.outputs();
    assert_eq!(out.full, 0b0111);
    let wave = WarpStatusTableIn { wave: Wave { issue: true, group: 0, mask: 0b1101 }, ..Default::default() };
    let out = after(&mut unit, &wave);
    assert_eq!((&out.pc[..4], out.dropped.count, out.full), (&[1, 0, 1, 1][..], 0, 0b0111));
    let out = after(&mut unit, &wave);
    assert_eq!((&out.pc[..4], out.dropped), (&[2, 0, 2, 2][..], Count { count: 3, entry: 9 }));
    assert_eq!(out.look, Offer::some(1));
}

#[test]
fn waves_of_the_second_group_are_the_places_behind_the_first() {
    let mut unit = table();
    start(&mut unit, 0xff);
    unit.clock(&answer(AnswerPins::HIT, 0, 1));
    let wave = Wave { issue: true, group: 1, mask: 0b0011 };
    let out = after(&mut unit, &WarpStatusTableIn { wave, ..Default::default() });
    assert_eq!(&out.pc[..8], &[0, 0, 0, 0, 1, 1, 0, 0]);
    assert_eq!(out.same, 0b1111);
}

#[test]
fn halves_are_the_same_only_while_both_are_held() {
    let mut unit = held();
    assert_eq!(unit.outputs().same, 0b11);
    assert_eq!(after(&mut unit, &issue(true, false, 0, GOES_ON, 1)).same, 0b10);
    assert_eq!(after(&mut unit, &issue(false, true, 0, GOES_ON, 1)).same, 0b11);
    assert_eq!(after(&mut unit, &issue(false, true, 0, HALTS, 1)).same, 0b10);
    unit.reset();
    assert_eq!(unit.outputs(), WarpStatusTableOut::default());
}
