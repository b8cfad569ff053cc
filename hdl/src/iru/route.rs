//! Which way an element goes from a partition: to a bank here, or round the ring.

use crate::circuit::net::Net;

/// One of these is high.
pub struct Route<'a> {
    pub bank: [Net<'a>; 2],
    pub cw: Net<'a>,
    pub ccw: Net<'a>,
    /// It goes past the next partition.
    pub onward: Net<'a>,
}

/// `hash`: that of the element, `partition`: here; the nets get names that end in `name`. The shorter way round; where
/// both are as long, clockwise from an even partition and counterclockwise from an odd one, so that no cycle of waiting
/// queues closes on the ring.
pub fn route<'a>(name: &str, hash: Net<'a>, partition: Net<'a>) -> Route<'a> {
    let bits = partition.width();
    let (place, bank) = (hash.width() - bits, hash.bit(hash.width() - bits - 1));
    let distance = (hash.slice(place, bits) - partition).name(format!("distance_{name}"));
    let home = (!distance.any()).name(format!("home_{name}"));
    let half = distance.is(1 << (bits - 1)).name(format!("half_way_{name}"));
    let odd = partition.bit(0);
    // Beyond half way the upper bit is high and some other one too.
    let beyond = (distance.bit(bits - 1) & !half).name(format!("beyond_{name}"));
    let ccw = (beyond | (half & odd)).name(format!("ccw_{name}"));
    let cw = (!home & !ccw).name(format!("cw_{name}"));
    let to_bank = |b: usize, is: Net<'a>| (home & is).name(format!("bank_{b}_{name}"));
    // Two partitions: the next one is half way round, and the last.
    let onward = if bits == 1 { half & !half } else { half };
    Route { bank: [to_bank(0, !bank), to_bank(1, bank)], cw, ccw, onward }
}
