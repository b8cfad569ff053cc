//! Small faults planted in a unit's netlist, one at a time: what tests the unit must find each.
//!
//! Yosys flattens the RTL, chooses places and makes one netlist that holds all mutants; an input chooses which is alive. One build
//! of Verilator serves all. The model and its stimulus run once: their pins are on a tape, and every mutant that is still alive is
//! held against it.

use crate::bridge::Model;
use crate::by_name::{digests, find};
use crate::cosim::{segment, AnyFixture, Digests};
use crate::error::{Error, Result};
use crate::prove::Given;
use crate::tally::hex;
use crate::verilate::{self, Verilator};
use crate::watch::Watch;
use gen::elaborate::Verilog;
use hdl::catalog::Instance;
use serde::{Deserialize, Serialize};
use sim::unit::Interface;
use std::collections::BTreeMap;
use std::fmt::Write;

mod equivalence;
mod memories;
mod names;
mod netlist;
mod play;

use equivalence::{Answer, Inputs, Proofs};
use netlist::Netlist;

pub use netlist::Mutation;
pub use play::Kill;
use play::Run;

/// Effort for a mutant.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Cycles of stimulus for each.
    pub cycles: u64,
    /// More cycles for one that is neither found nor proven to be none.
    pub patience: u64,
    /// Seconds for each question to the model checker; 0: it is not asked.
    pub seconds: u32,
}

/// Cycles of a segment for the mutants that are left: long enough for the upper bits of counts.
const LONG_SEGMENT: u64 = 1 << 23;

/// Seconds for a question about invariants, at least.
const INVARIANTS: u32 = 60;

/// Outcome of the mutants of a unit.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct MutationReport {
    pub unit: String,
    pub module: String,
    pub parameters: BTreeMap<String, u64>,
    pub seed: u64,
    pub digests: Digests,
    /// Cycles of stimulus for each mutant, at most.
    pub cycles: u64,
    /// More of them, at most, for one that is neither found nor proven to be none.
    pub patience: u64,
    pub mutants: u64,
    pub killed: u64,
    /// The cycle in which the last mutant that died was found.
    pub slowest_kill: u64,
    /// Not killed, and proven to do what the design does.
    pub equivalent: u64,
    /// Neither killed nor proven equal.
    pub survivors: Vec<Survivor>,
}

impl MutationReport {
    /// With these kills, and with so many more that are proven equal.
    fn with(self, kills: &[Kill], equivalent: u64, survivors: Vec<Survivor>) -> Self {
        MutationReport {
            killed: self.killed + kills.len() as u64,
            slowest_kill: kills.iter().map(|kill| kill.cycle).fold(self.slowest_kill, u64::max),
            equivalent: self.equivalent + equivalent,
            survivors,
            ..self
        }
    }
}

/// A mutant that may be wrong.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Survivor {
    #[serde(flatten)]
    pub mutation: Mutation,
    /// Finding of the model checker.
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
    fixture: &'static dyn AnyFixture,
}

impl Mutants {
    /// `count` mutants of `unit`, or as many as it has, drawn with `seed`.
    ///
    /// # Errors
    /// An unknown unit or parameter; a missing tool.
    pub fn new(unit: &str, parameters: &[(&str, u64)], count: u32, seed: u64) -> Result<Self> {
        let (instance, fixture) = find(unit, parameters)?;
        let mut design = gen::elaborate(&instance)?;
        let netlist = netlist::with_mutants(&instance.module, &design.verilog(), count, seed)?;
        let pins = fixture.interface(&instance)?;
        let parameters = parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        let verilog = design.modules.pop().expect("a design has its top at the end");
        Ok(Mutants { unit: unit.into(), instance, parameters, seed, netlist, verilog, pins, fixture })
    }

    /// All of them under the unit's stimulus, and what that does not find before the model checker.
    ///
    /// # Errors
    /// A netlist that Verilator does not take; an interruption.
    ///
    /// # Panics
    /// If the design without a mutant differs from the model.
    pub fn run(&self, effort: Effort, watch: &Watch) -> Result<MutationReport> {
        let numbers: Vec<u32> = self.netlist.mutations.iter().map(|mutation| mutation.number).collect();
        let run = Run { cycles: effort.cycles, first: 0, segment: segment(&self.instance) };
        let (found, left) = self.play(&numbers, run, watch)?;
        let nothing = MutationReport {
            digests: self.digests()?,
            module: self.instance.module.clone(),
            parameters: self.instance.parameters_by_name(),
            seed: self.seed,
            cycles: effort.cycles,
            patience: 0,
            mutants: numbers.len() as u64,
            killed: 0,
            slowest_kill: 0,
            equivalent: 0,
            survivors: vec![],
            unit: self.unit.clone(),
        };
        self.finish(nothing.with(&found, 0, vec![]), &left, effort, watch)
    }

    /// The survivors of an earlier report once more: the model checker, and as much stimulus as `effort` has more than they had.
    ///
    /// # Errors
    /// A report of other RTL, stimulus or faults; those of [`Mutants::run`].
    ///
    /// # Panics
    /// As [`Mutants::run`].
    pub fn again(earlier: MutationReport, effort: Effort, watch: &Watch) -> Result<MutationReport> {
        let parameters: Vec<_> = earlier.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let mutants = Mutants::new(&earlier.unit, &parameters, earlier.mutants as u32, earlier.seed)?;
        let other = |of| Err(Error::OtherFaults { module: earlier.module.clone(), of });
        if earlier.digests != mutants.digests()? {
            return other("RTL or stimulus");
        }
        let all = &mutants.netlist.mutations;
        if earlier.survivors.iter().any(|survivor| !all.iter().any(|today| today.is_same_fault(&survivor.mutation))) {
            return other("faults");
        }
        let numbers: Vec<u32> = earlier.survivors.iter().map(|survivor| survivor.mutation.number).collect();
        mutants.finish(earlier, &numbers, effort, watch)
    }

    /// The report with what becomes of the mutants `numbers`, which its stimulus did not find.
    fn finish(&self, report: MutationReport, numbers: &[u32], effort: Effort, watch: &Watch) -> Result<MutationReport> {
        let (left, equivalent) = self.judge(numbers, effort.seconds, watch)?;
        let doubtful: Vec<u32> = left.iter().map(|(number, _)| *number).collect();
        let segment = segment(&self.instance).max(LONG_SEGMENT);
        let cycles = effort.patience.saturating_sub(report.patience);
        let more = Run { cycles, first: report.cycles + report.patience, segment };
        let (late, alive) = self.play(&doubtful, more, watch)?;
        let left = left.into_iter().filter(|(number, _)| alive.contains(number));
        let known = |number| report.survivors.iter().find(|survivor| survivor.mutation.number == number);
        let survivors = left.map(|(number, answer)| match (answer, known(number)) {
            (Answer::NotAsked, Some(earlier)) => Ok(Survivor { mutation: self.mutation(number), ..earlier.clone() }),
            (answer, _) => self.survivor(number, answer),
        });
        let survivors = survivors.collect::<Result<_>>()?;
        let patience = report.patience + cycles;
        Ok(MutationReport { patience, ..report.with(&late, equivalent, survivors) })
    }

    fn digests(&self) -> Result<Digests> {
        let parameters: Vec<_> = self.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        digests(&self.unit, &parameters, self.seed)
    }

    /// Kills among the mutants `numbers` under stimulus, and the mutants that stay alive.
    fn play(&self, numbers: &[u32], run: Run, watch: &Watch) -> Result<(Vec<Kill>, Vec<u32>)> {
        if numbers.is_empty() || run.cycles == 0 {
            return Ok((vec![], numbers.into()));
        }
        let text = verilate::Verilog::Netlist(&self.netlist.text);
        let model = Model::load(&Verilator::find()?, &self.instance.module, text, &self.pins)?;
        let with_design: Vec<u32> = std::iter::once(0).chain(numbers.iter().copied()).collect();
        let kills = play::kills(&model, &self.instance, self.fixture, &with_design, &run, self.seed, watch)?;
        assert!(kills[0].is_none(), "{}: the netlist without a mutant differs: {:?}", self.instance.module, kills[0]);
        let alive = numbers.iter().zip(&kills[1..]).filter(|(_, kill)| kill.is_none());
        let alive = alive.map(|(number, _)| *number).collect();
        Ok((kills.into_iter().flatten().collect(), alive))
    }

    /// Mutants left of those that nobody killed, with their answers, and the number of those proven to be the design.
    fn judge(&self, numbers: &[u32], seconds: u32, watch: &Watch) -> Result<(Vec<(u32, Answer)>, u64)> {
        let (mut left, mut equivalent) = (vec![], 0);
        if numbers.is_empty() || seconds == 0 {
            let not_asked = numbers.iter().map(|&number| (number, Answer::NotAsked));
            return Ok((not_asked.collect(), equivalent));
        }
        watch.say(&format!("{}: circuit of {} mutants", self.verilog.module, numbers.len()));
        let given = Given::of(&self.instance, seconds.max(INVARIANTS))?;
        let settling = self.fixture.settling();
        let proofs = Proofs::new(&self.netlist, numbers, &self.verilog, &self.pins, given, seconds, settling)?;
        for &number in numbers {
            watch.say(&format!(
                "{}: of {} mutants {equivalent} proven equal, {} not",
                self.verilog.module,
                numbers.len(),
                left.len()
            ));
            match proofs.answer(number)? {
                Answer::Equal => equivalent += 1,
                answer => left.push((number, answer)),
            }
        }
        Ok((left, equivalent))
    }

    fn survivor(&self, number: u32, answer: Answer) -> Result<Survivor> {
        let (finding, inputs) = match answer {
            Answer::Differs(inputs) => match self.fixture.broken_rule(&self.instance, &inputs)? {
                Some(rule) => (format!("inputs that break a rule show a difference: {rule}"), vec![]),
                None => (format!("{} cycles of inputs show a difference", inputs.len()), lines(&inputs, &self.pins)),
            },
            Answer::NotAsked => ("the model checker was not asked".into(), vec![]),
            Answer::Open | Answer::Equal => ("no proof and no difference was found".into(), vec![]),
        };
        Ok(Survivor { mutation: self.mutation(number), finding, inputs })
    }

    fn mutation(&self, number: u32) -> Mutation {
        self.netlist.mutations[number as usize - 1].clone()
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
