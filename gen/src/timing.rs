//! Critical path of a synthesised unit: OpenSTA over Liberty and netlist. No wires and an ideal clock, so every delay is
//! a lower bound. SRAM macros are boundaries: their pins are set-up at the edge and valid right after it, without a
//! delay of their own; a macro's access time comes on top.

use crate::elaborate::{Design, Verilog};
use crate::error::{Error, Result};
use crate::ir::Direction;
use crate::liberty::{self, Liberty};
use crate::tool::{self, Tools};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::Path;

/// The longest path from a register, SRAM or input pin to a register, SRAM or output pin, set-up time included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CriticalPath {
    pub ns: f64,
    pub from: String,
    pub to: String,
}

/// Clock period of the analysis, in the library's unit; the path's delay is what the slack leaves of it.
const PERIOD: f64 = 1.0;

/// The OpenSTA script for a design whose gates are in `netlist.v` and whose memories are in `macros.lib`.
pub fn script(design: &Design) -> String {
    let macros = if macros(design).next().is_some() { "read_liberty macros.lib\n" } else { "" };
    format!(
        "read_liberty {lib}\n\
         {macros}\
         read_verilog netlist.v\n\
         link_design {top}\n\
         create_clock -name clock -period {PERIOD} [get_ports clock]\n\
         foreach port [all_inputs] {{\n\
         \x20   if {{[get_property $port full_name] ne \"clock\"}} {{ set_input_delay 0 -clock clock $port }}\n\
         }}\n\
         set_output_delay 0 -clock clock [all_outputs]\n\
         set path [lindex [find_timing_paths -path_delay max] 0]\n\
         puts \"from [get_property [get_property $path startpoint] full_name]\"\n\
         puts \"to [get_property [get_property $path endpoint] full_name]\"\n\
         puts \"slack [get_property $path slack]\"\n",
        lib = liberty::FILE,
        top = design.top().module,
    )
}

/// Times a design in gates, `netlist`; `directory` is for the files of this run alone.
///
/// # Errors
/// A missing or failing OpenSTA; an interrupt.
pub fn critical_path(
    design: &Design,
    liberty: &Liberty,
    netlist: &str,
    directory: &Path,
    tools: &Tools,
) -> Result<CriticalPath> {
    let top = &design.top().module;
    for (name, text) in
        [("netlist.v", netlist), ("macros.lib", &macro_library(design, liberty)), ("timing.tcl", &script(design))]
    {
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(|e| Error::file(path, e))?;
    }
    liberty.link(directory)?;
    let output = tools.run(&tool::STA, &["-exit", "timing.tcl"], directory, top)?;
    let value = |key: &str| {
        let line = output.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(' '));
        line.map(str::trim).ok_or_else(|| Error::Tool {
            tool: "sta",
            subject: top.clone(),
            problem: format!("no `{key}` in its answer: is there no path?"),
        })
    };
    let slack: f64 = value("slack")?.parse().map_err(|_| Error::Tool {
        tool: "sta",
        subject: top.clone(),
        problem: "the slack is no number".into(),
    })?;
    let ns = (PERIOD - slack) * liberty.time_unit;
    Ok(CriticalPath { ns, from: point(value("from")?), to: point(value("to")?) })
}

/// `bank.head_q[0]$_SDFFE_PP0P_/D` is the register `bank.head_q[0]`; ports and SRAM pins stay.
fn point(pin: &str) -> String {
    pin.split("$_").next().unwrap_or(pin).to_string()
}

fn macros(design: &Design) -> impl Iterator<Item = &Verilog> {
    design.modules.iter().filter(|m| m.is_memory())
}

/// The macros as Liberty cells without area and delay.
pub fn macro_library(design: &Design, liberty: &Liberty) -> String {
    let mut text = format!(
        "library (macros) {{\n  delay_model : table_lookup;\n  time_unit : \"{}\";\n  voltage_unit : \"1V\";\n  \
         current_unit : \"1uA\";\n  pulling_resistance_unit : \"1kohm\";\n  capacitive_load_unit (1, pf);\n  \
         input_threshold_pct_rise : 50;\n  input_threshold_pct_fall : 50;\n  \
         output_threshold_pct_rise : 50;\n  output_threshold_pct_fall : 50;\n  \
         slew_lower_threshold_pct_rise : 20;\n  slew_lower_threshold_pct_fall : 20;\n  \
         slew_upper_threshold_pct_rise : 80;\n  slew_upper_threshold_pct_fall : 80;\n",
        liberty.time_unit_text
    );
    let mut widths: Vec<usize> = macros(design).flat_map(|m| m.ports.iter().map(|p| p.width)).collect();
    widths.sort_unstable();
    widths.dedup();
    for width in widths.iter().filter(|w| **w > 1) {
        let _ = writeln!(
            text,
            "  type (bus{width}) {{ base_type : array; data_type : bit; bit_width : {width}; bit_from : {}; bit_to : 0; \
             downto : true; }}",
            width - 1
        );
    }
    macros(design).for_each(|m| text += &macro_cell(m));
    text + "}\n"
}

fn macro_cell(module: &Verilog) -> String {
    const SETUP: &str = "timing () { related_pin : \"clock\"; timing_type : setup_rising; \
        rise_constraint (scalar) { values (\"0.0\"); } fall_constraint (scalar) { values (\"0.0\"); } }";
    const ACCESS: &str = "timing () { related_pin : \"clock\"; timing_type : rising_edge; \
        cell_rise (scalar) { values (\"0.0\"); } cell_fall (scalar) { values (\"0.0\"); } \
        rise_transition (scalar) { values (\"0.0\"); } fall_transition (scalar) { values (\"0.0\"); } }";
    let mut text = format!("  cell ({}) {{\n    area : 0;\n", module.module);
    for port in &module.ports {
        let head = match port.width {
            1 => format!("pin ({}) {{", port.name),
            width => format!("bus ({}) {{ bus_type : bus{width};", port.name),
        };
        let body = match port.direction {
            Direction::Input if port.name == "clock" => "direction : input; clock : true; capacitance : 0;".into(),
            Direction::Input => format!("direction : input; capacitance : 0; {SETUP}"),
            Direction::Output => format!("direction : output; {ACCESS}"),
        };
        let _ = writeln!(text, "    {head} {body} }}");
    }
    text + "  }\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_registers_ports_and_macro_pins() {
        assert_eq!(point("bank_3.head_q[0]$_SDFFE_PP0P_/D"), "bank_3.head_q[0]");
        assert_eq!(point("sram/addr[4]"), "sram/addr[4]");
        assert_eq!(point("full"), "full");
    }
}
