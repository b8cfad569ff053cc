//! One unit, one name: a unit of the catalogue has a file of its name in every room, in the folder of its system; and each unit can be co-simulated.

use crate::common::{blocks, Desk};
use hdl::catalog;
use std::path::{Path, PathBuf};

/// Where a unit's files are.
const ROOMS: [&str; 5] = [
    "hdl/src/SYSTEM/UNIT.rs",
    "hdl/tests/SYSTEM/UNIT.rs",
    "sim/src/units/SYSTEM/UNIT.rs",
    "spec/src/SYSTEM/pins/UNIT.rs",
    "testbench/src/stimulus/SYSTEM/UNIT.rs",
];

/// Units with the same pins share a file of pins and one of stimulus.
const SAME_PINS: [(&str, &str); 5] = [
    ("wru_threshold", "wru"),
    ("wru_sorting", "wru"),
    ("wru_serial", "wru"),
    ("wru_global", "wru"),
    ("hvu_bins", "hvu"),
];

fn file(room: &str, system: &str, unit: &str) -> PathBuf {
    let is_shared = room.contains("pins/") || room.contains("stimulus/");
    let shared = SAME_PINS.iter().find(|(one, _)| is_shared && *one == unit);
    let name = shared.map_or(unit, |(_, file)| file);
    Path::new(env!("CARGO_MANIFEST_DIR")).join(room.replace("SYSTEM", system).replace("UNIT", name))
}

#[test]
fn every_unit_has_a_file_of_its_name_in_every_room() {
    let missing = |unit: &str| {
        let system = spec::system_of(unit).unwrap().name;
        ROOMS.map(|room| file(room, system, unit)).into_iter().filter(|path| !path.is_file()).collect::<Vec<_>>()
    };
    let missing: Vec<_> = catalog::units().iter().flat_map(|unit| missing(unit.name)).collect();
    assert!(missing.is_empty(), "no such file: {missing:#?}");
}

#[test]
fn every_unit_can_be_co_simulated() {
    assert_eq!(testbench::by_name::units(), catalog::units().iter().map(|unit| unit.name).collect::<Vec<_>>());
}

/// Unit, file and default module of each row, in the order of the catalogue.
#[test]
fn the_table_of_hdl_has_the_units_of_the_catalogue() {
    let readme = std::fs::read_to_string(file("hdl/README.md", "", "")).unwrap();
    let rows = readme.lines().filter(|line| line.starts_with("| `") && line.split('|').count() == 6);
    let row = |line: &str| line.split('|').skip(1).take(3).map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
    let expected = |unit: &&spec::Unit| {
        let module = catalog::find(unit.name, &[]).unwrap().module;
        vec![
            format!("`{}`", unit.name),
            format!("`{}/{}.rs`", spec::system_of(unit.name).unwrap().name, unit.name),
            format!("`{module}`"),
        ]
    };
    assert_eq!(rows.map(row).collect::<Vec<_>>(), catalog::units().iter().map(expected).collect::<Vec<_>>());
}

/// docs/new-unit.md: its excerpts are the files that they name, its commands do what it says.
#[test]
fn the_page_of_the_new_unit_is_true() {
    let page = include_str!("../docs/new-unit.md");
    let excerpts = blocks(page).filter_map(|(head, body)| Some((head.split_once(' ')?.1, body)));
    let in_tree: Vec<_> = excerpts.filter(|(name, _)| name.contains('/') || *name == "Cargo.toml").collect();
    assert!(in_tree.len() >= 8);
    for (name, text) in in_tree {
        let file = std::fs::read_to_string(file(name, "", "")).unwrap();
        assert!(file.contains(text.trim()), "{name} has not what docs/new-unit.md says:\n{text}");
    }
    let said = Desk::new().type_page(page);
    assert_eq!(said.matches(" 0 mismatches").count(), 3, "{said}");
    let cycles: Vec<f64> = said
        .lines()
        .filter_map(|line| line.strip_prefix("histogram: 1 launch, ")?.split(' ').next()?.parse().ok())
        .collect();
    assert!(cycles.len() == 3 && cycles[1] < cycles[0] && cycles[1] == cycles[2], "{cycles:?}");
    assert!(
        page.contains(&format!("{} cycles without the combiner and {} with it", cycles[0], cycles[1])),
        "{cycles:?}"
    );
}

/// Lines of Rust and of manifests that name the example.
fn lines_that_name_it(path: &Path) -> usize {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        return entries.map(|path| lines_that_name_it(&path)).sum();
    }
    let is_text = path.extension().is_some_and(|extension| extension == "rs" || extension == "toml");
    let text = if is_text { std::fs::read_to_string(path).unwrap() } else { String::new() };
    text.lines().filter(|line| line.contains("combiner")).count()
}

#[test]
fn a_unit_of_another_crate_is_registered_by_two_lines() {
    let folders = ["src", "hdl", "sim", "gen", "testbench", "Cargo.toml"];
    assert_eq!(folders.map(|folder| lines_that_name_it(&file(folder, "", ""))), [1, 0, 0, 0, 0, 1]);
}
