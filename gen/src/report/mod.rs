//! What units cost: gates, area, SRAM, critical path; computed in parallel, and once.

mod cache;
pub mod render;

use crate::buffer;
use crate::elaborate::{elaborate_all, Design};
use crate::error::{Error, Result};
use crate::liberty::Liberty;
use crate::sram::{self, Sram};
use crate::synth::{self, Logic, Mapped, Part};
use crate::timing::{self, CriticalPath};
use crate::tool;
use cache::Cache;
use hdl::catalog::Instance;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How the numbers of a report came about; printed beside them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Method {
    pub library: String,
    /// Area of NAND2 in the library: one gate equivalent.
    pub nand2_area: f64,
    pub yosys: String,
    pub sta: String,
    pub abc_script: &'static str,
    /// What becomes of nets with large loads.
    pub buffers: String,
    pub sram_source: &'static str,
}

impl Method {
    /// # Errors
    /// A missing tool.
    pub fn of(liberty: &Liberty) -> Result<Method> {
        let (yosys, sta) = tool::versions()?;
        Ok(Method {
            library: liberty.name.clone(),
            nand2_area: liberty.nand2,
            yosys,
            sta,
            abc_script: synth::ABC_SCRIPT,
            buffers: buffer::rule(),
            sram_source: sram::SOURCE,
        })
    }
}

/// One unit's cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub unit: String,
    pub module: String,
    pub parameters: BTreeMap<String, u64>,
    /// Logic outside SRAM, in areas of NAND2.
    pub gate_equivalents: f64,
    /// Logic outside SRAM, in the library's unit (um2 in the usual ones).
    pub logic_area: f64,
    pub cells: u64,
    pub flip_flops: u64,
    pub sram: Sram,
    /// `None` for a unit without logic (a memory).
    pub critical_path: Option<CriticalPath>,
    /// 1 / critical path.
    pub fmax_mhz: Option<f64>,
}

/// Synthesis and timing of one design: what the cache keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Measured {
    logic: Logic,
    critical_path: CriticalPath,
}

/// How far a report is: steps done and all steps, and the module that the last one was about.
pub type Progress<'a> = &'a (dyn Fn(usize, usize, &str) + Sync);

/// What each of `instances` costs, in their order. They are elaborated beside `others`, so that a module below them has one
/// name whichever of them is asked for. Results are kept in `cache_dir` by the content of Verilog, scripts, library and
/// tool versions.
///
/// # Errors
/// A unit that does not elaborate, a missing or failing tool, a cache directory that cannot be written.
pub fn cost(
    instances: &[Instance],
    others: &[Instance],
    liberty: &Liberty,
    cache_dir: &Path,
    progress: Progress,
) -> Result<Vec<Row>> {
    let modules = elaborate_all(&together(others, instances))?;
    let designs: Vec<Design> = instances.iter().map(|i| Design::of(&modules, &i.module)).collect();
    let measured =
        Flow { liberty, cache: Cache::open(cache_dir)?, versions: tool::versions()? }.run(&designs, progress)?;
    let rows = instances.iter().zip(&designs).zip(measured);
    Ok(rows.map(|((instance, design), measured)| row(instance, design, liberty, measured)).collect())
}

/// Each once.
fn together(others: &[Instance], instances: &[Instance]) -> Vec<Instance> {
    let mut all: Vec<Instance> = others.to_vec();
    for instance in instances {
        if all.iter().all(|other| other.module != instance.module) {
            all.push(instance.clone());
        }
    }
    all
}

fn row(instance: &Instance, design: &Design, liberty: &Liberty, measured: Option<Measured>) -> Row {
    let logic = measured.as_ref().map(|m| &m.logic);
    let area = logic.map_or(0.0, |l| l.area);
    let critical_path = measured.as_ref().map(|m| m.critical_path.clone());
    Row {
        unit: instance.unit.into(),
        module: instance.module.clone(),
        parameters: instance.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect(),
        gate_equivalents: area / liberty.nand2,
        logic_area: area,
        cells: logic.map_or(0, |l| l.cells.values().sum()),
        flip_flops: logic.map_or(0, |l| l.flip_flops),
        sram: sram::estimate(design.memories()),
        fmax_mhz: critical_path.as_ref().map(|p| 1e3 / p.ns),
        critical_path,
    }
}

/// Synthesis, then timing, each over all designs at once.
struct Flow<'a> {
    liberty: &'a Liberty,
    cache: Cache,
    versions: (String, String),
}

impl Flow<'_> {
    /// One result a design; `None` for a memory.
    fn run(&self, designs: &[Design], progress: Progress) -> Result<Vec<Option<Measured>>> {
        let kept: Vec<Option<Measured>> =
            designs.iter().map(|d| self.cache.get(&d.top().module, &self.key(d))).collect();
        let open: Vec<usize> = (0..designs.len()).filter(|i| kept[*i].is_none()).collect();
        let parts: BTreeMap<&str, Part> =
            open.iter().flat_map(|i| synth::parts(&designs[*i])).map(|p| (p.top.module.as_str(), p)).collect();
        let steps = Steps { all: parts.len() + open.len(), done: AtomicUsize::new(0), progress };

        // The long ones first, so that the last one to finish is a short one.
        let mut parts: Vec<(&str, Part)> = parts.into_iter().collect();
        parts.sort_by_key(|(_, part)| std::cmp::Reverse(part.verilog().len()));
        let map = |(name, part): &(&str, Part)| Ok((name.to_string(), steps.count(name, self.map(part))?));
        let mapped: BTreeMap<String, Mapped> = parts.par_iter().with_max_len(1).map(map).collect::<Result<_>>()?;
        let mapped: BTreeMap<&str, &Mapped> = mapped.iter().map(|(name, m)| (name.as_str(), m)).collect();

        let time = |(design, kept): (&Design, Option<Measured>)| match kept {
            Some(measured) => Ok(Some(measured)),
            None => steps.count(&design.top().module, self.measure(design, &mapped)),
        };
        designs.par_iter().zip(kept).with_max_len(1).map(time).collect()
    }

    fn map(&self, part: &Part) -> Result<Mapped> {
        let name = format!("{}-gates", part.top.module);
        let key =
            [&self.versions.0, &part.script(self.liberty), synth::ABC_SCRIPT, &part.verilog(), &self.liberty.text];
        let key = key.join("\n");
        if let Some(mapped) = self.cache.get(&name, &key) {
            return Ok(mapped);
        }
        let mapped = part.map(self.liberty, directory()?.path())?;
        self.cache.put(&name, &key, &mapped)?;
        Ok(mapped)
    }

    fn measure(&self, design: &Design, mapped: &BTreeMap<&str, &Mapped>) -> Result<Option<Measured>> {
        if design.top().is_memory() {
            return Ok(None);
        }
        let parts = buffer::buffered(design, self.liberty, mapped)?;
        let mapped: BTreeMap<&str, &Mapped> = parts.iter().map(|(name, part)| (*name, part)).collect();
        let logic = synth::sum(design, self.liberty, &mapped)?;
        let netlist: String = parts.values().map(|part| part.netlist.as_str()).collect();
        let critical_path = timing::critical_path(design, self.liberty, &netlist, directory()?.path())?;
        let measured = Measured { logic, critical_path };
        self.cache.put(&design.top().module, &self.key(design), &measured)?;
        Ok(Some(measured))
    }

    /// Everything that a design's result follows from.
    fn key(&self, design: &Design) -> String {
        let mut key = format!("{}\n{}\n{}\n", self.versions.0, self.versions.1, synth::ABC_SCRIPT);
        synth::parts(design).iter().for_each(|p| key += &p.script(self.liberty));
        key + &buffer::rule() + &timing::script(design, self.liberty) + &design.verilog() + &self.liberty.text
    }
}

fn directory() -> Result<tempfile::TempDir> {
    tempfile::tempdir().map_err(|e| Error::file(std::env::temp_dir(), e))
}

/// Counts steps and tells about them.
struct Steps<'a> {
    all: usize,
    done: AtomicUsize,
    progress: Progress<'a>,
}

impl Steps<'_> {
    fn count<T>(&self, module: &str, result: Result<T>) -> Result<T> {
        (self.progress)(self.done.fetch_add(1, Ordering::SeqCst) + 1, self.all, module);
        result
    }
}
