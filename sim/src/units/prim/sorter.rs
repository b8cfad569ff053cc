//! `sorter`: a pipelined sorting network. Behaviourally: a sort and a delay line.

use super::pins::{sorter_interface, SorterPins, MAX_ITEMS};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::{require, ParameterError};

/// The network: to a sort it matters only by its number of layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    Bitonic,
    OddEvenMerge,
    /// The fewest cells known for 16 items: 60.
    Best,
    /// The fewest layers for 16 items with nearly as few cells: 61.
    Shallow,
}

impl Network {
    /// Layers of compare-exchange cells for `items` items.
    pub fn layers(self, items: usize) -> Result<usize, ParameterError> {
        check_items(items)?;
        let fits = items == 16 || matches!(self, Network::Bitonic | Network::OddEvenMerge);
        require(fits, "sorter", "items", items, "16 with the networks best and shallow")?;
        require(items.is_power_of_two(), "sorter", "items", items, "a power of two with a named network")?;
        let k = items.ilog2() as usize;
        Ok(match self {
            Network::Bitonic | Network::OddEvenMerge => k * (k + 1) / 2,
            Network::Best => 10,
            Network::Shallow => 9,
        })
    }
}

fn check_items(items: usize) -> Result<(), ParameterError> {
    require((2..=MAX_ITEMS).contains(&items), "sorter", "items", items, "from 2 to 64")
}

#[derive(Clone, Debug)]
pub struct Sorter {
    items: usize,
    width: u32,
    /// Sets under way; the one at `oldest` is on the output pins.
    stages: Vec<SorterPins>,
    oldest: usize,
}

impl Sorter {
    /// Sorts `items` words of `width` bits, `latency` cycles after they came.
    pub fn new(items: usize, width: u32, latency: usize) -> Result<Self, ParameterError> {
        check_items(items)?;
        require((1..=32).contains(&width), "sorter", "width", width, "from 1 to 32")?;
        require(latency >= 1, "sorter", "latency", latency, "at least 1")?;
        Ok(Sorter { items, width, stages: vec![SorterPins::default(); latency], oldest: 0 })
    }

    /// The same, by a network with a register after every `cut` layers and after the last.
    pub fn with_network(items: usize, width: u32, network: Network, cut: usize) -> Result<Self, ParameterError> {
        let layers = network.layers(items)?;
        require((1..=layers).contains(&cut), "sorter", "cut", cut, "at least 1 and at most the number of layers")?;
        Self::new(items, width, layers.div_ceil(cut))
    }
}

impl Unit for Sorter {
    type In = SorterPins;
    type Out = SorterPins;

    fn interface(&self) -> Interface {
        sorter_interface(self.items, self.width)
    }

    fn outputs(&self) -> SorterPins {
        self.stages[self.oldest]
    }

    fn clock(&mut self, pins: &SorterPins) -> Result<(), Fault> {
        let stage = &mut self.stages[self.oldest];
        stage.valid = pins.valid;
        if pins.valid {
            stage.items = pins.items;
            stage.items[..self.items].sort_unstable();
        }
        self.oldest = (self.oldest + 1) % self.stages.len();
        Ok(())
    }

    fn reset(&mut self) {
        self.stages.iter_mut().for_each(|stage| stage.valid = false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(items: &[u32]) -> SorterPins {
        let mut pins = SorterPins { valid: true, ..Default::default() };
        pins.items[..items.len()].copy_from_slice(items);
        pins
    }

    #[test]
    fn one_set_a_cycle_each_after_the_latency() {
        let mut sorter = Sorter::new(4, 8, 3).unwrap();
        let inputs = [set(&[9, 1, 255, 0]), set(&[4, 3, 2, 1]), SorterPins::default(), set(&[5, 5, 1, 5])];
        let outputs = [Some([0, 1, 9, 255]), Some([1, 2, 3, 4]), None, Some([1, 5, 5, 5])];
        for cycle in 0..7 {
            let pins = sorter.outputs();
            let expected = if cycle < 3 { None } else { outputs[cycle - 3] };
            assert_eq!(pins.valid.then(|| pins.items[..4].to_vec()), expected.map(|items| items.to_vec()));
            sorter.clock(inputs.get(cycle).unwrap_or(&SorterPins::default())).unwrap();
        }
    }

    #[test]
    fn reset_clears_what_is_under_way() {
        let mut sorter = Sorter::new(4, 8, 2).unwrap();
        sorter.clock(&set(&[1, 2, 3, 4])).unwrap();
        sorter.reset();
        for _ in 0..3 {
            assert!(!sorter.outputs().valid);
            sorter.clock(&SorterPins::default()).unwrap();
        }
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        assert_eq!(Sorter::new(65, 8, 4).unwrap_err().to_string(), "sorter: items is 65; it must be from 2 to 64");
        assert_eq!(Sorter::new(16, 33, 4).unwrap_err().to_string(), "sorter: width is 33; it must be from 1 to 32");
        assert_eq!(Sorter::new(16, 8, 0).unwrap_err().to_string(), "sorter: latency is 0; it must be at least 1");
    }

    #[test]
    fn the_latency_of_a_network_is_its_layers_over_the_cut() {
        let latency = |items, network, cut| Sorter::with_network(items, 10, network, cut).unwrap().stages.len();
        assert_eq!(latency(16, Network::Best, 3), 4);
        assert_eq!(latency(16, Network::Shallow, 3), 3);
        assert_eq!(latency(16, Network::Bitonic, 10), 1);
        assert_eq!(latency(64, Network::OddEvenMerge, 6), 4);
        assert_eq!(latency(32, Network::OddEvenMerge, 4), 4);
        assert_eq!(latency(4, Network::OddEvenMerge, 1), 3);
        let text = |items, network, cut| Sorter::with_network(items, 10, network, cut).unwrap_err().to_string();
        assert_eq!(text(8, Network::Best, 1), "sorter: items is 8; it must be 16 with the networks best and shallow");
        assert_eq!(
            text(12, Network::Bitonic, 1),
            "sorter: items is 12; it must be a power of two with a named network"
        );
        assert_eq!(
            text(4, Network::Bitonic, 4),
            "sorter: cut is 4; it must be at least 1 and at most the number of layers"
        );
    }
}
