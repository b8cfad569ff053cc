//! The instruction buffer of the baseline, for 8 warps.

use crate::common::{clock, ready, Word};
use hdl::gw::instruction_buffer::InstructionBuffer;

type Buffer = InstructionBuffer<8, 3>;

fn write(f: &mut Buffer, warp: u64, records: [u64; 2], both: bool) {
    for (slot, register) in records.into_iter().enumerate() {
        f.write_record[slot].next = crate::gw::record(&[register], &[], 0, true);
    }
    clock!(f, write_valid; write_warp = warp, write_both = both);
}

/// The register that the record at the head of this warp writes; with `take`, it leaves in the cycle of the read.
fn read(f: &mut Buffer, warp: u64, take: bool) -> u64 {
    (f.take_valid.next, f.take_warp.next) = (take, warp.into());
    clock!(f, read; read_warp = warp);
    f.take_valid.next = false;
    let found = (0..64).find(|&register| f.record.val() == crate::gw::record(&[register], &[], 0, true));
    assert!(f.record_valid.val());
    found.unwrap()
}

#[test]
fn records_of_a_warp_leave_in_their_order() {
    let mut f = ready!(Buffer::default());
    write(&mut f, 3, [10, 11], true);
    write(&mut f, 7, [20, 21], false);
    assert_eq!(f.head_valid.word(), 0b1000_1000);
    assert_eq!(read(&mut f, 3, false), 10);
    assert_eq!(read(&mut f, 3, true), 10);
    assert_eq!(read(&mut f, 7, true), 21, "slot 1 alone");
    assert_eq!(f.head_valid.word(), 0b0000_1000);
    assert_eq!(read(&mut f, 3, true), 11);
    assert_eq!(f.head_valid.word(), 0);
    clock!(f);
    assert!(!f.record_valid.val());
}

#[test]
fn a_flush_empties_both_slots() {
    let mut f = ready!(Buffer::default());
    write(&mut f, 0, [1, 2], true);
    write(&mut f, 1, [3, 4], true);
    clock!(f, flush_valid; flush_warp = 0u64);
    assert_eq!(f.head_valid.word(), 0b10);
    f.reset.next = true;
    clock!(f);
    assert_eq!(f.head_valid.word(), 0);
}
