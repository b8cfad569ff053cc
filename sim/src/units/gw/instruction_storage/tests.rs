use super::*;

/// Sets of two ways; lines 0, 4, 8, ... share set 0.
fn storage() -> InstructionStorage {
    let parameters = Parameters { schedulers: 2, warps: 32, sets: 4, ways: 2, ..Default::default() };
    InstructionStorage::new(&parameters).unwrap()
}

fn look(scheduler: usize, line: u16) -> InstructionStorageIn {
    let mut pins = InstructionStorageIn::default();
    pins.slices[scheduler].look = Offer::some(line);
    pins
}

fn ask(line: u16) -> InstructionStorageIn {
    InstructionStorageIn { ask: Offer::some(line), fetch_room: true, ..Default::default() }
}

fn fill(entry: u16, records: [u128; 2]) -> InstructionStorageIn {
    InstructionStorageIn { fill: Offer::some(Fill { entry, records }), ..Default::default() }
}

fn take(scheduler: usize, count: u8, entry: u16) -> InstructionStorageIn {
    let mut pins = InstructionStorageIn::default();
    pins.slices[scheduler].take = Count { count, entry };
    pins
}

fn give_back(scheduler: usize, count: u8, entry: u16) -> InstructionStorageIn {
    let mut pins = InstructionStorageIn::default();
    pins.slices[scheduler].dropped = Count { count, entry };
    pins
}

fn after(unit: &mut InstructionStorage, pins: &InstructionStorageIn) -> InstructionStorageOut {
    unit.clock(pins);
    unit.outputs()
}

fn rest(unit: &mut InstructionStorage, cycles: usize) {
    (0..cycles).for_each(|_| unit.clock(&InstructionStorageIn::default()));
}

fn told(out: &InstructionStorageOut) -> [u8; 2] {
    [out.slices[0].answer.answer, out.slices[1].answer.answer]
}

const NONE: u8 = AnswerPins::NONE;
const HIT: u8 = AnswerPins::HIT;
const MISS: u8 = AnswerPins::MISS;
const PENDING: u8 = AnswerPins::PENDING;

/// Fetches `line`; its entry.
fn fetched(unit: &mut InstructionStorage, line: u16) -> u16 {
    let entry = after(unit, &ask(line)).fetch.get().expect("a fetch").entry;
    unit.clock(&fill(entry, [0; 2]));
    rest(unit, 2);
    entry
}

#[test]
fn a_line_is_missed_then_pending_then_hit() {
    let mut unit = storage();
    assert_eq!(told(&after(&mut unit, &look(1, 5))), [NONE, MISS]);
    let out = after(&mut unit, &ask(5));
    assert_eq!(told(&out), [PENDING, PENDING]);
    assert_eq!(out.fetch.get(), Some(Fetch { entry: 1, line: 5 }));
    let out = after(&mut unit, &look(0, 5));
    assert_eq!((told(&out), out.fetch.valid), ([PENDING, NONE], false));
    let out = after(&mut unit, &fill(1, [7, 8]));
    assert_eq!(told(&out), [HIT, HIT]);
    assert_eq!((out.slices[1].answer.line, out.slices[1].answer.entry), (5, 1));
    let out = after(&mut unit, &look(0, 5));
    assert_eq!((told(&out), out.slices[0].answer.entry), ([HIT, NONE], 1));
}

#[test]
fn one_fetch_serves_all_who_want_the_line() {
    let mut unit = storage();
    assert!(after(&mut unit, &ask(5)).fetch.valid);
    let again = after(&mut unit, &ask(5));
    assert_eq!((told(&again), again.fetch.valid), ([PENDING, PENDING], false));
    unit.clock(&fill(1, [0; 2]));
    let late = after(&mut unit, &ask(5));
    assert_eq!((told(&late), late.fetch.valid), ([HIT, HIT], false));
}

#[test]
fn a_fill_goes_before_an_ask_and_an_ask_before_look_ups() {
    let mut unit = storage();
    unit.clock(&ask(5));
    let mut pins = fill(1, [0; 2]);
    (pins.ask, pins.fetch_room) = (Offer::some(6), true);
    pins.slices[0].look = Offer::some(9);
    let out = after(&mut unit, &pins);
    assert_eq!((told(&out), out.slices[0].answer.line, out.fetch.valid), ([HIT, HIT], 5, false));
    let mut pins = ask(6);
    pins.slices[0].look = Offer::some(9);
    let out = after(&mut unit, &pins);
    assert_eq!((told(&out), out.slices[0].answer.line, out.fetch.valid), ([PENDING, PENDING], 6, true));
    pins.ask = Offer::some(7);
    pins.fetch_room = false;
    let out = after(&mut unit, &pins);
    assert_eq!((told(&out), out.slices[0].answer.line, out.fetch.valid), ([MISS, NONE], 9, false));
}

#[test]
fn records_of_both_slots_are_read_a_cycle_later() {
    let mut unit = storage();
    unit.clock(&ask(5));
    unit.clock(&fill(1, [7 << 64, 8]));
    let mut pins = InstructionStorageIn::default();
    (pins.slices[0].read, pins.slices[0].read_entry) = (true, 1);
    pins.slices[1] = StorageIn { read_slot: true, ..pins.slices[0] };
    let out = after(&mut unit, &pins);
    assert_eq!([out.slices[0].record, out.slices[1].record], [Offer::some(7 << 64), Offer::some(8)]);
    assert!(!after(&mut unit, &InstructionStorageIn::default()).slices[0].record.valid);
}

#[test]
fn a_set_with_every_entry_referenced_is_full_and_look_ups_go_on() {
    let mut unit = storage();
    for line in [0, 4] {
        let entry = fetched(&mut unit, line);
        unit.clock(&take(0, 3, entry));
    }
    let mut pins = ask(8);
    pins.slices[1].look = Offer::some(4);
    let out = after(&mut unit, &pins);
    assert_eq!((out.full, out.fetch.valid, told(&out)), (true, false, [NONE, HIT]));
    assert!(!after(&mut unit, &InstructionStorageIn::default()).full);
    // Another set has room.
    assert!(after(&mut unit, &ask(9)).fetch.valid);
}

#[test]
fn an_entry_is_replaced_when_its_last_reference_is_given_back() {
    let mut unit = storage();
    let entries = [fetched(&mut unit, 0), fetched(&mut unit, 4)];
    entries.iter().for_each(|entry| unit.clock(&take(0, 2, *entry)));
    unit.clock(&take(1, 1, entries[1]));
    unit.clock(&give_back(0, 2, entries[1]));
    assert!(after(&mut unit, &ask(8)).full);
    // Taken and given back in one cycle.
    let mut pins = give_back(1, 1, entries[1]);
    pins.slices[0].take = Count { count: 1, entry: entries[1] };
    unit.clock(&pins);
    assert!(after(&mut unit, &ask(8)).full);
    unit.clock(&give_back(0, 1, entries[1]));
    let out = after(&mut unit, &ask(8));
    assert_eq!(out.fetch.get(), Some(Fetch { entry: entries[1], line: 8 }));
    assert_eq!(told(&after(&mut unit, &look(0, 4))), [MISS, NONE]);
    assert_eq!(told(&after(&mut unit, &look(0, 0))), [HIT, NONE]);
}

#[test]
fn the_victim_is_the_one_whose_tag_was_written_longest_ago() {
    let mut unit = storage();
    // At first way after way: entry = way x sets + set.
    assert_eq!([fetched(&mut unit, 0), fetched(&mut unit, 4)], [0, 4]);
    assert_eq!([fetched(&mut unit, 8), fetched(&mut unit, 12)], [0, 4]);
    // A hit makes no entry younger.
    unit.clock(&look(0, 8));
    rest(&mut unit, 2);
    assert_eq!(fetched(&mut unit, 16), 0);
}

#[test]
fn a_pending_entry_is_not_replaced() {
    let mut unit = storage();
    assert_eq!(after(&mut unit, &ask(0)).fetch.get().unwrap().entry, 0);
    assert_eq!(after(&mut unit, &ask(4)).fetch.get().unwrap().entry, 4);
    assert!(after(&mut unit, &ask(8)).full);
}

#[test]
fn an_entry_whose_takers_are_not_counted_yet_is_not_replaced() {
    for (wait, replaced) in [(0, 4), (1, 4), (2, 0)] {
        let mut unit = storage();
        fetched(&mut unit, 0);
        fetched(&mut unit, 4);
        // Line 0 is the oldest. It is hit; its takers would be counted two cycles later.
        unit.clock(&look(0, 0));
        rest(&mut unit, wait);
        let out = after(&mut unit, &ask(8));
        assert_eq!(out.fetch.get().unwrap().entry, replaced, "{wait} cycles later");
    }
}

#[test]
fn reset_forgets_all() {
    let mut unit = storage();
    let entry = fetched(&mut unit, 0);
    unit.clock(&take(0, 2, entry));
    fetched(&mut unit, 4);
    unit.reset();
    assert_eq!(unit.outputs(), InstructionStorageOut::default());
    assert_eq!(told(&after(&mut unit, &look(0, 0))), [MISS, NONE]);
    assert_eq!([fetched(&mut unit, 8), fetched(&mut unit, 12)], [0, 4]);
}
