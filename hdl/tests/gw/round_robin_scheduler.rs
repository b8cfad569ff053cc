//! The scheduler of the baseline, for 8 warps.

use crate::common::{clock, ready, Word};
use hdl::gw::round_robin_scheduler::RoundRobinScheduler;

#[test]
fn warps_issue_round_robin_where_their_path_has_room() {
    let mut s = ready!(RoundRobinScheduler::<8, 3>::default());
    clock!(s);
    assert!(!s.issue_valid.val());
    (s.ready.next, s.room.next) = (0b1001_0010u64.into(), 0b0101u64.into());
    s.path[4].next = 1u64.into();
    s.path[7].next = 2u64.into();
    let mut issues = vec![];
    for _ in 0..4 {
        clock!(s);
        issues.push(s.issue_warp.word());
    }
    assert_eq!(issues, [1, 7, 1, 7]);
    s.room.next = 0b0111u64.into();
    clock!(s; 2);
    assert_eq!((s.issue_valid.val(), s.issue_warp.word()), (true, 4));
    s.ready.next = 0b0001_0000u64.into();
    clock!(s);
    assert!(!s.issue_valid.val(), "it is issuing");
}
