//! The flat circuit of a unit with the wires of its properties as outputs.

use super::fragment::{self, Fragment};
use super::memory;
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
pub(crate) const ILLEGAL: &str = "unruly_illegal";

const PREFIX: &str = "unruly_";

/// The name of a wire of the fragment as an output.
pub(super) fn output(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// The output of the circuit is one of the unit.
pub(crate) fn is_pin(name: &str) -> bool {
    !name.starts_with(PREFIX)
}

/// The module `top` of `design` without parts, under the name `name`.
pub(super) fn flat(directory: &Path, design: &str, top: &str, name: &str) -> Result<String> {
    let path = |name: &str| directory.join(name);
    fs::write(path("design.v"), design).map_err(Error::file(path("design.v")))?;
    let rename = if name == top { String::new() } else { format!("rename {top} {name}; ") };
    let script = format!(
        "read_verilog design.v; hierarchy -check -top {top}; proc; flatten; memory -nomap; {rename}write_verilog -noattr flat.v"
    );
    yosys::run(directory, &format!("module {top}"), &script)?;
    fs::read_to_string(path("flat.v")).map_err(Error::file(path("flat.v")))
}

/// `flat` ends with the module of `unit`.
pub(super) fn circuit(
    directory: &Path,
    flat: &str,
    unit: &Verilog,
    parameters: &BTreeMap<String, u64>,
    fragment: &Fragment,
) -> Result<Aig> {
    let top = &unit.module;
    let path = directory.join("question.v");
    fs::write(&path, insert(flat, unit, parameters, fragment)).map_err(Error::file(&path))?;
    let script = format!(
        "read_verilog question.v; hierarchy -check -top {top}; proc; flatten; memory_collect; opt; memory_map; opt_expr; opt_clean; {AIG}"
    );
    yosys::aig(directory, &script, &format!("properties of {top}"))
}

/// The flat module with the fragment in it.
fn insert(flat: &str, unit: &Verilog, parameters: &BTreeMap<String, u64>, fragment: &Fragment) -> String {
    let claims = fragment.claims.iter().map(|claim| claim.name.as_str());
    let wires: Vec<(String, &str)> =
        claims.map(|name| (output(name), name)).chain([(ILLEGAL.into(), "unruly_broken")]).collect();
    let (flat, of_memories) = memory::inputs(flat);
    let inputs = fragment.inputs.iter().chain(&of_memories);
    let ports: String = wires.iter().map(|(port, _)| port).chain(inputs).map(|port| format!("{port}, ")).collect();
    let outputs: String =
        wires.iter().map(|(port, wire)| format!("    output {port};\n    assign {port} = {wire};\n")).collect();
    let has_reset = unit.ports.iter().any(|port| port.name == RESET);
    let rules = if has_reset {
        rules::monitor(&unit.ports, "unruly_broken")
    } else {
        "    wire unruly_broken = 1'b0;\n".into()
    };
    module(&flat, unit, parameters, &ports, &format!("{}\n{rules}{outputs}", fragment.text))
}

/// The flat module with the fragment in it, for a simulation: a register for each of `claims` is an output, and has what the claim was
/// in the cycle before. What the proof may choose are inputs of 64 bits, named [`choice`], as many as are returned.
pub(super) fn watched(
    flat: &str,
    unit: &Verilog,
    parameters: &BTreeMap<String, u64>,
    fragment: &Fragment,
    claims: &[String],
) -> (String, usize) {
    let is_input = |line: &str| fragment::input(line).is_some();
    let declaration = |line: &str| if is_input(line) { line.replacen("input", "wire", 1) } else { line.into() };
    let own: String = fragment.text.lines().map(|line| declaration(line) + "\n").collect();
    let (_, of_memories) = memory::inputs(flat);
    let chosen: Vec<&String> = fragment.inputs.iter().chain(&of_memories).collect();
    let inputs = chosen.iter().enumerate().map(|(place, name)| {
        let port = choice(place);
        format!("    input [63:0] {port};\n    assign {name} = {port};\n")
    });
    let outputs = claims.iter().map(|name| {
        let port = output(name);
        format!("    output reg {port};\n    always @(posedge clock) {port} <= {name} | {RESET};\n")
    });
    let more: String = inputs.chain(outputs).collect();
    let ports = (0..chosen.len()).map(choice).chain(claims.iter().map(|name| output(name)));
    let ports: String = ports.map(|port| port + ", ").collect();
    (module(flat, unit, parameters, &ports, &(own + &more)), chosen.len())
}

/// The name of an input that stands for what a proof may choose.
pub(super) fn choice(place: usize) -> String {
    format!("{PREFIX}choice_{place}")
}

/// `flat`, whose last module is that of `unit`, with more ports and more text in it.
fn module(flat: &str, unit: &Verilog, parameters: &BTreeMap<String, u64>, ports: &str, text: &str) -> String {
    let macros: String =
        parameters.iter().map(|(name, value)| format!("`define {} {value}\n", name.to_uppercase())).collect();
    let head = format!("module {}(", unit.module);
    let flat = flat.replacen(&head, &format!("{head}{ports}"), 1);
    let end = flat.rfind("endmodule").unwrap_or(flat.len());
    format!("`default_nettype none\n{macros}{}{text}endmodule\n", &flat[..end])
}
