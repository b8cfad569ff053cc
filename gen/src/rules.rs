//! Rules of pins as assertions under a macro, in the modules of the units that have them.

use crate::ir::{Direction, Port};
use crate::text::ASSERT;
use hdl::catalog::rules::{Rules, RULES};
use std::collections::BTreeMap;
use std::fmt::Write;

/// `body` with the rules of the unit that it is, if it is one that has any.
pub fn with_rules(body: String, ports: &[Port]) -> String {
    let has = |name: &&str| ports.iter().any(|port| port.name == **name);
    let Some(rules) = RULES.iter().find(|rules| rules.ports.iter().all(|name| has(&name))) else { return body };
    let widths: BTreeMap<&str, usize> = ports.iter().map(|port| (port.name.as_str(), port.width)).collect();
    let inputs = ports.iter().filter(|port| port.direction == Direction::Input);
    let has_reset = inputs.filter(|port| port.name == "reset").count() == 1;
    assert!(has_reset, "{}: rules hold outside reset", rules.unit);
    let end = body.rfind("\nendmodule").expect("a module ends");
    format!("{}\n{}{}", &body[..end], block(rules, &widths), &body[end + 1..])
}

fn block(rules: &Rules, widths: &BTreeMap<&str, usize>) -> String {
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
    let past: BTreeMap<&str, usize> =
        widths.iter().filter(|(name, _)| uses(&lines, name)).map(|(n, w)| (*n, *w)).collect();
    let mut text = format!("`ifdef {ASSERT}\n    // Rules of the pins.\n");
    for (name, width) in &past {
        let range = if *width == 1 { String::new() } else { format!("[{}:0] ", width - 1) };
        let _ = writeln!(text, "    reg {range}past_{name};");
    }
    if !past.is_empty() {
        text += "\n";
    }
    text += "    always @(posedge clock) begin\n        if (!reset) begin\n";
    for (never, name) in &lines {
        let _ = writeln!(text, "            // {name}\n            if ({never}) $stop;");
    }
    text += "        end\n";
    for name in past.keys() {
        let value =
            if widths[name] == 1 { "!reset & ".to_string() } else { format!("{{{}{{!reset}}}} & ", widths[name]) };
        let _ = writeln!(text, "        past_{name} <= {value}{name};");
    }
    text + "    end\n`endif\n\n"
}

/// Whether some rule looks at the port in the cycle before.
fn uses(lines: &[(String, String)], port: &str) -> bool {
    let wanted = format!("past_{port}");
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == wanted);
    lines.iter().any(|(never, _)| words(never))
}
