//! The instruction buffer and the scheduler of the baseline, for 8 warps.

use crate::common::{clock, ready};
use hdl::gw::instruction_buffer::InstructionBuffer;
use hdl::gw::round_robin_scheduler::RoundRobinScheduler;

type Buffer = InstructionBuffer<8, 3>;

fn write(f: &mut Buffer, warp: u64, records: [u64; 2], both: bool) {
    (f.write_valid.next, f.write_warp.next, f.write_both.next) = (true, warp.into(), both);
    for (slot, register) in records.into_iter().enumerate() {
        f.write_record[slot].next = crate::record(&[register], &[], 0, true);
    }
    clock!(f);
    f.write_valid.next = false;
}

/// Which register the record at the head of this warp writes; with `take`, it leaves in the cycle of the read.
fn read(f: &mut Buffer, warp: u64, take: bool) -> u64 {
    (f.read.next, f.read_warp.next) = (true, warp.into());
    (f.take_valid.next, f.take_warp.next) = (take, warp.into());
    clock!(f);
    (f.read.next, f.take_valid.next) = (false, false);
    let found = (0..64).find(|&register| f.record.val() == crate::record(&[register], &[], 0, true));
    assert!(f.record_valid.val());
    found.unwrap()
}

#[test]
fn records_of_a_warp_leave_in_their_order() {
    let mut f = ready!(Buffer::default());
    write(&mut f, 3, [10, 11], true);
    write(&mut f, 7, [20, 21], false);
    assert_eq!(f.head_valid.val().to_u64(), 0b1000_1000);
    assert_eq!(read(&mut f, 3, false), 10);
    assert_eq!(read(&mut f, 3, true), 10);
    assert_eq!(read(&mut f, 7, true), 21, "slot 1 alone");
    assert_eq!(f.head_valid.val().to_u64(), 0b0000_1000);
    assert_eq!(read(&mut f, 3, true), 11);
    assert_eq!(f.head_valid.val().to_u64(), 0);
    clock!(f);
    assert!(!f.record_valid.val());
}

#[test]
fn a_flush_empties_both_slots() {
    let mut f = ready!(Buffer::default());
    write(&mut f, 0, [1, 2], true);
    write(&mut f, 1, [3, 4], true);
    (f.flush_valid.next, f.flush_warp.next) = (true, 0u64.into());
    clock!(f);
    f.flush_valid.next = false;
    assert_eq!(f.head_valid.val().to_u64(), 0b10);
    f.reset.next = true;
    clock!(f);
    assert_eq!(f.head_valid.val().to_u64(), 0);
}

#[test]
fn warps_issue_in_turn_where_their_path_has_room() {
    let mut s = ready!(RoundRobinScheduler::<8, 3>::default());
    clock!(s);
    assert!(!s.issue_valid.val());
    (s.ready.next, s.room.next) = (0b1001_0010u64.into(), 0b0101u64.into());
    s.path[4].next = 1u64.into();
    s.path[7].next = 2u64.into();
    let mut issues = vec![];
    for _ in 0..4 {
        clock!(s);
        issues.push(s.issue_warp.val().to_u64());
    }
    assert_eq!(issues, [1, 7, 1, 7]);
    s.room.next = 0b0111u64.into();
    clock!(s);
    clock!(s);
    assert_eq!((s.issue_valid.val(), s.issue_warp.val().to_u64()), (true, 4));
    s.ready.next = 0b0001_0000u64.into();
    clock!(s);
    assert!(!s.issue_valid.val(), "it is issuing");
}
