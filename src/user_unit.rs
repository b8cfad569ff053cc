//! A unit of the user's own at each core or memory partition: its options, its place in the GPU, and what is said of it (docs/own-unit.md).

use crate::exit::{CheckFailed, Interrupted};
use crate::implementations::LockstepInfo;
use crate::record::{Files, Written};
use crate::unit_clock::UnitClock;
use anyhow::{anyhow, bail, ensure, Context, Result};
use clap::ValueEnum;
use gen::liberty::Liberty;
use gen::report::own::cost_of_module;
use gen::{Direction, Port};
use serde::{Deserialize, Serialize};
use sim::attach::system::System;
use sim::attach::user_unit::core::{CoreCounts, CoreUnit};
use sim::attach::user_unit::partition::{PartitionCounts, PartitionUnit};
use sim::attach::user_unit::{add_counters, PlacedUnit, UserUnits};
use sim::config::Config;
use sim::gpu::Gpu;
use sim::number::whole_u64;
use sim::stats::Counters;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use testbench::model_cache::default_directory;
use testbench::stimulus::user::Operations;
use testbench::user_cosim::{UserCosim, Wanted};
use testbench::user_unit::{Place, Source, UserUnit, Waveform};
use testbench::user_verilog::Parameters;

/// `watch_core` has 8 bits.
const MOST_CORES: usize = 256;

/// Where a unit can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum At {
    /// At each core: warps call it
    #[default]
    Core,
    /// At each memory partition: it sees what the L2 slices do, and prefetches into them
    Partition,
}

/// The options of a unit.
#[derive(clap::Args)]
pub struct UnitOptions {
    /// Put a unit of your own into the GPU: a Verilog module, or a C++ class that is its model (docs/own-unit.md)
    #[arg(long, value_name = "MODULE=FILE.v[,FILE.v...]|CLASS=FILE.cpp")]
    unit: Option<String>,
    /// Compare the unit with this model of it, a C++ class, at every pin in every cycle
    #[arg(long, value_name = "FILE.cpp", requires = "unit", conflicts_with = "waveform")]
    model: Option<PathBuf>,
    /// Give a parameter of the unit's module another value, a whole number; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "unit")]
    parameter: Vec<String>,
    /// Where the unit is
    #[arg(long, value_enum, default_value_t = At::Core, requires = "unit")]
    at: At,
    /// Write what happens at the pins and inside of one of the units to this file
    #[arg(long, value_name = "FILE.fst", requires = "unit")]
    waveform: Option<PathBuf>,
    /// The core or partition whose unit the waveform shows
    #[arg(long, default_value_t = 0, value_name = "N", requires = "waveform", value_parser = whole_u64)]
    waveform_of: u64,
    /// Leave out area and clock of the unit, which take Yosys and OpenSTA
    #[arg(long, requires = "unit")]
    no_area: bool,
}

/// A unit for a GPU.
pub struct Attached {
    unit: UserUnit,
    at: At,
    /// Cores or partitions.
    count: usize,
    config: Config,
    /// The file, and the core or partition.
    waveform: Option<(PathBuf, usize)>,
    /// Area and clock.
    pub measures: bool,
}

impl UnitOptions {
    /// Adds the files that the options name.
    pub fn add_files(&self, files: &mut Files) {
        files.read.extend(self.unit.iter().flat_map(|text| sources(text)).chain(self.model.clone()));
        files.written.extend(self.waveform.iter().map(|path| Written::by_option("--waveform", path)));
    }

    /// As [`UnitOptions::load`], for a workload whose kernels call no unit.
    ///
    /// # Errors
    /// Errors of [`UnitOptions::load`]; a unit that waits for calls.
    pub fn load_for_workload(&self, workload: &str, config: &Config, files: &Files) -> Result<Option<Attached>> {
        ensure!(
            self.unit.is_none() || self.at == At::Partition,
            "--unit: the kernels of {workload} call no unit; add --at partition, or give your own kernel to `unruly kernel`"
        );
        self.load(config, files)
    }

    /// The unit for a GPU. `None`: there is none. `files`: those of the command line, which writes none that the Verilog includes.
    ///
    /// # Errors
    /// A fault of the options or of the Verilog.
    pub fn load(&self, config: &Config, files: &Files) -> Result<Option<Attached>> {
        self.attached(self.source(config, files)?, config)
    }

    /// The sources of the unit, before any of it is built.
    ///
    /// # Errors
    /// A file that cannot be read, or that the command would write.
    pub fn source(&self, config: &Config, files: &Files) -> Result<Option<Source>> {
        let Some(text) = &self.unit else { return Ok(None) };
        let source = source(text, self.model.as_deref(), &self.parameter, self.at, config)?;
        source.verilog().map_or(Ok(()), |own| files.check_found(own.files()))?;
        sources(text).chain(self.model.clone()).try_for_each(|source| files.check_includes(&source))?;
        Ok(Some(source))
    }

    /// The unit of [`UnitOptions::source`] for a GPU.
    ///
    /// # Errors
    /// A fault of the options or of the Verilog.
    pub fn attached(&self, source: Option<Source>, config: &Config) -> Result<Option<Attached>> {
        let Some(source) = source else { return Ok(None) };
        let has_verilog = source.verilog().is_some();
        ensure!(
            self.waveform.is_none() || has_verilog,
            "--waveform: {} is a model, and only Verilog has a waveform",
            source.name()
        );
        let (count, of) = (self.at.count(config), self.waveform_of as usize);
        ensure!(of < count, "--waveform-of {of}: {} has the {} 0 to {}", config.name, self.at.plural(), count - 1);
        let waveform = self.waveform.clone().map(|file| (file, of));
        let measures = !self.no_area && has_verilog;
        Ok(Some(Attached { waveform, measures, ..Attached::new(source, self.at, config)? }))
    }
}

impl At {
    /// A configuration has room for a unit here.
    ///
    /// # Errors
    /// Why not.
    pub fn check(self, config: &Config) -> Result<()> {
        let has = match self {
            At::Core if config.gw.is_some() => "pairs warps (its [gw] table), and a unit serves single warps",
            At::Partition if config.iru.is_some() => "has its reorder unit there (its [iru] table)",
            At::Partition if config.memory.perfect => "has perfect memory, without partitions",
            At::Partition if config.core.count > MOST_CORES => "has more cores than watch_core can name",
            _ => return Ok(()),
        };
        bail!("{} {has}; take another configuration", config.name)
    }

    /// Cores or partitions of a configuration.
    fn count(self, config: &Config) -> usize {
        match self {
            At::Core => config.core.count,
            At::Partition => config.dram.channels,
        }
    }

    fn plural(self) -> &'static str {
        match self {
            At::Core => "cores",
            At::Partition => "partitions",
        }
    }

    fn place(self, config: &Config) -> Place {
        match self {
            At::Core => Place::Core { lanes: config.core.warp_size },
            At::Partition => Place::Partition,
        }
    }
}

/// The source that `MODULE=FILE.v[,FILE.v...]` or `CLASS=FILE.cpp` names. Files are looked for in `folder`.
///
/// # Errors
/// Mistakes in the text; files without the module or class.
pub fn read(text: &str, folder: &Path) -> Result<Source> {
    let (name, files) = parse(text)?;
    Ok(Source::read(name, &files.iter().map(|file| folder.join(file)).collect::<Vec<_>>())?)
}

/// The files that the option `--unit` names.
pub fn sources(unit: &str) -> impl Iterator<Item = PathBuf> + '_ {
    unit.split_once('=').into_iter().flat_map(|(_, list)| list.split(',')).map(PathBuf::from)
}

/// The source that the options `--unit`, `--model` and `--parameter` name, for this place.
///
/// # Errors
/// A mistake in one of them; a configuration that has no room for a unit there.
pub fn source(unit: &str, model: Option<&Path>, parameter: &[String], at: At, config: &Config) -> Result<Source> {
    let option = || format!("--unit {unit}");
    let mut source = read(unit, Path::new("")).with_context(option)?;
    at.check(config).with_context(option)?;
    if let Some(model) = model {
        source = source.beside(model).context("--model")?;
    }
    Ok(source.with_parameters(&parameters(parameter)?))
}

/// `NAME=VALUE`, a parameter of a module.
///
/// # Errors
/// The mistake in the text.
pub fn parameter(text: &str) -> Result<(String, i32)> {
    let (name, value) = text.split_once('=').context("write NAME=VALUE")?;
    ensure!(is_name(name), "`{name}` is no name of a parameter");
    let value = value.parse().ok().with_context(|| format!("`{value}` is no whole number of 32 bits"))?;
    Ok((name.to_owned(), value))
}

/// The parameters of options `--parameter`.
///
/// # Errors
/// A mistake in one of them.
fn parameters(options: &[String]) -> Result<Parameters> {
    options.iter().map(|text| parameter(text).with_context(|| format!("--parameter {text}"))).collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn parse(text: &str) -> Result<(&str, Vec<PathBuf>)> {
    let wrong = || anyhow!("write MODULE=FILE.v, or MODULE=FILE.v,FILE.v of several files");
    let (name, files) = text.split_once('=').ok_or_else(wrong)?;
    let files: Vec<&str> = files.split(',').collect();
    if !is_name(name) || files.iter().any(|file| file.is_empty()) {
        bail!(wrong());
    }
    Ok((name, files.into_iter().map(PathBuf::from).collect()))
}

/// Verilator's words for a parameter that the module does not have; its name follows.
const NO_PARAMETER: &str = "Parameters from the command line were not found in the design: ";

/// A parameter that `text`, the Verilog, does not have, with the word of it that was meant.
fn no_parameter(top: &str, name: &str, text: &str) -> anyhow::Error {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    anyhow!("--parameter {name}: {top} has no parameter of this name{}", spelling::hint(name, words))
}

/// Whoever has wrong ports wants to see the right ones. `text`: that of the unit.
fn explained(error: testbench::Error, place: Place, text: &str) -> anyhow::Error {
    let at = match place {
        Place::Core { lanes } => format!("a core of {lanes} lanes"),
        Place::Partition => "a memory partition".into(),
    };
    match error {
        testbench::Error::Ports { .. } => {
            anyhow!("{error}; a unit at {at} has {} (docs/own-unit.md)", place.expected_pins())
        }
        testbench::Error::Verilog { ref top, ref messages } => {
            let name = messages.split_once(NO_PARAMETER).and_then(|(_, names)| names.split([',', '\n']).next());
            match name {
                Some(name) => no_parameter(top, name.trim(), text),
                None => error.into(),
            }
        }
        error => error.into(),
    }
}

/// The work of a unit in all launches, in all cores or partitions, and its cost.
#[derive(Serialize)]
pub struct Report {
    name: String,
    parameters: Parameters,
    #[serde(flatten)]
    places: Places,
    counters: BTreeMap<String, u64>,
    /// The comparisons, if Verilog and model were compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    lockstep: Option<LockstepInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<Area>,
    /// Its clock, if it is Verilog.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<UnitClock>,
    /// Why there is no area.
    #[serde(skip)]
    not_measured: Option<String>,
}

/// Where the units are, and what has gone over their pins.
#[derive(Serialize)]
#[serde(untagged)]
enum Places {
    Core {
        cores: usize,
        #[serde(flatten)]
        counts: CoreCounts,
    },
    Partition {
        partitions: usize,
        #[serde(flatten)]
        counts: PartitionCounts,
    },
}

/// One of the units.
#[derive(Serialize)]
struct Area {
    gate_equivalents: f64,
    flip_flops: u64,
    path_ns: f64,
    path_fo4: f64,
    from: String,
    to: String,
    library: String,
}

/// The work of the units.
#[derive(Default)]
pub struct Totals {
    core: CoreCounts,
    partition: PartitionCounts,
    counters: Vec<u64>,
}

impl Totals {
    /// Adds those of a GPU.
    pub fn add(&mut self, gpu: &Gpu) {
        self.add_units::<CoreUnit>(gpu, |totals| &mut totals.core);
        self.add_units::<PartitionUnit>(gpu, |totals| &mut totals.partition);
    }

    fn add_units<U: PlacedUnit>(&mut self, gpu: &Gpu, counts: fn(&mut Totals) -> &mut U::Counts) {
        if let Some(system) = gpu.system::<UserUnits<U>>() {
            counts(self).add(&system.counts());
            add_counters(&mut self.counters, &system.counters());
        }
    }
}

impl Attached {
    /// Makes the unit ready for a GPU.
    ///
    /// # Errors
    /// Mistakes in the Verilog or the class.
    pub fn new(source: Source, at: At, config: &Config) -> Result<Attached> {
        let place = at.place(config);
        let text = source.text();
        let unit = UserUnit::load(source, place).map_err(|error| explained(error, place, &text))?;
        Ok(Attached { unit, at, count: at.count(config), config: config.clone(), waveform: None, measures: false })
    }

    /// Compares Verilog and model under stimulus of the protocol's own.
    ///
    /// # Errors
    /// Errors of [`UserUnit::compare`].
    pub fn compare(
        &self,
        operations: &Operations,
        wanted: &Wanted,
        progress: &mut dyn FnMut(u64),
    ) -> Result<UserCosim> {
        Ok(self.unit.compare(operations, wanted, progress)?)
    }

    /// The unit's own counters in a GPU, by name.
    pub fn counters(&self, gpu: &Gpu) -> BTreeMap<String, u64> {
        let mut totals = Totals::default();
        totals.add(gpu);
        self.named(totals.counters)
    }

    /// Checks that something came to the unit in a GPU.
    ///
    /// # Errors
    /// As [`outcome`].
    pub fn check_use(&self, gpu: &Gpu) -> Result<()> {
        let mut totals = Totals::default();
        totals.add(gpu);
        self.places(&totals).check_use(self.unit.name(), gpu.stats().cycles)
    }

    fn places(&self, totals: &Totals) -> Places {
        match self.at {
            At::Core => Places::Core { cores: self.count, counts: totals.core.clone() },
            At::Partition => Places::Partition { partitions: self.count, counts: totals.partition.clone() },
        }
    }

    fn named(&self, counters: Vec<u64>) -> BTreeMap<String, u64> {
        self.unit.counters().into_iter().zip(counters).collect()
    }

    /// The units for a GPU, after reset. A difference between Verilog and model leaves its files in `evidence`.
    ///
    /// # Errors
    /// A waveform that cannot be written.
    pub fn system(&self, seed: u64, evidence: &Path) -> Result<Box<dyn System>> {
        let waveform = self.waveform.as_ref().map(|(file, of)| Waveform { file, of: *of });
        Ok(self.unit.system(self.count, seed, waveform.as_ref(), evidence)?)
    }

    /// After the last launch. Area and clock are measured unless the options or missing tools say otherwise.
    ///
    /// # Errors
    /// An interruption.
    pub fn report(&self, totals: Totals, interrupt: &AtomicBool, say: &(dyn Fn(String) + Sync)) -> Result<Report> {
        let (area, not_measured) = self.measured(interrupt, say)?;
        let places = self.places(&totals);
        Ok(Report {
            name: self.unit.name().into(),
            parameters: self.unit.source().parameters().clone(),
            places,
            counters: self.named(totals.counters),
            lockstep: Some(self.unit.tallies()).filter(|tallies| !tallies.is_empty()).map(|all| LockstepInfo::of(&all)),
            clock: self.clock(area.as_ref(), not_measured.as_deref()),
            area,
            not_measured,
        })
    }

    pub fn is_verilog(&self) -> bool {
        self.unit.source().verilog().is_some()
    }

    /// The clock of the unit beside the GPU's; `None`: it is not in Verilog.
    ///
    /// # Errors
    /// An interruption.
    pub fn measured_clock(&self, interrupt: &AtomicBool) -> Result<Option<UnitClock>> {
        let (area, why) = self.measured(interrupt, &|_| ())?;
        Ok(self.clock(area.as_ref(), why.as_deref()))
    }

    /// The area, or why there is none.
    fn measured(
        &self,
        interrupt: &AtomicBool,
        say: &(dyn Fn(String) + Sync),
    ) -> Result<(Option<Area>, Option<String>)> {
        match self.measures.then(|| self.area(interrupt, say)) {
            None => Ok((None, None)),
            Some(Ok(area)) => Ok((Some(area), None)),
            Some(Err(error)) if matches!(error.downcast_ref(), Some(gen::Error::Interrupted)) => {
                bail!(Interrupted::default())
            }
            Some(Err(error)) => Ok((None, Some(format!("{error:#}")))),
        }
    }

    /// `why`: there is no area.
    fn clock(&self, area: Option<&Area>, why: Option<&str>) -> Option<UnitClock> {
        let name = self.unit.name();
        self.is_verilog().then(|| match area {
            Some(area) => UnitClock::measured(name, name, area.path_fo4, area.gate_equivalents, &self.config),
            None => UnitClock::unknown(name, why.unwrap_or("--no-area leaves it out")),
        })
    }

    fn area(&self, interrupt: &AtomicBool, say: &(dyn Fn(String) + Sync)) -> Result<Area> {
        let cache = default_directory().with_file_name("synth");
        let liberty = Liberty::read(None)?;
        let own = self.unit.source().verilog().context("a model has no gates")?;
        let progress = |done: usize, all: usize, _: &[gen::report::Running]| {
            say(format!("synthesis of {}: {done} of {all} steps done", own.top()));
        };
        let cost = cost_of_module(
            (own.top(), &own.for_synthesis()?, own.parameters()),
            self.ports(),
            &liberty,
            &cache,
            interrupt,
            &progress,
        )?;
        Ok(Area {
            gate_equivalents: cost.gate_equivalents.round(),
            flip_flops: cost.flip_flops,
            path_ns: cost.critical_path.ns,
            path_fo4: cost.fo4,
            from: cost.critical_path.from,
            to: cost.critical_path.to,
            library: liberty.name,
        })
    }

    fn ports(&self) -> Vec<Port> {
        let interface = self.unit.interface();
        let input =
            |name: &str, width: u32| Port { name: name.into(), direction: Direction::Input, width: width as usize };
        let inputs = interface.inputs.iter().map(|pin| input(&pin.name, pin.width));
        let outputs = interface.outputs.iter().map(|pin| Port {
            name: pin.name.clone(),
            direction: Direction::Output,
            width: pin.width as usize,
        });
        ["clock", "reset"].map(|name| input(name, 1)).into_iter().chain(inputs).chain(outputs).collect()
    }
}

impl Report {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Beside the GPU's, of Verilog.
    pub fn clock(&self) -> Option<&UnitClock> {
        self.clock.as_ref()
    }

    /// The report in words.
    pub fn lines(&self) -> Vec<String> {
        let parameters = self.parameters.iter().map(|(name, value)| format!(" {name}={value}"));
        let mut lines = self.places.lines(&format!("{}{}", self.name, parameters.collect::<String>()));
        lines.extend(self.counters.iter().map(|(name, value)| format!("  {name}: {value}")));
        lines.extend(self.lockstep.as_ref().map(|lockstep| format!("  {}", lockstep.line())));
        lines.extend(self.area.as_ref().map(Area::line));
        lines.extend(
            self.clock.iter().filter(|_| self.area.is_some()).map(|clock| format!("  {}", clock.with_its_price())),
        );
        lines.extend(self.not_measured.iter().map(|why| format!("  area and clock are not measured: {why}")));
        lines
    }
}

/// A unit to which nothing came in a run of so many `cycles` has shown nothing.
///
/// # Errors
/// [`CheckFailed`]: nothing came.
pub fn outcome(unit: Option<&Report>, cycles: u64) -> Result<()> {
    unit.map_or(Ok(()), |unit| unit.places.check_use(&unit.name, cycles))
}

impl Places {
    fn check_use(&self, name: &str, cycles: u64) -> Result<()> {
        let (place, unused) = match self {
            Places::Core { cores, counts } if counts.calls == 0 => (format!("{cores} cores"), "no kernel called it"),
            Places::Partition { partitions, counts } if counts.watched == 0 => {
                (format!("{partitions} partitions"), "no access came to it")
            }
            _ => return Ok(()),
        };
        let text = format!("unit {name} at {place}: {unused} in {cycles} cycles, so that the run says nothing of it");
        bail!(CheckFailed(text))
    }

    fn lines(&self, name: &str) -> Vec<String> {
        match self {
            Places::Core { cores, counts: t } => vec![
                format!(
                    "unit {name} at {cores} cores: {} calls of {} lanes, {} answers, {} cycles of its clock",
                    t.calls, t.lanes, t.answers, t.cycles
                ),
                format!(
                    "  waits: {} cycles for request_ready, {} for memory_ready, {} for reply_ready; memory: {} reads, {} writes",
                    t.request_wait_cycles, t.memory_wait_cycles, t.reply_wait_cycles, t.memory_reads, t.memory_writes
                ),
            ],
            Places::Partition { partitions, counts: t } => vec![
                format!(
                    "unit {name} at {partitions} partitions: {} accesses watched, {} lost, {} cycles of its clock",
                    t.watched, t.watches_lost, t.cycles
                ),
                format!("  sectors: {} prefetched, {} dropped, {} read", t.prefetches, t.prefetches_dropped, t.reads),
                format!(
                    "  waits: {} cycles for watch_ready, {} for memory_ready, {} for reply_ready",
                    t.watch_wait_cycles, t.memory_wait_cycles, t.reply_wait_cycles
                ),
            ],
        }
    }
}

impl Area {
    fn line(&self) -> String {
        let Area { gate_equivalents, flip_flops, path_ns, path_fo4, from, to, library } = self;
        format!(
            "  one of them: {gate_equivalents:.0} GE, {flip_flops} flip-flops; longest path {path_ns:.2} ns in {library}, \
             {path_fo4:.0} FO4, {from} -> {to}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_a_module_and_its_files() {
        let (name, files) = parse("adder=a.v,b.v").unwrap();
        assert_eq!((name, files), ("adder", vec![PathBuf::from("a.v"), PathBuf::from("b.v")]));
        for wrong in ["adder", "=a.v", "adder=", "adder=a.v,", "a b=a.v"] {
            assert!(parse(wrong).unwrap_err().to_string().contains("MODULE=FILE.v"), "{wrong}");
        }
    }
}
