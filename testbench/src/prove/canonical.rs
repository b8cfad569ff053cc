//! A circuit in the form of Yosys without what says only where it comes from: places in files, and the names that Yosys makes up.

use std::collections::{BTreeMap, HashMap};

/// Two circuits with one text are one circuit. `parts` are the names that instances have in the other.
pub(super) fn circuit(text: &str, parts: &BTreeMap<String, String>) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !says_where_from(line)).collect();
    let mut names: HashMap<&str, String> = HashMap::new();
    for name in lines.iter().filter_map(|line| defined(line)) {
        // No name of the Verilog has a dollar.
        let number = names.len();
        match name.strip_prefix('\\').filter(|name| !name.contains('$')) {
            Some(own) => names.extend(pin_of_part(own, parts).map(|other| (name, format!("\\{other}")))),
            None => drop(names.insert(name, format!("${number}"))),
        }
    }
    let word = |word| names.get(word).map_or(word, String::as_str);
    lines.iter().map(|line| line.split_whitespace().map(word).collect::<Vec<_>>().join(" ") + "\n").collect()
}

/// `bank_3.pull` for `each_bank[3].bank.pull`, if that instance has another name.
pub(super) fn pin_of_part(name: &str, parts: &BTreeMap<String, String>) -> Option<String> {
    let (instance, pin) = name.rsplit_once('.')?;
    parts.get(instance).map(|other| format!("{other}.{pin}"))
}

/// Attributes, and parameters of the module: their values are in the circuit. Those of a cell stand further in.
fn says_where_from(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    let is_outside = !line.starts_with("    ");
    matches!(word, "attribute" | "#" | "autoidx" | "") || is_outside && matches!(word, "module" | "parameter")
}

/// The name of a wire, a memory or a cell that begins in this line.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.strip_prefix("  ")?.split(' ');
    matches!(words.next()?, "wire" | "memory" | "cell").then(|| words.next_back()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AND: &str = "module \\m\n  parameter \\N 2\n  attribute \\src \"m.v:3\"\n  wire width 2 $and$m.v:3$7_Y\n  \
                       cell $and $and$m.v:3$7\n    parameter \\Y_WIDTH 2\n    connect \\Y $and$m.v:3$7_Y\n  end\n  \
                       wire width 2 \\part_0.bank.pull\nend\n";

    fn plain(text: &str) -> String {
        circuit(text, &BTreeMap::from([("part_0.bank".into(), "bank".into())]))
    }

    #[test]
    fn names_that_yosys_makes_up_do_not_count_and_cells_do() {
        let other = AND.replace("m.v:3$7", "n.v:5$9").replace("\\N 2", "\\M 3").replace("part_0.bank", "bank");
        assert_eq!(plain(AND), plain(&other));
        for (from, to) in [("$and ", "$or "), ("WIDTH 2", "WIDTH 3"), ("bank.pull", "bank.push")] {
            assert_ne!(plain(AND), plain(&AND.replace(from, to)), "{to}");
        }
    }
}
