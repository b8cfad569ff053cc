//! Claims about a unit under its traffic. What proofs assume of inputs, the traffic must keep: else it has inputs of which nothing is
//! proven. What is proven must hold in a simulation as well, with any choices of the proof.

use super::circuit::{self, choice, output, watched};
use super::fragment::{Claim, Fragment, Kind};
use super::{memory, Subject};
use crate::bridge::{Instance as Rtl, Model};
use crate::by_name::find;
use crate::comparison::Comparison;
use crate::cosim::{segment, AnyFixture, Tape};
use crate::error::{Error, Result};
use crate::rtl::fill_seed;
use crate::stimulus::{AnyInputs, Rng};
use crate::verilate::{self, Verilator};
use crate::watch::Watch;
use gen::digest::sha256;
use gen::text::bare;
use hdl::catalog::Instance;
use serde::Serialize;
use sim::unit::{words, Interface, Pin};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Cycles on a tape.
const TAPE: u64 = 1 << 14;

/// Outcome of the claims about a unit under its stimulus.
#[derive(Clone, Debug, Serialize)]
pub struct TrafficReport {
    pub unit: String,
    pub module: String,
    pub parameters: BTreeMap<String, u64>,
    pub seed: u64,
    /// SHA-256 of RTL, properties and traffic.
    pub digest: String,
    /// In which all claims held, outside reset.
    pub cycles: u64,
    pub assumptions: usize,
    /// Properties and invariants; none of memories with one word, because here a memory has all its words.
    pub others: usize,
    pub broken: Option<Broken>,
}

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Broken {
    #[serde(flatten)]
    pub claim: Claim,
    /// Cycle of the stimulus.
    pub cycle: u64,
}

impl Subject {
    /// The properties have assumptions about inputs.
    ///
    /// # Errors
    /// Properties without a claim.
    pub fn assumes(&self) -> Result<bool> {
        Ok(Fragment::read(&self.unit, &self.properties)?.of(Kind::Assumption).next().is_some())
    }

    /// SHA-256 of RTL, properties and traffic with this `seed`.
    ///
    /// # Errors
    /// Errors of [`find`].
    pub fn digest_with_traffic(&self, seed: u64) -> Result<String> {
        let (instance, fixture) = self.find()?;
        let claims = sha256(bare(&self.verilog) + &self.properties);
        Ok(sha256(claims + &fixture.digest(&instance, seed)?))
    }

    /// Looks at each claim in so many `cycles` of the unit's traffic, until one does not hold.
    ///
    /// # Errors
    /// A missing tool; properties that Yosys or Verilator does not take; an interruption.
    ///
    /// # Panics
    /// If the RTL differs from the model.
    pub fn under_traffic(&self, cycles: u64, seed: u64) -> Result<TrafficReport> {
        let (instance, fixture) = self.find()?;
        let claims = self.claims_under_traffic()?;
        let watched = Watched::new(self, &instance, fixture, &claims)?;
        let broken = watched.first_broken(cycles, seed)?;
        let assumptions = claims.iter().filter(|claim| claim.kind == Kind::Assumption).count();
        Ok(TrafficReport {
            unit: self.unit.clone(),
            module: instance.module.clone(),
            parameters: self.parameters.clone(),
            seed,
            digest: self.digest_with_traffic(seed)?,
            cycles: broken.map_or(cycles, |(_, cycle)| cycle),
            assumptions,
            others: claims.len() - assumptions,
            broken: broken.map(|(place, cycle)| Broken { claim: claims[place].clone(), cycle }),
        })
    }

    fn find(&self) -> Result<(Instance, &'static dyn AnyFixture)> {
        let parameters: Vec<_> = self.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        find(&self.unit, &parameters)
    }

    /// Assumptions first: one that is broken explains what else does not hold.
    fn claims_under_traffic(&self) -> Result<Vec<Claim>> {
        let fragment = Fragment::read(&self.unit, &self.properties)?;
        let kinds = match memory::is_one_word(&self.properties) {
            true => &[Kind::Assumption][..],
            false => &[Kind::Assumption, Kind::Invariant, Kind::Property],
        };
        Ok(kinds.iter().flat_map(|&kind| fragment.of(kind)).cloned().collect())
    }
}

/// RTL with an output for each claim, and the traffic for it.
struct Watched<'a> {
    model: Arc<Model>,
    instance: &'a Instance,
    fixture: &'a dyn AnyFixture,
    /// Pins of the unit, and what a proof may choose.
    pins: Interface,
    choices: Vec<Pin>,
}

impl<'a> Watched<'a> {
    fn new(subject: &Subject, instance: &'a Instance, fixture: &'a dyn AnyFixture, claims: &[Claim]) -> Result<Self> {
        let fragment = Fragment::read(&subject.unit, &subject.properties)?;
        let directory = tempfile::tempdir()?;
        let top = subject.design.top();
        let verilog = match memory::is_one_word(&subject.properties) {
            true => &memory::beside_all_words(&subject.verilog),
            false => &subject.verilog,
        };
        let flat = circuit::flat(directory.path(), verilog, &top.module, &top.module)?;
        let names: Vec<String> = claims.iter().map(|claim| claim.name.clone()).collect();
        let (text, choices) = watched(&flat, top, &subject.parameters, &fragment, &names);
        let pins = fixture.interface(instance)?;
        let choices: Vec<Pin> = (0..choices).map(|place| Pin::new(choice(place), 64)).collect();
        let mut all = pins.clone();
        all.inputs.extend(choices.iter().cloned());
        all.outputs.extend(names.iter().map(|name| Pin::new(output(name), 1)));
        let model = Model::load(&Verilator::find()?, &top.module, verilate::Verilog::Netlist(&text), &all)?;
        Ok(Watched { model, instance, fixture, pins, choices })
    }

    /// The first claim that does not hold, and the cycle.
    fn first_broken(&self, cycles: u64, seed: u64) -> Result<Option<(usize, u64)>> {
        let watch = Watch::of_this_process();
        let (mut seeds, mut done, mut tape) = (Rng::new(seed), 0, Tape::default());
        while done < cycles {
            let mut part = Segment::new(self, seeds.draw(), done)?;
            let mut player = self.fixture.player(self.instance, part.seed)?;
            let end = cycles.min(done + segment(self.instance));
            while done < end {
                let length = TAPE.min(end - done);
                player.record(length, &mut tape);
                if let Some(broken) = part.play(&tape) {
                    return Ok(Some(broken));
                }
                done += length;
                watch.say(&format!("{}: cycle {done} of {cycles}", self.instance.module));
                if watch.is_interrupted() {
                    return Err(Error::Interrupted);
                }
            }
        }
        Ok(None)
    }
}

/// Cycles between two pairs of fresh bodies.
struct Segment {
    seed: u64,
    rtl: Rtl,
    comparison: Comparison,
    settled_at: u64,
    /// Cycle of the stimulus.
    cycle: u64,
    chosen: AnyInputs,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    /// Words of the unit's pins; claims and choices stand behind them.
    input_words: usize,
    output_words: usize,
}

impl Segment {
    fn new(watched: &Watched, seed: u64, first: u64) -> Result<Self> {
        let interface = watched.model.interface();
        let (inputs, mut outputs) = (vec![0; words(&interface.inputs)], vec![0; words(&interface.outputs)]);
        let mut rtl = Rtl::new(&watched.model, fill_seed(seed));
        rtl.step(true, &inputs, &mut outputs);
        Ok(Segment {
            seed,
            rtl,
            comparison: Comparison::new(&watched.pins.outputs),
            settled_at: first + watched.fixture.settling(),
            cycle: first,
            chosen: AnyInputs::new(&watched.choices, seed),
            inputs,
            outputs,
            input_words: words(&watched.pins.inputs),
            output_words: words(&watched.pins.outputs),
        })
    }

    /// The first claim that does not hold, and the cycle.
    fn play(&mut self, tape: &Tape) -> Option<(usize, u64)> {
        for (reset, inputs, expected) in tape.cycles() {
            let (of_unit, chosen) = self.inputs.split_at_mut(self.input_words);
            of_unit.copy_from_slice(inputs);
            chosen.copy_from_slice(self.chosen.draw());
            self.rtl.step(reset, &self.inputs, &mut self.outputs);
            let (outputs, held) = self.outputs.split_at(self.output_words);
            if let Some(place) = held.iter().position(|&held| held == 0) {
                return Some((place, self.cycle));
            }
            self.cycle += 1;
            if self.cycle >= self.settled_at {
                let difference = self.comparison.first_difference(expected, outputs);
                let pin = difference.map(|place| self.comparison.pin(place).0);
                assert!(pin.is_none(), "cycle {}: {pin:?} differs from the model", self.cycle);
            }
        }
        None
    }
}
