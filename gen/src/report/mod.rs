//! The cost of units: gates, area, SRAM, critical path; computed in parallel, and once.

mod cache;
pub mod hand;
pub mod own;
pub mod page;
pub mod render;
mod speed;
mod steps;
mod systems;

use crate::buffer;
use crate::digest::sha256;
use crate::elaborate::{elaborate_beside, Design, Verilog};
use crate::error::{Error, Result};
use crate::fo4;
use crate::liberty::Liberty;
use crate::macros;
use crate::memory_area::Range;
use crate::order::{self, Orders, ORDERS};
use crate::sram::{self, Sram};
use crate::storage::{self, Memories};
use crate::synth::{self, Effort, Logic, Mapped, Part};
use crate::target::Target;
use crate::timing::{self, CriticalPath};
use crate::tool::{self, Tools};
use cache::Cache;
use hdl::catalog::Instance;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
pub use speed::Speed;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
pub(crate) use steps::Steps;
pub use steps::{Progress, Running};

/// The origin of a report's numbers; printed with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    pub library: String,
    /// Area of NAND2 in the library: one gate equivalent.
    pub nand2_area: f64,
    /// FO4 of the library, ns ([`fo4::measure`]).
    pub fo4_ns: f64,
    pub yosys: String,
    pub sta: String,
    pub abc_script: String,
    /// For a unit that misses its target with the other.
    pub abc_script_for_delay: String,
    pub abc_script_for_speed: String,
    /// The rule for the orders of cells.
    pub orders: String,
    /// The rule for resets.
    pub resets: String,
    pub buffers: String,
    pub sram_source: String,
    /// The time of an access to SRAM.
    pub sram_access: String,
}

impl Method {
    /// The FO4 is kept in `cache_dir`.
    ///
    /// # Errors
    /// A missing tool, a cache directory that cannot be written.
    pub fn of(liberty: &Liberty, cache_dir: &Path) -> Result<Method> {
        let (yosys, sta) = tool::versions()?;
        Ok(Method {
            library: liberty.name.clone(),
            nand2_area: liberty.nand2,
            fo4_ns: fo4_of(liberty, &Cache::open(cache_dir)?, &sta, &Tools::default())?,
            yosys,
            sta,
            abc_script: Effort::Area.abc_script().into(),
            abc_script_for_delay: Effort::Delay.abc_script().into(),
            abc_script_for_speed: Effort::Speed.abc_script().into(),
            orders: order::rule(),
            resets: synth::RESETS.into(),
            buffers: buffer::rule(),
            sram_source: sram::SOURCE.into(),
            sram_access: sram::access_rule(),
        })
    }
}

/// The FO4 of a library, measured once.
fn fo4_of(liberty: &Liberty, cache: &Cache, sta: &str, tools: &Tools) -> Result<f64> {
    let key = format!("{}\n{sta}\n{}", fo4::VERSION, liberty.text);
    if let Some(fo4) = cache.get("fo4", &key) {
        return Ok(fo4);
    }
    let fo4 = fo4::measure(liberty, tools)?;
    cache.put("fo4", &key, &fo4)?;
    Ok(fo4)
}

/// One unit's cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub unit: String,
    pub module: String,
    /// The digest of all that the row follows from but for the tools' versions: [`Units::digests`].
    pub digest: String,
    pub parameters: BTreeMap<String, u64>,
    /// Logic outside SRAM, in areas of NAND2.
    pub gate_equivalents: f64,
    /// Logic outside SRAM, in the library's unit (um2 in the usual ones).
    pub logic_area: f64,
    pub cells: u64,
    pub flip_flops: u64,
    pub sram: Sram,
    /// The same memories by place.
    pub memories: Vec<Memories>,
    /// The goal of the logic's mapping.
    pub mapped_for: Effort,
    /// The longest path in each order of the cells, that as written first. Empty for a unit without logic (a memory); one, while the
    /// others are not measured.
    pub paths: Vec<CriticalPath>,
}

impl Row {
    /// Gate equivalents of the memories, by [`crate::memory_area`].
    pub fn memory_area(&self) -> Range {
        self.memories.iter().map(Memories::area).sum()
    }

    /// All its paths are measured.
    pub fn is_complete(&self) -> bool {
        [0, ORDERS].contains(&self.paths.len())
    }

    /// Gate equivalents of logic and memories.
    pub fn sum(&self) -> Range {
        Range::exactly(self.gate_equivalents) + self.memory_area()
    }
}

/// Synthesis and timing of one design: what the cache keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Measured {
    effort: Effort,
    logic: Logic,
    critical_path: CriticalPath,
}

/// Units with everything below them.
pub struct Units {
    instances: Vec<Instance>,
    designs: Vec<Design>,
}

impl Units {
    /// Elaborates `instances` beside `others`: a module below them has one name whichever of them is asked for.
    ///
    /// # Errors
    /// A unit that does not elaborate.
    pub fn elaborate(instances: &[Instance], others: &[Instance]) -> Result<Units> {
        Ok(Units::among(&elaborate_beside(instances, &together(others, instances))?, instances))
    }

    /// `instances`, which were elaborated with all of `modules`.
    ///
    /// # Panics
    /// If one of them is not there.
    pub fn among(modules: &[Verilog], instances: &[Instance]) -> Units {
        let designs = instances.iter().map(|i| Design::of(modules, &i.module)).collect();
        Units { instances: instances.to_vec(), designs }
    }

    /// The units whose module `wanted` accepts.
    pub fn only(&self, wanted: impl Fn(&str) -> bool) -> Units {
        let chosen = || (0..self.instances.len()).filter(|i| wanted(&self.instances[*i].module));
        Units {
            instances: chosen().map(|i| self.instances[i].clone()).collect(),
            designs: chosen().map(|i| self.designs[i].clone()).collect(),
        }
    }

    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// No unit has logic.
    pub fn is_memory(&self) -> bool {
        self.designs.iter().all(|design| design.top().is_memory())
    }

    pub(crate) fn designs(&self) -> &[Design] {
        &self.designs
    }

    /// For each unit 128 bits in hexadecimal of all that its row follows from but for the tools' versions: Verilog without
    /// comments, scripts, buffers, SRAM estimate and library.
    pub fn digests(&self, liberty: &Liberty) -> Vec<String> {
        let library = short(&liberty.text);
        let digest = |design: &Design| {
            let sram = sram::estimate(design.memories());
            short(&format!("{library}\n{sram:?}\n{}", recipe(design, liberty)))
        };
        self.designs.par_iter().map(digest).collect()
    }
}

/// The first 128 bits of the digest.
pub(crate) fn short(text: &str) -> String {
    sha256(text)[..32].into()
}

/// The inputs of a design's logic and timing, but for library and tools.
fn recipe(design: &Design, liberty: &Liberty) -> String {
    let scripts = Effort::ALL.map(Effort::abc_script).join("\n");
    let mut text = format!("{scripts}\n{}\n{}\n{}\n", synth::RESETS, buffer::rule(), buffer::VERSION);
    synth::parts(design).iter().for_each(|part| text += &(part.script(liberty) + &part.verilog()));
    // With times in FO4: how long one is follows from the library.
    let unit = design.top().about.as_ref().map_or("", |about| about.unit.as_str());
    text += &format!("{:?}\n", Target::of(unit).map(|target| target.both()));
    // A library without a flip-flop of its own is refused when it is timed.
    let script = timing::script(design, liberty, liberty.time_unit).unwrap_or_default();
    text + &script + &macros::library(design, liberty, liberty.time_unit)
}

/// The cost of each of `units`, in their order. Results are kept in `cache_dir` by the content of Verilog, scripts,
/// library and tool versions.
///
/// # Errors
/// A missing or failing tool, a cache directory that cannot be written; [`Error::Interrupted`] soon after `interrupt` is
/// true, with what is finished in the cache.
pub fn cost(
    units: &Units,
    orders: Orders,
    liberty: &Liberty,
    cache_dir: &Path,
    interrupt: &AtomicBool,
    progress: Progress,
) -> Result<Vec<Row>> {
    let steps = Steps::new(progress);
    let tick = || steps.tell();
    let tools = Tools { interrupt, limit: tool::LIMIT, tick: &tick };
    let flow = Flow::open(liberty, cache_dir, tools, &steps)?;
    let targets: Vec<Option<Target>> = units.instances.iter().map(|i| Target::of(i.unit)).collect();
    let measured = flow.run(&units.designs, &targets)?;
    let paths = flow.paths(orders, &units.designs, &measured)?;
    Ok(rows(units, liberty, measured.into_iter().zip(paths).map(Some)).into_iter().flatten().collect())
}

/// The rows of `units` that are in the cache, without any synthesis.
///
/// # Errors
/// A missing tool, a cache directory that cannot be written.
pub fn kept(units: &Units, orders: Orders, liberty: &Liberty, cache_dir: &Path) -> Result<Vec<Option<Row>>> {
    let (steps, tools) = (Steps::new(&|_, _, _| ()), Tools::default());
    let flow = Flow::open(liberty, cache_dir, tools, &steps)?;
    let kept = |design| {
        let measured = flow.kept(design)?;
        let paths = flow.kept_paths(orders, design, &measured)?;
        Some((measured, paths))
    };
    Ok(rows(units, liberty, units.designs.iter().map(kept)))
}

fn rows(
    units: &Units,
    liberty: &Liberty,
    measured: impl Iterator<Item = Option<(Option<Measured>, Vec<CriticalPath>)>>,
) -> Vec<Option<Row>> {
    let known = units.instances.iter().zip(&units.designs).zip(units.digests(liberty)).zip(measured);
    known
        .map(|(((instance, design), digest), measured)| Some(row(instance, design, digest, liberty, measured?)))
        .collect()
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

/// `measured` is `None` for a memory, which has no paths.
fn row(
    instance: &Instance,
    design: &Design,
    digest: String,
    liberty: &Liberty,
    (measured, paths): (Option<Measured>, Vec<CriticalPath>),
) -> Row {
    let logic = measured.as_ref().map(|m| &m.logic);
    let area = logic.map_or(0.0, |l| l.area);
    Row {
        unit: instance.unit.into(),
        module: instance.module.clone(),
        digest,
        parameters: instance.parameters_by_name(),
        gate_equivalents: area / liberty.nand2,
        logic_area: area,
        cells: logic.map_or(0, |l| l.cells.values().sum()),
        flip_flops: logic.map_or(0, |l| l.flip_flops),
        sram: sram::estimate(design.memories()),
        memories: storage::memories(design),
        mapped_for: measured.as_ref().map_or(Effort::Area, |m| m.effort),
        paths,
    }
}

/// A unit in gates.
pub(crate) struct Gates {
    pub logic: Logic,
    /// Verilog of its parts over the library's cells.
    pub netlist: String,
}

/// A part of a unit as RTL and in gates.
pub struct PartInGates {
    pub module: String,
    /// The modules that dissolve in it, it being the last one.
    pub rtl: String,
    /// Verilog over the library's cells, buffers included.
    pub netlist: String,
    /// Names of the memories and other parts in it, and Verilog of their ports.
    pub boxes: Vec<String>,
    pub ports_of_boxes: String,
}

/// The parts with logic of the units, each with the netlist whose area and timing [`cost`] tells.
///
/// # Errors
/// Errors of [`cost`].
pub fn in_gates(units: &Units, liberty: &Liberty, cache_dir: &Path, tools: Tools) -> Result<Vec<PartInGates>> {
    let steps = Steps::new(&|_, _, _| ());
    let flow = Flow::open(liberty, cache_dir, tools, &steps)?;
    let mut found = vec![];
    for (instance, design) in units.instances.iter().zip(&units.designs) {
        if design.top().is_memory() {
            continue;
        }
        let mapped = flow.mapped(design, Target::of(instance.unit))?;
        let mapped = mapped.iter().map(|(name, part)| (name.as_str(), part)).collect();
        let mut netlists = buffer::buffered(design, liberty, &mapped)?;
        for part in synth::parts(design).iter().filter(|part| !part.top.is_memory()) {
            let module = part.top.module.clone();
            let netlist = netlists.remove(module.as_str()).expect("each part is mapped").netlist;
            let boxes = part.boxes().iter().map(|module| module.module.clone()).collect();
            found.push(PartInGates { module, rtl: part.logic(), netlist, boxes, ports_of_boxes: part.black_boxes() });
        }
    }
    Ok(found)
}

/// Synthesis, then timing, each over all designs at once.
pub(crate) struct Flow<'a> {
    pub liberty: &'a Liberty,
    pub fo4_ns: f64,
    cache: Cache,
    /// [`Part::cells`] of this run's parts.
    cells: tempfile::TempDir,
    versions: (String, String),
    pub tools: Tools<'a>,
    pub steps: &'a Steps<'a>,
}

impl<'a> Flow<'a> {
    pub fn open(liberty: &'a Liberty, cache_dir: &Path, tools: Tools<'a>, steps: &'a Steps<'a>) -> Result<Self> {
        let (cache, versions) = (Cache::open(cache_dir)?, tool::versions()?);
        let fo4_ns = fo4_of(liberty, &cache, &versions.1, &tools)?;
        Ok(Flow { liberty, fo4_ns, cache, cells: directory()?, versions, tools, steps })
    }

    /// One result a design; `None` for a memory. `targets`: for what each is mapped.
    fn run(&self, designs: &[Design], targets: &[Option<Target>]) -> Result<Vec<Option<Measured>>> {
        let mut found: Vec<Option<Option<Measured>>> = designs.iter().map(|d| self.kept(d)).collect();
        let new: Vec<usize> = (0..designs.len()).filter(|&d| found[d].is_none()).collect();
        let mut open = new.clone();
        for effort in Effort::ALL {
            let these: Vec<&Design> = open.iter().map(|&d| &designs[d]).collect();
            for (&d, measured) in open.iter().zip(self.run_for(effort, &these)?) {
                found[d] = Some(Some(self.better(found[d].take().flatten(), measured)));
            }
            let misses = |&d: &usize| {
                found[d].as_ref().is_some_and(|m| m.as_ref().is_some_and(|m| self.misses(m, targets[d].as_ref())))
            };
            open.retain(misses);
        }
        for d in new {
            if let Some(Some(measured)) = &found[d] {
                self.cache.put(&designs[d].top().module, &self.key(&designs[d]), measured)?;
            }
        }
        Ok(found.into_iter().map(Option::flatten).collect())
    }

    fn misses(&self, measured: &Measured, target: Option<&Target>) -> bool {
        let gates = measured.logic.area / self.liberty.nand2;
        target.is_some_and(|target| measured.critical_path.ns / self.fo4_ns > target.fo4(gates))
    }

    /// The faster one.
    fn better(&self, before: Option<Measured>, after: Measured) -> Measured {
        match before {
            Some(before) if before.critical_path.ns <= after.critical_path.ns => before,
            _ => after,
        }
    }

    /// Maps the parts of all designs, then times each design.
    fn run_for(&self, effort: Effort, designs: &[&Design]) -> Result<Vec<Measured>> {
        let parts: BTreeMap<&str, Part> =
            designs.iter().flat_map(|d| synth::parts(d)).map(|p| (p.top.module.as_str(), p)).collect();
        self.steps.expect(parts.len() + designs.len());

        // The long ones first, so that the last one to finish is a short one.
        let mut parts: Vec<(&str, Part)> = parts.into_iter().collect();
        parts.sort_by_key(|(_, part)| std::cmp::Reverse(part.verilog().len()));
        let map =
            |(name, part): &(&str, Part)| Ok((name.to_string(), self.steps.during(name, || self.map(part, effort))?));
        let mapped: BTreeMap<String, Mapped> = parts.par_iter().with_max_len(1).map(map).collect::<Result<_>>()?;
        let mapped: BTreeMap<&str, &Mapped> = mapped.iter().map(|(name, m)| (name.as_str(), m)).collect();
        let time = |design: &&Design| {
            self.steps.during(&design.top().module, || self.measure(design, self.buffered(design, &mapped)?, effort))
        };
        designs.par_iter().with_max_len(1).map(time).collect()
    }

    /// The cache's result, or that of a design that needs no tool: a memory has no logic.
    fn kept(&self, design: &Design) -> Option<Option<Measured>> {
        match design.top().is_memory() {
            true => Some(None),
            false => self.cache.get(&design.top().module, &self.key(design)).map(Some),
        }
    }

    fn map(&self, part: &Part, effort: Effort) -> Result<Mapped> {
        let name = format!("{}-{}", part.top.module, effort.name());
        let key = self.key_of_part(part, effort);
        if let Some(mapped) = self.cache.get(&name, &key) {
            return Ok(mapped);
        }
        let mapped = self.map_in_order(part, 0, effort)?;
        self.cache.put(&name, &key, &mapped)?;
        Ok(mapped)
    }

    fn map_in_order(&self, part: &Part, order: usize, effort: Effort) -> Result<Mapped> {
        part.map(&self.cells(part)?, order, effort, self.liberty, directory()?.path(), &self.tools)
    }

    /// The part in Yosys' own cells. Yosys takes longer for them than for a mapping, of which there are up to seven.
    fn cells(&self, part: &Part) -> Result<String> {
        let path = self.cells.path().join(format!("{}-{}", part.top.module, short(&part.verilog())));
        if let Ok(cells) = std::fs::read_to_string(&path) {
            return Ok(cells);
        }
        let cells = part.cells(directory()?.path(), &self.tools)?;
        output::replace(&path, cells.as_bytes()).map_err(|e| Error::file(&path, e))?;
        Ok(cells)
    }

    /// Everything that a part's gates follow from.
    fn key_of_part(&self, part: &Part, effort: Effort) -> String {
        let (script, verilog) = (part.script(self.liberty), part.verilog());
        [&self.versions.0, &script, synth::RESETS, effort.abc_script(), &verilog, &self.liberty.text].join("\n")
    }

    /// The longest paths of each design in the orders of its cells, that as written first; none for a memory.
    fn paths(
        &self,
        orders: Orders,
        designs: &[Design],
        measured: &[Option<Measured>],
    ) -> Result<Vec<Vec<CriticalPath>>> {
        self.steps.expect(designs.len());
        let paths = |(design, measured): (&Design, &Option<Measured>)| {
            self.steps.during(&design.top().module, || match (self.kept_paths(orders, design, measured), measured) {
                (None, Some(measured)) => self.new_paths(design, measured),
                (kept, _) => Ok(kept.unwrap_or_default()),
            })
        };
        designs.par_iter().zip(measured).with_max_len(1).map(paths).collect()
    }

    /// Those that are known without a tool.
    fn kept_paths(&self, orders: Orders, design: &Design, measured: &Option<Measured>) -> Option<Vec<CriticalPath>> {
        match (measured, orders) {
            (None, _) => Some(vec![]),
            (Some(measured), Orders::AsWritten) => Some(vec![measured.critical_path.clone()]),
            (Some(measured), Orders::All) => self.cache.get(&paths_name(design), &self.key_of_paths(design, measured)),
        }
    }

    fn new_paths(&self, design: &Design, measured: &Measured) -> Result<Vec<CriticalPath>> {
        let parts = synth::parts(design);
        let mapped: Vec<(&str, Vec<Mapped>)> = parts
            .par_iter()
            .with_max_len(1)
            .map(|part| Ok((part.top.module.as_str(), self.map_reordered(part, measured.effort)?)))
            .collect::<Result<_>>()?;
        let path = |order: usize| {
            let mapped = mapped.iter().map(|(name, orders)| (*name, &orders[order])).collect();
            Ok(self.measure(design, self.buffered(design, &mapped)?, measured.effort)?.critical_path)
        };
        let others: Vec<CriticalPath> =
            (0..ORDERS - 1).into_par_iter().with_max_len(1).map(path).collect::<Result<_>>()?;
        let paths: Vec<CriticalPath> = std::iter::once(measured.critical_path.clone()).chain(others).collect();
        self.cache.put(&paths_name(design), &self.key_of_paths(design, measured), &paths)?;
        Ok(paths)
    }

    /// Everything that the paths of a design follow from.
    fn key_of_paths(&self, design: &Design, measured: &Measured) -> String {
        format!("{}\n{}\n{}", measured.effort.name(), order::VERSION, self.key(design))
    }

    /// A part in each order of its cells but that as written. A memory has no cells.
    fn map_reordered(&self, part: &Part, effort: Effort) -> Result<Vec<Mapped>> {
        let name = format!("{}-{}-orders", part.top.module, effort.name());
        let key = format!("{}\n{}", order::VERSION, self.key_of_part(part, effort));
        if let Some(mapped) = self.cache.get(&name, &key) {
            return Ok(mapped);
        }
        let orders = (1..ORDERS).into_par_iter().map(|order| self.map_in_order(part, order, effort));
        let mapped: Vec<Mapped> = orders.collect::<Result<_>>()?;
        self.cache.put(&name, &key, &mapped)?;
        Ok(mapped)
    }

    /// A design in gates, its parts one after the other.
    pub fn gates(&self, design: &Design, target: Option<Target>) -> Result<Gates> {
        let mapped = self.mapped(design, target)?;
        self.buffered(design, &mapped.iter().map(|(name, part)| (name.as_str(), part)).collect())
    }

    /// The parts of a design for what it is mapped for.
    fn mapped(&self, design: &Design, target: Option<Target>) -> Result<BTreeMap<String, Mapped>> {
        let measured = self.run(std::slice::from_ref(design), &[target])?.pop().flatten().expect("a design with logic");
        let map = |part: &Part| Ok((part.top.module.clone(), self.map(part, measured.effort)?));
        synth::parts(design).iter().map(map).collect()
    }

    fn buffered(&self, design: &Design, mapped: &BTreeMap<&str, &Mapped>) -> Result<Gates> {
        let parts = buffer::buffered(design, self.liberty, mapped)?;
        let mapped: BTreeMap<&str, &Mapped> = parts.iter().map(|(name, part)| (*name, part)).collect();
        let logic = synth::sum(design, self.liberty, &mapped)?;
        Ok(Gates { logic, netlist: parts.values().map(|part| part.netlist.as_str()).collect() })
    }

    fn measure(&self, design: &Design, gates: Gates, effort: Effort) -> Result<Measured> {
        let directory = directory()?;
        let critical_path =
            timing::critical_path(design, self.liberty, self.fo4_ns, &gates.netlist, directory.path(), &self.tools)?;
        Ok(Measured { effort, logic: gates.logic, critical_path })
    }

    /// Everything that a design's result follows from.
    fn key(&self, design: &Design) -> String {
        format!("{}\n{}\n{}\n{}", self.versions.0, self.versions.1, recipe(design, self.liberty), self.liberty.text)
    }
}

fn paths_name(design: &Design) -> String {
    format!("{}-paths", design.top().module)
}

pub(crate) fn directory() -> Result<tempfile::TempDir> {
    tempfile::tempdir().map_err(|e| Error::file(std::env::temp_dir(), e))
}
