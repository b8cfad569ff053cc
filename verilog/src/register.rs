//! Registers, which share `always` blocks.

use crate::tree::{Expr, Item};

/// `q` takes `d` at the edge while `enable` is high, or a value while `reset` is high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    pub q: String,
    pub clock: Expr,
    pub d: Expr,
    pub enable: Option<Expr>,
    pub reset: Option<(Expr, Expr)>,
}

/// Registers of one `key` share an `always` block: it stands for their clock, reset and enable.
pub fn clocked<K: PartialEq>(registers: &[Register], key: impl Fn(usize) -> K) -> Vec<Item> {
    let mut blocks: Vec<(K, Vec<&Register>)> = vec![];
    for (place, register) in registers.iter().enumerate() {
        let key = key(place);
        match blocks.iter_mut().find(|(other, _)| *other == key) {
            Some((_, block)) => block.push(register),
            None => blocks.push((key, vec![register])),
        }
    }
    blocks.iter().map(|(_, block)| always(block)).collect()
}

fn always(registers: &[&Register]) -> Item {
    let take = |r: &Register, value: &Expr| Item::Clocked(Expr::Net(r.q.clone()), value.clone());
    let mut body = registers.iter().map(|r| take(r, &r.d)).collect();
    let first = registers[0];
    if let Some(enable) = &first.enable {
        body = vec![Item::If(enable.clone(), body, vec![])];
    }
    if let Some((reset, _)) = &first.reset {
        let clear = registers.iter().filter_map(|r| r.reset.as_ref().map(|(_, value)| take(r, value)));
        body = vec![Item::If(reset.clone(), clear.collect(), body)];
    }
    let Expr::Net(clock) = &first.clock else { panic!("{}: its clock is no net", first.q) };
    Item::Always(Some(clock.clone()), body)
}
