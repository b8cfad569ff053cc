//! An example of a unit from idea to lock-step inside the GPU (docs/new-unit.md): the lanes of an atomic addition that have one
//! address are added up in the core, and only their sum goes to memory.

#![forbid(unsafe_code)]

pub mod attach;
pub mod model;
pub mod pins;
pub mod rtl;
pub mod stimulus;

use attach::CombinerSystem;
use hdl::catalog::{Definition, Instance};
use hdl::rtl;
use model::Combiner;
use pins::{CombinerIn, CombinerOut};
use sim::attach::system::System;
use sim::config::Config;
use spec::pins::interface;
use spec::unit::{Sizes, Unit};
use spec::Parameter;
use stimulus::CombinerStimulus;
use testbench::cosim::Fixture;
use testbench::in_gpu::{AnyUnit, GpuUnit, SystemUnit};
use testbench::systems::{InGpu, PlugIn};
use testbench::Result;

/// Bits of a key: the number of a word among 2^40 bytes.
pub const KEY_BITS: usize = 38;

pub static EXTENSION: PlugIn = PlugIn {
    name: "combiner",
    description: "lanes of an atomic addition with one address are added up before they leave the core",
    units: &UNITS,
    fixtures: &[&Fixture::new(
        "combiner",
        |i| Combiner::new(lanes(i)),
        |i, seed| CombinerStimulus::new(lanes(i), seed),
    )],
    in_gpu: Some(InGpu::of::<Combiner>(None)),
};

impl GpuUnit for Combiner {
    const NAME: &'static str = "combiner";
    type Parameters = usize;

    fn model(lanes: &usize) -> Result<Self> {
        Ok(Combiner::new(*lanes)?)
    }

    fn instance(lanes: &usize) -> Result<Instance> {
        Ok(UNITS[0].find(&[("lanes", *lanes as u64)])?)
    }
}

/// One in each core, with as many lanes as a warp has.
impl SystemUnit for Combiner {
    fn on(config: &Config) -> Result<(usize, usize)> {
        Ok((32, config.core.count))
    }

    fn system(_: &Config, units: Vec<AnyUnit<Self>>) -> Box<dyn System> {
        Box::new(CombinerSystem::new(units))
    }
}

pub static COMBINER: Unit = Unit {
    name: "combiner",
    description: "adds up the values of lanes with equal keys",
    timing: "one key a cycle",
    paper: "-",
    parameters: &[Parameter::new("lanes", "lanes of a warp", 32).must_be("4 or 32", |v| v == 4 || v == 32)],
    relations: &[],
    shipped: &[],
    sizes: Sizes::DEFAULT,
    pins: |p| interface::<CombinerIn, CombinerOut, _>(p.get("lanes") as usize),
};

static UNITS: [Definition; 1] = [Definition {
    unit: &COMBINER,
    module: |p| format!("combiner_l{}", p.get("lanes")),
    rtl: rtl!([lanes L] (4)(32) => |_| rtl::Combiner::<L, { L.ilog2() as usize }>::default()),
}];

fn lanes(instance: &Instance) -> usize {
    instance.parameter("lanes").expect("an instance has all parameters of its unit") as usize
}
