//! A unit of the user's own at each core: its options, its place in the GPU, and what is said of it (docs/own-unit.md).

use crate::exit::Interrupted;
use crate::record::Files;
use anyhow::{anyhow, bail, ensure, Context, Result};
use clap::ValueEnum;
use gen::ir::{Direction, Port};
use gen::liberty::Liberty;
use gen::report::own::cost_of_module;
use serde::Serialize;
use sim::attach::own_unit::{OwnUnitSystem, Traffic};
use sim::attach::system::System;
use sim::config::Config;
use sim::gpu::Gpu;
use sim::number::whole_u64;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use testbench::model_cache::default_directory;
use testbench::own::{Own, Parameters};
use testbench::own_unit::{expected_pins, OwnUnit, Waveform};

/// Where a unit can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum At {
    /// At each core: warps call it
    Core,
}

/// The options of a unit.
#[derive(clap::Args)]
pub struct UnitOptions {
    /// Put a unit of your own, a Verilog module, into the GPU: kernels call it (docs/own-unit.md)
    #[arg(long, value_name = "MODULE=FILE.v[,FILE.v...]")]
    unit: Option<String>,
    /// Give a parameter of the unit's module another value, a whole number; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "unit")]
    parameter: Vec<String>,
    /// Where the unit is
    #[arg(long, value_enum, default_value_t = At::Core, requires = "unit")]
    at: At,
    /// Write what happens at the pins and inside of one of the units to this file
    #[arg(long, value_name = "FILE.fst", requires = "unit")]
    waveform: Option<PathBuf>,
    /// The core whose unit the waveform shows
    #[arg(long, default_value_t = 0, value_name = "N", requires = "waveform", value_parser = whole_u64)]
    waveform_core: u64,
    /// Leave out area and clock of the unit, which take Yosys and OpenSTA
    #[arg(long, requires = "unit")]
    no_area: bool,
}

/// A unit for the cores of a GPU.
pub struct Attached {
    unit: OwnUnit,
    cores: usize,
    /// The file, and the core.
    waveform: Option<(PathBuf, usize)>,
    /// Area and clock.
    pub measures: bool,
}

impl UnitOptions {
    /// Adds the files that the options name.
    pub fn add_files(&self, files: &mut Files) {
        let sources = self.unit.iter().filter_map(|text| text.split_once('=')).flat_map(|(_, list)| list.split(','));
        files.read.extend(sources.map(PathBuf::from));
        files.written.extend(self.waveform.clone());
    }

    /// The unit for the cores of a GPU. `None`: there is none.
    ///
    /// # Errors
    /// What is wrong with the options or with the Verilog.
    pub fn load(&self, config: &Config) -> Result<Option<Attached>> {
        let Some(text) = &self.unit else { return Ok(None) };
        let At::Core = self.at;
        let option = || format!("--unit {text}");
        let own = read(text, Path::new("")).with_context(option)?;
        check_place(config).with_context(option)?;
        let parameters =
            self.parameter.iter().map(|text| parameter(text).with_context(|| format!("--parameter {text}")));
        let own = own.with_parameters(&parameters.collect::<Result<_>>()?);
        let (cores, core) = (config.core.count, self.waveform_core as usize);
        ensure!(core < cores, "--waveform-core {core}: {} has the cores 0 to {}", config.name, cores - 1);
        let waveform = self.waveform.clone().map(|file| (file, core));
        Ok(Some(Attached { waveform, measures: !self.no_area, ..Attached::new(own, config)? }))
    }
}

/// The Verilog that `MODULE=FILE.v[,FILE.v...]` names. Files are looked for in `folder`.
///
/// # Errors
/// What is wrong with the text; files without the module.
pub fn read(text: &str, folder: &Path) -> Result<Own> {
    let (name, files) = parse(text)?;
    Ok(Own::unit(&files.iter().map(|file| folder.join(file)).collect::<Vec<_>>(), name)?)
}

/// `NAME=VALUE`, a parameter of a module.
///
/// # Errors
/// What is wrong with the text.
pub fn parameter(text: &str) -> Result<(String, i32)> {
    let (name, value) = text.split_once('=').context("write NAME=VALUE")?;
    ensure!(is_name(name), "`{name}` is no name of a parameter");
    let value = value.parse().ok().with_context(|| format!("`{value}` is no whole number of 32 bits"))?;
    Ok((name.to_owned(), value))
}

/// A unit can be at the cores of this GPU.
///
/// # Errors
/// Why not.
pub fn check_place(config: &Config) -> Result<()> {
    ensure!(
        config.gw.is_none(),
        "{} pairs warps (its [gw] table), and a unit serves single warps; take another configuration",
        config.name
    );
    Ok(())
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

/// Whoever has wrong ports wants to see the right ones.
fn with_pins(error: testbench::Error, lanes: usize) -> anyhow::Error {
    match error {
        testbench::Error::Ports { .. } => {
            anyhow!("{error}; a unit at a core of {lanes} lanes has {} (docs/own-unit.md)", expected_pins(lanes))
        }
        error => error.into(),
    }
}

/// What a unit did in all launches, over all cores, and what it costs.
#[derive(Serialize)]
pub struct Report {
    name: String,
    parameters: Parameters,
    cores: usize,
    #[serde(flatten)]
    traffic: Traffic,
    counters: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<Area>,
    /// Why there is no area.
    #[serde(skip)]
    not_measured: Option<String>,
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

/// What the units of all cores have done.
#[derive(Default)]
pub struct Totals {
    traffic: Traffic,
    counters: Vec<u64>,
}

impl Totals {
    /// Adds those of a GPU.
    pub fn add(&mut self, gpu: &Gpu) {
        let Some(system) = gpu.system::<OwnUnitSystem>() else { return };
        self.traffic.add(&system.traffic());
        let counters = system.counters();
        self.counters.resize(counters.len(), 0);
        self.counters.iter_mut().zip(counters).for_each(|(sum, counter)| *sum = sum.wrapping_add(counter));
    }
}

impl Attached {
    /// Verilates the unit for the cores of a GPU.
    ///
    /// # Errors
    /// What is wrong with the Verilog.
    pub fn new(own: Own, config: &Config) -> Result<Attached> {
        let lanes = config.core.warp_size;
        let unit = OwnUnit::load(own, lanes).map_err(|error| with_pins(error, lanes))?;
        Ok(Attached { unit, cores: config.core.count, waveform: None, measures: false })
    }

    /// The unit's own counters in a GPU, by name.
    pub fn counters(&self, gpu: &Gpu) -> BTreeMap<String, u64> {
        let mut totals = Totals::default();
        totals.add(gpu);
        self.named(totals.counters)
    }

    fn named(&self, counters: Vec<u64>) -> BTreeMap<String, u64> {
        self.unit.counters().into_iter().zip(counters).collect()
    }

    /// The units for a GPU, after reset.
    ///
    /// # Errors
    /// A waveform that cannot be written.
    pub fn system(&self, seed: u64) -> Result<Box<dyn System>> {
        let waveform = self.waveform.as_ref().map(|(file, core)| Waveform { file, core: *core });
        Ok(Box::new(self.unit.system(self.cores, seed, waveform.as_ref())?))
    }

    /// After the last launch. Area and clock are measured unless the options or missing tools say otherwise.
    ///
    /// # Errors
    /// An interruption.
    pub fn report(&self, totals: Totals, interrupt: &AtomicBool, say: &(dyn Fn(String) + Sync)) -> Result<Report> {
        let measured = self.measures.then(|| self.area(interrupt, say));
        let (area, not_measured) = match measured {
            None => (None, None),
            Some(Ok(area)) => (Some(area), None),
            Some(Err(error)) if matches!(error.downcast_ref(), Some(gen::Error::Interrupted)) => {
                bail!(Interrupted::default())
            }
            Some(Err(error)) => (None, Some(format!("{error:#}"))),
        };
        Ok(Report {
            name: self.unit.name().into(),
            cores: self.cores,
            parameters: self.unit.own().parameters().clone(),
            counters: self.named(totals.counters),
            traffic: totals.traffic,
            area,
            not_measured,
        })
    }

    fn area(&self, interrupt: &AtomicBool, say: &(dyn Fn(String) + Sync)) -> Result<Area> {
        let cache = default_directory().with_file_name("synth");
        let liberty = Liberty::read(None)?;
        let (name, own) = (self.unit.name(), self.unit.own());
        let progress = |done: usize, all: usize, _: &[gen::report::Running]| {
            say(format!("synthesis of {name}: {done} of {all} steps done"));
        };
        let cost = cost_of_module(
            (name, &own.verilog(), own.parameters()),
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
    /// The report in words.
    pub fn lines(&self) -> Vec<String> {
        let Report { name, cores, traffic: t, .. } = self;
        let parameters: String = self.parameters.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        let mut lines = vec![
            format!(
                "unit {name}{parameters} at {cores} cores: {} calls of {} lanes, {} answers, {} cycles of its clock",
                t.calls, t.lanes, t.answers, t.cycles
            ),
            format!(
                "  waits: {} cycles for request_ready, {} for memory_ready, {} for reply_ready; memory: {} reads, {} writes",
                t.request_wait_cycles, t.memory_wait_cycles, t.reply_wait_cycles, t.memory_reads, t.memory_writes
            ),
        ];
        lines.extend(self.counters.iter().map(|(name, value)| format!("  {name}: {value}")));
        lines.extend(self.area.as_ref().map(Area::line));
        lines.extend(self.not_measured.iter().map(|why| format!("  area and clock are not measured: {why}")));
        lines
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
