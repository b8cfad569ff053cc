use super::*;

fn arbiter(reuse: bool) -> FetchArbiter {
    FetchArbiter::new(&Parameters { reuse, ..Default::default() }).unwrap()
}

fn wants(wants: &[(usize, u8, u16)]) -> FetchArbiterIn {
    let mut pins = FetchArbiterIn { fetch_room: true, ..Default::default() };
    wants.iter().for_each(|(s, place, line)| pins.want[*s] = Offer::some(Want { place: *place, line: *line }));
    pins
}

fn after(unit: &mut FetchArbiter, pins: &FetchArbiterIn) -> Option<Ask> {
    unit.clock(pins).unwrap();
    unit.outputs().ask.get()
}

fn lines(unit: &mut FetchArbiter, pins: &FetchArbiterIn, cycles: usize) -> Vec<Option<u16>> {
    (0..cycles).map(|_| after(unit, pins).map(|ask| ask.line)).collect()
}

#[test]
fn schedulers_ask_in_turn() {
    let mut unit = arbiter(true);
    let pins = wants(&[(0, 3, 10), (2, 7, 20), (3, 1, 30)]);
    assert_eq!(after(&mut unit, &pins), Some(Ask { scheduler: 0, place: 3, line: 10 }));
    assert_eq!(after(&mut unit, &pins), Some(Ask { scheduler: 2, place: 7, line: 20 }));
    assert_eq!(after(&mut unit, &pins), Some(Ask { scheduler: 3, place: 1, line: 30 }));
    assert_eq!(lines(&mut unit, &pins, 3), [Some(10), Some(20), Some(30)]);
}

#[test]
fn an_ask_stays_until_there_is_room_and_no_fill() {
    let mut unit = arbiter(true);
    let pins = wants(&[(0, 0, 10), (1, 0, 20)]);
    let no_room = FetchArbiterIn { fetch_room: false, ..pins };
    let fill = FetchArbiterIn { fill_valid: true, ..pins };
    assert_eq!(lines(&mut unit, &no_room, 3), [Some(10); 3]);
    assert_eq!(lines(&mut unit, &fill, 2), [Some(10); 2]);
    assert_eq!(lines(&mut unit, &pins, 1), [Some(20)]);
}

#[test]
fn those_who_want_one_line_are_served_by_one_ask() {
    let mut unit = arbiter(true);
    let pins = wants(&[(0, 0, 10), (1, 0, 10), (3, 0, 10)]);
    // Asked for, over, and known to be so by those that want it: only then again, by the next scheduler of the round robin.
    assert_eq!(lines(&mut unit, &pins, 3), [Some(10), None, None]);
    assert_eq!(after(&mut unit, &pins).map(|ask| ask.scheduler), Some(1));
}

#[test]
fn without_reuse_an_ask_serves_its_own_warp_alone() {
    let mut unit = arbiter(false);
    let pins = wants(&[(0, 0, 10), (1, 0, 10)]);
    assert_eq!(after(&mut unit, &pins).map(|ask| ask.scheduler), Some(0));
    assert_eq!(after(&mut unit, &pins).map(|ask| ask.scheduler), Some(1));
    assert_eq!(after(&mut unit, &pins), None);
}

#[test]
fn reset_forgets_the_ask_and_the_turn() {
    let mut unit = arbiter(true);
    lines(&mut unit, &wants(&[(0, 0, 10), (1, 0, 20)]), 1);
    unit.reset();
    assert_eq!(unit.outputs(), FetchArbiterOut::default());
    assert_eq!(lines(&mut unit, &wants(&[(0, 0, 10), (1, 0, 20)]), 1), [Some(10)]);
}
