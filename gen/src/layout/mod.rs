//! A unit placed and routed: what its wires add to the clock. The netlist is that of the area report, buffers included; SRAM
//! stays outside the layout, and the clock is ideal.

mod def;
mod flat;
pub mod page;
mod picture;
mod qflow;
mod rc;
pub mod render;
mod spef;
mod timing;

use crate::elaborate::Design;
use crate::error::{Error, Result};
use crate::liberty::Liberty;
use crate::report::{directory, short, Flow, Gates, Progress, Steps, Units};
use crate::target::Target;
use crate::tool::{self, Tools};
use flat::Flat;
use hdl::catalog::Instance;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The most gate equivalents of a unit that is routed without being asked for by option: a larger one takes minutes to hours.
pub const SMALL: f64 = 3000.0;

/// Goes up with every change that makes other layouts: results follow from it.
const VERSION: u32 = 2;

/// A unit's layout in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub unit: String,
    pub module: String,
    /// The digest of all that the row follows from but for the tools' versions: [`digests`].
    pub digest: String,
    pub parameters: BTreeMap<String, u64>,
    /// Cells of the layout, fillers not counted.
    pub cells: u64,
    pub gate_equivalents: f64,
    /// SRAM macros, which are outside the layout.
    pub sram_macros: u64,
    pub die_um2: f64,
    /// Wires of all signals.
    pub wire_mm: f64,
    /// Nets whose wires are timed as a lump, because qrouter's trees of them lack pins. Rows that do not say have none: OpenSTA
    /// refused such trees.
    #[serde(default)]
    pub lumped_nets: u64,
    pub ns_without_wires: f64,
    pub ns_with_wires: f64,
    pub ns_with_twice_the_capacitance: f64,
    /// Differences between layout and netlist; `None`: they could not be compared.
    pub lvs_errors: Option<u64>,
    /// Broken design rules; `None`: not checked.
    pub drc_errors: Option<u64>,
    /// Placement, routing and checks.
    pub seconds: f64,
}

impl Row {
    /// The share that `ns` adds to the clock without wires, in percent.
    pub fn added_percent(&self, ns: f64) -> f64 {
        100.0 * (ns / self.ns_without_wires - 1.0)
    }
}

/// A unit's layout.
pub struct Layout {
    pub row: Row,
    /// The routed layout as DEF.
    pub def: String,
    /// The layout as a picture.
    pub png: Vec<u8>,
}

/// For each unit 128 bits in hexadecimal of all that its layout follows from but for the tools' versions.
pub fn digests(units: &Units, liberty: &Liberty) -> Vec<String> {
    units.digests(liberty).iter().map(|digest| short(&format!("{VERSION}\n{digest}"))).collect()
}

/// Places and routes each of `units`, in their order. Mapped parts are kept in `cache_dir`. With `large` a unit may have more
/// than [`SMALL`] gate equivalents. `keep` gets each layout as soon as it is there, so that an error later loses none.
///
/// # Errors
/// A missing or failing tool; a unit that is too large or has no logic; [`Error::Interrupted`] soon after `interrupt` is true.
/// An error of `keep`.
pub fn route(
    units: &Units,
    liberty: &Liberty,
    cache_dir: &Path,
    large: bool,
    keep: &(dyn Fn(&Layout) -> Result<()> + Sync),
    interrupt: &AtomicBool,
    progress: Progress,
) -> Result<Vec<Layout>> {
    qflow::require()?;
    let steps = Steps::new(progress);
    let tick = || steps.tell();
    let flow = Flow::open(liberty, cache_dir, Tools { interrupt, limit: tool::LIMIT, tick: &tick }, &steps)?;
    let designs = units.designs();
    steps.expect(2 * designs.len());
    let map = |(instance, design): (&Instance, &Design)| {
        steps.during(&design.top().module, || mapped(&flow, Target::of(instance.unit), design, large))
    };
    let units_and_designs = units.instances().par_iter().zip(designs).with_max_len(1);
    let gates: Vec<Gates> = units_and_designs.map(map).collect::<Result<_>>()?;
    let jobs: Vec<_> = units.instances().iter().zip(designs).zip(digests(units, liberty)).zip(gates).collect();
    let route = |(((instance, design), digest), gates): (((&Instance, &Design), String), Gates)| {
        let layout = steps.during(&instance.module, || layout(&flow, instance, design, digest, &gates))?;
        keep(&layout).map(|()| layout)
    };
    jobs.into_par_iter().with_max_len(1).map(route).collect()
}

/// The gates of a unit that can be routed.
fn mapped(flow: &Flow, target: Option<Target>, design: &Design, large: bool) -> Result<Gates> {
    let top = &design.top().module;
    if design.top().is_memory() {
        return Err(Error::design(top, "it is a memory without logic, so there is nothing to route"));
    }
    let gates = flow.gates(design, target)?;
    let size = gates.logic.area / flow.liberty.nand2;
    match large || size <= SMALL {
        true => Ok(gates),
        false => Err(Error::design(
            top,
            format!("{size:.0} GE are more than the {SMALL:.0} that route in a minute; --large routes it all the same"),
        )),
    }
}

fn layout(flow: &Flow, instance: &Instance, design: &Design, digest: String, gates: &Gates) -> Result<Layout> {
    let top = &design.top().module;
    let (liberty, tools) = (flow.liberty, &flow.tools);
    let [netlist, project] = [directory()?, directory()?];
    let flat = Flat::of(design, liberty, &gates.netlist, netlist.path(), tools)?;
    let started = Instant::now();
    let routed = qflow::route(&flat, top, project.path(), tools)?;
    let seconds = started.elapsed().as_secs_f64();
    let not_understood = |what: &str, problem: &str| Error::Tool {
        tool: "qflow",
        subject: top.clone(),
        problem: format!("its {what} is not understood at `{}`", problem.chars().take(60).collect::<String>()),
    };
    let mut wires = rc::parse(&routed.rc).map_err(|line| not_understood("RC file", line))?;
    wires.retain(|wire| wire.net != timing::CLOCK);
    let placed = def::parse(&routed.def).map_err(|statement| not_understood("DEF", &statement))?;
    let lumped_nets = rc::lump(&mut wires, &placed.nets);
    let timed = timing::Layout { design, flat: &flat, cells: &routed.cells, wires: &wires };
    let periods = timed.time(liberty, flow.fo4_ns, netlist.path(), tools)?;
    let row = Row {
        unit: instance.unit.into(),
        module: instance.module.clone(),
        digest,
        parameters: instance.parameters_by_name(),
        cells: flat.gates.len() as u64,
        gate_equivalents: gates.logic.area / liberty.nand2,
        sram_macros: flat.memories.len() as u64,
        die_um2: placed.width() * placed.height(),
        wire_mm: placed.wire_length() / 1e3,
        lumped_nets,
        ns_without_wires: periods.without_wires,
        ns_with_wires: periods.with_wires,
        ns_with_twice_the_capacitance: periods.with_twice_their_capacitance,
        lvs_errors: routed.lvs_errors,
        drc_errors: routed.drc_errors,
        seconds,
    };
    let png = picture::png(&placed, &def::sizes(&routed.lef), liberty);
    Ok(Layout { row, def: routed.def, png })
}
