//! The flat circuit of a unit with the wires of its properties as outputs.

use super::fragment::Fragment;
use crate::aig::Aig;
use crate::error::{Error, Result};
use crate::shim::RESET;
use crate::yosys::{self, AIG};
use gen::elaborate::Verilog;
use gen::rules;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// High in a cycle whose inputs break a rule of the pins.
pub(super) const ILLEGAL: &str = "unruly_illegal";

/// The name of a wire of the fragment as an output.
pub(super) fn output(name: &str) -> String {
    format!("unruly_{name}")
}

/// `design` is the Verilog of the unit and its parts; `unit` has the ports of its module.
pub(super) fn circuit(
    directory: &Path,
    design: &str,
    unit: &Verilog,
    parameters: &BTreeMap<String, u64>,
    fragment: &Fragment,
) -> Result<Aig> {
    let subject = format!("properties of {}", unit.module);
    let path = |name: &str| directory.join(name);
    let write = |name: &str, text: &str| fs::write(path(name), text).map_err(Error::file(path(name)));
    write("design.v", design)?;
    let top = &unit.module;
    let flatten = format!(
        "read_verilog design.v; hierarchy -check -top {top}; proc; flatten; memory -nomap; write_verilog -noattr flat.v"
    );
    yosys::run(directory, &subject, &flatten)?;
    let flat = fs::read_to_string(path("flat.v")).map_err(Error::file(path("flat.v")))?;
    write("question.v", &insert(&flat, unit, parameters, fragment))?;
    let script = format!(
        "read_verilog question.v; hierarchy -check -top {top}; proc; flatten; memory -nomap; memory_map; opt; {AIG}"
    );
    yosys::aig(directory, &script, &subject)
}

/// The flat module with the fragment in it.
fn insert(flat: &str, unit: &Verilog, parameters: &BTreeMap<String, u64>, fragment: &Fragment) -> String {
    let claims = fragment.claims.iter().map(|claim| claim.name.as_str());
    let wires: Vec<(String, &str)> =
        claims.map(|name| (output(name), name)).chain([(ILLEGAL.into(), "unruly_broken")]).collect();
    let ports: String =
        wires.iter().map(|(port, _)| port).chain(&fragment.inputs).map(|port| format!("{port}, ")).collect();
    let outputs: String =
        wires.iter().map(|(port, wire)| format!("    output {port};\n    assign {port} = {wire};\n")).collect();
    let has_reset = unit.ports.iter().any(|port| port.name == RESET);
    let rules = if has_reset { rules::monitor(&unit.ports, "unruly_broken") } else { "    wire unruly_broken = 1'b0;\n".into() };
    let macros: String =
        parameters.iter().map(|(name, value)| format!("`define {} {value}\n", name.to_uppercase())).collect();
    let head = format!("module {}(", unit.module);
    let flat = flat.replacen(&head, &format!("{head}{ports}"), 1);
    let end = flat.rfind("endmodule").unwrap_or(flat.len());
    format!("{macros}{}{}\n{rules}{outputs}endmodule\n", &flat[..end], fragment.text)
}
