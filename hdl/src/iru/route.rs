//! The way of an element from a partition: to a bank here, or round the ring.

use crate::circuit::net::{Builder, Net};

/// One of these is high.
pub struct Route<'a> {
    pub bank: [Net<'a>; 2],
    pub cw: Net<'a>,
    pub ccw: Net<'a>,
    /// It goes past the next partition.
    pub onward: Net<'a>,
}

/// One bit per partition and way: an element at home there goes this way from here. The partition is constant: what is
/// made of it stands in registers, once for all elements of a group.
pub struct Ways<'a> {
    home: Net<'a>,
    cw: Net<'a>,
    ccw: Net<'a>,
    /// Not of two partitions: there the next one is half way round, and the last.
    half: Option<Net<'a>>,
}

impl<'a> Ways<'a> {
    /// `partition`: here. The shorter way round; where both are as long, clockwise from an even partition and
    /// counterclockwise from an odd one, so that no cycle of waiting queues closes on the ring.
    pub fn from(b: &'a Builder, partition: Net<'a>) -> Self {
        let all = 1 << partition.width();
        let here = partition.decode().name("here");
        // Places and distances that `goes` says yes to.
        let mask = |name: &str, goes: &dyn Fn(usize, usize) -> bool| {
            let to = |home: usize| {
                let from: Vec<_> = (0..all).filter(|&p| goes(p, (home + all - p) % all)).map(|p| here.bit(p)).collect();
                if from.is_empty() {
                    b.low()
                } else {
                    b.or_all(&from)
                }
            };
            b.delay(name, b.bits(&(0..all).map(to).collect::<Vec<_>>()))
        };
        let ccw = |p: usize, distance: usize| distance > all / 2 || (distance == all / 2 && p % 2 == 1);
        Self {
            home: mask("homes_here", &|_, distance| distance == 0),
            cw: mask("homes_cw", &|p, distance| distance > 0 && !ccw(p, distance)),
            ccw: mask("homes_ccw", &ccw),
            half: (all > 2).then(|| mask("homes_half_way", &|_, distance| distance == all / 2)),
        }
    }

    /// `hash`: that of the element; the nets get names that end in `name`.
    pub fn route(&self, name: &str, hash: Net<'a>) -> Route<'a> {
        let bits = self.home.width().ilog2() as usize;
        let (place, bank) = (hash.width() - bits, hash.bit(hash.width() - bits - 1));
        let to = hash.slice(place, bits).name(format!("partition_of_{name}"));
        let is = |homes: Net<'a>, what: &str| homes.index(to).name(format!("{what}_{name}"));
        let home = is(self.home, "home");
        let to_bank = |b: usize, is: Net<'a>| (home & is).name(format!("bank_{b}_{name}"));
        let onward = self.half.map_or(home & !home, |half| is(half, "half_way"));
        Route { bank: [to_bank(0, !bank), to_bank(1, bank)], cw: is(self.cw, "cw"), ccw: is(self.ccw, "ccw"), onward }
    }
}
