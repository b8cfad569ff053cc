//! The wires for OpenSTA: SPEF from qrouter's trees. A pin of the layout's border stands for the cells outside it.

use super::rc::{Item, Tree, Wire};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Pins outside the border at a net, as `CELL/PIN`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outside {
    pub driver: Option<String>,
    pub readers: Vec<String>,
}

/// Ohm between a wire's end and a pin on it: none, but a resistor needs a value.
const CONTACT: f64 = 0.001;

/// SPEF of `wires` with `times` their capacitance; other nets are ideal.
pub fn text(design: &str, wires: &[Wire], outside: &BTreeMap<String, Outside>, times: f64) -> String {
    let mut text = format!(
        "*SPEF \"IEEE 1481-1998\"\n*DESIGN \"{design}\"\n*DATE \"\"\n*VENDOR \"\"\n*PROGRAM \"unruly\"\n*VERSION \"\"\n\
         *DESIGN_FLOW \"\"\n*DIVIDER /\n*DELIMITER :\n*BUS_DELIMITER []\n\
         *T_UNIT 1 NS\n*C_UNIT 1 PF\n*R_UNIT 1 OHM\n*L_UNIT 1 HENRY\n"
    );
    let none = Outside::default();
    for wire in wires {
        let outside = outside.get(&wire.net).unwrap_or(&none);
        let (sinks, capacitors, resistors) = (vec![], vec![], vec![]);
        let mut net = Net { name: &wire.net, outside, times, nodes: 0, sinks, capacitors, resistors };
        if let (Some(tree), Some(driver)) = (&wire.tree, net.pin(&wire.driver, true).pop()) {
            net.add(&driver, tree);
            text += &net.text(&driver, tree.total_pf() * times);
        }
    }
    text
}

/// A net while it is written.
struct Net<'a> {
    name: &'a str,
    outside: &'a Outside,
    times: f64,
    nodes: usize,
    sinks: Vec<String>,
    capacitors: Vec<(String, f64)>,
    resistors: Vec<(String, String, f64)>,
}

impl Net<'_> {
    fn add(&mut self, above: &str, tree: &Tree) {
        self.nodes += 1;
        let node = format!("{}:{}", self.name, self.nodes);
        self.capacitors.push((node.clone(), tree.pf * self.times));
        self.resistors.push((above.into(), node.clone(), tree.ohm));
        for item in &tree.items {
            match item {
                Item::Tree(tree) => self.add(&node, tree),
                Item::Pin(pin) => {
                    for pin in self.pin(pin, false) {
                        self.resistors.push((node.clone(), pin.clone(), CONTACT));
                        self.sinks.push(pin);
                    }
                }
            }
        }
    }

    /// `CELL/PIN` as SPEF writes it; at the border the pins outside.
    fn pin(&self, pin: &str, drives: bool) -> Vec<String> {
        let pins = match pin.strip_prefix("PIN/") {
            Some(_) if drives => self.outside.driver.iter().cloned().collect(),
            Some(_) => self.outside.readers.clone(),
            None => vec![pin.to_string()],
        };
        pins.iter().map(|pin| pin.replacen('/', ":", 1)).collect()
    }

    fn text(&self, driver: &str, total: f64) -> String {
        let mut text = format!("*D_NET {} {total:.8}\n*CONN\n*I {driver} O\n", self.name);
        self.sinks.iter().for_each(|sink| {
            let _ = writeln!(text, "*I {sink} I");
        });
        text += "*CAP\n";
        for (number, (node, pf)) in self.capacitors.iter().enumerate() {
            let _ = writeln!(text, "{} {node} {pf:.8}", number + 1);
        }
        text += "*RES\n";
        for (number, (from, to, ohm)) in self.resistors.iter().enumerate() {
            let _ = writeln!(text, "{} {from} {to} {ohm}", number + 1);
        }
        text + "*END\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::rc;

    #[test]
    fn a_net_has_its_tree_and_the_pins_outside() {
        let wires = rc::parse("n1 1 INVX1_2/Y 2 ( 1.5 0.25 A_1/B , ( 2 0.5 PIN/n1 ) )\n").unwrap();
        let outside = Outside { driver: None, readers: vec!["neighbour_3/D".into()] };
        let text = text("m", &wires, &[("n1".to_string(), outside)].into(), 2.0);
        let net = text.split_once("*D_NET ").unwrap().1;
        assert_eq!(
            net,
            "n1 1.50000000\n*CONN\n*I INVX1_2:Y O\n*I A_1:B I\n*I neighbour_3:D I\n\
             *CAP\n1 n1:1 0.50000000\n2 n1:2 1.00000000\n\
             *RES\n1 INVX1_2:Y n1:1 1.5\n2 n1:1 A_1:B 0.001\n3 n1:1 n1:2 2\n4 n1:2 neighbour_3:D 0.001\n*END\n"
        );
    }

    #[test]
    fn a_net_from_outside_begins_at_its_driver_there() {
        let wires = rc::parse("a 1 PIN/a 1 ( 1 0.5 X_1/A )").unwrap();
        let outside = Outside { driver: Some("memory_0/rdata[3]".into()), readers: vec![] };
        let text = text("m", &wires, &[("a".to_string(), outside)].into(), 1.0);
        assert!(text.ends_with("*RES\n1 memory_0:rdata[3] a:1 1\n2 a:1 X_1:A 0.001\n*END\n"), "{text}");
    }
}
