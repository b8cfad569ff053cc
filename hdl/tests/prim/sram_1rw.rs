//! The single-port memory: a read takes a cycle, and its result stays.

use crate::common::{clock, connected, Word};
use hdl::prim::sram_1rw::Sram1rw;

fn cycle(sram: &mut Sram1rw<8, 2>, en: bool, we: bool, addr: u64, wdata: u64) -> u64 {
    sram.en.next = en;
    sram.we.next = we;
    sram.addr.next = addr.into();
    sram.wdata.next = wdata.into();
    clock!(sram);
    sram.rdata.word()
}

#[test]
fn reads_what_was_written_and_holds_it() {
    let mut sram = connected!(Sram1rw::<8, 2>::default());
    for addr in 0..4 {
        cycle(&mut sram, true, true, addr, 0xa0 + addr);
    }
    assert_eq!(cycle(&mut sram, true, false, 2, 0), 0xa2);
    assert_eq!(cycle(&mut sram, false, true, 2, 0xff), 0xa2, "held, and not written without en");
    assert_eq!(cycle(&mut sram, true, true, 3, 0x11), 0xa2, "held over a write");
    assert_eq!(cycle(&mut sram, true, false, 3, 0), 0x11);
    assert_eq!(cycle(&mut sram, true, false, 2, 0), 0xa2);
}
