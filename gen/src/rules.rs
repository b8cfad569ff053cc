//! Rules of pins as assertions under a macro, in the modules of the units that have them.

use crate::ir::{Direction, Port};
use crate::text::ASSERT;
use spec::rules::{Rules, RULES};
use std::collections::BTreeMap;
use std::fmt::Write;

/// `body` with the rules of the unit that it is, if it is one that has any.
pub(crate) fn with_rules(body: String, ports: &[Port]) -> String {
    let Some(rules) = rules_of(ports) else { return body };
    let widths = widths(ports);
    let inputs = ports.iter().filter(|port| port.direction == Direction::Input);
    let has_reset = inputs.filter(|port| port.name == "reset").count() == 1;
    assert!(has_reset, "{}: rules hold outside reset", rules.unit);
    let end = body.rfind("\nendmodule").expect("a module ends");
    format!("{}\n{}{}", &body[..end], block(rules, &widths), &body[end + 1..])
}

fn rules_of(ports: &[Port]) -> Option<&'static Rules> {
    let has = |name: &&str| ports.iter().any(|port| port.name == **name);
    RULES.iter().find(|rules| rules.ports.iter().all(|name| has(&name)))
}

fn widths(ports: &[Port]) -> BTreeMap<&str, usize> {
    ports.iter().map(|port| (port.name.as_str(), port.width)).collect()
}

/// The rules of a unit's inputs as a wire `name`, high in a cycle that breaks one, for a module that has the same ports around
/// the unit. Rules that look at registers are left out, and so are those that the unit's outputs alone can break.
pub fn monitor(ports: &[Port], name: &str) -> String {
    let widths = widths(ports);
    let is_input = |name: &str| ports.iter().any(|port| port.name == name && port.direction == Direction::Input);
    let mut lines = rules_of(ports).map(conditions).unwrap_or_default();
    lines.retain(|(never, _)| !words(never).any(|word| word.ends_with("_q")) && words(never).any(is_input));
    let past = past(&lines, &widths);
    let any = |text: String, (never, _): &(String, String)| format!("{text} | (|({never}))");
    let broken = lines.iter().fold("1'b0".to_string(), any);
    let mut text = past_registers(&past) + &format!("    wire {name} = !reset & ({broken});\n");
    if !past.is_empty() {
        let _ = write!(text, "    always @(posedge clock) begin\n{}    end\n", past_values(&past));
    }
    text
}

/// What never holds, and its name.
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

/// The ports, with their widths, that the rules look at in the cycle before.
fn past<'a>(lines: &[(String, String)], widths: &BTreeMap<&'a str, usize>) -> BTreeMap<&'a str, usize> {
    widths.iter().filter(|(name, _)| uses(lines, name)).map(|(n, w)| (*n, *w)).collect()
}

fn past_registers(past: &BTreeMap<&str, usize>) -> String {
    let mut text = String::new();
    for (name, width) in past {
        let range = if *width == 1 { String::new() } else { format!("[{}:0] ", width - 1) };
        let _ = writeln!(text, "    reg {range}past_{name};");
    }
    text
}

fn past_values(past: &BTreeMap<&str, usize>) -> String {
    let mut text = String::new();
    for (name, width) in past {
        let value = if *width == 1 { "!reset & ".to_string() } else { format!("{{{width}{{!reset}}}} & ") };
        let _ = writeln!(text, "        past_{name} <= {value}{name};");
    }
    text
}

fn block(rules: &Rules, widths: &BTreeMap<&str, usize>) -> String {
    let lines = conditions(rules);
    let past = past(&lines, widths);
    let mut text = format!("`ifdef {ASSERT}\n    // Rules of the pins.\n") + &past_registers(&past);
    if !past.is_empty() {
        text += "\n";
    }
    text += "    always @(posedge clock) begin\n        if (!reset) begin\n";
    for (never, name) in &lines {
        let _ = writeln!(text, "            // {name}\n            if ({never}) $stop;");
    }
    text += "        end\n";
    text += &past_values(&past);
    text + "    end\n`endif\n\n"
}

/// The macro of a broken rule.
pub const BROKEN: &str = "UNRULY_BROKEN";

/// The macro for a broken rule: a formal tool has an assertion, synthesis nothing, and a simulator says rule, instance and time, and ends
/// with an error. Icarus Verilog would wait for commands at `$stop`.
const ON_BREACH: &str = r#"`ifndef UNRULY_BROKEN
`ifdef FORMAL
`define UNRULY_BROKEN(RULE) assert (0);
`elsif SYNTHESIS
`define UNRULY_BROKEN(RULE) ;
`elsif __ICARUS__
`define UNRULY_BROKEN(RULE) begin $display("%m: broken rule at time %0t: %0s", $time, RULE); $finish_and_return(1); end
`else
`define UNRULY_BROKEN(RULE) begin $display("%m: broken rule at time %0t: %0s", $time, RULE); $stop; end
`endif
`endif
"#;

/// A module's text for any tool, in which the rules are what [`ON_BREACH`] says. The lock-step has one of its own for `$stop`.
pub(crate) fn for_any_tool(text: &str) -> String {
    let begin = format!("`ifdef {ASSERT}\n");
    let Some((before, block)) = text.split_once(&begin) else { return text.into() };
    let (mut name, mut rules) = ("", String::new());
    for line in block.lines() {
        name = line.trim().strip_prefix("// ").unwrap_or(name);
        rules += &match line.strip_suffix("$stop;") {
            Some(condition) => format!("{}\n                `{BROKEN}(\"{name}\")\n", condition.trim_end()),
            None => format!("{line}\n"),
        };
    }
    format!("{before}{begin}{ON_BREACH}{rules}")
}

/// Whether some rule looks at the port in the cycle before.
fn uses(lines: &[(String, String)], port: &str) -> bool {
    let wanted = format!("past_{port}");
    lines.iter().any(|(never, _)| words(never).any(|word| word == wanted))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}
