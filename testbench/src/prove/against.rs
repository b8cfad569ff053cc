//! Two circuits with the same pins and the same inputs: each output that means something is the same in every cycle.

use super::circuit::{circuit, flat};
use super::fragment::{Claim, Fragment, Kind};
use super::{ProofReport, Prover};
use crate::abc;
use crate::by_name::find;
use crate::error::{Error, Result};
use crate::user_verilog::UserVerilog;
use gen::digest::sha256;
use gen::elaborate::Verilog;
use gen::text::bare;
use gen::Direction;
use sim::unit::Interface;
use std::path::Path;

/// Beginnings of the names of both circuits' registers.
pub(super) const SIDES: [&str; 2] = ["old.", "new."];

/// Beginning of the names of the other circuit's outputs.
const OTHER: &str = "against_";

/// The RTL of `unit` against that in the file `new`.
///
/// # Errors
/// A unknown unit; a file without a module of the unit's ports; a missing tool; an interruption.
pub fn against(unit: &str, parameters: &[(&str, u64)], new: &Path, seconds: u32) -> Result<ProofReport> {
    let (instance, fixture) = find(unit, parameters)?;
    let pins = fixture.interface(&instance)?;
    let design = gen::elaborate(&instance)?;
    let own = UserVerilog::read(&[new.to_path_buf()], None, &instance)?;
    let directory = tempfile::tempdir()?;
    let top = design.top();
    let old_text = flat(directory.path(), &design.verilog(), &top.module, "unruly_old")?;
    let new_text = flat(directory.path(), &own.whole_for_synthesis()?, own.top(), "unruly_new")?;
    check_ports(&new_text, top, own.top())?;
    let fragment = fragment(top, &pins);
    let text = format!("{old_text}\n{new_text}\n{}", around(top));
    let parameters = instance.parameters_by_name();
    let aig = circuit(directory.path(), &text, top, &parameters, &fragment)?;
    let prover = Prover { module: &top.module, directory, aig, seconds, fragment, prove: abc::compare };
    Ok(ProofReport {
        unit: unit.into(),
        module: top.module.clone(),
        parameters,
        digest: sha256(bare(&design.verilog()) + &own.bare()),
        verdicts: prover.verdicts()?,
    })
}

/// A module with the unit's ports around its RTL.
fn around(unit: &Verilog) -> String {
    let names: Vec<&str> = unit.ports.iter().map(|port| port.name.as_str()).collect();
    let declarations: String = unit.ports.iter().map(|port| format!("    {}", declaration(port, ""))).collect();
    let connections: Vec<String> = names.iter().map(|name| format!(".{name}({name})")).collect();
    format!(
        "module {}({});\n{declarations}    unruly_old old ({});\nendmodule\n",
        unit.module,
        names.join(", "),
        connections.join(", ")
    )
}

/// `output [3:0] full;`
fn declaration(port: &gen::Port, prefix: &str) -> String {
    let direction = if port.direction == Direction::Input { "input" } else { "output" };
    format!("{direction} [{}:0] {prefix}{};\n", port.width - 1, port.name)
}

/// The other circuit beside it, and a claim for each output.
fn fragment(unit: &Verilog, pins: &Interface) -> Fragment {
    let outputs: Vec<_> = unit.ports.iter().filter(|port| port.direction != Direction::Input).collect();
    let connection = |port: &gen::Port| {
        let prefix = if port.direction == Direction::Input { "" } else { OTHER };
        format!(".{0}({prefix}{0})", port.name)
    };
    let connections: Vec<String> = unit.ports.iter().map(connection).collect();
    let mut text: String = outputs.iter().map(|port| format!("    {}", declaration(port, OTHER))).collect();
    text += &format!("    unruly_new new ({});\n", connections.join(", "));
    let mut claims = vec![];
    for port in &outputs {
        let name = format!("same_{}", port.name);
        text +=
            &format!("    wire {name} = ~({}) | ({1} == {OTHER}{1});\n", means_something(pins, &port.name), port.name);
        claims.push(Claim { name, kind: Kind::Property, sentence: format!("`{}` is the same.", port.name) });
    }
    Fragment { claims, inputs: outputs.iter().map(|port| format!("{OTHER}{}", port.name)).collect(), text }
}

/// When an output is compared.
fn means_something(pins: &Interface, port: &str) -> String {
    let Some(pin) = pins.outputs.iter().find(|pin| pin.name == port) else { return "1'b1".into() };
    let conditions = pin.valid_if.iter().map(|condition| {
        let is_wide = pins.outputs.iter().any(|other| other.name == condition.pin && other.width > 1);
        let range = if is_wide { format!("[{} +: {}]", condition.lsb, condition.width) } else { String::new() };
        format!("({}{range} == {})", condition.pin, condition.equals)
    });
    let conditions: Vec<String> = conditions.collect();
    if conditions.is_empty() {
        "1'b1".into()
    } else {
        conditions.join(" | ")
    }
}

/// The other module has each port in its width, as Yosys prints them, and no other.
fn check_ports(new: &str, unit: &Verilog, top: &str) -> Result<()> {
    let is_port = |line: &&str| line.starts_with("input ") || line.starts_with("output ");
    let found: Vec<&str> = new.lines().map(str::trim).filter(is_port).collect();
    let wanted = |port: &gen::Port| {
        let text = declaration(port, "").trim().to_string();
        if port.width == 1 {
            text.replace("[0:0] ", "")
        } else {
            text
        }
    };
    let wanted: Vec<String> = unit.ports.iter().map(wanted).collect();
    let missing = wanted.iter().filter(|port| !found.contains(&port.as_str())).map(|port| format!("no {port}"));
    let others = found.iter().filter(|port| !wanted.iter().any(|w| w == **port)).map(|port| format!("has {port}"));
    let differences: Vec<String> = missing.chain(others).map(|text| text.trim_end_matches(';').into()).collect();
    if differences.is_empty() {
        return Ok(());
    }
    Err(Error::Ports { top: top.into(), differences: differences.join(", ") })
}
