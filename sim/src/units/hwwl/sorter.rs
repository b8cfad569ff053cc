//! `sorter`: a pipelined sorting network. Behaviourally: a sort and a delay line.

use super::pins::{sorter_interface, SorterPins, MAX_LANES};
use crate::unit::{Interface, Unit};
use crate::units::parameter::{require, ParameterError};

/// Cycles from input to output of the sorter that ranks `lanes` banks: a network of k (k + 1) / 2 layers for 2^k items,
/// cut evenly so that it takes 4 cycles at most.
pub fn wru_latency(lanes: usize) -> usize {
    let k = lanes.ilog2() as usize;
    let layers = k * (k + 1) / 2;
    let cut = layers.div_ceil(4);
    layers.div_ceil(cut)
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
        require((2..=MAX_LANES).contains(&items), "sorter", "items", items, "from 2 to 32")?;
        require((1..=32).contains(&width), "sorter", "width", width, "from 1 to 32")?;
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
        self.stages[self.oldest].clone()
    }

    fn clock(&mut self, pins: &SorterPins) {
        let stage = &mut self.stages[self.oldest];
        stage.valid = pins.valid;
        if pins.valid {
            stage.items = pins.items;
            stage.items[..self.items].sort_unstable();
        }
        self.oldest = (self.oldest + 1) % self.stages.len();
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
    fn the_redistribution_sorter_of_sixteen_takes_four_cycles() {
        assert_eq!([2, 4, 8, 16, 32].map(wru_latency), [1, 3, 3, 4, 4]);
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
            sorter.clock(inputs.get(cycle).unwrap_or(&SorterPins::default()));
        }
    }

    #[test]
    fn reset_clears_what_is_under_way() {
        let mut sorter = Sorter::new(4, 8, 2).unwrap();
        sorter.clock(&set(&[1, 2, 3, 4]));
        sorter.reset();
        for _ in 0..3 {
            assert!(!sorter.outputs().valid);
            sorter.clock(&SorterPins::default());
        }
    }

    #[test]
    fn sizes_out_of_range_are_refused() {
        assert_eq!(Sorter::new(33, 8, 4).unwrap_err().to_string(), "sorter: items is 33; it must be from 2 to 32");
        assert_eq!(Sorter::new(16, 33, 4).unwrap_err().to_string(), "sorter: width is 33; it must be from 1 to 32");
        assert_eq!(Sorter::new(16, 8, 0).unwrap_err().to_string(), "sorter: latency is 0; it must be at least 1");
    }
}
