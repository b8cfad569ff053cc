//! `sorter`: a pipelined sorting network. Behaviourally: a sort and a delay line.

use super::pins::{sorter_interface, SorterPins};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::{require, ParameterError};
use spec::prim::{Network, SORTER};

/// Cycles through a network for `items` items, with a register after every `cut` layers and after the last.
pub fn latency(items: usize, network: Network, cut: usize) -> Result<usize, ParameterError> {
    SORTER.checked(&[("items", items as u64), ("network", network as u64), ("cut", cut as u64)])?;
    let k = items.ilog2() as usize;
    let layers = match network {
        Network::Best if items == 16 => 10,
        Network::Shallow => 9,
        _ => k * (k + 1) / 2,
    };
    Ok(layers.div_ceil(cut))
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
        SORTER.checked(&[("items", items as u64), ("width", width.into())])?;
        require(latency >= 1, "sorter", "latency", latency, "at least 1")?;
        Ok(Sorter { items, width, stages: vec![SorterPins::default(); latency], oldest: 0 })
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
        assert_eq!(
            Sorter::new(65, 8, 4).unwrap_err().to_string(),
            "sorter: items = 65, but it must be a power of two from 2 to 64"
        );
        assert_eq!(Sorter::new(16, 33, 4).unwrap_err().to_string(), "sorter: width = 33, but it must be from 1 to 32");
        assert_eq!(Sorter::new(16, 8, 0).unwrap_err().to_string(), "sorter: latency = 0, but it must be at least 1");
    }

    #[test]
    fn the_latency_of_a_network_is_its_layers_over_the_cut() {
        let latency = |items, network, cut| latency(items, network, cut).unwrap();
        assert_eq!(latency(16, Network::Best, 3), 4);
        assert_eq!(latency(16, Network::Shallow, 3), 3);
        assert_eq!(latency(16, Network::Bitonic, 10), 1);
        assert_eq!(latency(64, Network::OddEvenMerge, 6), 4);
        assert_eq!(latency(32, Network::OddEvenMerge, 4), 4);
        assert_eq!(latency(4, Network::OddEvenMerge, 1), 3);
        assert_eq!(latency(4, Network::Best, 1), 3, "the best known network is odd-even merge");
        let text = |items, network, cut| super::latency(items, network, cut).unwrap_err().to_string();
        let shallow = "network = 3, but it must be 0 (best known), 1 (odd-even merge) or 2 (bitonic)";
        assert_eq!(
            text(8, Network::Shallow, 1),
            format!("sorter: {shallow}: the shallow network is for 16 items alone")
        );
        assert_eq!(text(12, Network::Bitonic, 1), "sorter: items = 12, but it must be a power of two from 2 to 64");
        assert_eq!(text(4, Network::Bitonic, 22), "sorter: cut = 22, but it must be from 1 to 21");
    }
}
