//! Random legal traffic through model and RTL of a unit in lock-step.
//!
//! A run is cut into segments. Each starts with fresh bodies (the RTL's unreset state filled from the segment's seed) and
//! fresh traffic, so that a trace is never longer than a segment and many initial states are tried.

use crate::bridge::Model;
use crate::digest::{bare, sha256};
use crate::error::{Error, Result};
use crate::lockstep::{Difference, Lockstep};
use crate::own::Own;
use crate::rtl::Rtl;
use crate::trace::{Subject, Trace};
use crate::traffic::{
    BankTraffic, CoreTraffic, ExternalCoreTraffic, HvuTraffic, HwwlTraffic, IcrnTraffic, Rng, SorterTraffic, Traffic,
    WruTraffic,
};
use crate::verilate::Verilator;
use crate::watch::Watch;
use hdl::catalog::Instance;
use serde::Serialize;
use sim::unit::{Interface, Pins, Unit};
use sim::units::hwwl::{
    Bank, ExternalCore, Hvu, Hwwl, HwwlCore, Icrn, Network, Parameters, Refill, Scheme, Sorter, WruSorting,
    WruThreshold,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Units that can be co-simulated.
pub const UNITS: &[&str] = &[
    "bank",
    "sorter",
    "wru_threshold",
    "wru_sorting",
    "wru_global",
    "hvu",
    "icrn",
    "hwwl_core",
    "hwwl",
    "sram_1r1w",
    "queue",
    "iru_hash",
    "prefetcher",
    "classifier",
    "ring_stop",
    "fp32_add",
    "reorder_bank",
    "data_replier",
    "iru_partition",
    "iru",
    "instruction_storage",
    "warp_status_table",
    "fetch_arbiter",
    "scoreboard",
    "scalar_register_map",
    "swfu",
    "scalar_wave_scoreboard",
    "pair_scheduler",
    "gw_front_end",
    "instruction_buffer",
    "round_robin_scheduler",
];

/// Cycles of a segment; banks with many entries get longer ones, so that they fill up.
const SEGMENT: u64 = 1 << 16;
const CYCLES_PER_ENTRY: u64 = 32;
/// Cycles between two looks at progress.
const CHUNK: u64 = 1 << 14;

/// What a co-simulation did. `mismatches` is 0 or 1: the first difference ends it, and so does the first violation.
#[derive(Clone, Debug, Serialize)]
pub struct CosimReport {
    pub unit: String,
    pub module: String,
    pub parameters: BTreeMap<String, u64>,
    pub seed: u64,
    pub digests: Digests,
    /// Of the user's own RTL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rtl_files: Vec<PathBuf>,
    /// Cycles in which all outputs were compared.
    pub cycles: u64,
    /// Pins compared, over all cycles; a value that means nothing in a cycle is not counted.
    pub comparisons: u64,
    pub mismatches: u64,
    pub difference: Option<Difference>,
    /// What both bodies did that the unit never may (an ID that is lost or comes out twice, DONE while there is work), or inputs
    /// that break a rule of the unit, in one line with cycle and files.
    pub violation: Option<String>,
    /// How often each event of the unit's traffic happened.
    pub coverage: BTreeMap<String, u64>,
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
/// Those of [`cosim`]; a file that is no trace, or of a unit with other pins.
pub fn replay(trace: &Path, directory: &Path) -> Result<Option<Difference>> {
    let subject = Trace::subject(trace)?;
    Cosim::new(&subject.unit, &subject.parameters())?.replay(trace, directory)
}

/// A unit ready for co-simulation.
pub struct Cosim {
    instance: Instance,
    model: Arc<Model>,
    /// Of the RTL.
    digest: String,
    rtl_files: Vec<PathBuf>,
    recording: Option<Recording>,
}

impl Cosim {
    /// # Errors
    /// Those of [`cosim`].
    pub fn new(unit: &str, parameters: &[(&str, u64)]) -> Result<Self> {
        Self::with_changed_verilog(unit, parameters, |verilog| verilog)
    }

    /// As [`Self::new`], with the Verilog changed before it is built: for tests that break it on purpose.
    ///
    /// # Errors
    /// Those of [`cosim`].
    pub fn with_changed_verilog(
        unit: &str,
        parameters: &[(&str, u64)],
        change: impl FnOnce(String) -> String,
    ) -> Result<Self> {
        let instance = find(unit, parameters)?;
        let verilog = change(gen::elaborate(&instance)?.verilog());
        let model = Model::load(&Verilator::find()?, &instance.module, &verilog, &interface(&instance)?)?;
        Ok(Cosim { instance, model, digest: sha256(bare(&verilog)), rtl_files: vec![], recording: None })
    }

    /// As [`Self::new`], with Verilog `files` of the user's own in the place of ours; see [`Own::read`].
    ///
    /// # Errors
    /// Those of [`cosim`] and of [`Own::read`]; ports that are not the unit's pins.
    pub fn with_own_verilog(
        unit: &str,
        parameters: &[(&str, u64)],
        files: &[PathBuf],
        top: Option<&str>,
    ) -> Result<Self> {
        let instance = find(unit, parameters)?;
        let own = Own::read(files, top, &instance)?;
        let model = Model::load(&Verilator::find()?, own.top(), &own, &interface(&instance)?)?;
        Ok(Cosim { instance, model, digest: sha256(own.bare()), rtl_files: files.into(), recording: None })
    }

    /// The same, with a waveform of each run.
    pub fn recorded(self, recording: Recording) -> Self {
        Cosim { recording: Some(recording), ..self }
    }

    /// Runs it; see [`cosim()`].
    ///
    /// # Errors
    /// Those of [`cosim()`].
    pub fn run(&self, cycles: u64, seed: u64, directory: &Path, progress: &mut dyn FnMut(u64)) -> Result<CosimReport> {
        dispatch(&self.instance, Run { cosim: self, cycles, seed, directory, progress })
    }

    /// Runs a trace of this unit again; see [`replay`].
    ///
    /// # Errors
    /// Those of [`replay`].
    pub fn replay(&self, trace: &Path, directory: &Path) -> Result<Option<Difference>> {
        let trace = Trace::read(trace, self.model.interface())?;
        dispatch(&self.instance, Replay { cosim: self, trace, directory })
    }

    fn subject(&self, seed: u64) -> Subject {
        subject(&self.instance, seed)
    }
}

/// What a trace of `instance` is headed with.
pub(crate) fn subject(instance: &Instance, seed: u64) -> Subject {
    let parameters = instance.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    Subject { unit: instance.unit.into(), module: instance.module.clone(), parameters, seed }
}

fn unknown(unit: &str) -> Error {
    Error::Unit { unit: unit.into(), available: UNITS.join(", ") }
}

fn find(unit: &str, parameters: &[(&str, u64)]) -> Result<Instance> {
    if !UNITS.contains(&unit) {
        return Err(unknown(unit));
    }
    Ok(hdl::catalog::find(unit, parameters)?)
}

/// Values of a unit's parameters, by name.
struct Values<'a>(&'a Instance);

impl Values<'_> {
    fn get(&self, name: &str) -> usize {
        self.0.parameter(name).expect("an instance has all parameters of its unit") as usize
    }

    /// Those of the worklist; what the unit does not have is left at its default.
    fn hwwl(&self) -> Parameters {
        let usual = Parameters::default();
        let get = |name: &str, usual: u64| self.0.parameter(name).unwrap_or(usual);
        Parameters {
            lanes: get("lanes", usual.lanes as u64) as usize,
            cores: get("cores", usual.cores as u64) as usize,
            entries: get("entries", usual.entries as u64) as usize,
            threshold: get("threshold", u64::from(usual.threshold)) as u32,
            interval: get("interval", u64::from(usual.interval)) as u32,
            scheme: SCHEMES[get("scheme", 2) as usize],
            refill: REFILLS[get("refill", 0) as usize],
            refill_interval: get("refill_interval", u64::from(usual.refill_interval)) as u32,
        }
    }
}

/// By their numbers as parameter.
pub(crate) const SCHEMES: [Scheme; 4] = [Scheme::None, Scheme::Threshold, Scheme::Lsorting, Scheme::Gsorting];
pub(crate) const REFILLS: [Refill; 2] = [Refill::Interval, Refill::Demand];

/// A unit's model and traffic.
trait Fixture {
    type Model: Unit;
    type Traffic: Traffic<In = <Self::Model as Unit>::In, Out = <Self::Model as Unit>::Out>;
    fn model(values: &Values) -> Result<Self::Model>;
    fn traffic(values: &Values, seed: u64) -> Self::Traffic;
    /// Cycles until outputs that are not reset mean something, with the inputs that the traffic begins with.
    const SETTLING: u64 = 0;
    fn segment(values: &Values) -> u64 {
        SEGMENT.max(CYCLES_PER_ENTRY * values.hwwl().entries as u64)
    }
}

/// A fixture of one line each: name, model, traffic, and cycles until its outputs mean something, if they do not from the
/// beginning.
macro_rules! fixtures {
    ($(
        $name:ident: $model:ty, $traffic:ty $(, settles in $settling:literal)? =
        |$values:ident, $seed:ident| $make_model:expr, $make_traffic:expr;
    )*) => {$(
        pub(crate) struct $name;

        impl Fixture for $name {
            type Model = $model;
            type Traffic = $traffic;
            $(const SETTLING: u64 = $settling;)?
            fn model($values: &Values) -> Result<$model> {
                Ok($make_model?)
            }
            fn traffic($values: &Values, $seed: u64) -> $traffic {
                // Not all traffic depends on parameters.
                let _ = $values;
                $make_traffic
            }
        }
    )*};
}

mod digests;
mod gw;
mod iru;
mod recording;

pub use digests::{digests, Digests};
use recording::Bodies;
pub use recording::{Recorded, Recording};

fixtures! {
    BankFixture: Bank, BankTraffic = |values, seed|
        Bank::new(values.get("entries"), values.get("lanes")),
        BankTraffic::new(values.get("entries"), values.get("lanes"), seed);
    ThresholdFixture: WruThreshold, WruTraffic = |values, seed|
        WruThreshold::new(&values.hwwl()),
        WruTraffic::new(&values.hwwl(), values.get("lanes"), true, seed);
    SortingFixture: WruSorting, WruTraffic = |values, seed|
        WruSorting::new(&values.hwwl()),
        WruTraffic::new(&values.hwwl(), values.get("lanes"), true, seed);
    GlobalFixture: WruSorting, WruTraffic = |values, seed|
        WruSorting::global(&values.hwwl()),
        WruTraffic::new(&values.hwwl(), values.get("cores") * values.get("lanes"), false, seed);
    HvuFixture: Hvu, HvuTraffic = |values, seed|
        Hvu::new(&values.hwwl()),
        HvuTraffic::new(&values.hwwl(), seed);
    IcrnFixture: Icrn, IcrnTraffic = |values, seed|
        Icrn::new(&values.hwwl()),
        IcrnTraffic::new(values.get("cores"), seed);
    CoreFixture: HwwlCore, CoreTraffic = |values, seed|
        HwwlCore::new(&values.hwwl()),
        CoreTraffic::new(&values.hwwl(), seed);
    ExternalCoreFixture: ExternalCore, ExternalCoreTraffic = |values, seed|
        ExternalCore::new(&values.hwwl()),
        ExternalCoreTraffic::new(&values.hwwl(), seed);
    HwwlFixture: Hwwl, HwwlTraffic = |values, seed|
        Hwwl::new(&values.hwwl()),
        HwwlTraffic::new(&values.hwwl(), seed);
    SorterFixture: Sorter, SorterTraffic = |values, seed|
        Sorter::new(values.get("items"), values.get("width") as u32, sorter_latency(values)),
        SorterTraffic::new(values.get("items"), values.get("width") as u32, sorter_latency(values), seed);
}

/// Cycles through the sorter. The best network known is that of 16 items; for others it is odd-even merge.
fn sorter_latency(values: &Values) -> usize {
    let items = values.get("items");
    let network = match values.get("network") {
        0 if items == 16 => Network::Best,
        0 | 1 => Network::OddEvenMerge,
        2 => Network::Bitonic,
        _ => Network::Shallow,
    };
    let layers = network.layers(items).expect("there is RTL for this network and number of items");
    layers.div_ceil(values.get("cut"))
}

/// Something to do with a unit of any type.
trait Job {
    type Output;
    fn with<F: Fixture>(self) -> Result<Self::Output>;
}

fn dispatch<J: Job>(instance: &Instance, job: J) -> Result<J::Output> {
    match instance.unit {
        "bank" => job.with::<BankFixture>(),
        "sorter" => job.with::<SorterFixture>(),
        "wru_threshold" => job.with::<ThresholdFixture>(),
        "wru_sorting" => job.with::<SortingFixture>(),
        "wru_global" => job.with::<GlobalFixture>(),
        "hvu" => job.with::<HvuFixture>(),
        "icrn" => job.with::<IcrnFixture>(),
        "hwwl_core" if Values(instance).hwwl().scheme == Scheme::Gsorting => job.with::<ExternalCoreFixture>(),
        "hwwl_core" => job.with::<CoreFixture>(),
        "hwwl" => job.with::<HwwlFixture>(),
        "sram_1r1w" => job.with::<iru::SramFixture>(),
        "queue" => job.with::<iru::QueueFixture>(),
        "iru_hash" => job.with::<iru::HashFixture>(),
        "prefetcher" => job.with::<iru::PrefetcherFixture>(),
        "classifier" => job.with::<iru::ClassifierFixture>(),
        "ring_stop" => job.with::<iru::RingStopFixture>(),
        "fp32_add" => job.with::<iru::Fp32AddFixture>(),
        "reorder_bank" => job.with::<iru::ReorderBankFixture>(),
        "data_replier" => job.with::<iru::DataReplierFixture>(),
        "iru_partition" => job.with::<iru::PartitionFixture>(),
        "iru" => job.with::<iru::IruFixture>(),
        "instruction_storage" => job.with::<gw::InstructionStorageFixture>(),
        "warp_status_table" => job.with::<gw::WarpStatusTableFixture>(),
        "fetch_arbiter" => job.with::<gw::FetchArbiterFixture>(),
        "scoreboard" => job.with::<gw::ScoreboardFixture>(),
        "scalar_register_map" => job.with::<gw::ScalarRegisterMapFixture>(),
        "swfu" => job.with::<gw::SwfuFixture>(),
        "scalar_wave_scoreboard" => job.with::<gw::ScalarWaveScoreboardFixture>(),
        "pair_scheduler" => job.with::<gw::PairSchedulerFixture>(),
        "gw_front_end" => job.with::<gw::GwFrontEndFixture>(),
        "instruction_buffer" => job.with::<gw::InstructionBufferFixture>(),
        "round_robin_scheduler" => job.with::<gw::RoundRobinSchedulerFixture>(),
        unit => Err(unknown(unit)),
    }
}

struct PinsOf<'a>(&'a Instance);

impl Job for PinsOf<'_> {
    type Output = Interface;
    fn with<F: Fixture>(self) -> Result<Interface> {
        Ok(F::model(&Values(self.0))?.interface())
    }
}

fn interface(instance: &Instance) -> Result<Interface> {
    dispatch(instance, PinsOf(instance))
}

type BodiesOf<F> =
    Lockstep<<F as Fixture>::Model, Rtl<<<F as Fixture>::Model as Unit>::In, <<F as Fixture>::Model as Unit>::Out>>;

impl Cosim {
    fn bodies<F: Fixture>(&self, seed: u64, directory: &Path) -> Result<BodiesOf<F>> {
        let model = F::model(&Values(&self.instance))?;
        let rtl = Rtl::new(&self.model, seed);
        Ok(Lockstep::settling(model, rtl, self.subject(seed), directory, F::SETTLING))
    }
}

struct Run<'a> {
    cosim: &'a Cosim,
    cycles: u64,
    seed: u64,
    directory: &'a Path,
    progress: &'a mut dyn FnMut(u64),
}

impl Job for Run<'_> {
    type Output = CosimReport;

    fn with<F: Fixture>(self) -> Result<CosimReport> {
        let instance = &self.cosim.instance;
        let values = Values(instance);
        let started = Instant::now();
        let mut seeds = Rng::new(self.seed);
        let mut coverage = BTreeMap::new();
        let (mut cycles, mut comparisons, mut difference, mut violation) = (0, 0, None, None);
        let watch = Watch::of_this_process();
        let recording = self.cosim.recording.as_ref();
        let mut planned = recording.map(|wanted| wanted.plan(self.cycles, F::segment(&values))).transpose()?;
        let mut waveform = None;
        while cycles < self.cycles && difference.is_none() && violation.is_none() {
            let seed = seeds.draw();
            let mut lockstep = self.cosim.bodies::<F>(seed, self.directory)?;
            let mut traffic = F::traffic(&values, seed);
            let length = F::segment(&values).min(self.cycles - cycles);
            let go_on = |done| {
                (self.progress)(cycles + done);
                !watch.is_interrupted()
            };
            run_segment::<F>(&mut lockstep, &mut traffic, length, go_on);
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
            let bodies = Bodies { start: cycles, clocked: lockstep.cycle(), settling: F::SETTLING };
            if let Some(planned) = planned.take_if(|planned| planned.is_of(&bodies)) {
                let write = |range, first, file: &Path| lockstep.waveform(range, first, file);
                waveform = Some(planned.write(&bodies, write)?);
            }
            let tally = lockstep.tally();
            cycles += tally.cycles();
            comparisons += tally.comparisons();
            difference = tally.difference().cloned();
            let of_traffic =
                |text| format!("{}, cycle {}: {text}; {}", instance.unit, lockstep.cycle(), lockstep.evidence());
            violation = tally.violation().map(str::to_owned).or_else(|| traffic.violation().map(of_traffic));
            for (event, count) in traffic.coverage() {
                *coverage.entry(event.to_string()).or_insert(0) += count;
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        Ok(CosimReport {
            unit: instance.unit.into(),
            module: instance.module.clone(),
            parameters: instance.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect(),
            seed: self.seed,
            digests: Digests { rtl: self.cosim.digest.clone(), traffic: digests::traffic(instance, self.seed)? },
            rtl_files: self.cosim.rtl_files.clone(),
            cycles,
            comparisons,
            mismatches: u64::from(difference.is_some()),
            difference,
            violation,
            coverage,
            waveform,
            seconds,
            cycles_per_second: cycles as f64 / seconds,
        })
    }
}

/// Compares `length` cycles, the first of which is that straight after reset or, if the unit has to settle, after that.
/// Stops when `go_on`, which gets the cycles so far, is false.
fn run_segment<F: Fixture>(
    lockstep: &mut BodiesOf<F>,
    traffic: &mut F::Traffic,
    length: u64,
    mut go_on: impl FnMut(u64) -> bool,
) {
    let mut pins = <F::Model as Unit>::In::for_pins(&lockstep.interface().inputs);
    let is_healthy =
        |lockstep: &BodiesOf<F>, traffic: &F::Traffic| lockstep.is_healthy() && traffic.violation().is_none();
    let mut done = 1;
    let length = length + F::SETTLING;
    while done < length && is_healthy(lockstep, traffic) {
        let end = length.min(done + CHUNK);
        while done < end && is_healthy(lockstep, traffic) {
            if traffic.next(lockstep.pins(), &mut pins) {
                lockstep.reset();
            } else {
                lockstep.clock(&pins);
            }
            done += 1;
        }
        if !go_on(done - F::SETTLING.min(done)) {
            return;
        }
    }
}

struct Replay<'a> {
    cosim: &'a Cosim,
    trace: Trace,
    directory: &'a Path,
}

impl Job for Replay<'_> {
    type Output = Option<Difference>;

    fn with<F: Fixture>(mut self) -> Result<Option<Difference>> {
        let mut lockstep = self.cosim.bodies::<F>(self.trace.subject.seed, self.directory)?;
        let mut pins = <F::Model as Unit>::In::for_pins(&lockstep.interface().inputs);
        let watch = Watch::of_this_process();
        // The last cycle has outputs and no inputs.
        let cycles = self.trace.log.cycles() + 1;
        let recording = self.cosim.recording.as_ref();
        let planned = recording.map(|wanted| wanted.plan(cycles, cycles)).transpose()?;
        self.trace.log.replay(|reset, inputs, length| {
            sim::unit::Pins::load(&mut pins, inputs);
            for _ in 0..length {
                if lockstep.cycle() % CHUNK == 0 && watch.is_interrupted() {
                    return Err(Error::Interrupted);
                }
                if reset {
                    lockstep.reset();
                } else {
                    lockstep.clock(&pins);
                }
            }
            Ok(())
        })?;
        let bodies = Bodies { start: 0, clocked: lockstep.cycle(), settling: 0 };
        if let Some(planned) = planned.filter(|planned| planned.is_of(&bodies)) {
            planned.write(&bodies, |range, first, file| lockstep.waveform(range, first, file))?;
        }
        let tally = lockstep.tally();
        if let Some(violation) = tally.violation() {
            return Err(Error::Violation(violation.into()));
        }
        if tally.comparisons() == 0 {
            return Err(Error::NothingCompared(nothing_compared(&self.cosim.instance.module, lockstep.cycle())));
        }
        Ok(tally.difference().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::units::hwwl::sorter;

    #[test]
    fn sorter_of_the_catalogue_and_of_the_wru_take_the_same_time() {
        let instance = find("sorter", &[]).unwrap();
        assert_eq!(sorter_latency(&Values(&instance)), sorter::wru_latency(16));
    }

    #[test]
    fn an_unknown_unit_is_named_with_those_that_there_are() {
        let error = find("sram", &[]).unwrap_err().to_string();
        assert_eq!(error, format!("no co-simulation for unit sram: there are {}", UNITS.join(", ")));
    }
}
