//! A short kernel on a GPU whose RTL has the bug.

use super::Bug;
use crate::error::Result;
use crate::in_gpu::{Choice, Implementation, NotEqual};
use crate::systems::{of_unit, InGpu};
use hdl::catalog::Instance;
use serde::{Deserialize, Serialize};
use sim::config::Config;
use sim::gpu::Gpu;
use sim::workload::{self, Input};
use std::path::Path;

/// Finding of a bug by a tool.
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
                fields: &[
                    "core.count=2",
                    "dram.channels=2",
                    "iru.sets=8",
                    "iru.timeout=16",
                    "iru.requests=16",
                    "iru.link=0",
                ],
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

    /// The RTL that its GPU has.
    fn instance(self) -> Result<Instance> {
        (self.system().instance)(&self.config()?)
    }

    fn system(self) -> &'static InGpu {
        of_unit(match self {
            Top::Hwwl => "hwwl",
            Top::Iru => "iru",
            Top::GwFrontEnd => "gw_front_end",
            Top::B32FrontEnd => "b32_front_end",
        })
    }
}

/// The RTL of a GPU that has the unit of the bug in it, if there is one.
pub(super) fn instance_with(bug: &Bug) -> Result<Option<Instance>> {
    Top::with(&bug.unit).map(Top::instance).transpose()
}

/// Runs the kernel with RTL and model in lock-step, the RTL with the bug in it: how it was found. The unit must be in a GPU.
///
/// # Errors
/// Errors of [`Bug::plant`]; a kernel that fails although RTL and model are equal.
///
/// # Panics
/// If no GPU has the unit.
pub fn in_kernel(bug: &Bug, seed: u64, directory: &Path) -> Result<Option<Find>> {
    let top = Top::with(&bug.unit).expect("a unit that is in a GPU");
    let verilog = bug.verilog_of(&top.instance()?)?;
    run(top, Choice::new(Implementation::Lockstep, directory).seeded(seed).changed(&|_| verilog.clone()))
}

/// Run of the same kernel on the RTL as it ships.
///
/// # Errors
/// Errors of [`in_kernel`].
///
/// # Panics
/// If no GPU has the unit.
pub fn in_kernel_as_shipped(unit: &str, seed: u64, directory: &Path) -> Result<Option<Find>> {
    let top = Top::with(unit).expect("a unit that is in a GPU");
    run(top, Choice::new(Implementation::Lockstep, directory).seeded(seed))
}

fn run(top: Top, choice: Choice) -> Result<Option<Find>> {
    let (config, setup) = (top.config()?, top.setup());
    let (system, handle) = (top.system().attach)(&config, &choice)?;
    let graph = sim::graph::open(setup.graph)?;
    let input = Input::Graph { graph: &graph, source: graph.source };
    let mut gpu = Gpu::new(&config, vec![system]);
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
