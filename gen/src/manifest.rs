//! `manifest.json`: what each module in `verilog-out` is, for programs.

use crate::elaborate::Verilog;
use serde::Serialize;

#[derive(Serialize)]
struct Manifest<'a> {
    generated_by: &'static str,
    modules: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    file: String,
    #[serde(flatten)]
    module: &'a Verilog,
}

/// Modules in the order of their names.
pub fn manifest(modules: &[Verilog]) -> String {
    let mut entries: Vec<Entry> =
        modules.iter().map(|module| Entry { file: format!("{}.v", module.module), module }).collect();
    entries.sort_by(|a, b| a.file.cmp(&b.file));
    let manifest = Manifest { generated_by: "unruly verilog", modules: entries };
    let mut text = serde_json::to_string_pretty(&manifest).expect("plain data serialises");
    text.push('\n');
    text
}
