//! A unit between its neighbours: each bit of an input comes from a flip-flop, each bit of an output goes to one. The timing
//! of a unit's pins is then what it is inside a larger unit whose boundaries are registered.

use crate::elaborate::Verilog;
use crate::liberty::FlipFlop;
use std::fmt::Write;
use verilog::tree::{Direction, Port};

/// The module of the unit and its neighbours.
pub const TOP: &str = "between_neighbours";
/// The instance of the unit in it.
pub const UNIT: &str = "unit";
/// The end of a neighbour's name; before it is the unit's pin.
pub const NEIGHBOUR: &str = "$_neighbour";

/// Verilog of [`TOP`] around the unit `top`.
pub fn between_neighbours(top: &Verilog, flip_flop: &FlipFlop) -> String {
    let names: Vec<&str> = top.ports.iter().map(|port| port.name.as_str()).collect();
    let mut text = format!("module {TOP} ({});\n", names.join(", "));
    for port in &top.ports {
        let direction = match port.direction {
            Direction::Input => "input",
            Direction::Output => "output",
        };
        let range = format!("[{}:0]", port.width - 1);
        let _ = writeln!(text, "  {direction} {range} {name};\n  wire {range} {name};", name = port.name);
    }
    let pins = top.ports.iter().filter(|port| !is_clock(port));
    pins.for_each(|port| text += &neighbours(port, flip_flop));
    let connections = top.ports.iter().map(|port| format!("    .{}({})", port.name, net(port)));
    let _ = writeln!(text, "  {} {UNIT} (\n{}\n  );", top.module, connections.collect::<Vec<_>>().join(",\n"));
    text + "endmodule\n"
}

/// A flip-flop for each bit of a pin, and the net between them and the unit.
fn neighbours(port: &Port, flip_flop: &FlipFlop) -> String {
    let FlipFlop { cell, clock, data, output } = flip_flop;
    let (name, inside) = (&port.name, net(port));
    let mut text = format!("  wire [{}:0] {inside};\n", port.width - 1);
    for bit in 0..port.width {
        let (from, to) = match port.direction {
            Direction::Input => (name, &inside),
            Direction::Output => (&inside, name),
        };
        let shown = if port.width == 1 { name.clone() } else { format!("{name}[{bit}]") };
        let _ = writeln!(
            text,
            "  {cell} \\{shown}{NEIGHBOUR} (.{clock}(clock), .{data}({from}[{bit}]), .{output}({to}[{bit}]));"
        );
    }
    text
}

/// The net on a pin of the unit.
fn net(port: &Port) -> String {
    if is_clock(port) {
        port.name.clone()
    } else {
        format!("unit_{}", port.name)
    }
}

fn is_clock(port: &Port) -> bool {
    port.name == "clock"
}
