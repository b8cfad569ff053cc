//! What the workloads of a plan work on: graphs, or sizes for those that make their input themselves.

use super::entries::{distinct, shown};
use anyhow::{bail, ensure, Context, Result};
use sim::graph::{self, Graph};
use sim::number::whole_u32;
use sim::workload::{Input, Takes, Workload, WorkloadError};
use std::collections::BTreeMap;
use std::fmt;

/// An input as the plan writes it: a graph's specification, or a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    Graph(String),
    Size(u32),
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Asked::Graph(spec) => f.write_str(spec),
            Asked::Size(size) => write!(f, "size {size}"),
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
pub type Cell = (&'static Workload, usize);

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
        workloads: &[&'static Workload],
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
                all.cells.push((workload, input));
            }
        }
        ensure!(shared_used || graphs.is_empty(), "graphs: no workload runs on them");
        Ok(all)
    }

    fn add(&mut self, wanted: Wanted) -> usize {
        let known = self.inputs.iter().position(|input| input.asked == wanted.asked);
        known.unwrap_or_else(|| {
            self.inputs.push(wanted);
            self.inputs.len() - 1
        })
    }
}

fn asked(workload: &Workload, values: &[toml::Value]) -> Result<Vec<Asked>> {
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
}

impl Given {
    pub fn open(wanted: &Wanted) -> Result<Given> {
        match &wanted.asked {
            Asked::Graph(spec) => Ok(Given::Graph(graph::open(spec).with_context(|| wanted.place.clone())?)),
            Asked::Size(size) => Ok(Given::Size(*size)),
        }
    }

    pub fn input(&self) -> Input<'_> {
        match self {
            Given::Graph(graph) => Input::Graph { graph, source: graph.source },
            Given::Size(size) => Input::Size(*size),
        }
    }

    pub fn graph(&self) -> Option<&Graph> {
        match self {
            Given::Graph(graph) => Some(graph),
            Given::Size(_) => None,
        }
    }
}
