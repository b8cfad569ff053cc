//! Random legal traffic through model and RTL of a unit in lock-step.
//!
//! A run is cut into segments. Each starts with fresh bodies (the RTL's unreset state filled from the segment's seed) and
//! fresh traffic, so that a trace is never longer than a segment and many initial states are tried. What needs more cycles than a
//! segment has, a run of longer ones reaches ([`Cosim::in_segments_of`]).

use crate::bridge::Model;
use crate::error::{Error, Result};
use crate::lockstep::Difference;
use crate::places::Place;
use crate::systems::SYSTEMS;
use crate::trace::Trace;
use crate::user_verilog::UserVerilog;
use crate::verilate::Verilator;
use crate::waivers::{Reached, Waived};
use gen::digest::sha256;
use gen::text::bare;
use hdl::catalog::Instance;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod any_fixture;
mod digests;
mod fixture;
mod recording;
mod rules;
mod run;
mod shrink;
mod tape;

pub use any_fixture::AnyFixture;
pub use digests::{digests, Digests};
pub use fixture::Fixture;
pub use recording::{Recorded, Recording};
pub use shrink::Minimal;

pub(crate) use run::segment;
pub use tape::{Player, Tape};

/// A cycle of a trace: whether reset is high, and the input words.
pub type Cycle = (bool, Vec<u64>);

fn fixtures() -> impl Iterator<Item = &'static dyn AnyFixture> {
    SYSTEMS.into_iter().flat_map(|system| system.fixtures).copied()
}

/// Units that can be co-simulated, in the order of their systems.
pub fn units() -> Vec<&'static str> {
    let mut units: Vec<_> = fixtures().map(AnyFixture::unit).collect();
    units.dedup();
    units
}

/// Report of a co-simulation. `mismatches` is 0 or 1: the first difference ends it, and so does the first violation.
#[derive(Clone, Debug, Serialize)]
pub struct CosimReport {
    pub unit: String,
    pub module: String,
    pub parameters: BTreeMap<String, u64>,
    pub seed: u64,
    pub digests: Digests,
    /// Files of the user's own RTL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rtl_files: Vec<PathBuf>,
    /// Cycles in which all outputs were compared.
    pub cycles: u64,
    /// Pins compared, over all cycles; a value that means nothing in a cycle is not counted.
    pub comparisons: u64,
    pub mismatches: u64,
    pub difference: Option<Difference>,
    /// A short trace with a difference, if somebody has looked for one ([`Cosim::shrink`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimal: Option<Minimal>,
    /// Violation by both implementations (an ID that is lost or comes out twice, DONE while there is work), or inputs
    /// that break a rule of the unit, in one line with cycle and files. Or a waived bit that moved.
    pub violation: Option<String>,
    /// Count of each coverage point of the unit's stimulus.
    pub coverage: BTreeMap<String, u64>,
    /// Bits of input and output pins that never toggled, as `9:6, 3`: logic that they drive is untested.
    pub still: BTreeMap<String, String>,
    /// Those that no legal traffic moves.
    pub waived: Vec<Waived>,
    /// To which places of the Verilog the RTL came, if it counts them ([`Verilator::counting_places`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<Reached>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waveform: Option<Recorded>,
    /// Wall-clock time of the co-simulation itself, the building of the model not included.
    pub seconds: f64,
    pub cycles_per_second: f64,
}

impl CosimReport {
    /// Events that never happened. A run that proves something has none.
    pub fn missed(&self) -> Vec<&str> {
        self.coverage.iter().filter(|(_, &count)| count == 0).map(|(event, _)| event.as_str()).collect()
    }

    /// Bits that never moved, or else places of the Verilog that were never reached, without those that are waived, in one line.
    pub fn uncovered(&self) -> Option<String> {
        let bits: Vec<_> = self.still.iter().map(|(pin, bits)| format!("{pin}[{bits}]")).collect();
        let places: Vec<_> = self.places.iter().flat_map(|places| &places.never).map(Place::to_string).collect();
        let all = [("moved", bits), ("reached", places)];
        let (what, names) = all.iter().find(|(_, names)| !names.is_empty())?;
        let text = format!("{}: never {what} in {} cycles: {}", self.module, self.cycles, names.join(", "));
        Some(text + "; give it more cycles or another seed")
    }

    /// Why the run has failed, in one line: a difference, a violation, nothing that was compared, or events that never happened.
    pub fn failure(&self) -> Option<String> {
        let difference = self.difference.as_ref().map(Difference::to_string);
        let nothing = || (self.comparisons == 0).then(|| nothing_compared(&self.module, self.cycles));
        difference.or_else(|| self.violation.clone()).or_else(nothing).or_else(|| {
            let missed = self.missed();
            let text = || format!("{}: never happened in {} cycles: ", self.module, self.cycles) + &missed.join(", ");
            (!missed.is_empty()).then(|| text() + "; give it more cycles or another seed")
        })
    }
}

fn nothing_compared(module: &str, cycles: u64) -> String {
    format!("{module}: no pin was compared in {cycles} cycles; give it more cycles")
}

/// Co-simulates `unit` for `cycles` cycles. `parameters` not given have their defaults. A difference leaves its files in
/// `directory`. `progress` is told the cycles so far.
///
/// # Errors
/// An unknown unit or parameter; a missing tool; Verilog that Verilator does not take. A difference is no error: it is in
/// the report.
pub fn cosim(
    unit: &str,
    parameters: &[(&str, u64)],
    cycles: u64,
    seed: u64,
    directory: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<CosimReport> {
    Cosim::new(unit, parameters)?.run(cycles, seed, directory, progress)
}

/// Runs the inputs of a trace file again, on model and RTL as they are today.
///
/// # Errors
/// Errors of [`cosim`]; a file that is no trace, or of a unit with other pins.
pub fn replay(trace: &Path, directory: &Path) -> Result<Option<Difference>> {
    let subject = Trace::subject(trace)?;
    Cosim::new(&subject.unit, &subject.parameters())?.replay(trace, directory)
}

/// A unit ready for co-simulation.
pub struct Cosim {
    instance: Instance,
    fixture: &'static dyn AnyFixture,
    model: Arc<Model>,
    /// Digest of the RTL.
    digest: String,
    rtl_files: Vec<PathBuf>,
    recording: Option<Recording>,
    /// Cycles between two pairs of fresh bodies.
    segment: u64,
}

impl Cosim {
    /// # Errors
    /// Errors of [`cosim`].
    pub fn new(unit: &str, parameters: &[(&str, u64)]) -> Result<Self> {
        Self::built_by(&Verilator::find()?, unit, parameters)
    }

    /// As [`Self::new`], with the model of the RTL that `verilator` builds.
    ///
    /// # Errors
    /// Errors of [`cosim`].
    pub fn built_by(verilator: &Verilator, unit: &str, parameters: &[(&str, u64)]) -> Result<Self> {
        let (instance, fixture) = find(unit, parameters)?;
        Self::of(verilator, instance, fixture)
    }

    /// Co-simulation of a unit that need not be in the catalogue, with the model and stimulus of `fixture`.
    ///
    /// # Errors
    /// Errors of [`cosim`].
    pub fn of(verilator: &Verilator, instance: Instance, fixture: &'static dyn AnyFixture) -> Result<Self> {
        let verilog = gen::elaborate(&instance)?.verilog();
        Self::of_verilog(instance, fixture, &verilog, verilator)
    }

    /// As [`Self::new`], with the Verilog changed before it is built, in haste: for who breaks it on purpose.
    ///
    /// # Errors
    /// Errors of [`cosim`].
    pub fn with_changed_verilog(
        unit: &str,
        parameters: &[(&str, u64)],
        change: impl FnOnce(String) -> String,
    ) -> Result<Self> {
        let (instance, fixture) = find(unit, parameters)?;
        let verilog = change(gen::elaborate(&instance)?.verilog());
        Self::of_verilog(instance, fixture, &verilog, &Verilator::find()?.in_haste())
    }

    fn of_verilog(
        instance: Instance,
        fixture: &'static dyn AnyFixture,
        verilog: &str,
        verilator: &Verilator,
    ) -> Result<Self> {
        let pins = fixture.interface(&instance)?;
        let model = Model::load(verilator, &instance.module, verilog, &pins)?;
        Ok(Self::built(instance, fixture, model, sha256(bare(verilog))))
    }

    /// As [`Self::new`], with Verilog `files` of the user's own in the place of ours; see [`UserVerilog::read`].
    ///
    /// # Errors
    /// Errors of [`cosim`] and of [`UserVerilog::read`]; ports that are not the unit's pins.
    pub fn with_user_verilog(
        verilator: &Verilator,
        unit: &str,
        parameters: &[(&str, u64)],
        files: &[PathBuf],
        top: Option<&str>,
    ) -> Result<Self> {
        let (instance, fixture) = find(unit, parameters)?;
        let own = UserVerilog::read(files, top, &instance)?;
        let model = Model::load(verilator, own.top(), &own, &fixture.interface(&instance)?)?;
        Ok(Cosim { rtl_files: files.into(), ..Self::built(instance, fixture, model, sha256(own.bare())) })
    }

    fn built(instance: Instance, fixture: &'static dyn AnyFixture, model: Arc<Model>, digest: String) -> Self {
        let segment = segment(&instance);
        Cosim { instance, fixture, model, digest, rtl_files: vec![], recording: None, segment }
    }

    /// The same, with a waveform of each run.
    pub fn recorded(self, recording: Recording) -> Self {
        Cosim { recording: Some(recording), ..self }
    }

    /// The same, with so many cycles between two pairs of fresh bodies: traffic that has run for long fills what is large.
    ///
    /// # Errors
    /// Fewer cycles than the unit has without this.
    pub fn in_segments_of(self, cycles: u64) -> Result<Self> {
        if cycles < self.segment {
            return Err(Error::Segment { cycles, least: self.segment, module: self.instance.module });
        }
        Ok(Cosim { segment: cycles, ..self })
    }

    /// Runs it; see [`cosim()`].
    ///
    /// # Errors
    /// Errors of [`cosim()`].
    pub fn run(&self, cycles: u64, seed: u64, directory: &Path, progress: &mut dyn FnMut(u64)) -> Result<CosimReport> {
        self.fixture.run(self, cycles, seed, directory, progress)
    }

    /// Runs a trace of this unit again; see [`replay`].
    ///
    /// # Errors
    /// Errors of [`replay`].
    pub fn replay(&self, trace: &Path, directory: &Path) -> Result<Option<Difference>> {
        let trace = Trace::read(trace, self.model.interface())?;
        self.fixture.replay(self, trace, directory)
    }
}

/// The instance and the fixture for it.
pub(crate) fn find(unit: &str, parameters: &[(&str, u64)]) -> Result<(Instance, &'static dyn AnyFixture)> {
    if !units().contains(&unit) {
        return Err(Error::Unit { unit: unit.into(), available: spelling::listed(unit, units()) });
    }
    let instance = hdl::catalog::find(unit, parameters)?;
    let fixture = fixtures().find(|fixture| fixture.is_of(&instance)).expect("a unit has a fixture for each instance");
    Ok((instance, fixture))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::{AnyInputs, Rng};
    /// Shrinking and the model checker make inputs that nobody has checked. A model answers them, in any state, by its outputs or by the
    /// rule that they break, and never by a panic.
    #[test]
    fn any_inputs_are_answered() {
        let mut rng = Rng::new(1);
        for instance in hdl::catalog::catalog().into_iter().filter(|instance| units().contains(&instance.unit)) {
            let fixture = fixtures().find(|fixture| fixture.is_of(&instance)).unwrap();
            let mut any = AnyInputs::new(&fixture.interface(&instance).unwrap().inputs, rng.draw());
            let mut tape = Tape::default();
            fixture.player(&instance, rng.draw()).unwrap().record(200, &mut tape);
            let legal: Vec<Cycle> = tape.cycles().map(|(reset, inputs, _)| (reset, inputs.to_vec())).collect();
            assert_eq!(fixture.broken_rule(&instance, &legal).unwrap(), None);
            for _ in 0..10 {
                let mut cycles = legal.clone();
                for (_, inputs) in &mut cycles[rng.below(200) as usize..] {
                    let pins = inputs.iter_mut().zip(any.draw()).filter(|_| rng.one_in(8));
                    pins.for_each(|(legal, any)| *legal = *any);
                }
                fixture.broken_rule(&instance, &cycles).unwrap();
            }
        }
    }

    #[test]
    fn an_unknown_unit_is_named_with_those_that_there_are() {
        let error = find("sram", &[]).err().unwrap().to_string();
        let known = format!("no co-simulation for unit sram: there are {}", units().join(", "));
        assert_eq!(error, known + " (did you mean `sram_1rw`?)");
    }
}
