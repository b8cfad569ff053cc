//! What serves every system names none: systems are known to their own files, to the lists of systems, and to what users type.

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

/// Words of systems, also as parts of names.
const WORDS: [&str; 7] = ["hwwl", "worklist", "iru", "reorder", "gw", "graph_waving", "b32"];

/// Lines that keep such a word, since files that users read have it.
const KEPT: [&str; 1] = ["#[serde(rename = \"scoreboard_worklist\")]"];

/// The lines of a source that name a system; comments and the tests at its end do not count.
fn named(text: &str) -> Vec<&str> {
    let code = text.split("#[cfg(test)]").next().unwrap().lines().map(str::trim);
    let names = |line: &&str| WORDS.iter().any(|word| line.to_lowercase().contains(word));
    code.filter(|line| !line.starts_with("//") && !KEPT.contains(line)).filter(names).collect()
}

#[test]
fn what_serves_every_system_names_none() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for general in GENERAL.map(|name| root.join(name)) {
        let files = if general.is_dir() { sources(&general) } else { vec![general.clone()] };
        assert!(!files.is_empty(), "{} has no source", general.display());
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let found = named(&text);
            assert!(found.is_empty(), "{} names a system; its descriptor can say it:\n{found:#?}", file.display());
        }
    }
}

#[test]
fn a_system_is_found_by_a_part_of_a_name() {
    let text = "// of HWWL\nuse attach::hwwl::X;\nlet worklist_ids = 1;\nGwFrontEnd::new();\nlet a = 1;\n#[cfg(test)]\nmod tests { use hwwl; }\n";
    assert_eq!(named(text), ["use attach::hwwl::X;", "let worklist_ids = 1;", "GwFrontEnd::new();"]);
    assert_eq!(named("#[serde(rename = \"scoreboard_worklist\")]\nscoreboard_port: u64,\n"), Vec::<&str>::new());
}
