//! Where systems meet the GPU: the [`System`](system::System) trait, the list of the systems of the papers, and one file for each system.

pub mod b32;
mod front_ends;
pub mod gw;
pub mod hwwl;
pub mod iru;
pub mod system;
pub mod user_unit;
mod uses;

use crate::config::Config;
use crate::launch::RunError;
use crate::ptx::program::Program;
use crate::stats::Stats;
use crate::units::parameter::ParameterError;
use system::{Descriptor, Instructions, Systems};
pub use uses::Uses;

/// Systems that a configuration can have, in the order in which they have their part of a cycle.
pub const SYSTEMS: [&Descriptor; 4] = [&hwwl::SYSTEM, &iru::SYSTEM, &gw::SYSTEM, &b32::SYSTEM];

/// Instructions that need a system: those of the list, and calls of a user unit.
fn instructions() -> impl Iterator<Item = &'static Instructions> {
    SYSTEMS.iter().filter_map(|system| system.instructions.as_ref()).chain([&user_unit::INSTRUCTIONS])
}

/// The systems of a configuration that kernels use, with the behavioural models of their units.
///
/// # Errors
/// A parameter that is out of range.
pub fn models(config: &Config, uses: Uses) -> Result<Systems, ParameterError> {
    uses.on(config).map(|system| (system.models)(config)).collect()
}

/// Counters of which none has counted yet, those of each system among them.
pub fn no_counts() -> Stats {
    let mut stats = Stats::default();
    SYSTEMS.iter().for_each(|system| (system.counters)(&mut stats.systems));
    stats
}

/// These systems, and the models of the front end that the configuration asks for, unless they have one.
pub fn with_front_end(mut systems: Systems, config: &Config) -> Systems {
    if !systems.iter().any(|system| system.is_front_end()) {
        systems.extend(models(config, Uses::default()).expect("a configuration is validated when it is made"));
    }
    systems
}

/// Why a kernel cannot run: an instruction of a system that the GPU does not have.
pub fn missing(program: &Program, config: &Config, systems: &Systems) -> Option<RunError> {
    program.code.iter().find_map(|instr| {
        let needed = instructions().find(|instructions| (instructions.takes)(instr))?;
        let is_there = systems.iter().any(|system| system.takes(instr));
        (!is_there).then(|| program.misses(instr.line, (needed.missing)(config, instr)))
    })
}
