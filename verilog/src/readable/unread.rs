//! Nets that nobody reads any more go.

use crate::tree::{Expr, Item};
use std::collections::BTreeSet;

/// The items without such nets, and their names. Ports stay, and nets that say that they are unused.
pub fn without(mut items: Vec<Item>, ports: &BTreeSet<String>) -> (Vec<Item>, BTreeSet<String>) {
    let mut gone = BTreeSet::new();
    loop {
        let mut kept = ports.clone();
        for item in &items {
            item.reads(&mut |net| {
                kept.insert(net.to_string());
            });
        }
        let before = gone.len();
        items.retain(|item| match item {
            Item::Assign(Expr::Net(net), _) if !net.starts_with("unused") && !kept.contains(net) => {
                gone.insert(net.clone());
                false
            }
            _ => true,
        });
        if gone.len() == before {
            return (items, gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nets_that_nobody_reads_go_with_what_they_alone_read() {
        let assign = |to: &str, from: &str| Item::Assign(Expr::Net(to.into()), Expr::Net(from.into()));
        let items = vec![assign("a", "in"), assign("b", "a"), assign("out", "in"), assign("unused_c", "in")];
        let (kept, gone) = without(items, &BTreeSet::from(["in".into(), "out".into()]));
        assert_eq!(kept, [assign("out", "in"), assign("unused_c", "in")]);
        assert_eq!(gone, BTreeSet::from(["a".into(), "b".into()]));
    }
}
