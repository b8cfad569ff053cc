//! Proofs that a mutant is none: it does what the design does, in every state that the design reaches with legal inputs.
//!
//! There are two questions. In the first the design runs alone: the mutated logic computes outputs and next state from the design's
//! own state, and if they are the design's in every cycle, the mutant never leaves its way. In the second both run from the same state
//! on, each with its own, and only outputs that mean something are compared: what the mutant changes may be state that nobody reads.
//! The questions go to abc's `pdr`, which finds a proof by induction, a way to a difference, or neither in its time.
//!
//! abc first merges signals that are proven to be the same in every cycle (`scorr`): nearly all of a mutant is the design.
//!
//! The first cycle is a reset beside any inputs, in any state. Rules of the pins hold from then on.

use super::names::Names;
use super::netlist::{subject, Netlist};
use crate::abc;
use crate::aig::{Aig, Builder, FALSE, TRUE};
use crate::error::{Error, Result};
use crate::shim::{MUTANT, RESET};
use crate::yosys::{self, AIG};
use gen::elaborate::Verilog;
use gen::ir::Direction;
use gen::rules;
use sim::unit::Interface;
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

/// What abc says of a mutant.
pub(super) enum Answer {
    /// It does what the design does.
    Equal,
    /// Inputs after which another output means something and differs.
    Differs(Inputs),
    /// Neither was found in the time.
    Open,
}

/// Input words cycle by cycle, with or without a reset beside them.
pub(super) type Inputs = Vec<(bool, Vec<u64>)>;

/// What abc finds out about the mutant in this `line` of Yosys.
pub(super) fn answer(netlist: &Netlist, line: &str, unit: &Verilog, pins: &Interface) -> Result<Answer> {
    let path = |name: &str| netlist.directory.path().join(name);
    fs::write(path("monitor.v"), monitor(unit)).map_err(Error::file(&path("monitor.v")))?;
    let script = format!(
        "read_rtlil base.il; {line} -ctrl {MUTANT} 1 1; read_verilog monitor.v; hierarchy -check -top {MONITOR}; proc; flatten; \
         memory -nomap; memory_map; opt_expr; opt_clean; {AIG}"
    );
    let aig = yosys::aig(netlist.directory.path(), &script, &subject(&unit.module))?;
    let names = Names::new(&unit.ports, pins);
    let proof = format!("proof that a mutant of {} is none", unit.module);
    for question in [Question::SameWay, Question::SameOutputs] {
        let circuit = circuit(question, &aig, &names);
        match abc::compare(netlist.directory.path(), &circuit, SECONDS, &proof)? {
            abc::Answer::Never => return Ok(Answer::Equal),
            abc::Answer::After(rows) if question == Question::SameOutputs => {
                return Ok(Answer::Differs(inputs(&rows, &aig, pins, &names)));
            }
            abc::Answer::After(_) | abc::Answer::NotIn(_) => {}
        }
    }
    Ok(Answer::Open)
}

/// The inputs of a way that abc found, from its rows of bits in the order of the circuit's inputs.
fn inputs(rows: &[Vec<bool>], aig: &Aig, pins: &Interface, names: &Names) -> Inputs {
    let one = |(cycle, row): (usize, &Vec<bool>)| {
        let bits: HashMap<&str, bool> = aig.inputs.iter().map(String::as_str).zip(row.iter().copied()).collect();
        let bit = |name: &str| bits.get(name).copied().unwrap_or(false);
        let mut words = vec![];
        for pin in &pins.inputs {
            let first = words.len();
            words.resize(first + pin.words(), 0);
            for place in (0..pin.width).filter(|&place| bit(&names.bit(&pin.name, place))) {
                words[first + place as usize / 64] |= 1 << (place % 64);
            }
        }
        (cycle == 0 || bit(RESET), words)
    };
    rows.iter().enumerate().map(one).collect()
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
fn circuit(question: Question, aig: &Aig, names: &Names) -> Vec<u8> {
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
        let matters = means_something(&mut into, &outputs, names, name);
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
fn means_something(into: &mut Builder, outputs: &HashMap<&str, u32>, names: &Names, name: &str) -> u32 {
    let conditions = names.output(name).map(|pin| &pin.valid_if[..]).unwrap_or_default();
    if conditions.is_empty() {
        return TRUE;
    }
    let mut any = FALSE;
    for condition in conditions {
        let mut all = TRUE;
        for bit in 0..condition.width {
            let value = outputs[&names.bit(&condition.pin, condition.lsb + bit)[..]];
            let wanted = condition.equals >> bit & 1;
            all = into.and(all, value ^ (1 - wanted as u32));
        }
        any = into.or(any, all);
    }
    any
}
