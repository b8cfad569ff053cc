//! `unruly list`: everything that the other commands accept.

use crate::record::{Files, Record, Recorded};
use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use sim::config::{fields, Config};
use sim::workload::Takes;
use std::path::{Path, PathBuf};

/// Name the units, presets, workloads, graphs and fields of configurations that the other commands accept
///
/// Example: unruly list units
///
/// Example: unruly list fields --json fields.json
#[derive(clap::Args)]
pub struct Args {
    /// One group only
    group: Option<Group>,
    /// Write the lists to this file as well, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn json(&self) -> Option<&Path> {
        self.json.as_deref()
    }

    fn files(&self) -> Files {
        Files::default()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    Units,
    Presets,
    Workloads,
    Graphs,
    /// Of a configuration, with unit, default, range and meaning
    Fields,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<Parameter>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variants: Vec<Variant>,
    /// What a workload works on.
    #[serde(skip_serializing_if = "Option::is_none")]
    takes: Option<String>,
}

#[derive(Serialize)]
struct Variant {
    name: &'static str,
    description: &'static str,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    description: &'static str,
    default: u64,
}

#[derive(Default, Serialize)]
struct Lists {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    units: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    presets: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workloads: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    graphs: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Field>,
}

/// A field of a configuration.
#[derive(Serialize)]
struct Field {
    name: &'static str,
    /// Empty for words, truths and plain numbers.
    unit: &'static str,
    /// Its value in the preset `of`.
    default: toml::Value,
    of: &'static str,
    range: String,
    description: &'static str,
    /// All of it in a line.
    #[serde(skip)]
    shown: String,
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    let wanted = |group| args.group.is_none_or(|g| g == group);
    let mut lists = Lists::default();
    if wanted(Group::Units) {
        lists.units = units();
        print("units", &lists.units);
    }
    if wanted(Group::Presets) {
        lists.presets = Config::presets().iter().map(|(name, text)| plain(name, text)).collect();
        print("presets", &lists.presets);
    }
    if wanted(Group::Workloads) {
        lists.workloads = workloads();
        print("workloads", &lists.workloads);
    }
    if wanted(Group::Graphs) {
        lists.graphs = sim::graph::catalog().iter().map(|e| plain(e.name, e.description)).collect();
        print("graphs", &lists.graphs);
    }
    if wanted(Group::Fields) {
        lists.fields = fields()?;
        print_fields(&lists.fields);
    }
    record.write(&lists)
}

/// The default preset's values come first; tables that it does not have are those of the first preset that has them.
fn fields() -> Result<Vec<Field>> {
    let names: Vec<_> = Config::presets().iter().map(|(name, _)| *name).collect();
    let presets = names.iter().map(|name| Ok((*name, Config::preset(name)?.to_value())));
    let presets = presets.collect::<Result<Vec<_>>>()?;
    let field = |field: &'static fields::Field| {
        let (of, default) = presets.iter().find_map(|(name, values)| Some((*name, field.value(values)?)))?;
        Some(Field {
            name: &field.path,
            unit: field.unit,
            shown: format!("{:<40} {}", format!("{} = {default}", field.path), field.description()),
            default,
            of,
            range: field.range.to_string(),
            description: field.meaning,
        })
    };
    Ok(fields::fields().iter().filter_map(field).collect())
}

fn print_fields(fields: &[Field]) {
    let mut of = "";
    for field in fields {
        if field.of != of {
            of = field.of;
            println!("fields, with their values in {of}");
        }
        println!("  {}", field.shown);
    }
}

fn plain(name: &str, description: &str) -> Entry {
    Entry { name: name.into(), description: description.into(), parameters: vec![], variants: vec![], takes: None }
}

fn units() -> Vec<Entry> {
    let entry = |unit: hdl::catalog::Unit| Entry {
        parameters: unit
            .parameters
            .iter()
            .map(|p| Parameter { name: p.name, description: p.description, default: p.default })
            .collect(),
        ..plain(unit.name, unit.description)
    };
    hdl::catalog::units().into_iter().map(entry).collect()
}

fn workloads() -> Vec<Entry> {
    let variant = |v: &sim::workload::Variant| Variant { name: v.name(), description: v.description() };
    let entry = |w: &sim::workload::Workload| Entry {
        variants: w.variants.iter().map(variant).collect(),
        takes: Some(match w.takes {
            Takes::GraphAndSource => "--graph GRAPH [--source NODE]".into(),
            Takes::Graph => "--graph GRAPH".into(),
            Takes::Size(size) => format!("[--size {}], up to {}: {}", size.default, size.max, size.meaning),
        }),
        ..plain(w.name, w.description)
    };
    sim::workload::catalog().iter().map(entry).collect()
}

fn print(title: &str, entries: &[Entry]) {
    println!("{title}");
    for entry in entries {
        // A long name has a line of its own.
        let name = if entry.name.len() > 24 { format!("{}\n  {:<24}", entry.name, "") } else { entry.name.clone() };
        println!("  {name:<24} {}", entry.description);
        for p in &entry.parameters {
            println!("  {:<24}   {} ({}): {}", "", p.name, p.default, p.description);
        }
        if let Some(takes) = &entry.takes {
            println!("  {:<24}   takes {takes}", "");
        }
        for v in &entry.variants {
            println!("  {:<24}   --variant {:<7} {}", "", v.name, v.description);
        }
    }
}
