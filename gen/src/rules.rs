//! Rules of pins as items of the modules of the units that have them.

use spec::rules::{Rules, RULES};
use std::collections::BTreeMap;
pub use verilog::rules::BROKEN;
use verilog::tree::{self, Port};

/// The rules of the unit that the module is, if it is one that has any.
pub(crate) fn rules(ports: &[Port]) -> Option<tree::Rules> {
    let rules = rules_of(ports)?;
    let has_reset = ports.iter().any(|port| !port.is_output() && port.name == "reset");
    assert!(has_reset, "{}: rules hold outside reset", rules.unit);
    Some(looking_back(conditions(rules), ports))
}

fn rules_of(ports: &[Port]) -> Option<&'static Rules> {
    let has = |name: &&str| ports.iter().any(|port| port.name == **name);
    RULES.iter().find(|rules| rules.ports.iter().all(|name| has(&name)))
}

/// The rules of a unit's inputs as a wire `name`, high in a cycle that breaks one, for a module that has the same ports around
/// the unit. Rules that look at registers are left out, and so are those that the unit's outputs alone can break.
pub fn monitor(ports: &[Port], name: &str) -> String {
    let is_input = |name: &str| ports.iter().any(|port| port.name == name && !port.is_output());
    let mut lines = rules_of(ports).map(conditions).unwrap_or_default();
    lines.retain(|(never, _)| !words(never).any(|word| word.ends_with("_q")) && words(never).any(is_input));
    let rules = looking_back(lines, ports);
    let any = |text: String, (never, _): &(String, String)| format!("{text} | (|({never}))");
    let broken = rules.never.iter().fold("1'b0".to_string(), any);
    let text = rules.past_registers() + &format!("    wire {name} = !reset & ({broken});\n");
    match rules.past_values() {
        values if values.is_empty() => text,
        values => text + &format!("    always @(posedge clock) begin\n{values}    end\n"),
    }
}

/// Conditions that never hold, and their names.
fn conditions(rules: &Rules) -> Vec<(String, String)> {
    let mut lines: Vec<(String, String)> = vec![];
    for (never, name) in rules.never {
        lines.push((never.to_string(), name.to_string()));
    }
    for transfer in rules.stays {
        let (valid, ready) = (transfer.valid, transfer.ready);
        let waits = format!("past_{valid} & ~past_{ready}");
        lines.push((format!("{waits} & ~{valid}"), format!("{valid} falls before the item is taken")));
        for data in transfer.data {
            lines.push((format!("{waits} & ({data} != past_{data})"), format!("{data} changes before it is taken")));
        }
    }
    lines
}

/// Rules with the ports that they look at in the cycle before.
fn looking_back(never: Vec<(String, String)>, ports: &[Port]) -> tree::Rules {
    let widths: BTreeMap<&String, usize> = ports.iter().map(|port| (&port.name, port.width)).collect();
    let is_used = |name: &str| {
        let wanted = format!("past_{name}");
        never.iter().any(|(never, _)| words(never).any(|word| word == wanted))
    };
    let past =
        widths.into_iter().filter(|(name, _)| is_used(name)).map(|(name, width)| (name.clone(), width)).collect();
    tree::Rules { past, never }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}
