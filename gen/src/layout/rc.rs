//! The wires of a routed layout as qrouter writes them (`TOP.rc`): a line for each net, `net drivers driver sinks tree`.
//! A tree is `( ohm pF item {, item} )`: resistance from the node above, capacitance of the node, and what hangs at it, a pin
//! (`CELL/PIN`, or `PIN/NET` at the layout's border) or a tree.

/// The wire of a net.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    pub net: String,
    pub driver: String,
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

impl Tree {
    pub fn total_pf(&self) -> f64 {
        let below = self.items.iter().map(|item| match item {
            Item::Pin(_) => 0.0,
            Item::Tree(tree) => tree.total_pf(),
        });
        self.pf + below.sum::<f64>()
    }
}

/// Takes the text apart; the error is a line that is not understood.
pub fn parse(text: &str) -> Result<Vec<Wire>, &str> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| wire(line).ok_or(line)).collect()
}

fn wire(line: &str) -> Option<Wire> {
    let mut words = line.split_whitespace();
    let (net, _drivers, driver, _sinks) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let mut words = words.peekable();
    let tree = match words.next() {
        Some("(") => Some(tree(&mut words)?),
        Some(_) => return None,
        None => None,
    };
    words.next().is_none().then(|| Wire { net: net.into(), driver: driver.into(), tree })
}

/// The tree that follows a `(`, its `)` included.
fn tree<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Tree> {
    let (ohm, pf) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let mut items = vec![];
    loop {
        match words.next()? {
            ")" => return Some(Tree { ohm, pf, items }),
            "," => {}
            "(" => items.push(Item::Tree(tree(words)?)),
            pin => items.push(Item::Pin(pin.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_taken_apart() {
        let text = "n1 1 INVX1_2/Y 3 ( 1.5 0.25 A_1/A , ( 2 0.5 B_1/B , ( 4 1.0 PIN/n1 ) ) )\n\nn2 1 PIN/n2 0\n";
        let wires = parse(text).unwrap();
        let leaf = Tree { ohm: 4.0, pf: 1.0, items: vec![Item::Pin("PIN/n1".into())] };
        let inner = Tree { ohm: 2.0, pf: 0.5, items: vec![Item::Pin("B_1/B".into()), Item::Tree(leaf)] };
        let tree = Tree { ohm: 1.5, pf: 0.25, items: vec![Item::Pin("A_1/A".into()), Item::Tree(inner)] };
        assert_eq!(tree.total_pf(), 1.75);
        assert_eq!(wires[0], Wire { net: "n1".into(), driver: "INVX1_2/Y".into(), tree: Some(tree) });
        assert_eq!(wires[1], Wire { net: "n2".into(), driver: "PIN/n2".into(), tree: None });
    }

    #[test]
    fn a_line_that_is_cut_off_is_refused() {
        for line in ["n1 1 A/Y 1 ( 1 2 B/A", "n1 1 A/Y 1 ( 1 B/A )", "n1 1 A/Y", "n1 1 A/Y 1 ( 1 2 B/A ) )"] {
            assert_eq!(parse(line), Err(line));
        }
    }
}
