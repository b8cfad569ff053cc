//! Wrappers of compiled memories: files that stand in place of those of the SRAMs, and that alone know the pins of a macro.
//!
//! A wrapper has the module and the ports of an SRAM, and a macro in it whose mask, self-test and power pins are tied off. The macro is a
//! model for simulation, until a compiler's takes its place.

use crate::parameters::Module;
use std::collections::BTreeMap;

/// Folder of the wrappers, among the files of `unruly verilog`.
pub const FOLDER: &str = "macros";

/// The SRAMs, each with its macro, the macro's file, and how the pins of the SRAM reach it.
const KINDS: [(&str, &str, &str, &[&str]); 2] = [
    (
        "sram_1r1w",
        "macro_1r1w",
        include_str!("../wrappers/macro_1r1w.v"),
        &["write", "write_addr", "wdata", "read", "read_addr", "rdata"],
    ),
    ("sram_1rw", "macro_1rw", include_str!("../wrappers/macro_1rw.v"), &["en", "we", "addr", "wdata", "rdata"]),
];

/// Wrappers of these modules' memories, and the macros: contents by file name.
pub fn files(modules: &[Module]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for (sram, name, text, pins) in KINDS {
        let Some(module) = modules.iter().find(|module| module.module == sram) else { continue };
        files.insert(format!("{FOLDER}/{sram}.v"), wrapper(&module.file, name, pins));
        files.insert(format!("{FOLDER}/{name}.v"), text.into());
    }
    files
}

/// The file of an SRAM with a macro in place of its words.
fn wrapper(sram: &str, name: &str, pins: &[&str]) -> String {
    let end = sram.find("\n);\n").expect("a module has ports") + 4;
    let ports = sram[..end].replace("output reg ", "output wire");
    let width = width(&ports, "wdata");
    let (addr, words) = (width_of_address(&ports), if ports.contains("WIDTH") { "WIDTH" } else { &width });
    let wired = pins.iter().map(|pin| (*pin, pin.to_string()));
    let low = || "1'b0".to_string();
    let zeros = |bits: &str| format!("{{{bits}{{1'b0}}}}");
    let tied = [
        ("write_mask", format!("{{{width}{{1'b1}}}}")),
        ("bist", low()),
        ("bist_write", low()),
        ("bist_read", low()),
        ("bist_addr", zeros(&addr)),
        ("bist_wdata", zeros(&width)),
        ("sleep", low()),
        ("shut_down", low()),
    ];
    let pin = |(pin, value): (&str, String)| format!("        .{pin:<11}({value})");
    let connections: Vec<String> =
        [("clock", "clock".to_string())].into_iter().chain(wired).chain(tied).map(pin).collect();
    format!(
        "{ports}\n    // The macro's name and its other pins are of this file alone: write those of a compiler here.\n    \
         {name} #(.WIDTH({words}), .WORDS(WORDS)) ram (\n{}\n    );\n\nendmodule\n\n`default_nettype wire\n",
        connections.join(",\n")
    )
}

/// Bits of the port `name`: `WIDTH`, `24`.
fn width(ports: &str, name: &str) -> String {
    let line = ports.lines().find(|line| line.trim_end_matches(',').ends_with(&format!(" {name}")));
    let range = line.and_then(|line| Some(&line[line.find('[')? + 1..line.find(":0]")?])).expect("a port of a word");
    match range.strip_suffix("-1") {
        Some(width) => width.into(),
        None => (range.parse::<u32>().expect("a number of bits") + 1).to_string(),
    }
}

fn width_of_address(ports: &str) -> String {
    width(ports, if ports.contains(" write_addr") { "write_addr" } else { "addr" })
}
