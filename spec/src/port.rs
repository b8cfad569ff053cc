//! The ports of a unit's Verilog: pins `x_0`, `x_1`, ... are the elements of one port `x`, the first in its lowest bits.

use crate::pin::Pin;
use std::collections::BTreeSet;

/// A port that is one pin or all elements of an array of pins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: String,
    /// Elements for each index, none for a pin alone.
    pub counts: Vec<usize>,
    /// Bits of an element.
    pub element: u32,
    /// The sentence of the first pin.
    pub about: String,
}

impl Port {
    pub fn width(&self) -> usize {
        self.counts.iter().product::<usize>() * self.element as usize
    }
}

/// A name without its numbers, and the numbers.
pub fn element(name: &str) -> (String, Vec<usize>) {
    let (numbers, words): (Vec<&str>, Vec<&str>) =
        name.split('_').partition(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()));
    (words.join("_"), numbers.into_iter().filter_map(|number| number.parse().ok()).collect())
}

/// The ports of `pins`, in their order.
pub fn ports(pins: &[Pin]) -> Vec<Port> {
    let mut done = BTreeSet::new();
    let mut ports = vec![];
    for pin in pins {
        let (name, _) = element(&pin.name);
        let is_like = |other: &&Pin| element(&other.name).0 == name && other.width == pin.width;
        let alike: Vec<_> = pins.iter().filter(is_like).map(|pin| element(&pin.name).1).collect();
        let port = |name: &str, counts| Port { name: name.into(), counts, element: pin.width, about: pin.about.into() };
        match box_of(&alike) {
            None => ports.push(port(&pin.name, vec![])),
            Some(counts) if done.insert(name.clone()) => ports.push(port(&name, counts)),
            Some(_) => {}
        }
    }
    ports
}

/// The number of values of each index, if there is more than one element and every combination is one.
fn box_of(elements: &[Vec<usize>]) -> Option<Vec<usize>> {
    let most = |i: usize| elements.iter().filter_map(|index| index.get(i)).max().map(|most| most + 1);
    let counts: Vec<usize> = (0..).map_while(most).collect();
    let is_whole = elements.iter().all(|index| index.len() == counts.len());
    (elements.len() > 1 && is_whole && counts.iter().product::<usize>() == elements.len()).then_some(counts)
}
