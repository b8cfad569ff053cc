//! `manifest.json`: what each module in `verilog-out` is, for programs.

use crate::elaborate::Verilog;
use crate::parameters::Parameterised;
use serde::Serialize;
use serde_json::Value;

/// The modules with their parameters and children, and for each instance of the catalogue the module that it is; one a line.
pub fn manifest(set: &Parameterised) -> String {
    text(&[("modules", lines(&set.modules)), ("sizes", lines(&set.sizes))])
}

/// Modules of one size each, with their ports, in the order of their names.
pub fn of_flat(modules: &[Verilog]) -> String {
    let mut sorted: Vec<&Verilog> = modules.iter().collect();
    sorted.sort_by(|a, b| a.module.cmp(&b.module));
    text(&[("modules", lines(&sorted))])
}

fn text(lists: &[(&str, String)]) -> String {
    let list = |(name, lines): &(&str, String)| format!(",\n  \"{name}\": [\n{lines}\n  ]");
    let lists: String = lists.iter().map(list).collect();
    format!("{{\n  \"generated_by\": \"unruly verilog\"{lists}\n}}\n")
}

/// Each with the file that it is in.
fn lines(entries: &[impl Serialize]) -> String {
    let line = |entry| {
        let mut value = serde_json::to_value(entry).expect("plain data serialises");
        if let Some(module) = value["module"].as_str().map(|module| format!("{module}.v")) {
            value["file"] = Value::String(module);
        }
        format!("    {value}")
    };
    entries.iter().map(line).collect::<Vec<_>>().join(",\n")
}
