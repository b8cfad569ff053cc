//! Ring before local, but not for ever (section 3.2.2): what waits on the local side passes after eight others.

use super::CREDIT;
use crate::circuit::net::{Builder, Net};

/// Who goes in this cycle, both with a name; one of them at most.
pub struct Goes<'a> {
    /// The ring has its turn, with or without room: the selection of the data need not wait for that.
    pub ring_turn: Net<'a>,
    pub ring: Net<'a>,
    pub local: Net<'a>,
}

/// Chooses between an element of the ring and a local one. The chosen one goes if there is `room`; ring goes before local, with a credit of 8.
pub fn ring_first<'a>(b: &'a Builder, ring_waits: Net<'a>, local_waits: Net<'a>, room: Net<'a>) -> Goes<'a> {
    let credit = b.register("credit", 4);
    let yields = local_waits & credit.is(CREDIT);
    let ring_turn = (ring_waits & !yields).name("ring_turn");
    let ring = (room & ring_turn).name("ring_goes");
    let local = (room & local_waits & !ring_turn).name("local_goes");
    let grown = local_waits.mux(credit.increment(), b.constant(0, 4));
    let kept = local.mux(b.constant(0, 4), credit);
    credit.drive(ring.mux(grown, kept));
    Goes { ring_turn, ring, local }
}
