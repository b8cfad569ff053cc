//! The scalar-wave scoreboard of waves of 4 in 2 groups, with 2 entries.

use crate::common::{clock, ready, Word};
use hdl::gw::scalar_wave_scoreboard::ScalarWaveScoreboard;

type Board = ScalarWaveScoreboard<4, 2, 1, 1>;

fn issue(s: &mut Board, swid: u64, group: u64, mask: u64, writes: u64) {
    s.issue_wave.next = true;
    (s.issue_swid.next, s.issue_group.next, s.issue_mask.next) = (swid.into(), group.into(), mask.into());
    s.issue_writes.next = writes.into();
}

#[test]
fn what_a_wave_writes_is_cleared_when_it_is_over() {
    let mut s = ready!(Board::default());
    assert_eq!((s.busy.word(), s.clear_valid.val()), (0, false));
    issue(&mut s, 1, 1, 0b1010, 0x0abc_def0);
    clock!(s);
    assert_eq!(s.busy.word(), 0b10);
    issue(&mut s, 0, 0, 0b0001, 5);
    (s.done_valid.next, s.done_swid.next) = (true, 1u64.into());
    clock!(s);
    s.issue_wave.next = false;
    assert_eq!(s.busy.word(), 0b01);
    let cleared = [s.clear_group.word(), s.clear_mask.word()];
    assert_eq!((s.clear_valid.val(), cleared), (true, [1, 0b1010]));
    assert_eq!(s.clear_writes.word(), 0x0abc_def0);
    s.done_swid.next = 0u64.into();
    clock!(s);
    s.done_valid.next = false;
    assert_eq!((s.busy.word(), s.clear_mask.word(), s.clear_writes.word()), (0, 1, 5));
    clock!(s);
    assert!(!s.clear_valid.val());
}
