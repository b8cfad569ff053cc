//! Random legal stimulus through model and RTL of a unit in lock-step.
//!
//! A run is cut into segments. Each starts with fresh bodies (the RTL's unreset state filled from the segment's seed) and
//! fresh stimulus, so that a trace is never longer than a segment and many initial states are tried. What needs more cycles than a
//! segment has, a run of longer ones reaches ([`Cosim::in_segments_of`]).

use crate::bridge::Model;
use crate::error::{Error, Result};
use crate::lockstep::Difference;
use crate::places::Place;
use crate::trace::Trace;
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
pub use digests::Digests;
pub use fixture::Fixture;
pub use recording::{Recorded, Recording};
pub use shrink::{Failure, Minimal};

pub(crate) use run::segment;
pub use tape::{Player, Tape};

/// A cycle of a trace: whether reset is high, and the input words.
pub type Cycle = (bool, Vec<u64>);

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
    /// Those that no legal stimulus moves.
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
    /// Co-simulation of a unit that need not be in the catalogue, with the model and stimulus of `fixture`.
    ///
    /// # Errors
    /// Errors of [`crate::by_name::cosim`].
    pub fn of(verilator: &Verilator, instance: Instance, fixture: &'static dyn AnyFixture) -> Result<Self> {
        let verilog = gen::elaborate(&instance)?.verilog();
        Self::of_verilog(instance, fixture, &verilog, verilator)
    }

    pub(crate) fn of_verilog(
        instance: Instance,
        fixture: &'static dyn AnyFixture,
        verilog: &str,
        verilator: &Verilator,
    ) -> Result<Self> {
        let pins = fixture.interface(&instance)?;
        let model = Model::load(verilator, &instance.module, verilog, &pins)?;
        Ok(Self::built(instance, fixture, model, sha256(bare(verilog)), vec![]))
    }

    pub(crate) fn built(
        instance: Instance,
        fixture: &'static dyn AnyFixture,
        model: Arc<Model>,
        digest: String,
        rtl_files: Vec<PathBuf>,
    ) -> Self {
        let segment = segment(&instance);
        Cosim { instance, fixture, model, digest, rtl_files, recording: None, segment }
    }

    /// The same, with a waveform of each run.
    pub fn recorded(self, recording: Recording) -> Self {
        Cosim { recording: Some(recording), ..self }
    }

    /// The same, with so many cycles between two pairs of fresh bodies: stimulus that has run for long fills what is large.
    ///
    /// # Errors
    /// Fewer cycles than the unit has without this.
    pub fn in_segments_of(self, cycles: u64) -> Result<Self> {
        if cycles < self.segment {
            return Err(Error::Segment { cycles, least: self.segment, module: self.instance.module });
        }
        Ok(Cosim { segment: cycles, ..self })
    }

    /// Runs it; see [`crate::by_name::cosim`].
    ///
    /// # Errors
    /// Errors of [`crate::by_name::cosim`].
    pub fn run(&self, cycles: u64, seed: u64, directory: &Path, progress: &mut dyn FnMut(u64)) -> Result<CosimReport> {
        self.fixture.run(self, cycles, seed, directory, progress)
    }

    /// Runs a trace of this unit again; see [`crate::by_name::replay`].
    ///
    /// # Errors
    /// Errors of [`crate::by_name::replay`].
    pub fn replay(&self, trace: &Path, directory: &Path) -> Result<Option<Difference>> {
        let trace = Trace::read(trace, self.model.interface())?;
        self.fixture.replay(self, trace, directory)
    }
}
