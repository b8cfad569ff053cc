//! The wires of a routed layout as qrouter writes them (`TOP.rc`): a line for each net, `net drivers driver sinks tree`.
//! A tree is `( ohm pF item {, item} )`: resistance from the node above, capacitance of the node, and what hangs at it, a pin
//! (`CELL/PIN`, or `PIN/NET` at the layout's border) or a tree. A wire's end without a pin is `ERROR`: where qrouter does not find
//! how the pieces of a wire hang together, its tree lacks what comes after. Such a net becomes a lump.

use super::def::Net;
use std::collections::BTreeMap;

/// The wire of a net.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    pub net: String,
    pub driver: String,
    /// Pins that read the net.
    pub sinks: usize,
    /// `None`: nothing was routed.
    pub tree: Option<Tree>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub ohm: f64,
    pub pf: f64,
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Pin(String),
    Tree(Tree),
}

impl Wire {
    /// The tree reaches all pins.
    pub fn is_whole(&self) -> bool {
        self.tree.as_ref().map_or(0, |tree| tree.pins().len()) == self.sinks
    }
}

impl Tree {
    pub fn pins(&self) -> Vec<&str> {
        let pins = self.items.iter().map(|item| match item {
            Item::Pin(pin) => vec![pin.as_str()],
            Item::Tree(tree) => tree.pins(),
        });
        pins.flatten().collect()
    }

    pub fn total_pf(&self) -> f64 {
        self.total(&|tree| tree.pf)
    }

    fn total(&self, value: &impl Fn(&Tree) -> f64) -> f64 {
        let below = self.items.iter().map(|item| match item {
            Item::Pin(_) => 0.0,
            Item::Tree(tree) => tree.total(value),
        });
        value(self) + below.sum::<f64>()
    }
}

/// Puts a lump in place of each tree that lacks pins, and counts them: all of the wire's resistance, then all of its capacitance,
/// then all pins, which is no faster than a tree. Both follow from its length in `nets`, as on the average of the whole trees.
pub fn lump(wires: &mut [Wire], nets: &[Net]) -> u64 {
    let nets: BTreeMap<&str, &Net> = nets.iter().map(|net| (net.name.as_str(), net)).collect();
    let whole = wires.iter().filter(|wire| wire.is_whole());
    let trees = whole.filter_map(|wire| Some((wire.tree.as_ref()?, nets.get(wire.net.as_str())?.length())));
    let (ohm, pf, um) = trees.fold((0.0, 0.0, 0.0), |(ohm, pf, um), (tree, length)| {
        (ohm + tree.total(&|tree| tree.ohm), pf + tree.total_pf(), um + length)
    });
    let mut lumps = 0;
    for wire in wires.iter_mut().filter(|wire| !wire.is_whole()) {
        if let Some(net) = nets.get(wire.net.as_str()) {
            let readers = net.pins.iter().filter(|pin| **pin != wire.driver);
            let items = readers.cloned().map(Item::Pin).collect();
            wire.tree = Some(Tree { ohm: net.length() * ohm / um, pf: net.length() * pf / um, items });
            lumps += 1;
        }
    }
    lumps
}

/// Takes the text apart; the error is a line that is not understood.
pub fn parse(text: &str) -> Result<Vec<Wire>, &str> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| wire(line).ok_or(line)).collect()
}

fn wire(line: &str) -> Option<Wire> {
    let mut words = line.split_whitespace();
    let (net, _drivers, driver, sinks) = (words.next()?, words.next()?, words.next()?, words.next()?.parse().ok()?);
    let mut words = words.peekable();
    let tree = match words.next() {
        Some("(") => Some(tree(&mut words)?),
        Some(_) => return None,
        None => None,
    };
    words.next().is_none().then(|| Wire { net: net.into(), driver: driver.into(), sinks, tree })
}

/// The tree that follows a `(`, its `)` included.
fn tree<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Tree> {
    let (ohm, pf) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let mut items = vec![];
    loop {
        match words.next()? {
            ")" => return Some(Tree { ohm, pf, items }),
            "," | "ERROR" => {}
            "(" => items.push(Item::Tree(tree(words)?)),
            pin => items.push(Item::Pin(pin.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::def::Segment;

    #[test]
    fn a_tree_is_taken_apart() {
        let text = "n1 1 INVX1_2/Y 3 ( 1.5 0.25 A_1/A , ( 2 0.5 B_1/B , ( 4 1.0 PIN/n1 ) ) )\n\nn2 1 PIN/n2 0\n";
        let wires = parse(text).unwrap();
        let leaf = Tree { ohm: 4.0, pf: 1.0, items: vec![Item::Pin("PIN/n1".into())] };
        let inner = Tree { ohm: 2.0, pf: 0.5, items: vec![Item::Pin("B_1/B".into()), Item::Tree(leaf)] };
        let tree = Tree { ohm: 1.5, pf: 0.25, items: vec![Item::Pin("A_1/A".into()), Item::Tree(inner)] };
        assert_eq!(tree.total_pf(), 1.75);
        assert_eq!(wires[0], Wire { net: "n1".into(), driver: "INVX1_2/Y".into(), sinks: 3, tree: Some(tree) });
        assert_eq!(wires[1], Wire { net: "n2".into(), driver: "PIN/n2".into(), sinks: 0, tree: None });
        assert!(wires.iter().all(Wire::is_whole));
    }

    /// 10 um are 4 ohm and 0.5 pF in the net that is whole; the other is twice as long.
    #[test]
    fn a_tree_that_lacks_pins_becomes_a_lump_of_its_wires_length() {
        let text = "n1 1 A_1/Y 1 ( 1 0.25 ( 3 0.25 B_1/A ) )\nn2 1 PIN/n2 3 ( 1 0.1 B_1/B , ( 2 0.1 ERROR ) )\n";
        let mut wires = parse(text).unwrap();
        assert_eq!((wires[0].is_whole(), wires[1].is_whole()), (true, false));
        let net = |name: &str, pins: &[&str], um: f64| Net {
            name: name.into(),
            pins: pins.iter().map(ToString::to_string).collect(),
            wires: vec![Segment { layer: 1, from: (0.0, 0.0), to: (um, 0.0) }],
        };
        let pins = ["PIN/n2", "B_1/B", "C_1/A", "C_2/A"];
        let nets = [net("n1", &["A_1/Y", "B_1/A"], 10.0), net("n2", &pins, 20.0)];
        let whole = wires[0].clone();
        assert_eq!(lump(&mut wires, &nets), 1);
        let items = pins[1..].iter().map(|pin| Item::Pin(pin.to_string())).collect();
        assert_eq!(wires[1].tree, Some(Tree { ohm: 8.0, pf: 1.0, items }));
        assert_eq!((&wires[0], wires[1].is_whole()), (&whole, true));
    }

    #[test]
    fn a_line_that_is_cut_off_is_refused() {
        for line in ["n1 1 A/Y 1 ( 1 2 B/A", "n1 1 A/Y 1 ( 1 B/A )", "n1 1 A/Y", "n1 1 A/Y 1 ( 1 2 B/A ) )"] {
            assert_eq!(parse(line), Err(line));
        }
    }
}
