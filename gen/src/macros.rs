//! SRAM macros as Liberty cells without area: when their data is there, and by when their inputs have to be.

use crate::elaborate::{Design, Verilog};
use crate::liberty::Liberty;
use crate::sram;
use std::fmt::Write;
use verilog::tree::Direction;

fn macros(design: &Design) -> impl Iterator<Item = &Verilog> {
    design.modules.iter().filter(|m| m.is_memory())
}

/// The macros of `design` for a library whose FO4 is `fo4_ns`.
pub fn library(design: &Design, liberty: &Liberty, fo4_ns: f64) -> String {
    let fo4 = fo4_ns / liberty.time_unit;
    let mut text = format!(
        "library (macros) {{\n  delay_model : table_lookup;\n  time_unit : \"{}\";\n  voltage_unit : \"1V\";\n  \
         current_unit : \"1uA\";\n  pulling_resistance_unit : \"1kohm\";\n  capacitive_load_unit ({});\n  \
         input_threshold_pct_rise : 50;\n  input_threshold_pct_fall : 50;\n  \
         output_threshold_pct_rise : 50;\n  output_threshold_pct_fall : 50;\n  \
         slew_lower_threshold_pct_rise : 20;\n  slew_lower_threshold_pct_fall : 20;\n  \
         slew_upper_threshold_pct_rise : 80;\n  slew_upper_threshold_pct_fall : 80;\n",
        liberty.time_unit_text, liberty.load_unit_text
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
    macros(design).for_each(|m| text += &cell(m, liberty, fo4));
    text + "}\n"
}

/// A macro whose pins weigh as much as a NAND2's; `fo4` in time units of the library.
fn cell(module: &Verilog, liberty: &Liberty, fo4: f64) -> String {
    let (access, set_up) = (sram::ACCESS * fo4, sram::SETUP * fo4);
    let set_up = format!(
        "timing () {{ related_pin : \"clock\"; timing_type : setup_rising; \
         rise_constraint (scalar) {{ values (\"{set_up:.4}\"); }} fall_constraint (scalar) {{ values (\"{set_up:.4}\"); }} }}"
    );
    let access = format!(
        "timing () {{ related_pin : \"clock\"; timing_type : rising_edge; \
         cell_rise (scalar) {{ values (\"{access:.4}\"); }} cell_fall (scalar) {{ values (\"{access:.4}\"); }} \
         rise_transition (scalar) {{ values (\"0.0\"); }} fall_transition (scalar) {{ values (\"0.0\"); }} }}"
    );
    let mut text = format!("  cell ({}) {{\n    area : 0;\n", module.module);
    for port in &module.ports {
        let head = match port.width {
            1 => format!("pin ({}) {{", port.name),
            width => format!("bus ({}) {{ bus_type : bus{width};", port.name),
        };
        let load = liberty.nand2_load;
        let body = match port.direction {
            Direction::Input if port.name == "clock" => "direction : input; clock : true; capacitance : 0;".into(),
            Direction::Input => format!("direction : input; capacitance : {load}; {set_up}"),
            Direction::Output => format!("direction : output; {access}"),
        };
        let _ = writeln!(text, "    {head} {body} }}");
    }
    text + "  }\n"
}
