//! The memory with two ports: a read takes a cycle, and its result stays.

use crate::common::{clock, connected, Word};
use hdl::prim::sram_1r1w::Sram1r1w;

fn cycle(sram: &mut Sram1r1w<8, 2>, write: Option<(u64, u64)>, read: Option<u64>) -> u64 {
    let (write_addr, wdata) = write.unwrap_or((3, 0xff));
    (sram.write.next, sram.write_addr.next, sram.wdata.next) = (write.is_some(), write_addr.into(), wdata.into());
    (sram.read.next, sram.read_addr.next) = (read.is_some(), read.unwrap_or(1).into());
    clock!(sram);
    sram.rdata.word()
}

#[test]
fn reads_and_writes_side_by_side() {
    let mut sram = connected!(Sram1r1w::<8, 2>::default());
    for addr in 0..4 {
        cycle(&mut sram, Some((addr, 0xa0 + addr)), None);
    }
    assert_eq!(cycle(&mut sram, None, Some(2)), 0xa2);
    assert_eq!(cycle(&mut sram, None, None), 0xa2, "held, and nothing written");
    assert_eq!(cycle(&mut sram, Some((2, 0x11)), Some(3)), 0xa3);
    assert_eq!(cycle(&mut sram, Some((3, 0x22)), Some(2)), 0x11);
    assert_eq!(cycle(&mut sram, None, Some(3)), 0x22);
}
