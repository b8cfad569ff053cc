//! The storage of 2 schedulers with 4 sets of 2 ways.

use crate::common::{clock, ready, Word};
use hdl::gw::instruction_storage::InstructionStorage;

type Storage = InstructionStorage<2, 8, 3>;

const HIT: u64 = 1;
const MISS: u64 = 2;
const PENDING: u64 = 3;

fn storage() -> Box<Storage> {
    let mut s = ready!(Storage::new(4));
    s.fetch_room.next = true;
    s
}

/// A look-up of each scheduler, if any.
fn look(s: &mut Storage, lines: [Option<u64>; 2]) {
    for (i, line) in lines.into_iter().enumerate() {
        s.look_valid[i].next = line.is_some();
        s.look_line[i].next = line.unwrap_or(0x7fff).into();
    }
}

fn ask(s: &mut Storage, line: Option<u64>) {
    s.ask_valid.next = line.is_some();
    s.ask_line.next = line.unwrap_or(0x7fff).into();
}

fn fill(s: &mut Storage, entry: Option<u64>) {
    s.fill_valid.next = entry.is_some();
    s.fill_entry.next = entry.unwrap_or(0).into();
    for slot in 0..2 {
        s.fill_record[slot].next = record(entry.unwrap_or(7), slot as u64).into();
    }
}

/// Of an entry and a slot, with bits above the first word.
fn record(entry: u64, slot: u64) -> u64 {
    0x1234_5600_0000_0000 + 16 * entry + slot
}

/// The answer to scheduler `i`: code, line, entry of a hit.
fn answer(s: &Storage, i: usize) -> (u64, u64, u64) {
    let code = s.answer[i].word();
    let line = if code == 0 { 0 } else { s.answer_line[i].word() };
    (code, line, if code == HIT { s.answer_entry[i].word() } else { 0 })
}

/// The answers in the next cycle.
fn next(s: &mut Storage) -> [(u64, u64, u64); 2] {
    clock!(s);
    [answer(s, 0), answer(s, 1)]
}

/// Entry and line.
fn fetch(s: &Storage) -> Option<(u64, u64)> {
    s.fetch_valid.val().then(|| (s.fetch_entry.word(), s.fetch_line.word()))
}

/// Asks for `line` and fills it; the entry.
fn bring(s: &mut Storage, line: u64) -> u64 {
    ask(s, Some(line));
    clock!(s);
    ask(s, None);
    let (entry, fetched) = fetch(s).expect("a fetch");
    assert_eq!(fetched, line);
    fill(s, Some(entry));
    clock!(s);
    fill(s, None);
    entry
}

fn take(s: &mut Storage, scheduler: usize, count: u64, entry: u64) {
    s.take_count[scheduler].next = count.into();
    s.take_entry[scheduler].next = entry.into();
    clock!(s);
    s.take_count[scheduler].next = 0.into();
}

#[test]
fn a_line_is_missed_asked_for_filled_and_hit() {
    let mut s = storage();
    look(&mut s, [Some(0x123), None]);
    assert_eq!(next(&mut s), [(MISS, 0x123, 0), (0, 0, 0)]);
    look(&mut s, [Some(9), Some(0x123)]);
    ask(&mut s, Some(0x123));
    assert_eq!(next(&mut s), [(PENDING, 0x123, 0); 2], "all are told of the ask");
    assert_eq!(fetch(&s), Some((3, 0x123)));
    ask(&mut s, None);
    assert_eq!(next(&mut s), [(MISS, 9, 0), (PENDING, 0x123, 0)]);
    assert_eq!(fetch(&s), None, "a pulse");
    fill(&mut s, Some(3));
    ask(&mut s, Some(9));
    assert_eq!(next(&mut s), [(HIT, 0x123, 3); 2], "a fill goes first");
    assert_eq!(fetch(&s), None);
    fill(&mut s, None);
    ask(&mut s, Some(0x123));
    assert_eq!(next(&mut s), [(HIT, 0x123, 3); 2]);
    ask(&mut s, None);
    look(&mut s, [None, Some(0x123)]);
    assert_eq!(next(&mut s), [(0, 0, 0), (HIT, 0x123, 3)]);
    clock!(s, reset);
    assert_eq!(answer(&s, 1).0, 0);
    clock!(s);
    assert_eq!(answer(&s, 1), (MISS, 0x123, 0));
}

#[test]
fn without_room_nothing_is_asked_for() {
    let mut s = storage();
    s.fetch_room.next = false;
    ask(&mut s, Some(1));
    look(&mut s, [Some(2), None]);
    clock!(s);
    assert_eq!(fetch(&s), None);
    assert_eq!(answer(&s, 0), (MISS, 2, 0));
    assert!(!s.full.val());
}

#[test]
fn the_oldest_way_without_references_is_replaced() {
    let mut s = storage();
    // Lines of set 1: way 0 is entry 1, way 1 is entry 5.
    assert_eq!(bring(&mut s, 0x11), 1);
    assert_eq!(bring(&mut s, 0x21), 5);
    clock!(s; 2);
    assert_eq!(bring(&mut s, 0x31), 1, "written longest ago");
    clock!(s; 2);
    take(&mut s, 0, 40, 5);
    clock!(s);
    assert_eq!(bring(&mut s, 0x41), 1, "the older one has references");
    take(&mut s, 1, 1, 1);
    ask(&mut s, Some(0x51));
    look(&mut s, [Some(0x11), None]);
    clock!(s);
    assert!(s.full.val() && fetch(&s).is_none());
    assert_eq!(answer(&s, 0), (MISS, 0x11, 0), "an ask in vain leaves the look-up its answer");
    // 40 references come back in threes and one; two schedulers at once.
    for _ in 0..13 {
        (s.drop_count[0].next, s.drop_entry[0].next) = (3.into(), 5.into());
        clock!(s);
        assert!(s.full.val());
    }
    (s.drop_count[0].next, s.drop_entry[0].next) = (1.into(), 5.into());
    (s.drop_count[1].next, s.drop_entry[1].next) = (1.into(), 1.into());
    clock!(s);
    (s.drop_count[0].next, s.drop_count[1].next) = (0.into(), 0.into());
    assert!(s.full.val(), "counted from the next cycle on");
    clock!(s);
    assert!(!s.full.val());
    assert_eq!(fetch(&s), Some((5, 0x51)), "the older one of two without references");
}

#[test]
fn who_was_hit_is_spared_until_its_takers_are_counted() {
    let mut s = storage();
    bring(&mut s, 2);
    bring(&mut s, 6);
    clock!(s; 2);
    // Entry 2 is older; entry 6 pending would be no candidate either.
    look(&mut s, [None, Some(2)]);
    clock!(s);
    look(&mut s, [None, None]);
    assert_eq!(answer(&s, 1), (HIT, 2, 2));
    clock!(s);
    ask(&mut s, Some(10));
    clock!(s);
    assert_eq!(fetch(&s), Some((6, 10)), "named in the previous cycle");
    ask(&mut s, Some(14));
    clock!(s);
    assert_eq!(fetch(&s), Some((2, 14)), "nobody took it");
    ask(&mut s, Some(18));
    clock!(s);
    assert!(s.full.val(), "both are pending");
}

#[test]
fn each_scheduler_reads_records() {
    let mut s = storage();
    let (a, b) = (bring(&mut s, 0), bring(&mut s, 5));
    for (i, entry, slot) in [(0, a, false), (1, b, true)] {
        (s.read[i].next, s.read_entry[i].next, s.read_slot[i].next) = (true, entry.into(), slot);
    }
    assert!(!s.record_valid[0].val());
    clock!(s);
    assert!(s.record_valid[0].val() && s.record_valid[1].val());
    let low = |s: &Storage, i: usize| s.record[i].val().get_bits::<64>(0).to_u64();
    assert_eq!([low(&s, 0), low(&s, 1)], [record(a, 0), record(b, 1)]);
    s.read[0].next = false;
    (s.read_entry[1].next, s.read_slot[1].next) = (a.into(), true);
    clock!(s);
    assert!(!s.record_valid[0].val());
    assert_eq!(low(&s, 1), record(a, 1));
}
