//! A mapped unit as one level of cells: Yosys flattens its parts, and the memories stay apart. What is placed and routed is
//! the cells; the pins of the memories become pins of the layout.

use crate::elaborate::Design;
use crate::error::{Error, Result};
use crate::liberty::{self, Liberty};
use crate::synth;
use crate::tool::{self, Tools};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use verilog::tree::Direction;

/// Cells, memories, and the unit's pins. A net is its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flat {
    pub gates: Vec<Cell>,
    pub memories: Vec<Cell>,
    /// The pins of the unit.
    pub pins: Vec<Pin>,
}

/// A cell of the library, or a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub kind: String,
    pub pins: Vec<Pin>,
}

/// A pin and the net of each of its bits, least significant first.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    pub name: String,
    /// A pin of a cell: the cell drives it. A pin of the unit: the unit drives it.
    pub output: bool,
    pub nets: Vec<String>,
}

/// The nets that always have one value.
pub const CONSTANTS: [(&str, &str); 2] = [("constant_0", "1'b0"), ("constant_1", "1'b1")];

/// The nets with a pin of the layout.
#[derive(Debug, Default, PartialEq)]
pub struct Boundary {
    pub inputs: BTreeSet<String>,
    pub outputs: BTreeSet<String>,
}

impl Flat {
    /// The cells of `design`, whose parts in gates are `netlist`; `directory` is for the files of this run alone.
    ///
    /// # Errors
    /// A missing or failing Yosys; a cell that is neither of the library nor a memory; an interrupt.
    pub fn of(design: &Design, liberty: &Liberty, netlist: &str, directory: &Path, tools: &Tools) -> Result<Flat> {
        let top = &design.top().module;
        let memories = design.modules.iter().filter(|m| m.is_memory());
        let boxes: String = memories.map(synth::black_box).collect();
        for (name, text) in [("gates.v", boxes + netlist), ("flat.ys", script(top))] {
            let path = directory.join(name);
            std::fs::write(&path, text).map_err(|e| Error::file(path, e))?;
        }
        liberty.run(tools, &tool::YOSYS, &["-q", "flat.ys"], directory, top)?;
        let path = directory.join("flat.json");
        let text = std::fs::read_to_string(&path).map_err(|e| Error::file(&path, e))?;
        let failed = |problem: String| Error::Tool { tool: "yosys", subject: top.clone(), problem };
        let whole: Value = serde_json::from_str(&text).map_err(|e| failed(e.to_string()))?;
        parse(&whole["modules"][top], &|cell, pin| is_output(design, liberty, cell, pin), &|cell| {
            liberty.cells.contains_key(cell)
        })
        .map_err(|what| failed(format!("{what} is not understood in the flat netlist")))
    }

    /// The nets that go through the layout's border.
    pub fn boundary(&self) -> Boundary {
        let of = |cells: &[Cell], output: bool| -> BTreeSet<String> {
            let pins = cells.iter().flat_map(|cell| &cell.pins).filter(|pin| pin.output == output);
            pins.flat_map(|pin| pin.nets.iter().cloned()).collect()
        };
        let (driven, read) = (of(&self.gates, true), of(&self.gates, false));
        let mut read_outside = of(&self.memories, false);
        let outputs = self.pins.iter().filter(|pin| pin.output);
        read_outside.extend(outputs.flat_map(|pin| pin.nets.iter().cloned()));
        Boundary {
            inputs: read.difference(&driven).cloned().collect(),
            outputs: driven.intersection(&read_outside).cloned().collect(),
        }
    }

    /// The layout's netlist as qflow reads it: BLIF over the library's cells.
    pub fn blif(&self, name: &str) -> String {
        let Boundary { inputs, outputs } = self.boundary();
        let list = |nets: BTreeSet<String>| nets.into_iter().collect::<Vec<_>>().join(" ");
        let mut text = format!(".model {name}\n.inputs {}\n.outputs {}\n", list(inputs), list(outputs));
        for gate in &self.gates {
            let pins = gate.pins.iter().map(|pin| format!("{}={}", pin.name, pin.nets[0]));
            let _ = writeln!(text, ".gate {} {}", gate.kind, pins.collect::<Vec<_>>().join(" "));
        }
        text + ".end\n"
    }
}

/// The Yosys script.
fn script(top: &str) -> String {
    format!(
        "read_liberty -lib -ignore_miss_func {lib}\nread_verilog gates.v\nhierarchy -top {top}\nflatten\nopt_clean\n\
         write_json flat.json\n",
        lib = liberty::FILE
    )
}

fn is_output(design: &Design, liberty: &Liberty, cell: &str, pin: &str) -> Option<bool> {
    if let Some(cell) = liberty.cells.get(cell) {
        return Some(cell.pins.get(pin)?.output);
    }
    let memory = design.modules.iter().find(|m| m.module == cell && m.is_memory())?;
    Some(memory.ports.iter().find(|port| port.name == pin)?.direction == Direction::Output)
}

/// Takes Yosys' JSON of a module apart; the error is what is not understood.
fn parse(
    module: &Value,
    is_output: &dyn Fn(&str, &str) -> Option<bool>,
    is_gate: &dyn Fn(&str) -> bool,
) -> std::result::Result<Flat, String> {
    let object = |value: &Value, what: &str| value.as_object().cloned().ok_or_else(|| what.to_string());
    let ports = object(&module["ports"], "its list of ports")?;
    let names = Names::of(ports.iter().map(|(name, port)| (name.as_str(), &port["bits"])));
    let mut flat = Flat::default();
    for (name, port) in &ports {
        let nets = names.nets(&port["bits"]).ok_or_else(|| name.clone())?;
        flat.pins.push(Pin { name: name.clone(), output: port["direction"] == "output", nets });
    }
    for (name, cell) in object(&module["cells"], "its list of cells")? {
        let kind = cell["type"].as_str().ok_or_else(|| name.clone())?.to_string();
        let pin = |(pin, bits): (&String, &Value)| {
            let output = is_output(&kind, pin)?;
            Some(Pin { name: pin.clone(), output, nets: names.nets(bits)? })
        };
        let pins = object(&cell["connections"], &name)?.iter().map(pin).collect::<Option<Vec<_>>>();
        let cells = if is_gate(&kind) { &mut flat.gates } else { &mut flat.memories };
        cells.push(Cell { pins: pins.ok_or_else(|| format!("{name}, a {kind},"))?, kind });
    }
    Ok(flat)
}

/// Names for Yosys' numbers of nets: those of the unit's pins where one is free, plain letters everywhere.
struct Names(BTreeMap<u64, String>);

impl Names {
    fn of<'a>(ports: impl Iterator<Item = (&'a str, &'a Value)>) -> Names {
        let mut names = BTreeMap::new();
        let mut taken: BTreeSet<String> = CONSTANTS.iter().map(|(net, _)| net.to_string()).collect();
        for (port, bits) in ports {
            let bits: &[Value] = bits.as_array().map_or(&[], |bits| bits);
            for (index, bit) in bits.iter().enumerate().filter_map(|(i, bit)| Some((i, bit.as_u64()?))) {
                let name = if bits.len() == 1 { port.to_string() } else { format!("{port}_{index}") };
                if !names.contains_key(&bit) && !is_number(&name) && taken.insert(name.clone()) {
                    names.insert(bit, name);
                }
            }
        }
        Names(names)
    }

    /// The net of each bit.
    fn nets(&self, bits: &Value) -> Option<Vec<String>> {
        let net = |bit: &Value| match (bit.as_u64(), bit.as_str()) {
            (Some(number), _) => Some(self.0.get(&number).cloned().unwrap_or_else(|| format!("n{number}"))),
            (None, Some("1")) => Some(CONSTANTS[1].0.into()),
            (None, Some(_)) => Some(CONSTANTS[0].0.into()),
            (None, None) => None,
        };
        bits.as_array()?.iter().map(net).collect()
    }
}

/// `n12`: how nets without a name of their own are called.
fn is_number(name: &str) -> bool {
    name.strip_prefix('n').is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
}
