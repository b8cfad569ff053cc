//! Clock of a routed unit: OpenSTA over the cells of the layout, between flip-flops of its neighbours and with its SRAM as in
//! `unruly area`, without wires, with the extracted ones, and with twice their capacitance.

use super::flat::{Cell, Flat, CONSTANTS};
use super::rc::Wire;
use super::spef::{self, Outside};
use crate::boundary::TOP;
use crate::elaborate::Design;
use crate::error::{Error, Result};
use crate::liberty::{self, FlipFlop, Liberty};
use crate::macros;
use crate::tool::{self, Tools};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The net that is ideal.
pub const CLOCK: &str = "clock";
/// The period of the analysis, in the library's unit; the path is what the slack leaves of it.
const PERIOD: f64 = 1.0;

/// The longest path in ns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Periods {
    pub without_wires: f64,
    pub with_wires: f64,
    pub with_twice_their_capacitance: f64,
}

/// A layout to time.
pub struct Layout<'a> {
    pub design: &'a Design,
    pub flat: &'a Flat,
    /// The cells of the layout as Verilog lines, one each, as qflow names them.
    pub cells: &'a str,
    /// Without that of the clock, which is ideal.
    pub wires: &'a [Wire],
}

impl Layout<'_> {
    /// Times the layout with a library whose FO4 is `fo4_ns`; `directory` is for the files of this run alone.
    ///
    /// # Errors
    /// A library without a plain flip-flop; a missing or failing OpenSTA; an interrupt.
    pub fn time(&self, liberty: &Liberty, fo4_ns: f64, directory: &Path, tools: &Tools) -> Result<Periods> {
        let top = &self.design.top().module;
        let (outside, netlist) = self.netlist(&liberty.flip_flop()?);
        let spef = |times| spef::text(TOP, self.wires, &outside, times);
        let files = [
            ("routed.v", netlist),
            ("macros.lib", macros::library(self.design, liberty, fo4_ns)),
            ("once.spef", spef(1.0)),
            ("twice.spef", spef(2.0)),
            ("timing.tcl", self.script()),
        ];
        for (name, text) in files {
            let path = directory.join(name);
            std::fs::write(&path, text).map_err(|e| Error::file(path, e))?;
        }
        let output = tools.run(&tool::STA, &["-exit", "timing.tcl"], directory, top)?;
        let slack = |line: &str| line.strip_prefix("slack ")?.trim().parse::<f64>().ok();
        let ns: Vec<f64> = output.lines().filter_map(slack).map(|slack| (PERIOD - slack) * liberty.time_unit).collect();
        match (<[f64; 3]>::try_from(ns), output.lines().find(|line| line.starts_with("Warning"))) {
            (Ok([without_wires, with_wires, with_twice_their_capacitance]), None) => {
                Ok(Periods { without_wires, with_wires, with_twice_their_capacitance })
            }
            (_, complaint) => {
                let problem = complaint.unwrap_or("fewer than three paths in its answer").to_string();
                Err(Error::Tool { tool: "sta", subject: top.clone(), problem })
            }
        }
    }

    fn script(&self) -> String {
        let macros = if self.flat.memories.is_empty() { "" } else { "read_liberty macros.lib\n" };
        let slack = "puts \"slack [get_property [lindex [find_timing_paths -path_delay max] 0] slack]\"\n";
        format!(
            "read_liberty {lib}\n{macros}read_verilog routed.v\nlink_design {TOP}\n\
             create_clock -name clock -period {PERIOD} [get_ports {CLOCK}]\n\
             {slack}read_spef once.spef\n{slack}read_spef twice.spef\n{slack}",
            lib = liberty::FILE
        )
    }

    /// The layout's cells, its memories and the flip-flops of its neighbours in one level, and what is outside the layout.
    fn netlist(&self, flip_flop: &FlipFlop) -> (BTreeMap<String, Outside>, String) {
        let mut outside: BTreeMap<String, Outside> = BTreeMap::new();
        let mut put = |net: &str, pin: String, drives: bool| {
            let entry = outside.entry(net.into()).or_default();
            match drives {
                true => entry.driver = Some(pin),
                false => entry.readers.push(pin),
            }
        };
        let (mut ports, mut directions, mut body) =
            (vec![CLOCK.to_string()], format!("  input {CLOCK};\n"), String::new());
        let bits = self.flat.pins.iter().filter(|pin| pin.name != CLOCK);
        let bits = bits.flat_map(|pin| pin.nets.iter().map(move |net| (net, pin.output)));
        for (number, (net, output)) in bits.enumerate() {
            let FlipFlop { cell, clock, data, output: q } = flip_flop;
            let (name, port) = (format!("neighbour_{number}"), format!("far_{number}"));
            let (from, to) = if output { (net, &port) } else { (&port, net) };
            let direction = if output { "output" } else { "input" };
            let _ = writeln!(directions, "  {direction} {port};");
            let _ = writeln!(body, "  {cell} {name} (.{clock}({CLOCK}), .{data}({from}), .{q}({to}));");
            put(net, format!("{name}/{}", if output { data } else { q }), !output);
            ports.push(port);
        }
        for (number, memory) in self.flat.memories.iter().enumerate() {
            let name = format!("memory_{number}");
            let _ = writeln!(body, "  {} {name} ({});", memory.kind, connections(memory));
            for pin in &memory.pins {
                for (bit, net) in pin.nets.iter().enumerate() {
                    let index = if pin.nets.len() == 1 { String::new() } else { format!("[{bit}]") };
                    put(net, format!("{name}/{}{index}", pin.name), pin.output);
                }
            }
        }
        let constants: String = CONSTANTS.iter().map(|(net, value)| format!("  assign {net} = {value};\n")).collect();
        let wires: String = CONSTANTS.iter().map(|(net, _)| format!("  wire {net};\n")).collect();
        let head = format!("module {TOP} ({});\n{directions}{wires}{constants}", ports.join(", "));
        (outside, format!("{head}{body}{}endmodule\n", self.cells))
    }
}

fn connections(memory: &Cell) -> String {
    let pin = |pin: &super::flat::Pin| {
        let nets: Vec<&str> = pin.nets.iter().rev().map(String::as_str).collect();
        match nets[..] {
            [one] => format!(".{}({one})", pin.name),
            _ => format!(".{}({{{}}})", pin.name, nets.join(", ")),
        }
    };
    memory.pins.iter().map(pin).collect::<Vec<_>>().join(", ")
}
