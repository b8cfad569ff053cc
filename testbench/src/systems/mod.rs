//! Systems as plug-ins: units, models and stimulus of each, and its place in a GPU. Those of the papers are a list here; a system of
//! another crate is described by the same structure.

use crate::cosim::AnyFixture;
use crate::error::Result;
use crate::in_gpu::{Choice, Handle, SystemUnit};
use hdl::catalog::{Definition, Instance};
use sim::attach::system::{Descriptor, System};
use sim::attach::Uses;
use sim::config::Config;

mod gw;
mod hwwl;
mod iru;
mod parameters;
mod prim;

/// All that a command has to know of a system to offer it.
pub struct PlugIn {
    /// The name that `--attach` takes.
    pub name: &'static str,
    /// One line, for `unruly list extensions`.
    pub description: &'static str,
    /// Its units, unless they are in [`hdl::catalog::Catalog::ours`].
    pub units: &'static [Definition],
    /// One for each unit.
    pub fixtures: &'static [&'static dyn AnyFixture],
    pub in_gpu: Option<InGpu>,
}

/// The place of a system in a GPU.
pub struct InGpu {
    /// Descriptor by which configurations and kernels ask for it. `None`: it is asked for by its name.
    pub asked_by: Option<&'static Descriptor>,
    /// The name of its unit.
    pub unit: &'static str,
    /// The RTL of the unit for a GPU.
    pub instance: fn(&Config) -> Result<Instance>,
    /// Makes the system for a GPU.
    pub attach: fn(&Config, &Choice) -> Result<(Box<dyn System>, Handle)>,
}

impl InGpu {
    pub const fn of<U: SystemUnit>(asked_by: Option<&'static Descriptor>) -> Self {
        InGpu {
            asked_by,
            unit: U::NAME,
            instance: |config| U::instance(&U::on(config)?.0),
            attach: |config, choice| choice.attach::<U>(config),
        }
    }
}

/// Units of no paper, then the systems of the papers in the order in which they have their part of a cycle.
pub const SYSTEMS: [&PlugIn; 5] = [&prim::PRIM, &hwwl::HWWL, &iru::IRU, &gw::GW, &gw::B32];

/// The systems of a configuration that kernels use.
pub fn used(uses: Uses, config: &Config) -> impl Iterator<Item = (&'static Descriptor, &'static InGpu)> + '_ {
    let place = |system: &'static Descriptor| {
        let places = SYSTEMS.into_iter().filter_map(|plug_in| plug_in.in_gpu.as_ref());
        let mut places = places.filter(|place| place.asked_by.is_some_and(|asked| std::ptr::eq(asked, system)));
        (system, places.next().expect("a system has its RTL"))
    };
    uses.on(config).map(place)
}

/// The system whose unit this is.
///
/// # Panics
/// If there is none.
pub fn of_unit(unit: &str) -> &'static InGpu {
    let mut places = SYSTEMS.into_iter().filter_map(|plug_in| plug_in.in_gpu.as_ref());
    places.find(|place| place.unit == unit).unwrap_or_else(|| panic!("{unit} is the unit of no system"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_of_the_model_has_its_rtl() {
        for system in sim::attach::SYSTEMS {
            let config = |preset: &str| Config::preset(preset).unwrap();
            let mut b32 = config("gw-fermi-b32");
            b32.set("core.front_end=b32").unwrap();
            let configs = [config("hwwl-micro14"), config("iru-gtx980"), config("gw-fermi-gw8"), b32];
            let config = configs.into_iter().find(|config| (system.is_in)(config)).expect("a preset has the system");
            let places: Vec<_> = used(Uses::that(|other| std::ptr::eq(other, system)), &config).collect();
            assert!((places[0].1.instance)(&config).is_ok_and(|instance| instance.unit == places[0].1.unit));
        }
    }
}
