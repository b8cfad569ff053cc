//! A sweep's plan, as a TOML file: what to run, what to compare with, which figure to draw, what the paper says.
//!
//! Unknown keys are errors; so is everything else that could only fail later, and each says file and field.

mod check;

use super::choice::{Choice, Names};
use super::claim::Claim;
use super::entries::{distinct, shown};
use super::inputs::{Cell, Cells, Wanted};
use super::measure::{Kind, Measure};
use super::own::entry::{kernels, ways, KernelEntry, Way, WayEntry};
use super::reading::{readings, ReadingEntry, Readings};
use super::setting::Setting;
use super::work::Workload;
use crate::config::configuration;
use crate::toml_error;
use anyhow::{bail, ensure, Context, Result};
use serde::Deserialize;
use sim::attach::Uses;
use sim::config::Config;
use sim::kernels;
use sim::workload;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The name of the candidates for the baseline where a series has its name.
pub const BASELINE: &str = "baseline";

/// The form of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// Grouped bars, a group for each workload and input, and their means.
    Bars,
    /// Over the values of the axis, a line for each series, workload and input.
    Lines,
    /// Threads that hold a work ID over time.
    Activity,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    figure: Figure,
    config: String,
    #[serde(default)]
    set: Vec<String>,
    #[serde(default)]
    workloads: Vec<String>,
    /// The user's own, in place of `workloads`.
    #[serde(default)]
    kernel: Vec<KernelEntry>,
    /// Variants of these kernels, by name.
    #[serde(default)]
    variant: BTreeMap<String, WayEntry>,
    #[serde(default)]
    graphs: Vec<String>,
    /// Graphs or sizes of single workloads, in place of `graphs`.
    #[serde(default)]
    inputs: BTreeMap<String, Vec<toml::Value>>,
    /// The way in which graphs in files are read.
    #[serde(default)]
    reading: BTreeMap<String, ReadingEntry>,
    /// Names of graphs in the figure.
    #[serde(default)]
    labels: BTreeMap<String, String>,
    #[serde(default)]
    class: Vec<ClassEntry>,
    baselines: Vec<Names>,
    #[serde(default)]
    yardstick: Vec<Yardstick>,
    #[serde(default = "speedup")]
    measures: Vec<String>,
    /// Settings of measures, by their names.
    #[serde(default)]
    measure: BTreeMap<String, MeasureEntry>,
    axis: Option<AxisEntry>,
    series: Vec<SeriesEntry>,
    #[serde(default)]
    claim: Vec<Claim>,
    addition: Option<String>,
    core_minutes: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AxisEntry {
    field: String,
    label: String,
    values: Vec<toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassEntry {
    name: String,
    workloads: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesEntry {
    name: String,
    variant: Names,
    config: Option<String>,
    #[serde(default)]
    set: Vec<String>,
    panel: Option<String>,
    #[serde(default = "yes")]
    axis: bool,
}

/// Candidates for the baseline and series of which the fastest is what numbers are measured by.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Yardstick {
    pub name: String,
    pub of: Vec<String>,
}

fn yes() -> bool {
    true
}

fn speedup() -> Vec<String> {
    vec![Kind::Speedup.name().into()]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasureEntry {
    workloads: Option<Vec<String>>,
    #[serde(default)]
    kernels: Vec<String>,
}

/// A plan that can be carried out.
#[derive(Debug)]
pub struct Plan {
    /// The file's name without its ending.
    pub name: String,
    pub title: String,
    pub figure: Figure,
    /// With the overrides for all runs.
    pub config: Config,
    pub workloads: Vec<Workload>,
    /// Variants of kernels of the user's own; empty if the workloads are ours.
    pub ways: Vec<Arc<Way>>,
    /// The workloads' inputs, and which workload has which.
    pub inputs: Vec<Wanted>,
    pub cells: Vec<Cell>,
    pub readings: Readings,
    /// By graph.
    pub labels: BTreeMap<String, String>,
    /// All workloads, in kinds of which each has means; none: each workload has.
    pub classes: Vec<Class>,
    pub baselines: Vec<Choice>,
    pub yardsticks: Vec<Yardstick>,
    /// Parts of the figure.
    pub measures: Vec<Measure>,
    pub axis: Option<Axis>,
    pub series: Vec<Series>,
    /// Measures of claims alone, which the figure does not show.
    unseen: Vec<Measure>,
    pub claims: Vec<Claim>,
    /// The series that adds to what the paper has: its numbers stand beside those that claims name.
    pub addition: Option<String>,
    /// The time of all runs on one core, if somebody has measured it.
    pub core_minutes: Option<u32>,
}

/// A field that takes several values.
#[derive(Debug)]
pub struct Axis {
    pub field: String,
    /// With its unit.
    pub label: String,
    pub values: Vec<String>,
}

#[derive(Debug)]
pub struct Class {
    pub name: String,
    pub workloads: Vec<Workload>,
}

#[derive(Debug)]
pub struct Series {
    pub name: String,
    pub variant: Choice,
    /// The plan's or its own, with the overrides for all runs.
    pub config: Config,
    /// The series has a `config` of its own; the baselines run on the plan's.
    pub own_config: bool,
    pub set: Vec<String>,
    /// The part of the figure that it stands in.
    pub panel: String,
    /// Runs with every value of the axis rather than once.
    pub on_axis: bool,
}

impl Plan {
    pub fn read(path: &Path) -> Result<Plan> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{}: cannot read the plan", path.display()))?;
        Plan::parse(path, &text)
    }

    /// `text` is that of the file.
    pub fn parse(path: &Path, text: &str) -> Result<Plan> {
        let file = path.display();
        let entries: File = toml::from_str(text).map_err(|e| toml_error::in_file(&file, text, &e))?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = path.parent().unwrap_or(Path::new(""));
        let plan = Plan::check(name, folder, entries).with_context(|| file.to_string())?;
        Ok(plan)
    }

    fn check(name: String, folder: &Path, file: File) -> Result<Plan> {
        ensure!(!file.title.trim().is_empty(), "title: is empty; say what the figure shows");
        let config = configuration(&file.config, &[]).context("config")?;
        let config = with(&config, &file.set).context("set")?;
        check_kind(&file)?;
        let Cells { inputs, cells } = match file.kernel.is_empty() {
            true => {
                let workloads = distinct("workloads", &file.workloads, |name| Ok(workload::find(name)?))?;
                Cells::new(&workloads, &file.graphs, &file.inputs)?
            }
            false => Cells::of_kernels(&kernels(file.kernel, folder)?),
        };
        let mut workloads: Vec<Workload> = cells.iter().map(|(workload, _)| workload.clone()).collect();
        workloads.dedup_by(|one, other| one.name() == other.name());
        let ways = ways(file.variant);
        let series = series(file.series, &config, &file.set, &ways)?;
        let measures = measures(&file.measures, &file.measure, &workloads)?;
        let plan = Plan {
            unseen: unseen(&file.claim, &measures, &workloads)?,
            measures,
            addition: file.addition,
            core_minutes: file.core_minutes,
            classes: classes(file.class, &workloads)?,
            workloads,
            inputs,
            cells,
            readings: readings(file.reading)?,
            labels: file.labels,
            baselines: choices("baselines", &file.baselines, &ways, software)?,
            ways,
            yardsticks: file.yardstick,
            axis: file.axis.map(|entry| axis(entry, &series)).transpose()?,
            series,
            claims: file.claim,
            name,
            title: file.title,
            figure: file.figure,
            config,
        };
        plan.check_parts()?;
        Ok(plan)
    }

    /// A figure of speedups alone, as HWWL has them.
    pub fn is_plain(&self) -> bool {
        let all = |only: &Measure| only.kind == Kind::Speedup && only.workloads.len() == self.workloads.len();
        self.classes.is_empty() && matches!(&self.measures[..], [only] if all(only))
    }

    /// The name of an input.
    pub fn input(&self, input: usize) -> String {
        self.inputs[input].asked.to_string()
    }

    /// The measure of a claim.
    pub fn measure(&self, claim: &Claim) -> Option<&Measure> {
        self.counted().find(|m| m.kind.name() == claim.measure_name())
    }

    /// The measures that rows are to have counted: for the figure, and for claims alone.
    pub fn counted(&self) -> impl Iterator<Item = &Measure> {
        self.measures.iter().chain(&self.unseen)
    }

    /// The variants that a name among the baselines stands for: one of them, or all of an entry (`topo-lsg or topo`).
    pub fn candidates(&self, name: &str) -> Option<Vec<String>> {
        let names = |choice: &Choice| choice.all().iter().map(|variant| variant.name().to_owned()).collect::<Vec<_>>();
        let entry = self.baselines.iter().find(|choice| choice.name() == name).map(names);
        entry.or_else(|| self.baselines.iter().flat_map(names).find(|known| known == name).map(|one| vec![one]))
    }

    pub fn is_series(&self, name: &str) -> bool {
        self.series.iter().any(|series| series.name == name)
    }

    /// Places on the axis at which a series runs; `None` away from it.
    pub fn values(&self, series: &Series) -> impl Iterator<Item = Option<usize>> {
        let along = self.axis.as_ref().filter(|_| series.on_axis).map_or(0, |axis| axis.values.len());
        (along == 0).then_some(None).into_iter().chain((0..along).map(Some))
    }

    /// The place of a value on the axis.
    pub fn place(&self, value: Option<&str>) -> Option<usize> {
        self.axis.as_ref()?.values.iter().position(|known| Some(known.as_str()) == value)
    }

    pub fn value(&self, place: usize) -> &str {
        self.axis.as_ref().map_or("", |axis| &axis.values[place])
    }

    /// The setting of a series, or of the baselines, at a place of the axis.
    pub fn setting(&self, series: Option<&Series>, value: Option<usize>) -> Result<Setting> {
        let (config, set) = series.map_or((&self.config, &[][..]), |series| (&series.config, &series.set));
        let mut setting = Setting::from(config.clone());
        setting.set_all(set)?;
        // Where only configurations of their own go along the axis, the baselines' may not even have its field.
        let goes = series.is_some() || self.series.iter().any(|s| s.on_axis && !s.own_config);
        if let (Some(axis), Some(place), true) = (&self.axis, value, goes) {
            setting.set_all(&[format!("{}={}", axis.field, axis.values[place])])?;
        }
        Ok(setting)
    }
}

/// A plan has workloads or kernels, each with what belongs to it.
fn check_kind(file: &File) -> Result<()> {
    if file.kernel.is_empty() {
        ensure!(file.variant.is_empty(), "variant: there is no [[kernel]] that has these variants");
        return Ok(());
    }
    for (field, is_empty) in [
        ("workloads", file.workloads.is_empty()),
        ("graphs", file.graphs.is_empty()),
        ("inputs", file.inputs.is_empty()),
    ] {
        ensure!(is_empty, "{field}: is not of a plan with [[kernel]]");
    }
    ensure!(
        !file.variant.is_empty(),
        "variant: is missing; a plan with [[kernel]] has a table [variant.NAME] for each variant"
    );
    Ok(())
}

fn with(config: &Config, overrides: &[String]) -> Result<Config> {
    let mut config = config.clone();
    config.set_all(overrides)?;
    Ok(config)
}

fn software(choice: &Choice) -> Result<()> {
    for variant in choice.all() {
        let name = variant.name();
        let uses = Uses::from(variant);
        ensure!(!uses.has("hwwl"), "{name} uses the hardware worklist: the baseline is software");
        ensure!(!uses.has("iru"), "{name} uses the reorder units: the baseline is software");
    }
    Ok(())
}

fn choices(
    field: &str,
    entries: &[Names],
    ways: &[Arc<Way>],
    check: impl Fn(&Choice) -> Result<()>,
) -> Result<Vec<Choice>> {
    distinct(field, &entries.iter().map(Names::shown).collect::<Vec<_>>(), |_| Ok(()))?;
    let read = |(i, names): (usize, &Names)| {
        let choice = names.read(ways).with_context(|| format!("{field}[{i}]"))?;
        check(&choice).with_context(|| format!("{field}[{i}]"))?;
        Ok(choice)
    };
    entries.iter().enumerate().map(read).collect()
}

/// Each workload is in one.
fn classes(entries: Vec<ClassEntry>, workloads: &[Workload]) -> Result<Vec<Class>> {
    let mut known: Vec<String> = Vec::new();
    let mut classes = Vec::new();
    for (i, entry) in entries.into_iter().enumerate() {
        let workloads = restricted(&format!("class[{i}].workloads"), &entry.workloads, workloads)?;
        if let Some(twice) = workloads.iter().find(|w| known.iter().any(|name| name == w.name())) {
            bail!("class[{i}].workloads: `{}` is in a class before", twice.name());
        }
        known.extend(workloads.iter().map(|w| w.name().to_owned()));
        classes.push(Class { name: entry.name, workloads });
    }
    let without = workloads.iter().find(|w| known.iter().all(|name| name != w.name())).filter(|_| !classes.is_empty());
    without.map_or(Ok(classes), |w| bail!("class: `{}` is in none", w.name()))
}

/// In the order of `names`, each with its settings.
fn measures(
    names: &[String],
    settings: &BTreeMap<String, MeasureEntry>,
    workloads: &[Workload],
) -> Result<Vec<Measure>> {
    if let Some(name) = settings.keys().find(|name| !names.contains(name)) {
        bail!("measure.{name}: is not in measures: {}", spelling::listed(name, names));
    }
    distinct("measures", names, |name| {
        let kind = kind(name)?;
        let settings = settings.get(name);
        let workloads = match settings.and_then(|s| s.workloads.as_ref()) {
            Some(names) => restricted(&format!("measure.{name}.workloads"), names, workloads)?,
            None => workloads.to_vec(),
        };
        let kernels = settings.map_or(&[][..], |s| &s.kernels);
        Ok(Measure { kind, workloads, kernels: check_kernels(kind, kernels)? })
    })
}

fn kind(name: &str) -> Result<Kind> {
    Kind::ALL.iter().copied().find(|kind| kind.name() == name).with_context(|| {
        format!("no measure `{name}`; there are {}", spelling::listed(name, Kind::ALL.iter().map(|kind| kind.name())))
    })
}

/// The measures of claims that the figure does not show.
fn unseen(claims: &[Claim], seen: &[Measure], workloads: &[Workload]) -> Result<Vec<Measure>> {
    let mut unseen: Vec<Measure> = Vec::new();
    for (i, claim) in claims.iter().enumerate().filter(|(_, claim)| claim.series.is_some()) {
        let kind = kind(claim.measure_name()).with_context(|| format!("claim[{i}].measure"))?;
        let known = seen.iter().chain(&unseen).any(|measure| measure.kind == kind);
        if !known {
            ensure!(kind != Kind::WarpTime, "claim[{i}].measure: warp_time must be in measures, with its kernels");
            unseen.push(Measure { kind, workloads: workloads.to_vec(), kernels: Vec::new() });
        }
    }
    Ok(unseen)
}

/// Some of the workloads, in their order.
fn restricted(field: &str, names: &[String], workloads: &[Workload]) -> Result<Vec<Workload>> {
    distinct(field, names, |name| {
        ensure!(workloads.iter().any(|w| w.name() == name), "`{name}` is not in workloads");
        Ok(())
    })?;
    Ok(workloads.iter().filter(|w| names.iter().any(|name| name == w.name())).cloned().collect())
}

fn check_kernels(kind: Kind, names: &[String]) -> Result<Vec<String>> {
    let name = kind.name();
    if kind != Kind::WarpTime {
        ensure!(names.is_empty(), "measure.{name}.kernels: counts all kernels; only warp_time takes some");
        return Ok(Vec::new());
    }
    ensure!(!names.is_empty(), "needs measure.{name}.kernels: those whose warps count");
    distinct(&format!("measure.{name}.kernels"), names, |kernel| {
        let entry = format!(".entry {kernel}(");
        ensure!(kernels::ALL.iter().any(|ptx| ptx.text.contains(&entry)), "no workload has a kernel `{kernel}`");
        Ok(kernel.to_owned())
    })
}

fn axis(entry: AxisEntry, series: &[Series]) -> Result<Axis> {
    let values = entry.values.iter().map(shown).collect::<Vec<_>>();
    let values = distinct("axis.values", &values, |value| {
        let mut along = series.iter().filter(|s| s.on_axis).map(|s| Setting::from(s.config.clone()));
        along.try_for_each(|mut setting| setting.set_all(&[format!("{}={value}", entry.field)]))?;
        Ok(value.to_owned())
    })?;
    Ok(Axis { field: entry.field, label: entry.label, values })
}

fn series(entries: Vec<SeriesEntry>, config: &Config, set: &[String], ways: &[Arc<Way>]) -> Result<Vec<Series>> {
    let names: Vec<_> = entries.iter().map(|entry| entry.name.clone()).collect();
    distinct("series", &names, |_| Ok(()))?;
    let read = |(i, entry): (usize, SeriesEntry)| {
        ensure!(!entry.name.trim().is_empty(), "series[{i}].name: is empty");
        ensure!(entry.name != BASELINE, "series[{i}].name: {BASELINE} is what the baselines are called");
        let own = entry.config.as_ref().map(|name| with(&configuration(name, &[])?, set));
        let own = own.transpose().with_context(|| format!("series[{i}].config"))?;
        Ok(Series {
            variant: entry.variant.read(ways).with_context(|| format!("series[{i}].variant"))?,
            own_config: own.is_some(),
            config: own.unwrap_or_else(|| config.clone()),
            name: entry.name,
            set: entry.set,
            panel: entry.panel.unwrap_or_default(),
            on_axis: entry.axis,
        })
    };
    entries.into_iter().enumerate().map(read).collect()
}
