//! Systems that kernels use by their instructions.

use super::system::Descriptor;
use super::SYSTEMS;
use crate::config::Config;
use crate::ptx::program::Program;

/// Systems that kernels use by their instructions, one bit each. A front end serves every kernel of a configuration that has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses(u32);

impl Uses {
    /// Every system.
    pub fn all() -> Self {
        Uses::that(|_| true)
    }

    /// The systems for which `holds` is true.
    pub fn that(holds: impl Fn(&Descriptor) -> bool) -> Self {
        let places = SYSTEMS.iter().enumerate().filter(|(_, system)| holds(system));
        Uses(places.fold(0, |uses, (place, _)| uses | 1 << place))
    }

    /// The systems that either uses.
    pub fn or(self, other: Uses) -> Uses {
        Uses(self.0 | other.0)
    }

    /// The system of this name is among them.
    pub fn has(self, name: &str) -> bool {
        self.0 & Uses::that(|system| system.name == name).0 != 0
    }

    /// The systems that take part on a GPU of this configuration.
    pub fn on(self, config: &Config) -> impl Iterator<Item = &'static Descriptor> + '_ {
        let serves = move |(place, system): &(usize, &Descriptor)| {
            (system.is_in)(config) && (self.0 >> place & 1 == 1 || system.instructions.is_none())
        };
        SYSTEMS.into_iter().enumerate().filter(serves).map(|(_, system)| system)
    }

    /// There is a unit whose implementation can be chosen, if the configuration has what the kernels use.
    pub fn any_on(self, config: &Config) -> bool {
        self != Uses::default() || self.on(config).next().is_some()
    }
}

impl<'a> FromIterator<&'a Program> for Uses {
    fn from_iter<T: IntoIterator<Item = &'a Program>>(programs: T) -> Self {
        let code: Vec<_> = programs.into_iter().flat_map(|program| &program.code).collect();
        let takes = |system: &Descriptor| system.instructions.as_ref().map(|instructions| instructions.takes);
        Uses::that(|system| takes(system).is_some_and(|takes| code.iter().any(|instr| takes(instr))))
    }
}
