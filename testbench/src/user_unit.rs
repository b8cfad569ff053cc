//! A user unit at each core or each memory partition: its Verilog, a model of it in C++, or both in lock-step, for
//! [`sim::attach::user_unit`].

use crate::bridge::{Instance, Model};
use crate::cpp::Class;
use crate::error::{Error, Result};
use crate::input_log::InputLog;
use crate::lockstep::{Lockstep, UnderTest};
use crate::rtl::{fill_seed, Rtl};
use crate::shim::RESET;
use crate::tally::Tally;
use crate::trace::Subject;
use crate::user_verilog::{Parameters, UserVerilog};
use crate::verilate::Verilator;
use output::Output;
use sim::attach::system::System;
use sim::attach::user_unit::core::pins::{self as core_pins, CoreIn, CoreOut, COUNTER};
use sim::attach::user_unit::core::CoreUnit;
use sim::attach::user_unit::partition::pins::{self as partition_pins, PartitionIn, PartitionOut};
use sim::attach::user_unit::partition::PartitionUnit;
use sim::attach::user_unit::UserUnits;
use sim::unit::{words, Fault, Interface, Pin, Pins, Unit};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At each core, for warps of so many lanes.
    Core { lanes: usize },
    /// At each memory partition.
    Partition,
}

impl Place {
    /// The pins of a unit with these counters.
    fn interface(self, counters: &[Pin]) -> Interface {
        match self {
            Place::Core { lanes } => core_pins::interface(lanes, counters),
            Place::Partition => partition_pins::interface(counters),
        }
    }

    /// Makes 0 of what means nothing in the words of outputs.
    fn tidy(self, words: &mut [u64]) {
        match self {
            Place::Core { lanes } => core_pins::tidy(lanes, words),
            Place::Partition => partition_pins::tidy(words),
        }
    }

    /// Part of a GPU, of which there is one per unit.
    fn name(self) -> &'static str {
        match self {
            Place::Core { .. } => "core",
            Place::Partition => "partition",
        }
    }

    /// The pins that a module here has to have, in words.
    pub fn expected_pins(self) -> String {
        let Interface { inputs, outputs } = self.interface(&[]);
        let list =
            |pins: &[Pin]| pins.iter().map(|pin| format!("{} {}", pin.name, pin.width)).collect::<Vec<_>>().join(", ");
        format!(
            "inputs clock 1, reset 1, {}; outputs {}, and {COUNTER}* of up to 64 bits",
            list(&inputs),
            list(&outputs)
        )
    }
}

/// Source of a unit.
#[derive(Clone, Debug)]
pub enum Source {
    Verilog(UserVerilog),
    Model(Class),
    /// Compared with each other.
    Both(UserVerilog, Class),
}

impl Source {
    /// The module `name` of `files`, or the class of that name if the only file is one of C++.
    ///
    /// # Errors
    /// A file that cannot be read; files without the module or the class.
    pub fn read(name: &str, files: &[PathBuf]) -> Result<Self> {
        match files {
            [file] if Class::is_in(file) => Class::read(name, file).map(Source::Model),
            _ => UserVerilog::unit(files, name).map(Source::Verilog),
        }
    }

    /// Source with a model as well.
    ///
    /// # Errors
    /// A file that cannot be read, or without the class; a model beside a model.
    pub fn beside(self, model: &Path) -> Result<Self> {
        match self {
            Source::Verilog(own) => Class::read(own.top(), model).map(|class| Source::Both(own, class)),
            Source::Model(_) | Source::Both(..) => Err(Error::TwoModels { file: model.into() }),
        }
    }

    /// Source with other values of parameters.
    pub fn with_parameters(&self, parameters: &Parameters) -> Self {
        match self {
            Source::Verilog(own) => Source::Verilog(own.with_parameters(parameters)),
            Source::Model(class) => Source::Model(class.with_parameters(parameters)),
            Source::Both(own, class) => {
                Source::Both(own.with_parameters(parameters), class.with_parameters(parameters))
            }
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Source::Verilog(own) | Source::Both(own, _) => own.top(),
            Source::Model(class) => class.name(),
        }
    }

    pub fn parameters(&self) -> &Parameters {
        match self {
            Source::Verilog(own) | Source::Both(own, _) => own.parameters(),
            Source::Model(class) => class.parameters(),
        }
    }

    /// The Verilog, if there is some.
    pub fn verilog(&self) -> Option<&UserVerilog> {
        match self {
            Source::Verilog(own) | Source::Both(own, _) => Some(own),
            Source::Model(_) => None,
        }
    }

    /// All that was read.
    pub fn text(&self) -> String {
        let class = match self {
            Source::Verilog(_) => "",
            Source::Model(class) | Source::Both(_, class) => class.text(),
        };
        format!("{}\n{class}", self.verilog().map(UserVerilog::text).unwrap_or_default())
    }
}

/// The models of which units are made.
enum Models {
    One(Arc<Model>),
    /// In lock-step.
    Both {
        rtl: Arc<Model>,
        model: Arc<Model>,
    },
}

/// A unit, ready for a place.
pub struct UserUnit {
    source: Source,
    place: Place,
    models: Models,
    /// Tallies of all units in lock-step.
    tallies: Mutex<Vec<Arc<Tally>>>,
}

/// Where the waveform of one unit goes.
pub struct Waveform<'a> {
    pub file: &'a Path,
    /// Number of its core or partition.
    pub of: usize,
}

/// The module, verilated, and its counters.
fn verilate(own: &UserVerilog, place: Place) -> Result<(Arc<Model>, Vec<Pin>)> {
    let (top, verilator) = (own.top(), Verilator::find()?);
    let Interface { inputs, outputs: mut counters } = verilator.ports(own)?;
    if !inputs.contains(&Pin::new(RESET, 1)) {
        return Err(Error::NoPort { top: top.into(), direction: "input", port: RESET.into(), bits: "1".into() });
    }
    counters.retain(|pin| pin.name.starts_with(COUNTER));
    if let Some(Pin { name, width, .. }) = counters.iter().find(|pin| pin.width > 64) {
        return Err(Error::WideCounter { top: top.into(), port: name.clone(), width: *width });
    }
    let rtl = Model::load(&verilator, top, own, &place.interface(&counters))?;
    Ok((rtl, counters))
}

impl UserUnit {
    /// Makes a unit ready for a place.
    ///
    /// # Errors
    /// Ports that are not those of docs/own-unit.md; a parameter that the unit does not have; those of [`Verilator::build`] and of
    /// [`Class::load`].
    pub fn load(source: Source, place: Place) -> Result<Self> {
        let pins = place.interface(&[]);
        let models = match &source {
            Source::Verilog(own) => Models::One(verilate(own, place)?.0),
            Source::Model(class) => Models::One(class.load(&pins, &class.counters(COUNTER))?),
            Source::Both(own, class) => {
                let (rtl, counters) = verilate(own, place)?;
                Models::Both { rtl, model: class.load(&pins, &counters)? }
            }
        };
        Ok(UserUnit { source, place, models, tallies: Mutex::default() })
    }

    pub fn name(&self) -> &str {
        self.source.name()
    }

    pub fn place(&self) -> Place {
        self.place
    }

    /// Verilog and model.
    ///
    /// # Errors
    /// There is only one of them.
    pub(crate) fn models(&self) -> Result<(&Arc<Model>, &Arc<Model>)> {
        match &self.models {
            Models::Both { rtl, model } => Ok((rtl, model)),
            Models::One(_) => Err(Error::NothingBeside { unit: self.name().into() }),
        }
    }

    /// Source that it was made of.
    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn interface(&self) -> &Interface {
        let (Models::One(model) | Models::Both { model, .. }) = &self.models;
        model.interface()
    }

    /// Names of the unit's own counters.
    pub fn counters(&self) -> Vec<String> {
        let names = self.interface().outputs.iter().map(|pin| pin.name.clone());
        names.filter(|name| name.starts_with(COUNTER)).collect()
    }

    /// The comparisons of Verilog and model, one a unit.
    pub fn tallies(&self) -> Vec<Arc<Tally>> {
        self.tallies.lock().expect("nobody panics with it").clone()
    }

    /// So many of them, for all cores or partitions. What reset leaves open is filled from `seed`, and from the next number for each
    /// other unit. A difference between Verilog and model leaves its files in `evidence`.
    ///
    /// # Errors
    /// A waveform that cannot be written.
    pub fn system(
        &self,
        count: usize,
        seed: u64,
        waveform: Option<&Waveform>,
        evidence: &Path,
    ) -> Result<Box<dyn System>> {
        let all = All { count, seed, waveform, evidence };
        Ok(match self.place {
            Place::Core { lanes } => {
                let at_rest = CoreOut { lanes, ..CoreOut::default() };
                let units = self.units(&all, |pins: &CoreIn| pins.now, &at_rest)?.into_iter().enumerate();
                Box::new(UserUnits::new(self.name(), units.map(|(core, unit)| CoreUnit::new(unit, core, lanes))))
            }
            Place::Partition => {
                let units = self.units(&all, |pins: &PartitionIn| pins.now, &PartitionOut::default())?;
                let units = units.into_iter().enumerate();
                Box::new(UserUnits::new(self.name(), units.map(|(channel, unit)| PartitionUnit::new(unit, channel))))
            }
        })
    }

    fn units<I: Pins + 'static, O: Pins + 'static>(
        &self,
        all: &All,
        now: fn(&I) -> u64,
        at_rest: &O,
    ) -> Result<Vec<Box<dyn Unit<In = I, Out = O>>>> {
        let make = |unit: usize| -> Result<Box<dyn Unit<In = I, Out = O>>> {
            let seed = all.seed + unit as u64;
            let file = all.waveform.filter(|waveform| waveform.of == unit).map(|waveform| waveform.file);
            let one = |model, tidy| Pinned::new(model, seed, file, now, at_rest.clone(), tidy);
            Ok(match &self.models {
                Models::One(model) => Box::new(one(model, None)?),
                Models::Both { rtl, model } => {
                    let (model, rtl) =
                        (one(model, Some(self.place))?, Tidy::new(Rtl::<I, O>::new(rtl, seed), self.place));
                    let lockstep = Lockstep::new(model, rtl, self.subject(unit, seed), all.evidence);
                    self.tallies.lock().expect("nobody panics with it").push(lockstep.follower.tally());
                    Box::new(lockstep)
                }
            })
        };
        (0..all.count).map(make).collect()
    }

    pub(crate) fn subject(&self, unit: usize, seed: u64) -> Subject {
        let module = format!("{}-{}{unit}", self.name(), self.place.name());
        Subject { unit: self.name().into(), module, parameters: vec![], seed }
    }
}

/// The units of a GPU.
struct All<'a> {
    count: usize,
    seed: u64,
    waveform: Option<&'a Waveform<'a>>,
    evidence: &'a Path,
}

/// An instance behind the pins of a place. Each cycle goes into a waveform, if there is one, at times 2t and 2t + 1 of core cycle t.
pub(crate) struct Pinned<I, O> {
    instance: Instance,
    /// The core cycle.
    now: fn(&I) -> u64,
    /// Output pins in their shape.
    at_rest: O,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    waveform: Option<Output>,
    /// It is the model of a lock-step: what means nothing is 0, and what it throws is a broken rule of its inputs.
    tidy: Option<Place>,
}

impl<I: Pins, O: Pins> Pinned<I, O> {
    /// After reset.
    pub fn new(
        model: &Arc<Model>,
        seed: u64,
        waveform: Option<&Path>,
        now: fn(&I) -> u64,
        at_rest: O,
        tidy: Option<Place>,
    ) -> Result<Self> {
        let Interface { inputs, outputs } = model.interface();
        let seed = fill_seed(seed);
        let waveform = waveform.map(|file| Output::begin(file).map_err(Error::file(file)));
        let waveform = waveform.transpose()?;
        let mut pinned = Pinned {
            instance: match waveform {
                Some(_) => Instance::with_waveform(model, seed)?,
                None => Instance::new(model, seed),
            },
            now,
            at_rest,
            inputs: vec![0; words(inputs)],
            outputs: vec![0; words(outputs)],
            waveform,
            tidy,
        };
        if let Some(waveform) = &pinned.waveform {
            pinned.instance.open_waveform(waveform.path())?;
        }
        pinned.reset();
        Ok(pinned)
    }

    fn step(&mut self, reset: bool, cycle: u64) {
        match &self.waveform {
            Some(_) => self.instance.step_waveform(reset, &self.inputs, &mut self.outputs, cycle),
            None => self.instance.step(reset, &self.inputs, &mut self.outputs),
        }
        if let Some(place) = self.tidy {
            place.tidy(&mut self.outputs);
        }
    }
}

impl<I: Pins, O: Pins> Unit for Pinned<I, O> {
    type In = I;
    type Out = O;

    fn interface(&self) -> Interface {
        self.instance.model().interface().clone()
    }

    fn outputs(&self) -> O {
        let mut pins = self.at_rest.clone();
        pins.load(&self.outputs);
        pins
    }

    fn sample(&self, pins: &mut O) {
        pins.load(&self.outputs);
    }

    fn clock(&mut self, pins: &I) -> Result<(), Fault> {
        pins.store(&mut self.inputs);
        self.step(false, (self.now)(pins));
        self.fault().map_or(Ok(()), |line| Err(line.into()))
    }

    fn reset(&mut self) {
        self.inputs.fill(0);
        self.step(true, 0);
    }

    fn fault(&self) -> Option<String> {
        self.instance.broken_rule().map(str::to_string)
    }
}

impl<I, O> Drop for Pinned<I, O> {
    /// The waveform is whole, however the run has ended.
    fn drop(&mut self) {
        let Some(waveform) = self.waveform.take() else { return };
        self.instance.close_waveform();
        if let Err(problem) = waveform.finish() {
            eprintln!("unruly: the waveform cannot be written: {problem}");
        }
    }
}

/// An implementation under test, whose outputs are 0 where they mean nothing.
pub(crate) struct Tidy<T> {
    tested: T,
    place: Place,
    outputs: Vec<u64>,
}

impl<T: UnderTest> Tidy<T> {
    pub fn new(tested: T, place: Place) -> Self {
        let mut tidy = Tidy { outputs: tested.output_words().to_vec(), tested, place };
        tidy.take();
        tidy
    }

    fn take(&mut self) {
        self.outputs.copy_from_slice(self.tested.output_words());
        self.place.tidy(&mut self.outputs);
    }
}

impl<T: UnderTest> UnderTest for Tidy<T> {
    fn output_words(&self) -> &[u64] {
        &self.outputs
    }

    fn step(&mut self, reset: bool, inputs: &[u64]) {
        self.tested.step(reset, inputs);
        self.take();
    }

    fn broken_rule(&self) -> Option<&str> {
        self.tested.broken_rule()
    }

    fn has_ended(&self) -> bool {
        self.tested.has_ended()
    }

    fn waveform(&self, log: &mut InputLog, range: Range<u64>, first: u64, file: &Path) -> Result<()> {
        self.tested.waveform(log, range, first, file)
    }
}
