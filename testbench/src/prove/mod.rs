//! Properties of a unit, proven: they hold in every cycle, with any legal inputs, from any state before the first reset.
//!
//! Yosys makes one circuit of the unit and the wires of its properties, and abc answers a question about each wire.

use crate::abc::{self, Answer};
use crate::aig::{Aig, Binary};
use crate::error::{Error, Result};
use crate::watch::Watch;
use gen::digest::sha256;
use gen::elaborate::{parameter_list, Design, Verilog};
use gen::text::bare;
use hdl::catalog::Instance;
use properties::{Properties, PROPERTIES};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use tempfile::TempDir;

mod against;
mod canonical;
mod circuit;
mod elaborated;
mod fragment;
mod gates;
mod memory;
mod parts;
mod properties;
mod question;
mod same;
mod sizes;
mod trace;
mod traffic;

pub use against::against;
pub(crate) use circuit::{is_pin, ILLEGAL};
pub use fragment::{Claim, Kind};
pub use gates::{all_gates, Gates};
pub use sizes::{all_sizes, Size};
pub use traffic::{Broken, TrafficReport};

use fragment::Fragment;
use question::Question;

/// Outcome of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It holds in every cycle.
    Proven,
    /// It holds in the first cycles, and no proof was found in the time.
    Bounded,
    /// It does not hold: there is a trace.
    Failed,
    /// Legal inputs come there: there is a trace.
    Reached,
    /// No legal inputs come there.
    Unreachable,
    /// No legal inputs come there in the first cycles, and nothing more was found in the time.
    NotReached,
    /// Nobody proves it.
    Assumed,
}

impl Outcome {
    /// Nothing is left to do.
    pub fn is_good(self) -> bool {
        matches!(self, Outcome::Proven | Outcome::Reached | Outcome::Assumed)
    }
}

/// A claim with what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    #[serde(flatten)]
    pub claim: Claim,
    pub outcome: Outcome,
    /// Behind the first reset: those of the trace, or those in which nothing was found.
    pub cycles: Option<u64>,
    /// Pins that are not zero, inputs before outputs, a line for each cycle from the first reset on.
    pub trace: Vec<String>,
    pub seconds: f64,
}

/// All claims about a unit.
#[derive(Clone, Debug, Serialize)]
pub struct ProofReport {
    pub unit: String,
    pub module: String,
    pub parameters: BTreeMap<String, u64>,
    /// SHA-256 of the RTL and of the properties, without comments and white space.
    pub digest: String,
    pub verdicts: Vec<Verdict>,
}

impl ProofReport {
    /// The claims that are not what they should be.
    pub fn failures(&self) -> Vec<&Verdict> {
        self.verdicts.iter().filter(|verdict| !verdict.outcome.is_good()).collect()
    }
}

/// The units that have properties.
pub fn units() -> Vec<&'static str> {
    let mut units: Vec<_> = PROPERTIES.iter().map(|properties| properties.unit).collect();
    units.dedup();
    units
}

/// A unit with its properties.
pub struct Subject {
    unit: String,
    parameters: BTreeMap<String, u64>,
    design: Design,
    /// All Verilog of the unit and its parts.
    verilog: String,
    properties: String,
}

impl Subject {
    /// `unit` with the parameters of its proofs, of which `parameters` change some: one subject for each file of properties.
    ///
    /// # Errors
    /// A unit that has no properties, or has them for another size alone; parameters that there is no RTL for.
    pub fn all(unit: &str, parameters: &[(&str, u64)]) -> Result<Vec<Self>> {
        let subject = |properties: &Properties| {
            let subject = Self::of(unit, properties.parameters, parameters, properties.verilog)?;
            let usual = || hdl::catalog::find(unit, properties.parameters).map(|instance| instance.module);
            if properties.is_of_one_size && subject.design.top().module != usual()? {
                return Err(Error::OneSize {
                    unit: unit.into(),
                    parameters: parameter_list(&named(properties.parameters)),
                });
            }
            Ok(subject)
        };
        let subjects = properties::of(unit).map(subject).collect::<Result<Vec<_>>>()?;
        match subjects.is_empty() {
            true => Err(Error::NoProperties { unit: unit.into(), available: spelling::listed(unit, units()) }),
            false => Ok(subjects),
        }
    }

    /// `unit` with properties of the user's own.
    ///
    /// # Errors
    /// An unknown unit; parameters that there is no RTL for.
    pub fn with_own(unit: &str, parameters: &[(&str, u64)], properties: &str) -> Result<Self> {
        let usual = properties::of(unit).next().map_or(&[][..], |properties| properties.parameters);
        Self::of(unit, usual, parameters, properties)
    }

    fn of(unit: &str, usual: &[(&str, u64)], parameters: &[(&str, u64)], properties: &str) -> Result<Self> {
        let usual = usual.iter().filter(|(name, _)| !parameters.iter().any(|(other, _)| other == name));
        let chosen: Vec<(&str, u64)> = usual.chain(parameters).copied().collect();
        let instance = hdl::catalog::find(unit, &chosen)?;
        let design = gen::elaborate(&instance)?;
        Ok(Subject {
            unit: unit.into(),
            parameters: instance.parameters_by_name(),
            verilog: design.verilog(),
            design,
            properties: parts::with_parts(properties, properties::of_part)?,
        })
    }

    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Number of claims.
    pub fn claims(&self) -> usize {
        Fragment::read(&self.unit, &self.properties).map_or(0, |fragment| fragment.claims.len())
    }

    /// All Verilog of the unit and its parts.
    pub fn verilog(&self) -> &str {
        &self.verilog
    }

    /// Subject with changed Verilog.
    #[must_use]
    pub fn with_verilog(mut self, change: impl FnOnce(&str) -> String) -> Self {
        self.verilog = change(&self.verilog);
        self
    }

    /// Subject with changed properties.
    #[must_use]
    pub fn with_properties(mut self, change: impl FnOnce(&str) -> String) -> Self {
        self.properties = change(&self.properties);
        self
    }

    /// What the proofs are of: the Verilog, whose memories promise less.
    fn proven(&self) -> String {
        match self.design.top().is_memory() {
            true => self.verilog.clone(),
            false => memory::of_proofs(&self.verilog, &self.properties),
        }
    }

    /// SHA-256 of what is proven and of what it is proven of.
    pub fn digest(&self) -> String {
        sha256(bare(&self.proven()) + &self.properties)
    }

    /// Looks at each claim for at most so many `seconds` a question.
    ///
    /// # Errors
    /// A missing tool; properties that Yosys does not take; an interruption.
    pub fn prove(&self, seconds: u32) -> Result<ProofReport> {
        Ok(ProofReport {
            unit: self.unit.clone(),
            module: self.design.top().module.clone(),
            parameters: self.parameters.clone(),
            digest: self.digest(),
            verdicts: self.prover(seconds)?.verdicts()?,
        })
    }

    fn prover(&self, seconds: u32) -> Result<Prover<'_>> {
        let fragment = Fragment::read(&self.unit, &self.properties)?;
        let directory = tempfile::tempdir()?;
        let top = self.design.top();
        let flat = circuit::flat(directory.path(), &self.proven(), &top.module, &top.module)?;
        let aig = circuit::circuit(directory.path(), &flat, top, &self.parameters, &fragment)?;
        Ok(Prover { module: &top.module, directory, aig, seconds, fragment, prove: abc::prove })
    }
}

fn named(parameters: &[(&'static str, u64)]) -> BTreeMap<String, u64> {
    parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect()
}

/// Claims that other proofs about a unit may take as given.
pub(crate) struct Given {
    fragment: Fragment,
    parameters: BTreeMap<String, u64>,
    /// Outputs of [`Given::circuit`] that inputs keep high.
    pub assumptions: Vec<String>,
    /// Outputs that are proven to be high then, outside reset.
    pub invariants: Vec<String>,
}

impl Given {
    /// Claims about `instance`: none, if its unit has no properties or only those of another size. Entries and widths
    /// may be other ones: properties are written for all.
    ///
    /// # Errors
    /// Errors of [`Subject::prove`].
    pub fn of(instance: &Instance, seconds: u32) -> Result<Self> {
        let of_whole_memories = |properties: &&Properties| !memory::is_one_word(properties.verilog);
        let Some(properties) = properties::of(instance.unit).find(of_whole_memories) else {
            return Ok(Self::nothing());
        };
        let usual = hdl::catalog::find(instance.unit, properties.parameters)?;
        let is_size = |name: &str| matches!(name, "entries" | "width");
        if usual.parameters.iter().any(|(name, value)| !is_size(name) && instance.parameter(name) != Some(*value)) {
            return Ok(Self::nothing());
        }
        let subject = Subject::of(instance.unit, &[], &instance.parameters, properties.verilog)?;
        let prover = subject.prover(seconds)?;
        let assumed = prover.fragment.assumed();
        let invariants = prover.quick_invariants(&assumed)?.iter().map(|name| circuit::output(name)).collect();
        let assumptions = assumed.iter().map(|name| circuit::output(name)).collect();
        Ok(Given { fragment: prover.fragment, parameters: subject.parameters.clone(), assumptions, invariants })
    }

    /// No assumption and no invariant.
    pub(crate) fn nothing() -> Self {
        Given { fragment: Fragment::none(), parameters: BTreeMap::new(), assumptions: vec![], invariants: vec![] }
    }

    /// The circuit of `unit`, whose flat module is at the end of `flat`, with an output for each claim and one for broken rules.
    ///
    /// # Errors
    /// Yosys is missing or does not take it.
    pub fn circuit(&self, directory: &Path, flat: &str, unit: &Verilog) -> Result<Aig> {
        circuit::circuit(directory, flat, unit, &self.parameters, &self.fragment)
    }
}

struct Prover<'a> {
    module: &'a str,
    directory: TempDir,
    aig: Aig,
    seconds: u32,
    fragment: Fragment,
    /// Command that proves properties.
    prove: Ask,
}

impl Prover<'_> {
    fn verdicts(&self) -> Result<Vec<Verdict>> {
        let assumed = self.fragment.assumed();
        let invariants = self.invariants(&assumed)?;
        let proven = invariants.iter().filter(|verdict| verdict.outcome == Outcome::Proven);
        let given: Vec<String> =
            assumed.iter().cloned().chain(proven.map(|verdict| verdict.claim.name.clone())).collect();
        let mut verdicts = vec![];
        for claim in self.fragment.of(Kind::Property) {
            verdicts.push(self.holds(claim, &given)?);
        }
        verdicts.extend(invariants);
        for claim in self.fragment.of(Kind::Reached) {
            verdicts.push(self.is_reached(claim, &assumed)?);
        }
        let assumption = |claim: &Claim| Verdict {
            claim: claim.clone(),
            outcome: Outcome::Assumed,
            cycles: None,
            trace: vec![],
            seconds: 0.0,
        };
        verdicts.extend(self.fragment.of(Kind::Assumption).chain(self.fragment.of(Kind::Choice)).map(assumption));
        Ok(verdicts)
    }

    /// The largest set of invariants that hold behind a reset, and each of which holds a cycle after all of them held. Those that
    /// are left over follow one after another, each with the help of all that are proven before it.
    fn invariants(&self, assumed: &[String]) -> Result<Vec<Verdict>> {
        let mut seconds = BTreeMap::new();
        let together = self.inductive(assumed, &mut seconds)?;
        let mut given: Vec<String> = assumed.iter().chain(&together).cloned().collect();
        let mut verdicts = vec![];
        for claim in self.fragment.of(Kind::Invariant) {
            let begin = Instant::now();
            let mut verdict = match together.contains(&claim.name) {
                true => self.verdict(claim, &Answer::Never, IN_EVERY_CYCLE, begin),
                false => self.invariant(claim, &given)?,
            };
            verdict.seconds += seconds.get(&claim.name).unwrap_or(&0.0);
            if verdict.outcome == Outcome::Proven {
                given.push(claim.name.clone());
            }
            verdicts.push(verdict);
        }
        Ok(verdicts)
    }

    /// Invariants that are proven in little time; of the others nobody asks more.
    fn quick_invariants(&self, assumed: &[String]) -> Result<Vec<String>> {
        let mut proven = self.inductive(assumed, &mut BTreeMap::new())?;
        for name in self.fragment.names(Kind::Invariant) {
            let own = std::slice::from_ref(&name);
            let given = [assumed, &proven].concat();
            if proven.contains(&name) || !self.hold_behind_reset(own, &given)? {
                continue;
            }
            let never = || self.ask(&Question::Low(own), &given, quickly, &name);
            if self.step_holds(own, &name, &given)? || never()? == Answer::Never {
                proven.push(name);
            }
        }
        Ok(proven)
    }

    fn inductive(&self, assumed: &[String], seconds: &mut BTreeMap<String, f64>) -> Result<Vec<String>> {
        let mut held = self.fragment.names(Kind::Invariant);
        if !self.hold_behind_reset(&held, assumed)? {
            let holds = |name: &String| self.hold_behind_reset(std::slice::from_ref(name), assumed);
            held = filtered(held, holds)?;
        }
        loop {
            let all = held.len();
            let before = held.clone();
            held = filtered(held, |name| {
                let begin = Instant::now();
                let holds = self.step_holds(&before, name, assumed)?;
                *seconds.entry(name.clone()).or_default() += begin.elapsed().as_secs_f64();
                Ok(holds)
            })?;
            if held.len() == all {
                return Ok(held);
            }
        }
    }

    fn invariant(&self, claim: &Claim, given: &[String]) -> Result<Verdict> {
        let begin = Instant::now();
        let own = std::slice::from_ref(&claim.name);
        if self.hold_behind_reset(own, given)? && self.step_holds(own, &claim.name, given)? {
            return Ok(self.verdict(claim, &Answer::Never, IN_EVERY_CYCLE, begin));
        }
        self.holds(claim, given)
    }

    /// The wire `name` holds in each cycle after one in which all of `held` hold.
    fn step_holds(&self, held: &[String], name: &String, given: &[String]) -> Result<bool> {
        let step = question::step(&self.aig, held, std::slice::from_ref(name), given);
        let subject = self.subject(&format!("step of {name}"));
        Ok(abc::prove(self.directory.path(), &step, self.seconds, &subject)? == Answer::Never)
    }

    fn hold_behind_reset(&self, names: &[String], given: &[String]) -> Result<bool> {
        if names.is_empty() {
            return Ok(true);
        }
        let begin = self.ask(&Question::Low(names), given, abc::behind_reset, "invariants behind a reset")?;
        Ok(matches!(begin, Answer::Never | Answer::NotIn(abc::BEHIND_RESET..)))
    }

    fn holds(&self, claim: &Claim, given: &[String]) -> Result<Verdict> {
        let names = [claim.name.clone()];
        let question = Question::Low(&names);
        let begin = Instant::now();
        let mut answer = self.ask(&question, given, self.prove, &claim.name)?;
        if matches!(answer, Answer::NotIn(_)) {
            answer = self.ask(&question, given, abc::search, &claim.name)?;
        }
        Ok(self.verdict(claim, &answer, IN_EVERY_CYCLE, begin))
    }

    fn is_reached(&self, claim: &Claim, given: &[String]) -> Result<Verdict> {
        let question = Question::High(&claim.name);
        let begin = Instant::now();
        let mut answer = self.ask(&question, given, abc::search, &claim.name)?;
        if let Answer::NotIn(cycles) = answer {
            // A proof that there is no way at all.
            let never = self.ask(&question, given, abc::prove, &claim.name)?;
            answer = if matches!(never, Answer::NotIn(_)) { Answer::NotIn(cycles) } else { never };
        }
        Ok(self.verdict(claim, &answer, [Outcome::Unreachable, Outcome::Reached, Outcome::NotReached], begin))
    }

    fn ask(&self, question: &Question, given: &[String], ask: Ask, name: &str) -> Result<Answer> {
        let circuit = question::circuit(&self.aig, question, given);
        Watch::of_this_process().say(&format!("{}: {name}", self.module));
        ask(self.directory.path(), &circuit, self.seconds, &self.subject(name))
    }

    fn subject(&self, name: &str) -> String {
        format!("proof of {}: {name}", self.module)
    }

    /// `outcomes` are those of an answer that nothing is found ever, of one with a way, and of one that is found in no cycle so far.
    fn verdict(&self, claim: &Claim, answer: &Answer, outcomes: [Outcome; 3], begin: Instant) -> Verdict {
        let (outcome, cycles, trace) = match answer {
            Answer::Never => (outcomes[0], None, vec![]),
            Answer::After(rows) => (outcomes[1], Some(rows.len() as u64 - 1), trace::trace(&self.aig, rows)),
            Answer::NotIn(frames) => (outcomes[2], Some(frames.saturating_sub(1)), vec![]),
        };
        Verdict { claim: claim.clone(), outcome, cycles, trace, seconds: begin.elapsed().as_secs_f64() }
    }
}

/// Seconds for an invariant that is only a help.
const QUICK: u32 = 5;

/// A proof of such an invariant.
fn quickly(directory: &Path, circuit: &Binary, _: u32, subject: &str) -> Result<Answer> {
    abc::prove(directory, circuit, QUICK, subject)
}

/// Outcomes of a claim that holds in every cycle, of one that does not, and of one about which nobody knows.
const IN_EVERY_CYCLE: [Outcome; 3] = [Outcome::Proven, Outcome::Failed, Outcome::Bounded];

/// The names that `keep`.
fn filtered(names: Vec<String>, mut keep: impl FnMut(&String) -> Result<bool>) -> Result<Vec<String>> {
    let mut kept = vec![];
    for name in names {
        if keep(&name)? {
            kept.push(name);
        }
    }
    Ok(kept)
}

type Ask = fn(&std::path::Path, &Binary, u32, &str) -> Result<Answer>;
