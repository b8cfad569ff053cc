//! The FO4 of a library: the delay of its smallest inverter that drives four equal ones. It measures paths without regard to
//! the process.

use crate::error::{Error, Result};
use crate::liberty::{self, Liberty};
use crate::tool::{self, Tools};
use std::fmt::Write;
use std::path::Path;

/// Goes up with every change that makes another number.
pub const VERSION: u32 = 1;

/// The name that messages of the tool are about.
const CHAIN: &str = "inverter_chain";
/// Inverters of the two chains. Both numbers are even: a path has as many rising edges as falling ones.
const SHORT: usize = 8;
const LONG: usize = 24;

/// Nanoseconds, to a tenth of a picosecond. The difference of a long and a short chain: how steep the first edge is does not
/// matter.
///
/// # Errors
/// A library without an inverter or without delays that OpenSTA reads; a missing or failing OpenSTA.
pub fn measure(liberty: &Liberty, tools: &Tools) -> Result<f64> {
    let inverter = inverter(liberty)?;
    let delay = |stages| -> Result<f64> {
        let directory = tempfile::tempdir().map_err(|e| Error::file(std::env::temp_dir(), e))?;
        chain_delay(liberty, &inverter, stages, directory.path(), tools)
    };
    let fo4 = (delay(LONG)? - delay(SHORT)?) / (LONG - SHORT) as f64;
    Ok((fo4 * 1e4).round() / 1e4)
}

/// Cell, input and output.
struct Inverter<'a> {
    cell: &'a str,
    input: &'a str,
    output: &'a str,
}

fn inverter(liberty: &Liberty) -> Result<Inverter<'_>> {
    let usable = liberty.cells.iter().filter(|(_, cell)| !cell.dont_use);
    let inverters = usable.filter_map(|(cell, described)| {
        let (input, output) = described.as_inverter()?;
        Some((Inverter { cell, input, output }, described.area))
    });
    let smallest = inverters.min_by(|(_, a), (_, b)| a.total_cmp(b));
    let problem = || Error::Liberty { path: liberty.path.clone(), problem: "no inverter: FO4 has no measure".into() };
    Ok(smallest.ok_or_else(problem)?.0)
}

fn chain_delay(liberty: &Liberty, inverter: &Inverter, stages: usize, directory: &Path, tools: &Tools) -> Result<f64> {
    for (name, text) in [("netlist.v", netlist(inverter, stages)), ("timing.tcl", script(stages))] {
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(|e| Error::file(path, e))?;
    }
    let output = liberty.run(tools, &tool::STA, &["-exit", "timing.tcl"], directory, CHAIN)?;
    let arrival = output.lines().find_map(|line| line.strip_prefix("arrival ")?.trim().parse::<f64>().ok());
    let problem = || {
        let problem =
            format!("OpenSTA finds no delay of {}: it reads tables (`delay_model : table_lookup`)", inverter.cell);
        Error::Liberty { path: liberty.path.clone(), problem }
    };
    Ok(arrival.ok_or_else(problem)? * liberty.time_unit)
}

/// Each inverter of the chain drives the next one and three others.
fn netlist(inverter: &Inverter, stages: usize) -> String {
    let Inverter { cell, input, output } = inverter;
    let mut text = format!("module {CHAIN} (net_0, net_{stages});\ninput net_0;\noutput net_{stages};\n");
    for stage in 1..=stages {
        let _ = writeln!(text, "{cell} stage_{stage} (.{input}(net_{}), .{output}(net_{stage}));", stage - 1);
        let loads = if stage == stages { 4 } else { 3 };
        for load in 0..loads {
            let _ = writeln!(text, "{cell} load_{stage}_{load} (.{input}(net_{stage}));");
        }
    }
    text + "endmodule\n"
}

fn script(stages: usize) -> String {
    format!(
        "read_liberty {lib}\n\
         read_verilog netlist.v\n\
         link_design {CHAIN}\n\
         create_clock -name clock -period 0\n\
         set_input_delay 0 -clock clock [get_ports net_0]\n\
         set_output_delay 0 -clock clock [get_ports net_{stages}]\n\
         set path [lindex [find_timing_paths -path_delay max] 0]\n\
         if {{$path ne \"\"}} {{ puts \"arrival [expr {{-[get_property $path slack]}}]\" }}\n",
        lib = liberty::FILE,
    )
}
