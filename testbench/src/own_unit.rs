//! A unit of the user's own at each core: its Verilog as a body for [`sim::attach::own_unit`].

use crate::bridge::{Instance, Model};
use crate::error::{Error, Result};
use crate::own::Own;
use crate::rtl::fill_seed;
use crate::shim::RESET;
use crate::verilate::Verilator;
use sim::attach::own_unit::pins::{interface, OwnIn, OwnOut, COUNTER};
use sim::attach::own_unit::{Body, OwnUnitSystem};
use sim::unit::{words, Interface, Pin, Pins, Unit};
use std::path::Path;
use std::sync::Arc;

/// A unit, verilated for warps of some number of lanes.
pub struct OwnUnit {
    own: Own,
    model: Arc<Model>,
    lanes: usize,
}

/// Where the waveform of one core's unit goes.
pub struct Waveform<'a> {
    pub file: &'a Path,
    pub core: usize,
}

impl OwnUnit {
    /// Verilates the unit of [`Own::unit`].
    ///
    /// # Errors
    /// Ports that are not those of docs/own-unit.md; a parameter that the unit does not have; those of [`Verilator::build`].
    pub fn load(own: Own, lanes: usize) -> Result<Self> {
        let (top, verilator) = (own.top(), Verilator::find()?);
        let Interface { inputs, outputs: mut counters } = verilator.ports(&own)?;
        if !inputs.contains(&Pin::new(RESET, 1)) {
            return Err(Error::NoPort { top: top.into(), direction: "input", port: RESET.into(), bits: "1".into() });
        }
        counters.retain(|pin| pin.name.starts_with(COUNTER));
        if let Some(Pin { name, width, .. }) = counters.iter().find(|pin| pin.width > 64) {
            return Err(Error::WideCounter { top: top.into(), port: name.clone(), width: *width });
        }
        let model = Model::load(&verilator, top, &own, &interface(lanes, &counters))?;
        Ok(OwnUnit { own, model, lanes })
    }

    pub fn name(&self) -> &str {
        self.own.top()
    }

    /// What it was made of.
    pub fn own(&self) -> &Own {
        &self.own
    }

    pub fn interface(&self) -> &Interface {
        self.model.interface()
    }

    /// Names of the unit's own counters.
    pub fn counters(&self) -> Vec<String> {
        let names = self.interface().outputs.iter().map(|pin| pin.name.clone());
        names.filter(|name| name.starts_with(COUNTER)).collect()
    }

    /// One for each of so many cores. What reset leaves open is filled from `seed`, and from the next number for each other core.
    ///
    /// # Errors
    /// A waveform that cannot be written.
    pub fn system(&self, cores: usize, seed: u64, waveform: Option<&Waveform>) -> Result<OwnUnitSystem> {
        let body = |core: usize| {
            let file = waveform.filter(|waveform| waveform.core == core).map(|waveform| waveform.file);
            Ok(Box::new(Rtl::new(&self.model, self.lanes, seed + core as u64, file)?) as Body)
        };
        let bodies = (0..cores).map(body).collect::<Result<Vec<_>>>()?;
        Ok(OwnUnitSystem::new(self.name(), self.lanes, bodies))
    }
}

/// The pins that a module at a core has to have, in words.
pub fn expected_pins(lanes: usize) -> String {
    let Interface { inputs, outputs } = interface(lanes, &[]);
    let list =
        |pins: &[Pin]| pins.iter().map(|pin| format!("{} {}", pin.name, pin.width)).collect::<Vec<_>>().join(", ");
    format!("inputs clock 1, reset 1, {}; outputs {}, and {COUNTER}* of up to 64 bits", list(&inputs), list(&outputs))
}

/// A verilated unit. Each cycle goes into a waveform, if there is one, at times 2t and 2t + 1 of core cycle t.
struct Rtl {
    instance: Instance,
    lanes: usize,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    has_waveform: bool,
}

impl Rtl {
    fn new(model: &Arc<Model>, lanes: usize, seed: u64, waveform: Option<&Path>) -> Result<Self> {
        let Interface { inputs, outputs } = model.interface();
        let mut rtl = Rtl {
            instance: Instance::new(model, fill_seed(seed), waveform.is_some()),
            lanes,
            inputs: vec![0; words(inputs)],
            outputs: vec![0; words(outputs)],
            has_waveform: waveform.is_some(),
        };
        if let Some(file) = waveform {
            rtl.instance.open_waveform(file)?;
        }
        rtl.reset();
        Ok(rtl)
    }

    fn step(&mut self, reset: bool, cycle: u64) {
        match self.has_waveform {
            true => self.instance.step_waveform(reset, &self.inputs, &mut self.outputs, cycle),
            false => self.instance.step(reset, &self.inputs, &mut self.outputs),
        }
    }
}

impl Unit for Rtl {
    type In = OwnIn;
    type Out = OwnOut;

    fn interface(&self) -> Interface {
        self.instance.model().interface().clone()
    }

    fn outputs(&self) -> OwnOut {
        let mut pins = OwnOut { lanes: self.lanes, ..OwnOut::default() };
        pins.load(&self.outputs);
        pins
    }

    fn sample(&self, pins: &mut OwnOut) {
        pins.load(&self.outputs);
    }

    fn clock(&mut self, pins: &OwnIn) {
        pins.store(&mut self.inputs);
        self.step(false, pins.now);
    }

    fn reset(&mut self) {
        self.inputs.fill(0);
        self.step(true, 0);
    }

    fn fault(&self) -> Option<String> {
        self.instance.broken_rule().map(str::to_string)
    }
}
