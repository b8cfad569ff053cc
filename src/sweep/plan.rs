//! A sweep's plan, as a TOML file: what to run, what to compare with, which figure to draw, what the paper says.
//!
//! Unknown keys are errors; so is everything else that could only fail later, and each says file and field.

use crate::run::configuration;
use anyhow::{bail, ensure, Context, Result};
use serde::Deserialize;
use sim::config::Config;
use sim::workload::{self, Takes, Variant, Workload};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// The form of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// Speedups as grouped bars, a group for each workload and graph, and their geometric means.
    Bars,
    /// Speedups over the values of the axis, a line for each series, workload and graph.
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
    workloads: Vec<String>,
    graphs: Vec<String>,
    baselines: Vec<String>,
    axis: Option<AxisEntry>,
    series: Vec<SeriesEntry>,
    #[serde(default)]
    claim: Vec<Claim>,
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
struct SeriesEntry {
    name: String,
    variant: String,
    #[serde(default)]
    set: Vec<String>,
    panel: Option<String>,
    #[serde(default = "yes")]
    axis: bool,
}

fn yes() -> bool {
    true
}

/// A statement of the paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    pub section: String,
    pub text: String,
    /// Series whose speedups stand beside it.
    pub series: Option<String>,
    /// Value of the axis, for such a series.
    pub at: Option<toml::Value>,
    /// The paper's least and greatest speedup.
    pub range: Option<[f64; 2]>,
}

impl Claim {
    /// The value of the axis, as in `--set`.
    pub fn value(&self) -> Option<String> {
        self.at.as_ref().map(shown)
    }
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
    pub workloads: Vec<&'static Workload>,
    pub graphs: Vec<String>,
    pub baselines: Vec<Variant>,
    pub axis: Option<Axis>,
    pub series: Vec<Series>,
    pub claims: Vec<Claim>,
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
pub struct Series {
    pub name: String,
    pub variant: Variant,
    pub set: Vec<String>,
    /// Which part of the figure it stands in.
    pub panel: String,
    /// Runs with every value of the axis rather than once.
    pub on_axis: bool,
}

impl Plan {
    pub fn read(path: &Path) -> Result<Plan> {
        let file = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("{file}: cannot read the plan"))?;
        let entries: File = toml::from_str(&text).map_err(|e| syntax(&file, &text, &e))?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let plan = Plan::check(name, entries).with_context(|| file.to_string())?;
        Ok(plan)
    }

    fn check(name: String, file: File) -> Result<Plan> {
        ensure!(!file.title.trim().is_empty(), "title: is empty; say what the figure shows");
        let config = configuration(&file.config, &[]).context("config")?;
        let config = with(&config, &file.set).context("set")?;
        let plan = Plan {
            workloads: distinct("workloads", &file.workloads, find_workload)?,
            graphs: distinct("graphs", &file.graphs, |spec| Ok(spec.to_owned()))?,
            baselines: distinct("baselines", &file.baselines, software)?,
            axis: file.axis.map(|entry| axis(entry, &config)).transpose()?,
            series: series(file.series)?,
            claims: file.claim,
            name,
            title: file.title,
            figure: file.figure,
            config,
        };
        plan.check_variants()?;
        plan.check_figure()?;
        plan.check_claims()?;
        Ok(plan)
    }

    /// Every workload has every variant, on every configuration that it is to run on.
    fn check_variants(&self) -> Result<()> {
        for workload in &self.workloads {
            for (i, variant) in self.baselines.iter().enumerate() {
                workload.check_variant(*variant, &self.config).with_context(|| format!("baselines[{i}]"))?;
            }
        }
        for (i, series) in self.series.iter().enumerate() {
            for value in self.values(series) {
                let config = self.configuration(Some(series), value).with_context(|| format!("series[{i}].set"))?;
                for workload in &self.workloads {
                    let place = || format!("series[{i}].variant");
                    workload.check_variant(series.variant, &config).with_context(place)?;
                }
            }
        }
        Ok(())
    }

    fn check_figure(&self) -> Result<()> {
        match self.figure {
            Figure::Bars => {}
            Figure::Lines => ensure!(self.axis.is_some(), "figure: lines need an [axis] to go along"),
            Figure::Activity => {
                let without = self.series.iter().position(|s| !s.variant.needs_hwwl());
                if let Some(i) = without {
                    bail!("series[{i}].variant: activity is that of threads with a hardware worklist; take hwwl");
                }
            }
        }
        Ok(())
    }

    fn check_claims(&self) -> Result<()> {
        for (i, claim) in self.claims.iter().enumerate() {
            if let Some([low, high]) = claim.range {
                ensure!(low <= high, "claim[{i}].range: {low} to {high}: the first must not exceed the second");
            }
            let Some(name) = &claim.series else { continue };
            let Some(series) = self.series.iter().find(|s| s.name == *name) else {
                let known = self.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", ");
                bail!("claim[{i}].series: no series `{name}`; there are {known}");
            };
            let at = claim.value();
            let place = self.values(series).any(|value| value.map(|v| self.value(v)) == at.as_deref());
            ensure!(place, "claim[{i}].at: `{name}` has no run at {}", at.as_deref().unwrap_or("no value of the axis"));
        }
        Ok(())
    }

    /// Places on the axis at which a series runs; `None` away from it.
    pub fn values(&self, series: &Series) -> impl Iterator<Item = Option<usize>> {
        let along = self.axis.as_ref().filter(|_| series.on_axis).map_or(0, |axis| axis.values.len());
        (along == 0).then_some(None).into_iter().chain((0..along).map(Some))
    }

    pub fn value(&self, place: usize) -> &str {
        self.axis.as_ref().map_or("", |axis| &axis.values[place])
    }

    /// Of a series, or of the baselines, at a place of the axis.
    pub fn configuration(&self, series: Option<&Series>, value: Option<usize>) -> Result<Config> {
        let mut config = with(&self.config, series.map_or(&[], |s| &s.set))?;
        if let (Some(axis), Some(place)) = (&self.axis, value) {
            config.set(&format!("{}={}", axis.field, axis.values[place]))?;
        }
        Ok(config)
    }
}

fn syntax(file: &impl fmt::Display, text: &str, error: &toml::de::Error) -> anyhow::Error {
    let line = error.span().map_or(0, |span| 1 + text[..span.start].matches('\n').count());
    anyhow::anyhow!("{file}: line {line}: {}", error.message().replace('\n', " "))
}

fn with(config: &Config, overrides: &[String]) -> Result<Config> {
    let mut config = config.clone();
    overrides.iter().try_for_each(|text| config.set(text))?;
    Ok(config)
}

/// Each entry, read; there must be one, and none twice.
fn distinct<T>(field: &str, entries: &[String], read: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    ensure!(!entries.is_empty(), "{field}: is empty; name at least one");
    let mut seen = BTreeSet::new();
    let mut read_all = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        ensure!(seen.insert(entry), "{field}[{i}]: `{entry}` is there twice");
        read_all.push(read(entry).with_context(|| format!("{field}[{i}]"))?);
    }
    Ok(read_all)
}

fn find_workload(name: &str) -> Result<&'static Workload> {
    let workload = workload::find(name)?;
    ensure!(!matches!(workload.takes, Takes::Size(_)), "{name} works on no graph");
    Ok(workload)
}

fn software(name: &str) -> Result<Variant> {
    let variant: Variant = name.parse()?;
    ensure!(!variant.needs_hwwl(), "{name} uses the hardware worklist: the yardstick is software");
    Ok(variant)
}

fn axis(entry: AxisEntry, config: &Config) -> Result<Axis> {
    let values = entry.values.iter().map(shown).collect::<Vec<_>>();
    let values = distinct("axis.values", &values, |value| {
        config.clone().set(&format!("{}={value}", entry.field))?;
        Ok(value.to_owned())
    })?;
    Ok(Axis { field: entry.field, label: entry.label, values })
}

/// As in `--set`.
fn shown(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn series(entries: Vec<SeriesEntry>) -> Result<Vec<Series>> {
    let names: Vec<_> = entries.iter().map(|entry| entry.name.clone()).collect();
    distinct("series", &names, |_| Ok(()))?;
    let read = |(i, entry): (usize, SeriesEntry)| {
        ensure!(!entry.name.trim().is_empty(), "series[{i}].name: is empty");
        Ok(Series {
            variant: entry.variant.parse().with_context(|| format!("series[{i}].variant"))?,
            name: entry.name,
            set: entry.set,
            panel: entry.panel.unwrap_or_default(),
            on_axis: entry.axis,
        })
    };
    entries.into_iter().enumerate().map(read).collect()
}
