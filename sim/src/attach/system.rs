//! A system as the GPU sees it: instructions in, answers and memory requests out, clock, drain, conservation, counters.
//!
//! A system can take three places: a [`Port`] in each core, the [`FrontEnd`] of each core, and the place beside each memory partition
//! ([`MemorySystem::beside`]). [`System`] is how it plugs in, whichever of them it takes.

use crate::config::Config;
use crate::core::front_end::FrontEnd;
use crate::core::port::Port;
use crate::core::{Core, Kernel};
use crate::exec::{Control, Memory};
use crate::launch::RunError;
use crate::mem::system::MemorySystem;
use crate::ptx::instr::Instr;
use crate::ptx::program::Program;
use crate::stats::{LaunchStats, Stats, SystemStats};
use crate::units::parameter::ParameterError;
use std::any::Any;
use std::collections::hash_map::DefaultHasher;

/// The systems of a GPU, in the order in which they have their part of a cycle.
pub type Systems = Vec<Box<dyn System>>;

/// A system that a configuration can have, and its models.
pub struct Descriptor {
    pub name: &'static str,
    /// The configuration has it.
    pub is_in: fn(&Config) -> bool,
    /// The instructions by which kernels use it. `None`: it is a front end, which serves every kernel.
    pub instructions: Option<Instructions>,
    /// Adds its counters, all 0: a GPU without the system has them too.
    pub counters: fn(&mut SystemStats),
    /// The configuration asks for what no hardware could be.
    pub is_ideal: fn(&Config) -> bool,
    /// The kernel or the configuration that has it, for messages.
    pub found: &'static str,
    /// The system on a GPU of a configuration that has it, with the behavioural models of its units.
    pub models: fn(&Config) -> Result<Box<dyn System>, ParameterError>,
}

/// Instructions that only a GPU with a certain system can run.
pub struct Instructions {
    pub takes: fn(&Instr) -> bool,
    /// Effect of such an instruction on a GPU without the system, and the remedy.
    pub missing: fn(&Config, &Instr) -> &'static str,
}

/// The start of a launch, as a system sees it.
pub struct Start<'a> {
    pub kernel: &'a Kernel<'a>,
    pub cores: &'a mut [Core],
    pub memory: &'a Memory,
}

/// A cycle of the GPU, as a system sees it.
pub struct Cycle<'a> {
    pub now: u64,
    pub kernel: &'a Kernel<'a>,
    pub cores: &'a mut [Core],
    pub mem: &'a mut MemorySystem,
    pub memory: &'a mut Memory,
    /// All warps have ended: the system comes to rest.
    pub draining: bool,
}

/// An instruction that concerns all cores.
pub struct Told<'a> {
    pub control: Control,
    pub pc: u32,
    pub kernel: &'a Kernel<'a>,
    pub memory: &'a Memory,
}

pub trait System: Any {
    /// The system, at the head of the line that says why its unit can no longer be trusted.
    fn name(&self) -> &'static str;

    /// It takes the instruction, which comes to its port if it is for one core.
    fn takes(&self, _instr: &Instr) -> bool {
        false
    }

    /// Number of its port in each core.
    fn port_number(&self) -> Option<u8> {
        None
    }

    /// Its port in a core, which has this `number` there.
    fn port(&mut self, _core: usize, _number: u8) -> Option<Box<dyn Port>> {
        None
    }

    /// It is the front end of each core.
    fn is_front_end(&self) -> bool {
        false
    }

    /// Its front end of a core.
    fn front_end(&mut self, _core: usize) -> Option<Box<dyn FrontEnd>> {
        None
    }

    /// It wants to see what the slices do, beside the memory partitions.
    fn watches_slices(&self) -> bool {
        false
    }

    /// Before a launch: the kernel may use the system.
    ///
    /// # Errors
    /// Something is missing.
    fn check(&self, _program: &Program) -> Result<(), RunError> {
        Ok(())
    }

    /// A launch begins.
    ///
    /// # Errors
    /// The system cannot take the launch.
    fn start(&mut self, _start: &mut Start) -> Result<(), RunError> {
        Ok(())
    }

    /// Behind the cores' part of a cycle: traffic with memory, then the unit's rising edge.
    ///
    /// # Errors
    /// The launch ends; a unit that can no longer be trusted is a cause.
    fn step(&mut self, _cycle: &mut Cycle) -> Result<(), RunError> {
        Ok(())
    }

    /// It has a clock while the cores sleep, see [`System::clock`].
    fn has_clock(&self) -> bool {
        false
    }

    /// A cycle in which all else sleeps.
    ///
    /// # Errors
    /// Errors of [`System::step`].
    fn clock(&mut self, _now: u64, _kernel: &Kernel) -> Result<(), RunError> {
        Ok(())
    }

    /// A warp has executed an instruction that concerns all cores.
    ///
    /// # Errors
    /// The launch ends.
    fn tell(&mut self, _told: &Told) -> Result<(), RunError> {
        Ok(())
    }

    /// The next cycle cannot be skipped.
    fn needs_step(&self, _mem: &MemorySystem) -> bool {
        false
    }

    /// Nothing of it is on its way to or from memory or the cores.
    fn is_idle(&self) -> bool {
        true
    }

    /// All warps have ended. Gives the most idle cycles that the system takes from now on, until [`System::has_drained`].
    fn drain(&mut self) -> u64 {
        0
    }

    fn has_drained(&self) -> bool {
        true
    }

    /// A launch has ended.
    ///
    /// # Errors
    /// The system did something that it never may.
    fn end(&mut self, _kernel: &Kernel) -> Result<(), RunError> {
        Ok(())
    }

    /// The input of a launch is what came out and what is left.
    ///
    /// # Errors
    /// Something was lost or invented.
    fn check_conservation(&self, _kernel: &Kernel, _launch: &LaunchStats) -> Result<(), RunError> {
        Ok(())
    }

    /// Adds its counters.
    fn count(&self, _stats: &mut Stats) {}

    /// Why a unit of it can no longer be trusted.
    fn fault(&self, _cores: &[Core]) -> Option<String> {
        None
    }

    /// It changes nothing by itself that warps could notice.
    fn is_at_rest(&self) -> bool {
        true
    }

    /// Cycles within which it comes to rest, if no warp asks it for anything new.
    fn settling_cycles(&self) -> u64 {
        0
    }

    /// Adds what warps can notice of it.
    fn trace(&self, _state: &mut DefaultHasher) {}
}
