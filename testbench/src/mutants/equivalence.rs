//! Proofs that a mutant is none: it does what the design does, in every state that the design reaches with legal inputs.
//!
//! There are two questions. In the first the design runs alone: the mutated logic computes outputs and next state from the design's
//! own state, and if they are the design's in every cycle, the mutant never leaves its way. In the second both run from the same state
//! on, each with its own, and only outputs that mean something are compared: what the mutant changes may be state that nobody reads.
//! The questions go to abc's `pdr`, which finds a proof by induction, a way to a difference, or neither in its time.
//!
//! The first cycle is a reset beside any inputs, in any state. Rules of the pins hold from then on.

use super::netlist::{subject, Netlist};
use crate::abc::{self, Answer};
use crate::aig::{Aig, Builder, FALSE, TRUE};
use crate::error::{Error, Result};
use crate::shim::{MUTANT, RESET};
use crate::yosys::{self, AIG};
use gen::elaborate::Verilog;
use gen::ir::Direction;
use gen::rules;
use sim::unit::{Interface, Pin};
use std::collections::HashMap;
use std::fs;

/// The longest search for an answer, in seconds. Those that are found take less than one; a mutant that is not proven equal counts as
/// one that survives, on a slow machine as on a fast one.
const SECONDS: u32 = 5;

const MONITOR: &str = "unruly_monitor";
const ILLEGAL: &str = "unruly_illegal";

/// What is asked about a mutant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// Outputs and next state are those of the design, from any state that the design reaches.
    SameWay,
    /// Outputs are those of the design, each with its own state.
    SameOutputs,
}

/// Whether abc proves the mutant in this `line` of Yosys equal to the design.
pub(super) fn is_equivalent(netlist: &Netlist, line: &str, unit: &Verilog, pins: &Interface) -> Result<bool> {
    let path = |name: &str| netlist.directory.path().join(name);
    fs::write(path("monitor.v"), monitor(unit)).map_err(Error::file(&path("monitor.v")))?;
    let script = format!(
        "read_rtlil base.il; {line} -ctrl {MUTANT} 1 1; read_verilog monitor.v; hierarchy -check -top {MONITOR}; proc; flatten; \
         memory -nomap; memory_map; opt_expr; opt_clean; {AIG}"
    );
    let aig = yosys::aig(netlist.directory.path(), &script, &subject(&unit.module))?;
    let proof = format!("proof that a mutant of {} is none", unit.module);
    for question in [Question::SameWay, Question::SameOutputs] {
        let circuit = circuit(question, &aig, pins);
        if matches!(abc::prove(netlist.directory.path(), &circuit, SECONDS, &proof)?, Answer::Never) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A module around the unit, with an input for the mutant and an output that says that a rule of the pins is broken.
fn monitor(unit: &Verilog) -> String {
    let one = |direction: &str, name: &str, width: usize| format!("    {direction} wire [{}:0] {name},\n", width - 1);
    let declare = |port: &gen::ir::Port| match port.direction {
        Direction::Input => one("input", &port.name, port.width),
        _ => one("output", &port.name, port.width),
    };
    let ports: String = unit.ports.iter().map(declare).collect();
    let connect: String = unit.ports.iter().map(|port| format!(".{0}({0}), ", port.name)).collect();
    let has_reset = unit.ports.iter().any(|port| port.name == RESET);
    let rules = if has_reset { rules::monitor(&unit.ports, "broken") } else { "    wire broken = 1'b0;\n".into() };
    format!(
        "module {MONITOR} (\n{ports}    input wire {MUTANT},\n    output wire {ILLEGAL}\n);\n    {} dut ({connect}.{MUTANT}({MUTANT}));\n\
         {rules}    assign {ILLEGAL} = broken;\nendmodule\n",
        unit.module
    )
}

/// A circuit whose output is high when the mutant would leave the design's way.
fn circuit(question: Question, aig: &Aig, pins: &Interface) -> Vec<u8> {
    let (inputs, latches) = (aig.inputs.len(), aig.latches());
    let machines = if question == Question::SameWay { 1 } else { 2 };
    // Besides those of the machines: any state at the beginning; whether the first cycle is over, and whether a rule was broken.
    let mut into = Builder::new(inputs + latches, machines * latches + 2);
    let [started, was_broken] = [0, 1].map(|place| into.latch(machines * latches + place));
    let mut sides = [FALSE, TRUE].map(|mutant| {
        let first = if mutant == TRUE { (machines - 1) * latches } else { 0 };
        let state = (0..latches).map(|place| {
            let (value, any) = (into.latch(first + place), into.input(inputs + place));
            into.select(started, value, any)
        });
        let state: Vec<u32> = state.collect();
        let values = (0..inputs).map(|place| match aig.inputs[place].as_str() {
            MUTANT => mutant,
            RESET => {
                let asked = into.input(place);
                into.or(asked, started ^ 1)
            }
            _ => into.input(place),
        });
        let values: Vec<u32> = values.collect();
        aig.copy(&mut into, &values, &state)
    });
    let [design, mutant] = &mut sides;
    let outputs: HashMap<&str, u32> =
        aig.outputs.iter().map(|(name, value)| (name.as_str(), design.of(*value))).collect();
    let mut differs = FALSE;
    for (name, value) in aig.outputs.iter().filter(|(name, _)| name != ILLEGAL) {
        let difference = into.xor(design.of(*value), mutant.of(*value));
        let matters = means_something(&mut into, &outputs, pins, name);
        let difference = into.and(difference, matters);
        differs = into.or(differs, difference);
    }
    for &next in aig.next.iter().filter(|_| question == Question::SameWay) {
        let difference = into.xor(design.of(next), mutant.of(next));
        differs = into.or(differs, difference);
    }
    let illegal = into.and(outputs[ILLEGAL], started);
    let broken = into.or(was_broken, illegal);
    let counts = into.and(started, broken ^ 1);
    let bad = into.and(differs, counts);
    let of_design = aig.next.iter().map(|&next| design.of(next));
    let of_mutant = aig.next.iter().map(|&next| mutant.of(next)).take((machines - 1) * latches);
    let next: Vec<u32> = of_design.chain(of_mutant).chain([TRUE, broken]).collect();
    into.binary(&next, bad)
}

/// Whether the output of this name is compared, given the design's outputs.
fn means_something(into: &mut Builder, outputs: &HashMap<&str, u32>, pins: &Interface, name: &str) -> u32 {
    let port = name.split('[').next().unwrap_or(name);
    let Some(pin) = pins.outputs.iter().find(|pin| pin.name == port && !pin.valid_if.is_empty()) else { return TRUE };
    let mut any = FALSE;
    for condition in &pin.valid_if {
        let mut all = TRUE;
        for bit in 0..condition.width {
            let Some(value) = bit_of(outputs, pins, &condition.pin, condition.lsb + bit) else { return TRUE };
            let wanted = condition.equals >> bit & 1;
            all = into.and(all, value ^ (1 - wanted as u32));
        }
        any = into.or(any, all);
    }
    any
}

fn bit_of(outputs: &HashMap<&str, u32>, pins: &Interface, pin: &str, bit: u32) -> Option<u32> {
    let is_wide = pins.outputs.iter().any(|other: &Pin| other.name == pin && other.width > 1);
    let name = if is_wide { format!("{pin}[{bit}]") } else { pin.to_string() };
    outputs.get(name.as_str()).copied()
}
