//! Pins of `iru`: those of partition p with the suffix `_p`.

use super::partition::{core_inputs, core_outputs, job};
use super::{CoreIn, CoreOut, Fields, JobPins};
use crate::unit::{Interface, Pin, Pins};
use crate::units::iru::Parameters;

/// Inputs of `iru`. Made with [`IruIn::new`]: how many partitions there are does not follow from the number of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IruIn {
    pub job: JobPins,
    pub partitions: Vec<CoreIn>,
}

/// Outputs of `iru`. Made with [`IruOut::new`] for the same reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IruOut {
    pub partitions: Vec<CoreOut>,
}

impl IruIn {
    /// All low.
    pub fn new(partitions: usize) -> Self {
        IruIn { job: JobPins::default(), partitions: vec![CoreIn::default(); partitions] }
    }

    /// Nothing is offered and nothing taken; what goes with the pins that say so stays as it is.
    pub fn clear(&mut self) {
        self.job.start = false;
        for pins in &mut self.partitions {
            (pins.mem_ready, pins.reply_ready) = (false, false);
            (pins.sector.valid, pins.request.valid) = (false, false);
        }
    }
}

impl IruOut {
    /// All low.
    pub fn new(partitions: usize) -> Self {
        IruOut { partitions: vec![CoreOut::default(); partitions] }
    }
}

fn number(pins: &[Pin], first: &str) -> usize {
    pins.iter().filter(|pin| pin.name.starts_with(first)).count()
}

impl Pins for IruIn {
    fn for_pins(pins: &[Pin]) -> Self {
        IruIn::new(number(pins, "mem_ready_"))
    }

    fn store(&self, words: &mut [u64]) {
        let (common, rest) = words.split_at_mut(JobPins::WORDS);
        self.job.put(common);
        for (words, partition) in rest.chunks_exact_mut(CoreIn::WORDS).zip(&self.partitions) {
            partition.put(words);
        }
    }

    fn load(&mut self, words: &[u64]) {
        let (common, rest) = words.split_at(JobPins::WORDS);
        self.job.get(common);
        for (words, partition) in rest.chunks_exact(CoreIn::WORDS).zip(&mut self.partitions) {
            partition.get(words);
        }
    }
}

impl Pins for IruOut {
    fn for_pins(pins: &[Pin]) -> Self {
        IruOut::new(number(pins, "mem_valid_"))
    }

    fn store(&self, words: &mut [u64]) {
        for (words, partition) in words.chunks_exact_mut(CoreOut::WORDS).zip(&self.partitions) {
            partition.put(words);
        }
    }

    fn load(&mut self, words: &[u64]) {
        for (words, partition) in words.chunks_exact(CoreOut::WORDS).zip(&mut self.partitions) {
            partition.get(words);
        }
    }
}

/// The pin as that of partition `p`: its name and the names in its conditions get the suffix.
fn of_partition(mut pin: Pin, p: usize) -> Pin {
    pin.name += &format!("_{p}");
    for condition in &mut pin.valid_if {
        condition.pin += &format!("_{p}");
    }
    pin
}

pub fn iru_interface(parameters: &Parameters) -> Interface {
    let of_all = |pins: Vec<Pin>| {
        let pins = move |p| pins.clone().into_iter().map(move |pin| of_partition(pin, p));
        (0..parameters.partitions).flat_map(pins).collect::<Vec<_>>()
    };
    let mut inputs = job();
    inputs.extend(of_all(core_inputs()));
    Interface { inputs, outputs: of_all(core_outputs()) }
}
