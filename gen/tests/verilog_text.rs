//! An engineer's demands on the text in `verilog-out`.

use crate::common::{EVERY_SIZE, MODULES};
use std::path::Path;

/// Every file, by name.
fn files() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verilog-out");
    let names = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".v")).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), std::fs::read_to_string(directory.join(&name)).unwrap())).collect()
}

#[test]
fn lines_are_of_at_most_120_columns() {
    for (name, text) in files() {
        if let Some(line) = text.lines().find(|line| line.len() > 120 || line.ends_with(' ')) {
            panic!("{name}: {line}");
        }
    }
}

/// A crossbar of 16 lanes was 1,700 lines with a net for each signal, and the files had 400 on the mean.
#[test]
fn lanes_are_loops() {
    let files: Vec<_> = MODULES.iter().map(|module| (format!("{}.v", module.module), module.file())).collect();
    let lines = |name: &str| files.iter().find(|(n, _)| n == name).map(|(_, text)| text.lines().count()).unwrap();
    assert!(lines("wru_l16_mover_crossbar.v") < 100);
    assert!(lines("wru_l32_e32_mover_crossbar.v") < 120);
    assert!(lines("sorter_16x10.v") < 200);
    // The longest selects one of 128 sets: a case for each.
    let cases = |text: &str| text.lines().filter(|line| line.contains("'d") && line.contains(": select_")).count();
    let of_circuits = |text: &str| gen::text::without_assertions(text).lines().count();
    assert!(files.iter().all(|(_, text)| of_circuits(text) - cases(text) < 600));
    assert!(files.iter().map(|(_, text)| of_circuits(text)).sum::<usize>() < 136 * files.len());
}

/// A loop variable that two blocks use has two drivers to Yosys. A generate loop is no driver.
#[test]
fn every_block_has_its_own_loop_variables() {
    let mut blocks = 0;
    for module in &EVERY_SIZE.modules {
        let is_outside = |line: &&str| line.starts_with("    integer ");
        assert_eq!(module.file.lines().find(is_outside), None, "{}", module.module);
        let has_name = |line: &&str| line.starts_with("    always ") && line.contains(" begin : drive_");
        blocks += module.file.lines().filter(has_name).count();
    }
    assert!(blocks > 20, "{blocks}");
}

/// `x_q` for a register, but for one that is an output port.
#[test]
fn registers_have_one_dialect() {
    let mut registers = 0;
    for (name, text) in files().into_iter().filter(|(name, _)| !name.starts_with("sram_")) {
        let head = &text[..text.find(");").unwrap()];
        for line in text.lines().map(str::trim) {
            let Some((target, _)) = line.split_once(" <= ").filter(|_| line.ends_with(';')) else { continue };
            let target = target.strip_suffix(']').and_then(|t| t.rsplit_once('[')).map_or(target, |(target, _)| target);
            let target = target.rsplit_once(") ").map_or(target, |(_, target)| target);
            let register = target.split('[').next().unwrap();
            let is_port = head.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == register);
            let is_past = register.starts_with("past_");
            assert!(is_port || is_past || register.split('_').any(|word| word == "q"), "{name}: {line}");
            registers += 1;
        }
    }
    assert!(registers > 1000, "{registers}");
}

#[test]
fn headers_say_what_a_module_is() {
    for (name, text) in files() {
        let module = name.trim_end_matches(".v");
        let title = text.lines().find(|line| line.starts_with("//")).unwrap();
        assert!(title.starts_with(&format!("// {module}: ")), "{name}: {title}");
        assert!(!text.contains("// Unit: ") || text.contains("// Timing: "), "{name}");
    }
}

/// Rules of pins are in the modules of their units, and nowhere else.
#[test]
fn units_with_rules_check_them() {
    let has_rules = |text: &str| text.contains("`ifdef UNRULY_ASSERT\n");
    let units = |text: &str| -> Vec<String> {
        let unit = |line: &str| line.strip_prefix("// Unit: ")?.strip_suffix('.').map(String::from);
        text.lines().filter_map(unit).collect()
    };
    let files = files();
    for rules in spec::rules::RULES {
        for name in rules.unit.split(", ") {
            let of_unit: Vec<_> =
                files.iter().filter(|(_, text)| units(text).iter().any(|unit| unit == name)).collect();
            assert!(!of_unit.is_empty() && of_unit.iter().all(|(_, text)| has_rules(text)), "{name}");
        }
    }
    let known = |name: &str| spec::rules::RULES.iter().any(|rules| rules.unit.split(", ").any(|unit| unit == name));
    for (name, text) in files.iter().filter(|(_, text)| has_rules(text)) {
        assert!(units(text).iter().all(|unit| known(unit)), "{name}");
    }
}
