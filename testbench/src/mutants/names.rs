//! Bits of a module's ports by the names that Yosys gives them, and the pins to which they belong.

use crate::shim;
use gen::Port;
use sim::unit::{Interface, Pin};
use std::collections::{BTreeMap, HashMap};

pub(super) struct Names<'a> {
    /// The port and the lowest bit of each pin.
    places: BTreeMap<String, (String, u32)>,
    widths: HashMap<&'a str, usize>,
    outputs: HashMap<String, &'a Pin>,
}

impl<'a> Names<'a> {
    pub fn new(ports: &'a [Port], pins: &'a Interface) -> Self {
        let widths = ports.iter().map(|port| (&port.name[..], port.width)).collect();
        let mut names = Names { places: shim::places(ports, pins), widths, outputs: HashMap::new() };
        for pin in &pins.outputs {
            let bits: Vec<_> = (0..pin.width).map(|bit| names.bit(&pin.name, bit)).collect();
            names.outputs.extend(bits.into_iter().map(|bit| (bit, pin)));
        }
        names
    }

    /// As `push_id[3]`, or `push` for a port of one bit.
    pub fn bit(&self, pin: &str, bit: u32) -> String {
        let (port, first) = &self.places[pin];
        match self.widths[&port[..]] {
            1 => port.clone(),
            _ => format!("{port}[{}]", first + bit),
        }
    }

    /// The output pin of this bit.
    pub fn output(&self, bit: &str) -> Option<&'a Pin> {
        self.outputs.get(bit).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gen::Direction;

    #[test]
    fn pins_of_an_array_are_parts_of_its_port() {
        let port = |name: &str, width| Port { name: name.into(), direction: Direction::Output, width };
        let ports = [port("fill", 2), port("fill_id", 6), port("busy", 1)];
        let pins = vec![Pin::new("fill", 2), Pin::new("fill_id_0", 3), Pin::new("fill_id_1", 3), Pin::new("busy", 1)];
        let pins = Interface { inputs: vec![], outputs: pins };
        let names = Names::new(&ports, &pins);
        assert_eq!(names.bit("fill_id_1", 2), "fill_id[5]");
        assert_eq!(names.bit("busy", 0), "busy");
        assert_eq!(names.output("fill_id[2]").unwrap().name, "fill_id_0");
        assert_eq!(names.output("other"), None);
    }
}
