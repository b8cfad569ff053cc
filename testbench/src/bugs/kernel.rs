//! A short kernel on a GPU whose RTL has the bug.

use super::Bug;
use crate::error::Result;
use crate::in_gpu::{b32_instance, bodies, gw_instance, hwwl_instance, iru_instance, Body, Handle, Kind, NotEqual};
use hdl::catalog::Instance;
use serde::{Deserialize, Serialize};
use sim::attach::Units;
use sim::config::Config;
use sim::gpu::Gpu;
use sim::unit::Unit;
use sim::units::gw::{B32FrontEnd, GwFrontEnd};
use sim::units::hwwl::Hwwl;
use sim::units::iru::Iru;
use sim::workload::{self, Input};
use std::path::Path;

/// How a tool found a bug.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Find {
    /// From the first reset on.
    pub cycles: u64,
    /// Pin, rule or property.
    pub what: String,
}

/// The RTL that a GPU is built with.
#[derive(Clone, Copy)]
enum Top {
    Hwwl,
    Iru,
    GwFrontEnd,
    B32FrontEnd,
}

/// A GPU and what it runs.
struct Setup {
    preset: &'static str,
    fields: &'static [&'static str],
    workload: &'static str,
    variant: &'static str,
    graph: &'static str,
}

impl Top {
    /// The one that has the unit in it.
    fn with(unit: &str) -> Option<Self> {
        match unit {
            "bank" | "hvu" | "icrn" | "wru_sorting" | "hwwl_core" => Some(Top::Hwwl),
            "iru_hash" | "prefetcher" | "classifier" | "ring_stop" | "reorder_bank" | "data_replier" => Some(Top::Iru),
            "gw_front_end" => Some(Top::GwFrontEnd),
            "b32_front_end" => Some(Top::B32FrontEnd),
            _ => None,
        }
    }

    fn setup(self) -> Setup {
        match self {
            Top::Hwwl => Setup {
                preset: "hwwl-micro14",
                fields: &["core.count=2", "hwwl.lanes=4"],
                workload: "bfs",
                variant: "hwwl",
                graph: "gen:uniform:2200",
            },
            Top::Iru => Setup {
                preset: "iru-gtx980",
                fields: &["core.count=2", "dram.channels=2", "iru.sets=8", "iru.timeout=16", "iru.requests=16"],
                workload: "sssp",
                variant: "iru",
                graph: "gen:kron:8",
            },
            Top::GwFrontEnd => Setup {
                preset: "gw-fermi-gw8",
                fields: &[
                    "core.count=2",
                    "core.schedulers=2",
                    "core.max_warps=64",
                    "gw.swst=4",
                    "gw.instructions=32",
                    "gw.sets=8",
                    "gw.ways=2",
                ],
                workload: "bfs",
                variant: "warp",
                graph: "gen:kron:8",
            },
            Top::B32FrontEnd => Setup {
                preset: "gw-fermi-b32",
                fields: &["core.count=2", "core.max_warps=16", "core.front_end=b32"],
                workload: "bfs",
                variant: "topo",
                graph: "gen:kron:7",
            },
        }
    }

    fn config(self) -> Result<Config> {
        let setup = self.setup();
        let mut config = Config::preset(setup.preset)?;
        config.set_all(setup.fields)?;
        Ok(config)
    }

    fn instance(self, config: &Config) -> Result<Instance> {
        match self {
            Top::Hwwl => hwwl_instance(&table(&config.hwwl).parameters(config.core.count)),
            Top::Iru => iru_instance(&table(&config.iru).parameters(config)),
            Top::GwFrontEnd => gw_instance(&table(&config.gw).parameters(config)),
            Top::B32FrontEnd => b32_instance(&config.core.b32_parameters()),
        }
    }

    fn units(self, config: &Config, rtl: Rtl) -> Result<(Units, Handle)> {
        let mut units = Units::default();
        let cores = config.core.count;
        let handle = match self {
            Top::Hwwl => {
                let model = Hwwl::new(&table(&config.hwwl).parameters(cores))?;
                let (mut bodies, handle) = rtl.bodies(vec![model])?;
                units.hwwl = bodies.pop();
                handle
            }
            Top::Iru => {
                let model = Iru::new(&table(&config.iru).parameters(config))?;
                let (mut bodies, handle) = rtl.bodies(vec![model])?;
                units.iru = bodies.pop();
                handle
            }
            Top::GwFrontEnd => {
                let model = GwFrontEnd::new(&table(&config.gw).parameters(config))?;
                let (bodies, handle) = rtl.bodies(vec![model; cores])?;
                units.gw = bodies;
                handle
            }
            Top::B32FrontEnd => {
                let model = B32FrontEnd::new(&config.core.b32_parameters())?;
                let (bodies, handle) = rtl.bodies(vec![model; cores])?;
                units.b32 = bodies;
                handle
            }
        };
        Ok((units, handle))
    }
}

fn table<T>(table: &Option<T>) -> &T {
    table.as_ref().expect("the preset has the unit")
}

/// What the units of a GPU are built from.
struct Rtl<'a> {
    instance: Instance,
    verilog: String,
    seed: u64,
    directory: &'a Path,
}

impl Rtl<'_> {
    fn bodies<U: Unit + 'static>(self, models: Vec<U>) -> Result<(Vec<Body<U>>, Handle)> {
        let kind = Kind::Lockstep.seeded(self.seed);
        bodies(kind, models, || Ok(self.instance), self.directory, |_| self.verilog)
    }
}

/// The RTL of a GPU that has the unit of the bug in it, if there is one.
pub(super) fn instance_with(bug: &Bug) -> Result<Option<Instance>> {
    Top::with(&bug.unit).map(|top| top.instance(&top.config()?)).transpose()
}

/// Runs the kernel with RTL and model in lock-step, the RTL with the bug in it: how it was found. The unit must be in a GPU.
///
/// # Errors
/// Those of [`Bug::plant`]; a kernel that fails although RTL and model are equal.
///
/// # Panics
/// If no GPU has the unit.
pub fn in_kernel(bug: &Bug, seed: u64, directory: &Path) -> Result<Option<Find>> {
    let top = Top::with(&bug.unit).expect("a unit that is in a GPU");
    let instance = top.instance(&top.config()?)?;
    let verilog = bug.verilog_of(&instance)?;
    run(top, Rtl { instance, verilog, seed, directory })
}

/// The same kernel on the RTL as it ships.
///
/// # Errors
/// Those of [`in_kernel`].
///
/// # Panics
/// If no GPU has the unit.
pub fn in_kernel_as_shipped(unit: &str, seed: u64, directory: &Path) -> Result<Option<Find>> {
    let top = Top::with(unit).expect("a unit that is in a GPU");
    let instance = top.instance(&top.config()?)?;
    let verilog = gen::elaborate(&instance)?.verilog();
    run(top, Rtl { instance, verilog, seed, directory })
}

fn run(top: Top, rtl: Rtl) -> Result<Option<Find>> {
    let (config, setup) = (top.config()?, top.setup());
    let (units, handle) = top.units(&config, rtl)?;
    let graph = sim::graph::open(setup.graph)?;
    let input = Input::Graph { graph: &graph, source: graph.source };
    let mut gpu = Gpu::new(&config, units);
    let outcome = workload::find(setup.workload)?.run(&mut gpu, input, setup.variant.parse()?, &mut |_| {});
    match handle.check() {
        Err(NotEqual::Fault(fault)) => {
            let what = handle.difference().map_or(without_place(&fault).into(), |difference| difference.pin);
            Ok(Some(Find { cycles: handle.cycles_to_fault(), what }))
        }
        _ => outcome.map(|_| None).map_err(Into::into),
    }
}

/// A violation without unit, cycle and files.
pub(super) fn without_place(violation: &str) -> &str {
    let rule = violation.split_once(": ").map_or(violation, |(_, rule)| rule);
    rule.split("; ").next().unwrap_or(rule)
}
