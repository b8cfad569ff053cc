//! Small faults planted in a unit's netlist, one at a time: what tests the unit must find each.
//!
//! Yosys flattens the RTL, chooses places and makes one netlist that holds all mutants; an input chooses which is alive. One build
//! of Verilator serves all. The model and its traffic run once: their pins are on a tape, and every mutant that is still alive is
//! held against it.

use crate::bridge::Model;
use crate::cosim::{digests, find, AnyFixture, Digests};
use crate::error::Result;
use crate::tally::hex;
use crate::verilate::{self, Verilator};
use crate::watch::Watch;
use gen::elaborate::Verilog;
use hdl::catalog::Instance;
use serde::Serialize;
use sim::unit::Interface;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

mod equivalence;
mod names;
mod netlist;
mod play;

use equivalence::{Answer, Inputs};
use netlist::Netlist;

pub use netlist::Mutation;
pub use play::Kill;

/// What became of the mutants of a unit.
#[derive(Clone, Debug, Serialize)]
pub struct MutationReport {
    pub unit: String,
    pub module: String,
    pub parameters: BTreeMap<String, u64>,
    pub seed: u64,
    pub digests: Digests,
    /// Of traffic, at most, for each mutant.
    pub cycles: u64,
    pub mutants: u64,
    pub killed: u64,
    /// The cycle in which the last mutant that died was found.
    pub slowest_kill: u64,
    /// Not killed, and proven to do what the design does.
    pub equivalent: u64,
    /// Neither killed nor proven equal.
    pub survivors: Vec<Survivor>,
}

/// A mutant that may be wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Survivor {
    #[serde(flatten)]
    pub mutation: Mutation,
    /// What the model checker says of it.
    pub finding: String,
    /// Inputs that show a difference, a line a cycle: pins that are not 0.
    pub inputs: Vec<String>,
}

/// The mutants of a unit, built.
pub struct Mutants {
    unit: String,
    instance: Instance,
    parameters: Vec<(String, u64)>,
    seed: u64,
    netlist: Netlist,
    /// Module and pins of the unit.
    verilog: Verilog,
    pins: Interface,
    model: Arc<Model>,
}

impl Mutants {
    /// `count` mutants of `unit`, or as many as it has, drawn with `seed`.
    ///
    /// # Errors
    /// An unknown unit or parameter; a missing tool; a netlist that Verilator does not take.
    pub fn new(unit: &str, parameters: &[(&str, u64)], count: u32, seed: u64) -> Result<Self> {
        let (instance, fixture) = find(unit, parameters)?;
        let mut design = gen::elaborate(&instance)?;
        let netlist = netlist::with_mutants(&instance.module, &design.verilog(), count, seed)?;
        let pins = fixture.interface(&instance)?;
        let text = verilate::Verilog::Mutants(&netlist.text);
        let model = Model::load(&Verilator::find()?, &instance.module, text, &pins)?;
        let parameters = parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        let verilog = design.modules.pop().expect("a design has its top at the end");
        Ok(Mutants { unit: unit.into(), instance, parameters, seed, netlist, verilog, pins, model })
    }

    /// All of them under `cycles` cycles of the unit's traffic.
    ///
    /// # Errors
    /// An interruption.
    ///
    /// # Panics
    /// If the design without a mutant differs from the model.
    pub fn run(self, cycles: u64, watch: &Watch) -> Result<MutationReport> {
        let parameters: Vec<_> = self.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let (_, fixture) = find(&self.unit, &parameters)?;
        let numbers: Vec<_> =
            std::iter::once(0).chain(self.netlist.mutations.iter().map(|mutation| mutation.number)).collect();
        let kills = play::kills(&self.model, &self.instance, fixture, &numbers, cycles, self.seed, watch)?;
        assert!(kills[0].is_none(), "{}: the netlist without a mutant differs: {:?}", self.instance.module, kills[0]);
        let killed = kills.iter().flatten();
        let (survivors, equivalent) = self.judge(fixture, &kills[1..], watch)?;
        Ok(MutationReport {
            digests: digests(&self.unit, &parameters, self.seed)?,
            module: self.instance.module.clone(),
            parameters: self.instance.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect(),
            seed: self.seed,
            cycles,
            mutants: self.netlist.mutations.len() as u64,
            killed: killed.clone().count() as u64,
            slowest_kill: killed.map(|kill| kill.cycle).max().unwrap_or(0),
            equivalent,
            survivors,
            unit: self.unit,
        })
    }

    /// Mutants that nobody killed: those that may be wrong, and how many are proven to be the design.
    fn judge(&self, fixture: &dyn AnyFixture, kills: &[Option<Kill>], watch: &Watch) -> Result<(Vec<Survivor>, u64)> {
        let (mut survivors, mut equivalent) = (vec![], 0);
        let all = self.netlist.mutations.iter().zip(&self.netlist.commands).zip(kills);
        for ((mutation, command), _) in all.filter(|(_, kill)| kill.is_none()) {
            watch.say(&format!("{}: {equivalent} mutants proven equal, {} not", self.verilog.module, survivors.len()));
            let (finding, inputs) = match equivalence::answer(&self.netlist, command, &self.verilog, &self.pins)? {
                Answer::Equal => {
                    equivalent += 1;
                    continue;
                }
                Answer::Open => ("no proof and no difference was found".into(), vec![]),
                Answer::Differs(inputs) => match fixture.broken_rule(&self.instance, &inputs)? {
                    Some(rule) => (format!("inputs that break a rule show a difference: {rule}"), vec![]),
                    None => {
                        (format!("{} cycles of inputs show a difference", inputs.len()), lines(&inputs, &self.pins))
                    }
                },
            };
            survivors.push(Survivor { mutation: mutation.clone(), finding, inputs });
        }
        Ok((survivors, equivalent))
    }
}

/// A line a cycle, with the pins that are not 0.
fn lines(inputs: &Inputs, pins: &Interface) -> Vec<String> {
    let line = |(cycle, (reset, words)): (usize, &(bool, Vec<u64>))| {
        let mut line = format!("{cycle}:{}", if *reset { " reset" } else { "" });
        let mut first = 0;
        for pin in pins.inputs.iter().filter(|_| !reset) {
            let value = &words[first..first + pin.words()];
            if value.iter().any(|&word| word != 0) {
                let _ = write!(line, " {}={}", pin.name, hex(value));
            }
            first += pin.words();
        }
        line
    };
    inputs.iter().enumerate().map(line).collect()
}
