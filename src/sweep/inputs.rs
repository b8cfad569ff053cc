//! Inputs of a plan's workloads: graphs, sizes for those that make their input themselves, arguments of kernels.

use super::entries::{distinct, shown};
use super::own::entry::{Kernel, Way};
use super::own::Loaded;
use super::reading::Readings;
use super::work::Workload;
use anyhow::{bail, ensure, Context, Result};
use sim::graph::{self, Graph};
use sim::number::whole_u32;
use sim::workload::{self, Takes, WorkloadError};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// An input as the plan writes it: a graph's specification, or a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    Graph(String),
    Size(u32),
    Kernel(Arc<Kernel>),
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Asked::Graph(spec) => f.write_str(spec),
            Asked::Size(size) => write!(f, "size {size}"),
            Asked::Kernel(kernel) => kernel.fmt(f),
        }
    }
}

/// An input, and the place in the plan that names it.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub place: String,
    pub asked: Asked,
}

/// A workload on one of [`Cells::inputs`].
pub type Cell = (Workload, usize);

/// Everything that is to be run once for each series, in the plan's order.
#[derive(Debug)]
pub struct Cells {
    /// Each once.
    pub inputs: Vec<Wanted>,
    pub cells: Vec<Cell>,
}

impl Cells {
    /// `own`: by workload, instead of `graphs`.
    pub fn new(
        workloads: &[&'static workload::Workload],
        graphs: &[String],
        own: &BTreeMap<String, Vec<toml::Value>>,
    ) -> Result<Cells> {
        if let Some(name) = own.keys().find(|name| workloads.iter().all(|w| w.name != **name)) {
            bail!("inputs.{name}: is not in workloads");
        }
        let shared = || distinct("graphs", graphs, |spec| Ok(Asked::Graph(spec.to_owned())));
        let mut all = Cells { inputs: Vec::new(), cells: Vec::new() };
        let mut shared_used = false;
        for workload in workloads.iter().copied() {
            let (field, wanted) = match (own.get(workload.name), workload.takes) {
                (Some(values), _) => (format!("inputs.{}", workload.name), asked(workload, values)?),
                (None, Takes::Size(size)) => (String::new(), vec![Asked::Size(size.default)]),
                (None, _) => {
                    shared_used = true;
                    ("graphs".to_owned(), shared()?)
                }
            };
            for (i, asked) in wanted.into_iter().enumerate() {
                let input = all.add(Wanted { place: format!("{field}[{i}]"), asked });
                all.cells.push((Workload::Ours(workload), input));
            }
        }
        ensure!(shared_used || graphs.is_empty(), "graphs: no workload runs on them");
        Ok(all)
    }

    pub fn of_kernels(kernels: &[Arc<Kernel>]) -> Cells {
        let wanted = |(i, kernel): (usize, &Arc<Kernel>)| Wanted {
            place: format!("kernel[{i}]"),
            asked: Asked::Kernel(kernel.clone()),
        };
        Cells {
            inputs: kernels.iter().enumerate().map(wanted).collect(),
            cells: kernels.iter().cloned().map(Workload::Kernel).zip(0..).collect(),
        }
    }

    fn add(&mut self, wanted: Wanted) -> usize {
        let known = self.inputs.iter().position(|input| input.asked == wanted.asked);
        known.unwrap_or_else(|| {
            self.inputs.push(wanted);
            self.inputs.len() - 1
        })
    }
}

fn asked(workload: &workload::Workload, values: &[toml::Value]) -> Result<Vec<Asked>> {
    let field = format!("inputs.{}", workload.name);
    distinct(&field, &values.iter().map(shown).collect::<Vec<_>>(), |_| Ok(()))?;
    let read = |value: &toml::Value| match (workload.takes, value) {
        (Takes::Size(known), value) => {
            if value.as_integer().is_none() && value.as_float().is_none() {
                bail!("{value}: {} makes its input itself: give a size, 1 to {}", workload.name, known.max);
            }
            let size = whole_u32(&value.to_string()).with_context(|| value.to_string())?;
            if !(1..=known.max).contains(&size) {
                let (workload, meaning, max) = (workload.name, known.meaning, known.max);
                return Err(WorkloadError::Size { workload, size, meaning, max }.into());
            }
            Ok(Asked::Size(size))
        }
        (_, toml::Value::String(spec)) => Ok(Asked::Graph(spec.clone())),
        (_, value) => bail!("{value} is no graph: {} needs one", workload.name),
    };
    values.iter().enumerate().map(|(i, value)| read(value).with_context(|| format!("{field}[{i}]"))).collect()
}

/// An input that has been loaded.
pub enum Given {
    Graph(Graph),
    Size(u32),
    Kernel(Loaded),
}

impl Given {
    /// `ways` are the variants of the plan's kernels, `readings` how its graphs are read.
    pub fn open(wanted: &Wanted, ways: &[Arc<Way>], readings: &Readings) -> Result<Given> {
        match &wanted.asked {
            Asked::Graph(spec) => {
                let options = readings.get(spec).copied().unwrap_or_default();
                Ok(Given::Graph(graph::open_with(spec, &options).with_context(|| wanted.place.clone())?))
            }
            Asked::Size(size) => Ok(Given::Size(*size)),
            Asked::Kernel(kernel) => {
                Ok(Given::Kernel(Loaded::open(kernel, ways).with_context(|| wanted.place.clone())?))
            }
        }
    }

    /// The fingerprint of the source that a variant of a kernel is compiled from.
    pub fn source(&self, variant: &str) -> Option<String> {
        match self {
            Given::Kernel(kernel) => Some(kernel.source(variant)),
            Given::Graph(_) | Given::Size(_) => None,
        }
    }

    pub fn graph(&self) -> Option<&Graph> {
        match self {
            Given::Graph(graph) => Some(graph),
            Given::Size(_) | Given::Kernel(_) => None,
        }
    }
}
