//! The scoreboard of 8 places with waves of 4.

use crate::common::{clock, ready, Word};
use hdl::gw::scoreboard::Scoreboard;

type Board = Scoreboard<8, 4, 2, 1>;

/// A record that writes and reads these registers, on path 2.
fn record(writes: &[u64], reads: &[u64]) -> rust_hdl::prelude::Bits<73> {
    crate::record(writes, reads, 2, false)
}

/// The state after a check of `warps` with this record.
fn check(s: &mut Board, warps: u64, writes: &[u64], reads: &[u64]) -> (u64, u64) {
    s.check_warps.next = warps.into();
    clock!(s);
    s.check_warps.next = 0u64.into();
    s.record.next = record(writes, reads);
    clock!(s);
    s.record.next = 0u64.into();
    state(s)
}

/// A cycle in which the odd half of a pair is done with these registers.
fn done(s: &mut Board, k: usize, pair: u64, writes: &[u64]) {
    s.done_odd[k].next = true;
    s.done_pair[k].next = pair.into();
    s.done_writes[k].next = crate::list(writes).into();
    clock!(s);
    s.done_odd[k].next = false;
}

/// Warps that are ready, and those that wait.
fn state(s: &Board) -> (u64, u64) {
    (s.ready.word(), s.waits.word())
}

#[test]
fn a_warp_waits_for_what_it_reads_or_writes_and_is_ready_once_that_is_written() {
    let mut s = ready!(Board::default());
    assert_eq!(check(&mut s, 0b0110, &[5], &[1, 2]), (0b0110, 0));
    assert_eq!([0, 1, 2].map(|place| s.path[place].word()), [0, 2, 2]);
    clock!(s, issue_odd; issue_pair = 0u64);
    assert_eq!(state(&s), (0b0100, 0));
    clock!(s, issue_even; issue_pair = 1u64);

    assert_eq!(check(&mut s, 0b0011, &[63], &[5]), (0b0001, 0b0010), "register 5 is pending for place 1 alone");
    assert_eq!(check(&mut s, 0b0100, &[5], &[]), (0b0001, 0b0110), "what is pending is not written over");
    done(&mut s, 1, 0, &[5]);
    assert_eq!(state(&s), (0b0001, 0b0100));
    assert_eq!(check(&mut s, 0b0010, &[], &[5]), (0b0011, 0b0100));
}

#[test]
fn a_check_in_the_cycle_of_a_write_decides_nothing() {
    let mut s = ready!(Board::default());
    check(&mut s, 0b1000_0000, &[7, 9], &[]);
    clock!(s, issue_odd; issue_pair = 3u64);
    s.check_warps.next = 0b1000_0000u64.into();
    clock!(s);
    s.check_warps.next = 0u64.into();
    s.record.next = record(&[], &[9]);
    done(&mut s, 0, 3, &[9]);
    assert_eq!(state(&s), (0, 0));
    assert_eq!(check(&mut s, 0b1000_0000, &[], &[9]), (0b1000_0000, 0));
}

#[test]
fn the_members_of_a_wave_issue_and_are_cleared_together() {
    let mut s = ready!(Board::default());
    check(&mut s, 0b1011_0000, &[0, 33], &[]);
    clock!(s, issue_wave; wave_group = 1u64, wave_mask = 0b0011u64);
    assert_eq!(state(&s), (0b1000_0000, 0));
    assert_eq!(check(&mut s, 0b0011_0001, &[], &[33]), (0b1000_0001, 0b0011_0000));
    clock!(s, clear_valid; clear_group = 1u64, clear_mask = 0b0011u64, clear_writes = crate::list(&[0, 33]));
    assert_eq!(state(&s), (0b1000_0001, 0));
    assert_eq!(check(&mut s, 0b0011_0000, &[33], &[0]), (0b1011_0001, 0));
}
