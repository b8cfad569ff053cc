//! The table of 8 places in groups of 4, entries of 3 bits.

use crate::common::{clock, ready, Word};
use hdl::gw::warp_status_table::WarpStatusTable;

type Table = WarpStatusTable<8, 4, 4, 3, 2, 1, 3>;

const HIT: u64 = 1;
const MISS: u64 = 2;
const PENDING: u64 = 3;

fn start(t: &mut Table, places: u64) {
    t.start.next = places.into();
    clock!(t);
    t.start.next = 0.into();
}

fn answer(t: &mut Table, code: u64, line: u64, entry: u64) {
    (t.answer.next, t.answer_line.next, t.answer_entry.next) = (code.into(), line.into(), entry.into());
    clock!(t);
    t.answer.next = 0.into();
}

/// Both halves of a pair issue and go on (0), halt (1) or end (2) like this: what follows and the pc.
fn issue(t: &mut Table, pair: u64, even: Option<(u64, u64)>, odd: Option<(u64, u64)>) {
    (t.issue_even.next, t.issue_odd.next, t.issue_pair.next) = (even.is_some(), odd.is_some(), pair.into());
    let (next, pc) = even.unwrap_or((3, 0xdead));
    (t.even_next.next, t.even_pc.next) = (next.into(), pc.into());
    let (next, pc) = odd.unwrap_or((3, 0xdead));
    (t.odd_next.next, t.odd_pc.next) = (next.into(), pc.into());
    clock!(t);
    (t.issue_even.next, t.issue_odd.next) = (false, false);
}

fn looked(t: &Table) -> Option<u64> {
    t.look_valid.val().then(|| t.look_line.word())
}

/// Place and line.
fn wanted(t: &Table) -> Option<(u64, u64)> {
    t.want_valid.val().then(|| (t.want_place.word(), t.want_line.word()))
}

/// Warps, entry and slot.
fn checked(t: &Table) -> Option<(u64, u64, bool)> {
    let pins = (t.check_warps.word(), t.check_entry.word(), t.check_slot.val());
    assert_eq!(t.check_valid.val(), pins.0 != 0);
    t.check_valid.val().then_some(pins)
}

fn taken(t: &Table) -> (u64, u64) {
    let count = t.take_count.word();
    (count, if count == 0 { 0 } else { t.take_entry.word() })
}

fn dropped(t: &Table) -> (u64, u64) {
    let count = t.drop_count.word();
    (count, if count == 0 { 0 } else { t.drop_entry.word() })
}

fn pc(t: &Table, place: usize) -> u64 {
    t.pc[place].word()
}

/// Places that are held at pc 0 in entry 5 and have been checked and found ready.
fn with_ready(places: u64) -> Box<Table> {
    let mut t = ready!(Table::default());
    start(&mut t, places);
    answer(&mut t, HIT, 0, 5);
    assert_eq!(checked(&t), Some((places, 5, false)));
    clock!(t; 2);
    t.ready.next = places.into();
    clock!(t);
    assert_eq!(checked(&t), None);
    t
}

#[test]
fn from_start_to_check_by_way_of_a_fetch() {
    let mut t = ready!(Table::default());
    assert_eq!((looked(&t), wanted(&t), checked(&t)), (None, None, None));
    start(&mut t, 0b0110_0000);
    assert_eq!(t.full.word(), 0b0110_0000);
    assert_eq!(looked(&t), Some(0));
    answer(&mut t, MISS, 0, 0);
    assert_eq!((looked(&t), wanted(&t)), (None, Some((5, 0))));
    // The arbiter asks for place 5: place 6 is next.
    clock!(t, asked; asked_place = 5);
    assert_eq!(wanted(&t), Some((6, 0)));
    // One that comes late is told with the others.
    start(&mut t, 0b0000_0001);
    answer(&mut t, PENDING, 7, 0);
    assert_eq!((looked(&t), wanted(&t)), (Some(0), Some((6, 0))), "of another line");
    answer(&mut t, PENDING, 0, 0);
    assert_eq!((looked(&t), wanted(&t), checked(&t)), (None, None, None));
    answer(&mut t, MISS, 0, 0);
    assert_eq!((looked(&t), wanted(&t)), (None, None));
    answer(&mut t, HIT, 0, 6);
    assert_eq!(taken(&t), (3, 6));
    assert_eq!(checked(&t), Some((0b0110_0001, 6, false)));
    assert_eq!(t.same.word(), 0);
    clock!(t);
    assert_eq!(taken(&t), (0, 0));
}

#[test]
fn a_check_without_result_is_repeated_and_a_result_ends_it() {
    let mut t = ready!(Table::default());
    start(&mut t, 0b11);
    answer(&mut t, HIT, 0, 1);
    assert_eq!(t.same.word(), 1);
    assert_eq!(checked(&t), Some((3, 1, false)));
    clock!(t);
    assert_eq!(checked(&t), None, "the record is on its way");
    clock!(t);
    assert_eq!(checked(&t), None);
    // The result of both: place 0 waits, place 1 is to be checked again.
    t.waits.next = 1.into();
    clock!(t);
    assert_eq!(checked(&t), Some((2, 1, false)));
    clock!(t; 2);
    t.ready.next = 2.into();
    t.waits.next = 0.into();
    clock!(t);
    assert_eq!(checked(&t), Some((1, 1, false)));
}

#[test]
fn who_goes_on_in_its_line_is_checked_in_the_next_cycle() {
    let mut t = with_ready(0b1100_1100);
    issue(&mut t, 1, Some((0, 1)), Some((0, 1)));
    assert_eq!((pc(&t, 2), pc(&t, 3), pc(&t, 6)), (1, 1, 0));
    assert_eq!(checked(&t), Some((0b1100, 5, true)));
    assert_eq!((dropped(&t), looked(&t)), ((0, 0), None));
    // Even goes to another line, odd halts; the other pair: even ends, odd goes on.
    issue(&mut t, 3, Some((0, 0x18)), Some((1, 0x1000)));
    assert_eq!(dropped(&t), (2, 5));
    assert_eq!(looked(&t), Some(0xc));
    assert_eq!(pc(&t, 6), 0x18);
    t.ready.next = 0b1100.into();
    issue(&mut t, 1, Some((2, 0x7777)), None);
    assert_eq!(dropped(&t), (1, 5));
    assert_eq!(t.same.word(), 0);
    // Who halted goes on where it was told.
    t.wake.next = 0b1000_0000.into();
    clock!(t);
    t.wake.next = 0.into();
    answer(&mut t, HIT, 0x800, 3);
    assert_eq!(taken(&t), (1, 3));
    assert_eq!(checked(&t), Some((0b1000_0000, 3, false)));
    // Who ended starts anew.
    start(&mut t, 0b100);
    assert_eq!(pc(&t, 2), 0);
}

#[test]
fn full_is_told_with_each_issue() {
    let mut t = with_ready(0b11);
    t.even_full.next = false;
    t.odd_full.next = true;
    issue(&mut t, 0, Some((0, 1)), Some((0, 1)));
    assert_eq!(t.full.word(), 2);
    t.even_full.next = true;
    issue(&mut t, 1, Some((0, 1)), None);
    assert_eq!(t.full.word() & 3, 2);
}

#[test]
fn members_of_a_wave_go_on_at_the_next_pc() {
    let mut t = with_ready(0b1011_0001);
    clock!(t, issue_wave; wave_group = 1, wave_mask = 0b1011);
    assert_eq!([4, 5, 7, 0].map(|place| pc(&t, place)), [1, 1, 1, 0]);
    assert_eq!(dropped(&t), (0, 0));
    t.ready.next = 1.into();
    assert_eq!(checked(&t), Some((0b1011_0000, 5, true)));
    clock!(t; 3);
    clock!(t, issue_wave; wave_mask = 0b0011);
    assert_eq!((pc(&t, 4), pc(&t, 5), pc(&t, 7)), (2, 2, 1));
    assert_eq!((dropped(&t), looked(&t)), ((2, 5), Some(1)));
    assert_eq!(t.full.word(), 0b1011_0001, "as before");
}

#[test]
fn look_ups_and_checks_go_round() {
    let mut t = with_ready(0b0001_0111);
    issue(&mut t, 0, Some((0, 0x20)), Some((0, 0x30)));
    t.ready.next = 0b0001_0100.into();
    issue(&mut t, 1, Some((0, 0x40)), None);
    t.ready.next = 0b0001_0000.into();
    let mut lines = vec![];
    for _ in 0..5 {
        lines.push(looked(&t).unwrap());
        clock!(t);
    }
    // That of place 1 was looked up in the cycle in which place 2 issued.
    assert_eq!(lines, [0x20, 0x10, 0x18, 0x20, 0x10]);
    for (line, entry) in [(0x10, 1), (0x18, 2), (0x20, 3)] {
        answer(&mut t, HIT, line, entry);
        assert_eq!(taken(&t), (1, entry));
        assert_eq!(checked(&t), Some((1 << (entry - 1), entry, false)));
    }
}
