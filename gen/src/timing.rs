//! Critical path of a synthesised unit: OpenSTA over Liberty and netlist, between the flip-flops of the unit's neighbours.
//! No wires and an ideal clock, so every delay is a lower bound. SRAM macros have an access time, and pins the budget of their place.

use crate::boundary;
use crate::budget;
use crate::elaborate::Design;
use crate::error::{Error, Result};
use crate::exceptions;
use crate::liberty::{self, Liberty};
use crate::macros;
use crate::tool::{self, Tools};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The longest path from a register, SRAM or input pin to a register, SRAM or output pin, set-up time and budgets of pins included. One that may take
/// some cycles counts with its share of a cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CriticalPath {
    pub ns: f64,
    pub from: String,
    pub to: String,
}

/// Clock period of the analysis, in the library's unit; the path's delay is what the slack leaves of it.
const PERIOD: f64 = 1.0;

/// The OpenSTA script for a design whose gates and neighbours are in `netlist.v` and whose memories are in `macros.lib`; the library's FO4
/// is `fo4_ns`.
///
/// # Errors
/// A library without a plain flip-flop.
pub fn script(design: &Design, liberty: &Liberty, fo4_ns: f64) -> Result<String> {
    let clock = liberty.flip_flop()?.clock;
    let budget = budget::of(design).map_or_else(String::new, |pins| pins.tcl(fo4_ns / liberty.time_unit, clock));
    let macros = if design.memories().next().is_some() { "read_liberty macros.lib\n" } else { "" };
    Ok(format!(
        "read_liberty {lib}\n\
         {macros}\
         read_verilog netlist.v\n\
         link_design {top}\n\
         create_clock -name clock -period {PERIOD} [get_ports clock]\n\
         {budget}{exceptions}set path [lindex [find_timing_paths -path_delay max] 0]\n\
         puts \"from [get_property [get_property $path startpoint] full_name]\"\n\
         puts \"to [get_property [get_property $path endpoint] full_name]\"\n\
         puts \"slack [get_property $path slack]\"\n",
        lib = liberty::FILE,
        top = boundary::TOP,
        exceptions = exceptions::of(design).iter().enumerate().map(|(number, e)| e.tcl(number)).collect::<String>(),
    ))
}

/// Times a design in gates, `netlist`, with a library whose FO4 is `fo4_ns`; `directory` is for the files of this run alone.
///
/// # Errors
/// A library without a plain flip-flop; a missing or failing OpenSTA; an interrupt.
pub fn critical_path(
    design: &Design,
    liberty: &Liberty,
    fo4_ns: f64,
    netlist: &str,
    directory: &Path,
    tools: &Tools,
) -> Result<CriticalPath> {
    let top = &design.top().module;
    let netlist = boundary::between_neighbours(design.top(), &liberty.flip_flop()?) + netlist;
    let macros = macros::library(design, liberty, fo4_ns);
    for (name, text) in
        [("netlist.v", netlist), ("macros.lib", macros), ("timing.tcl", script(design, liberty, fo4_ns)?)]
    {
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(|e| Error::file(path, e))?;
    }
    let output = liberty.run(tools, &tool::STA, &["-exit", "timing.tcl"], directory, top)?;
    let path = |ending: &str, cycles: u32| -> Result<Option<CriticalPath>> {
        let value = |key: &str| output.lines().find_map(|l| l.strip_prefix(&format!("{key}{ending} ")).map(str::trim));
        let (Some(slack), Some(from), Some(to)) = (value("slack"), value("from"), value("to")) else { return Ok(None) };
        let delay = PERIOD - slack.parse::<f64>().map_err(|_| problem(top, "the slack is no number"))?;
        Ok(Some(CriticalPath { ns: delay * liberty.time_unit / f64::from(cycles), from: point(from), to: point(to) }))
    };
    let mut critical = path("", 1)?.ok_or_else(|| problem(top, "no path in its answer"))?;
    for (number, exception) in exceptions::of(design).iter().enumerate() {
        let slower = match exception.cycles() {
            Some(cycles) => path(&format!("_{number}"), cycles)?.filter(|path| path.ns > critical.ns),
            None => None,
        };
        critical = slower.unwrap_or(critical);
    }
    Ok(critical)
}

fn problem(top: &str, problem: &str) -> Error {
    Error::Tool { tool: "sta", subject: top.into(), problem: problem.into() }
}

/// `unit/bank.head_q[0]$_SDFFE_PP0P_/D` is the register `bank.head_q[0]`; pins of the unit and of SRAM stay.
fn point(pin: &str) -> String {
    let inside = pin.strip_prefix(boundary::UNIT).and_then(|pin| pin.strip_prefix('/')).unwrap_or(pin);
    inside.split("$_").next().unwrap_or(inside).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_registers_pins_and_macro_pins() {
        assert_eq!(point("unit/bank_3.head_q[0]$_SDFFE_PP0P_/D"), "bank_3.head_q[0]");
        assert_eq!(point("unit/sram/addr[4]"), "sram/addr[4]");
        assert_eq!(point("full$_neighbour/D"), "full");
    }
}
