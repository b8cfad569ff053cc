//! `unruly list`: everything that the other commands accept.

use crate::extensions;
use crate::record::{Files, Record, Recorded};
use anyhow::Result;
use clap::ValueEnum;
use hdl::catalog;
use serde::Serialize;
use sim::config::{fields, Config};
use sim::workload::Takes;
use std::collections::BTreeMap;
use std::path::PathBuf;
use testbench::by_name;

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
    fn files(&self) -> Files {
        Files { json: self.json.clone(), ..Files::default() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    Units,
    Presets,
    Workloads,
    Graphs,
    /// Systems of other crates
    Extensions,
    /// Fields of a configuration, with unit, default, range and meaning
    Fields,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    description: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variants: Vec<Variant>,
    /// The input of a workload.
    #[serde(skip_serializing_if = "Option::is_none")]
    takes: Option<String>,
}

#[derive(Serialize)]
struct Variant {
    name: &'static str,
    description: &'static str,
}

#[derive(Serialize)]
struct Unit {
    name: &'static str,
    system: Option<&'static str>,
    description: &'static str,
    /// Paper and section.
    paper: Option<&'static str>,
    parameters: Vec<Parameter>,
    /// There is a behavioural model that `unruly cosim` compares its RTL with.
    cosim: bool,
    instances: Vec<Instance>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    description: &'static str,
    default: u64,
}

/// A size that ships, with its module of `unruly verilog --flat`.
#[derive(Serialize)]
struct Instance {
    module: String,
    parameters: BTreeMap<&'static str, u64>,
}

#[derive(Default, Serialize)]
struct Lists {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    units: Vec<Unit>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    presets: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    workloads: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    graphs: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extensions: Vec<Entry>,
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
        print("units", lists.units.iter().map(Unit::lines));
    }
    if wanted(Group::Presets) {
        lists.presets = Config::presets().iter().map(|(name, text)| plain(name, text)).collect();
        print("presets", lists.presets.iter().map(Entry::lines));
    }
    if wanted(Group::Workloads) {
        lists.workloads = workloads();
        print("workloads", lists.workloads.iter().map(Entry::lines));
    }
    if wanted(Group::Graphs) {
        lists.graphs = sim::graph::catalog().iter().map(|e| plain(e.name, e.description)).collect();
        print("graphs", lists.graphs.iter().map(Entry::lines));
    }
    if wanted(Group::Extensions) {
        lists.extensions = extensions::all().iter().map(|e| plain(e.name, e.description)).collect();
        print("extensions", lists.extensions.iter().map(Entry::lines));
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

fn plain(name: &'static str, description: &'static str) -> Entry {
    Entry { name, description, variants: vec![], takes: None }
}

fn units() -> Vec<Unit> {
    let shipped = catalog::catalog();
    let unit = |unit: &'static spec::Unit| {
        let parameters = unit.parameters.iter();
        let instance = |i: &catalog::Instance| Instance {
            module: i.module.clone(),
            parameters: i.parameters.iter().copied().collect(),
        };
        Unit {
            name: unit.name,
            system: spec::system_of(unit.name).map(|system| system.name).or_else(|| extensions::system(unit.name)),
            description: unit.description,
            paper: (unit.paper != "-").then_some(unit.paper),
            parameters: parameters
                .map(|p| Parameter { name: p.name, description: p.description, default: p.default })
                .collect(),
            cosim: by_name::units().contains(&unit.name) || extensions::has(unit.name),
            instances: shipped.iter().filter(|i| i.unit == unit.name).map(instance).collect(),
        }
    };
    extensions::catalog().units().into_iter().map(unit).collect()
}

fn workloads() -> Vec<Entry> {
    let variant = |v: &sim::workload::Variant| Variant { name: v.name(), description: v.description() };
    let entry = |w: &sim::workload::Workload| Entry {
        variants: w.variants.iter().map(variant).collect(),
        takes: Some(match w.takes {
            Takes::GraphAndSource => "--graph GRAPH [--source NODE | --source-index N]".into(),
            Takes::Graph => "--graph GRAPH".into(),
            Takes::Size(size) => format!("[--size {}], up to {}: {}", size.default, size.max, size.meaning),
        }),
        ..plain(w.name, w.description)
    };
    sim::workload::catalog().iter().map(entry).collect()
}

/// Name, description, and further lines.
type Lines = (&'static str, &'static str, Vec<String>);

impl Unit {
    fn lines(&self) -> Lines {
        let parameters = self.parameters.iter().map(|p| format!("{} ({}): {}", p.name, p.default, p.description));
        (self.name, self.description, parameters.collect())
    }
}

impl Entry {
    fn lines(&self) -> Lines {
        let takes = self.takes.iter().map(|takes| format!("takes {takes}"));
        let variants = self.variants.iter().map(|v| format!("--variant {:<7} {}", v.name, v.description));
        (self.name, self.description, takes.chain(variants).collect())
    }
}

fn print(title: &str, entries: impl Iterator<Item = Lines>) {
    println!("{title}");
    for (name, description, more) in entries {
        // A long name has a line of its own.
        let name = if name.len() > 24 { format!("{name}\n  {:<24}", "") } else { name.to_owned() };
        println!("  {name:<24} {description}");
        more.iter().for_each(|line| println!("  {:<24}   {line}", ""));
    }
}
