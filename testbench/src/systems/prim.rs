//! Models and stimulus of the units that all systems share.

use super::parameters::{unit, value};
use super::PlugIn;
use crate::cosim::Fixture;
use crate::stimulus::prim::{
    Fp32AddStimulus, LinkStimulus, QueueStimulus, SorterStimulus, Sram1r1wStimulus, Sram1rwStimulus,
};
use hdl::catalog::Instance;
use sim::units::prim::{sorter, Fp32Add, Link, Queue, Sorter, Sram1r1w, Sram1rw};
use spec::number::Number;
use spec::prim::Network;

pub static PRIM: PlugIn = PlugIn {
    name: "prim",
    description: "units of no paper, which the systems share",
    units: &[],
    in_gpu: None,
    fixtures: &[
        &unit!("sram_1rw", Sram1rw, Sram1rwStimulus, |i| width(i), value(i, "words")).settles_in(2),
        &unit!("sram_1r1w", Sram1r1w, Sram1r1wStimulus, |i| width(i), value(i, "words")).settles_in(2),
        &unit!("queue", Queue, QueueStimulus, |i| width(i), value(i, "entries")),
        &unit!("link", Link, LinkStimulus, |i| width(i), value(i, "stages")),
        &unit!("sorter", Sorter, SorterStimulus, |i| value(i, "items"), width(i), sorter_latency(i)),
        &Fixture::new("fp32_add", |_| Ok(Fp32Add::new()), |_, seed| Fp32AddStimulus::new(seed)).settles_in(4),
    ],
};

fn width(instance: &Instance) -> u32 {
    value(instance, "width") as u32
}

fn sorter_latency(instance: &Instance) -> usize {
    let network = Network::of(value(instance, "network") as u64);
    let latency = sorter::latency(value(instance, "items"), network, value(instance, "cut"));
    latency.expect("an instance has parameters that their rules allow")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::units::hwwl::wru_sorting;

    #[test]
    fn sorter_of_the_catalogue_and_of_the_wru_take_the_same_time() {
        let instance = hdl::catalog::find("sorter", &[]).unwrap();
        assert_eq!(sorter_latency(&instance), wru_sorting::sorter_latency(16));
    }
}
