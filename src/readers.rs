//! Everything of this project that reads a text which somebody else has written, a reader for each form of text. No text makes a
//! reader panic, hang or take all memory: `tests/readers.rs` and `fuzz/` give them wrong ones (docs/robustness.md).

use crate::{calibrate, claims, kernel, microbench, parameters, sweep};
use anyhow::{Context, Result};
use gen::liberty::Liberty;
use sim::config::Config;
use sim::graph::{self, Format, ReadOptions};
use sim::ptx::Module;
use sim::unit::{Interface, Pin};
use std::path::Path;
use testbench::trace::Trace;

/// A form of text, and what reads a file of it.
pub struct Reader {
    pub name: &'static str,
    read: fn(&Path) -> Result<()>,
}

pub const READERS: [Reader; 25] = [
    Reader { name: "ptx", read: |path| ptx(&text(path)?) },
    Reader { name: "arguments", read: |path| kernel::read_arguments(&text(path)?) },
    Reader { name: "launches", read: kernel::read_launches },
    Reader { name: "graph", read: |path| open(&shown(path)) },
    Reader { name: "matrix", read: |path| renamed(path, "graph.mtx", |path| open(&shown(path))) },
    Reader { name: "dimacs", read: |path| renamed(path, "graph.gr", |path| open(&shown(path))) },
    Reader { name: "metis", read: |path| of_format(path, Format::Metis) },
    Reader { name: "scotch", read: |path| of_format(path, Format::Scotch) },
    Reader { name: "rodinia", read: |path| of_format(path, Format::Rodinia) },
    Reader { name: "galois", read: |path| of_format(path, Format::Galois) },
    Reader { name: "gap", read: |path| of_format(path, Format::Gap) },
    Reader { name: "scipy", read: |path| of_format(path, Format::Scipy) },
    Reader { name: "gml", read: |path| of_format(path, Format::Gml) },
    Reader { name: "graphml", read: |path| of_format(path, Format::GraphMl) },
    Reader { name: "generator", read: |path| generator(&text(path)?) },
    Reader { name: "config", read: |path| config(&text(path)?) },
    Reader { name: "overrides", read: |path| overrides(&text(path)?) },
    Reader { name: "plan", read: |path| sweep::cost(path).map(drop) },
    Reader { name: "rows", read: sweep::readers::rows },
    Reader { name: "run", read: sweep::readers::run },
    Reader { name: "claims", read: |path| claims::others(path).map(drop) },
    Reader { name: "calibration", read: |path| renamed(path, "results.json", calibrate::read_results) },
    Reader { name: "facts", read: |path| microbench::Facts::read(path).map(drop) },
    Reader { name: "liberty", read: liberty },
    Reader { name: "trace", read: trace },
];

/// The reader of this name reads a file with these bytes. What is wrong with them is an error; all else is a fault of ours.
pub fn read(name: &str, bytes: &[u8]) -> Result<()> {
    let reader = READERS.iter().find(|reader| reader.name == name).with_context(|| format!("no reader `{name}`"))?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("input");
    std::fs::write(&path, bytes)?;
    (reader.read)(&path)
}

fn text(path: &Path) -> Result<String> {
    Ok(std::fs::read_to_string(path)?)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The reader looks at the file's name.
fn renamed(path: &Path, name: &str, read: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let place = path.with_file_name(name);
    std::fs::rename(path, &place)?;
    read(&place)
}

fn ptx(text: &str) -> Result<()> {
    let module = Module::parse("input.ptx", text)?;
    for entry in module.entries() {
        module.kernel(entry)?;
    }
    Ok(())
}

fn open(spec: &str) -> Result<()> {
    let graph = graph::open(spec)?;
    graph.edge_weights()?;
    Ok(())
}

fn of_format(path: &Path, format: Format) -> Result<()> {
    let graph = graph::open_with(&shown(path), &ReadOptions { format: Some(format), ..ReadOptions::default() })?;
    graph.edge_weights()?;
    Ok(())
}

/// Generators do as much work as they are asked to: of their sizes only those are read that are small, or must be refused.
fn generator(spec: &str) -> Result<()> {
    let is_work = |number: &str| number.parse().is_ok_and(|number: f64| (12.0..2e10).contains(&number.abs()));
    let sizes = spec.split(':').filter(|part| !part.starts_with("seed=")).flat_map(|part| part.split(['x', '=']));
    let reads = spec.starts_with("gen:") && !sizes.map(|size| size.replace('_', "")).any(|size| is_work(&size));
    if reads {
        open(spec)?;
    }
    Ok(())
}

fn config(text: &str) -> Result<()> {
    let config = Config::from_toml("input.toml", text)?;
    Config::from_toml("again.toml", &toml::to_string(&config.to_value())?).map(drop).context("a good one reads back")
}

/// A line is what stands behind a `--set`, of a configuration and of a unit.
fn overrides(text: &str) -> Result<()> {
    let mut config = Config::preset("gw-fermi-gw8")?;
    for line in text.lines() {
        let unit = parameters::several(line).and_then(|set| Ok(parameters::combinations(&[set])));
        let known = unit.map(|sets| sets.iter().map(|set| hdl::catalog::find("hwwl_core", set)).count());
        config.set(line).map(drop).or(known.map(drop))?;
    }
    Ok(())
}

fn liberty(path: &Path) -> Result<()> {
    let library = Liberty::read(Some(path))?;
    library.nor2();
    library.flip_flop()?;
    Ok(())
}

/// A trace of a unit with two inputs.
fn trace(path: &Path) -> Result<()> {
    let subject = Trace::subject(path)?;
    let interface = Interface { inputs: vec![Pin::new("go", 1), Pin::new("wide", 100)], outputs: vec![] };
    let mut trace = Trace::read(path, &interface)?;
    trace.log.replay(|_, _, _| std::io::Result::Ok(()))?;
    hdl::catalog::find(&subject.unit, &subject.parameters())?;
    Ok(())
}
