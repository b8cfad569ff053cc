//! Sources that serve every system name none. Systems are known to their own files, to the lists of systems, and to
//! what users type.

use super::sources;
use std::path::Path;

/// Files and folders that serve every system.
const GENERAL: [&str; 9] = [
    "sim/src/attach/system.rs",
    "sim/src/attach/uses.rs",
    "sim/src/launch.rs",
    "sim/src/stats.rs",
    "testbench/src/in_gpu.rs",
    "src/extensions.rs",
    "src/implementations.rs",
    "src/in_hardware.rs",
    "src/unit_clock.rs",
];

/// The GPU below all systems: here comments count too.
const GPU: [&str; 6] = ["sim/src/core", "sim/src/mem", "sim/src/exec", "sim/src/gpu", "sim/src/gpu.rs", "sim/src/ptx"];

/// PTX gets the instructions of systems here.
const INSTRUCTIONS: [&str; 2] = ["sim/src/ptx/system_op.rs", "sim/src/ptx/decode/system.rs"];

/// Words of systems, also as parts of names.
const WORDS: [&str; 11] =
    ["hwwl", "worklist", "wlinit", "wlpull", "wlpush", "iru", "reorder", "gw", "graph_waving", "wave", "b32"];

/// Lines that keep such a word, since files that users read have it.
const KEPT: [&str; 3] =
    ["#[serde(rename = \"scoreboard_worklist\")]", "waves_by_members: [u64; 17],", "wave_table_full: u64,"];

/// The lines of a source that name a system; the tests at its end do not count.
fn named(text: &str, comments: bool) -> Vec<&str> {
    let code = text.split("#[cfg(test)]").next().unwrap().lines().map(str::trim);
    let names = |line: &&str| WORDS.iter().any(|word| line.to_lowercase().contains(word));
    code.filter(|line| (comments || !line.starts_with("//")) && !KEPT.contains(line)).filter(names).collect()
}

#[test]
fn what_serves_every_system_names_none() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let excepted = |file: &Path| file.ends_with("tests.rs") || INSTRUCTIONS.iter().any(|name| root.join(name) == file);
    for name in GENERAL.iter().chain(&GPU) {
        let general = root.join(name);
        let files = if general.is_dir() { sources(&general) } else { vec![general.clone()] };
        assert!(!files.is_empty(), "{} has no source", general.display());
        for file in files.into_iter().filter(|file| !excepted(file)) {
            let text = std::fs::read_to_string(&file).unwrap();
            let found = named(&text, GPU.contains(name));
            assert!(found.is_empty(), "{} names a system; its descriptor can say it:\n{found:#?}", file.display());
        }
    }
}

#[test]
fn a_system_is_found_by_a_part_of_a_name() {
    let text = "// of HWWL\nuse attach::hwwl::X;\nlet worklist_ids = 1;\nGwFrontEnd::new();\nlet a = 1;\n#[cfg(test)]\nmod tests { use hwwl; }\n";
    assert_eq!(named(text, false), ["use attach::hwwl::X;", "let worklist_ids = 1;", "GwFrontEnd::new();"]);
    assert_eq!(named(text, true).len(), 4);
    assert_eq!(named("#[serde(rename = \"scoreboard_worklist\")]\nscoreboard_port: u64,\n", true), Vec::<&str>::new());
}
