//! Wrappers of compiled memories: files that stand in place of those of the SRAMs, and that alone know the pins of a macro.
//!
//! A wrapper has the module and the ports of an SRAM, and a macro in it whose mask, self-test and power pins are tied off. The macro is a
//! model for simulation, until a compiler's takes its place.

use std::collections::BTreeMap;

/// Folder of the wrappers, among the files of `unruly verilog`.
pub const FOLDER: &str = "macros";

/// Module and text of each wrapper, and of the macro in it.
const MODULES: [(&str, &str); 4] = [
    ("sram_1r1w", include_str!("../wrappers/sram_1r1w.v")),
    ("macro_1r1w", include_str!("../wrappers/macro_1r1w.v")),
    ("sram_1rw", include_str!("../wrappers/sram_1rw.v")),
    ("macro_1rw", include_str!("../wrappers/macro_1rw.v")),
];

/// Contents by file name.
pub fn files() -> BTreeMap<String, String> {
    MODULES.iter().map(|(module, text)| (format!("{FOLDER}/{module}.v"), text.to_string())).collect()
}
