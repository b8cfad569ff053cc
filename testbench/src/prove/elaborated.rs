//! A module with values as a circuit: pins of its parts become pins of its own.

use super::canonical;
use crate::aig::Aig;
use crate::error::{Error, Result};
use crate::yosys;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A module that has the one of interest as a part.
const AROUND: &str = "unruly_around";

/// An undefined value is any value: an input of each circuit, without a name.
const AIG: &str =
    "memory_collect; memory_map; techmap -map undefined.v; simplemap; techmap; dfflegalize -cell $_DFF_P_ x; \
                   setundef -undriven -anyseq; aigmap; write_aiger -ascii -symbols question.aag";

/// Part-selects in which a bit behind the last is undefined.
const UNDEFINED: &str = include_str!("undefined.v");

/// A module, and values of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub module: String,
    pub values: BTreeMap<String, u64>,
}

pub(super) struct Elaborated {
    directory: TempDir,
    /// By instance: `each_bank[3].bank`.
    pub parts: BTreeMap<String, Part>,
    /// Names of instances in the other circuit.
    names: BTreeMap<String, String>,
}

/// The module of `text`, whose parts are boxes with these `ports`.
///
/// # Errors
/// Yosys is missing, or does not take the text: the message is its own.
pub(super) fn elaborate(ports: &str, text: &str, module: &str, values: &BTreeMap<String, u64>) -> Result<Elaborated> {
    let directory = tempfile::tempdir()?;
    let values: Vec<String> = values.iter().map(|(name, value)| format!(".{name}({value})")).collect();
    let values = if values.is_empty() { String::new() } else { format!("#({}) ", values.join(", ")) };
    let around = format!("module {AROUND} ();\n    {module} {values}module_of_interest ();\nendmodule\n");
    let path = directory.path().join("module.v");
    fs::write(&path, format!("{ports}{text}{around}")).map_err(Error::file(&path))?;
    let boxes: String = box_names(ports).iter().map(|name| format!(" t:{name}")).collect();
    // The list of parts is written only of modules that are no boxes.
    let parts = format!(
        "select -set parts t:$paramod*{boxes}; select -set boxes =A:blackbox; setattr -mod -unset blackbox @boxes; \
         json -o parts.json @parts @boxes; setattr -mod -set blackbox 1 @boxes; expose -evert @parts; "
    );
    let parts = if boxes.is_empty() { String::new() } else { parts };
    let script = format!(
        "read_verilog -defer module.v; hierarchy -check -top {AROUND}; delete {AROUND}; proc; {parts}opt_clean; \
         delete =A:blackbox; write_rtlil module.il"
    );
    yosys::run(directory.path(), &format!("module {module}"), &script)?;
    let parts = if boxes.is_empty() { BTreeMap::new() } else { parts_in(&directory.path().join("parts.json"))? };
    Ok(Elaborated { directory, parts, names: BTreeMap::new() })
}

fn box_names(ports: &str) -> BTreeSet<&str> {
    let lines = ports.lines().filter_map(|line| line.strip_prefix("module "));
    lines.filter_map(|line| line.split([' ', '(']).next()).collect()
}

#[derive(Deserialize)]
struct Netlist {
    modules: BTreeMap<String, NetlistModule>,
}

#[derive(Deserialize)]
struct NetlistModule {
    attributes: Attributes,
    #[serde(default)]
    parameter_default_values: BTreeMap<String, String>,
    cells: BTreeMap<String, Cell>,
}

#[derive(Deserialize)]
struct Attributes {
    /// `\hwwl_bank`
    hdlname: Option<String>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    module: String,
}

fn parts_in(path: &Path) -> Result<BTreeMap<String, Part>> {
    let text = fs::read_to_string(path).map_err(Error::file(path))?;
    let netlist: Netlist = serde_json::from_str(&text).map_err(|problem| Error::file(path)(problem.into()))?;
    let part = |(instance, cell): (&String, &Cell)| {
        let module = netlist.modules.get(&cell.module);
        let values = module.map(|module| &module.parameter_default_values).into_iter().flatten();
        let values = values.map(|(name, bits)| (name.clone(), u64::from_str_radix(bits, 2).unwrap_or(u64::MAX)));
        let name = module.and_then(|module| module.attributes.hdlname.as_deref()).unwrap_or(&cell.module);
        (instance.clone(), Part { module: name.trim_start_matches('\\').into(), values: values.collect() })
    };
    Ok(netlist.modules.values().flat_map(|module| &module.cells).map(part).collect())
}

impl Elaborated {
    /// Gives the parts the names that their counterparts have in `other`: of parts that are the same module with the same values,
    /// those whose names read alike, then the first for the first. Another choice could only make a proof fail.
    ///
    /// # Errors
    /// Both do not have the same parts.
    pub fn names_as(&mut self, other: &Elaborated) -> std::result::Result<(), String> {
        let mut names = BTreeMap::new();
        let kinds: BTreeSet<&Part> = self.parts.values().chain(other.parts.values()).collect();
        for kind in kinds {
            let [mut own, mut others] = [&*self, other].map(|side| side.instances(kind));
            if own.len() != others.len() {
                let values: Vec<String> = kind.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                let part = format!("{} ({})", kind.module, values.join(", "));
                return Err(format!("parts {part}: {} with parameters, {} flat", own.len(), others.len()));
            }
            own.retain(|name| match others.iter().position(|other| plain(other) == plain(name)) {
                Some(place) => names.insert(name.to_string(), others.remove(place).to_string()).is_some(),
                None => true,
            });
            names.extend(own.iter().map(|name| name.to_string()).zip(others.iter().map(|name| name.to_string())));
        }
        self.names = names;
        Ok(())
    }

    /// The circuit in the form of Yosys, which is the same text for the same circuit where both texts have the same order.
    pub fn text(&self) -> Result<String> {
        let path = self.directory.path().join("module.il");
        Ok(canonical::circuit(&fs::read_to_string(&path).map_err(Error::file(path))?, &self.names))
    }

    /// The circuit of gates.
    pub fn aig(&self) -> Result<Aig> {
        let path = self.directory.path().join("undefined.v");
        fs::write(&path, UNDEFINED).map_err(Error::file(&path))?;
        let mut aig = yosys::aig(self.directory.path(), &format!("read_rtlil module.il; {AIG}"), "gates of a module")?;
        aig.rename(|name| canonical::pin_of_part(name, &self.names));
        Ok(aig)
    }

    fn instances(&self, kind: &Part) -> Vec<&str> {
        let mut found: Vec<&str> =
            self.parts.iter().filter(|(_, part)| *part == kind).map(|(name, _)| name.as_str()).collect();
        found.sort_by_key(|name| numbers(name));
        found
    }
}

/// A name of an instance without the generate blocks around it: `bank_3` of `each_bank[3].bank`.
fn plain(instance: &str) -> String {
    let last = instance.rsplit('.').next().unwrap_or_default();
    let name: String = last.split('[').next().unwrap_or_default().into();
    instance.split('[').skip(1).filter_map(|rest| rest.split(']').next()).fold(name, |name, index| name + "_" + index)
}

fn numbers(instance: &str) -> (Vec<u64>, &str) {
    (instance.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect(), instance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_in_generate_blocks_have_plain_names() {
        let names = ["wru", "wru_0.wru", "each_bank[3].bank", "each_row[1].each_column[12].cell"];
        assert_eq!(names.map(plain), ["wru", "wru", "bank_3", "cell_1_12"]);
    }

    #[test]
    fn parts_are_counted_in_the_order_of_numbers() {
        let part = Part { module: "bank".into(), values: BTreeMap::new() };
        let names = ["each[10].bank", "each[9].bank"].map(|name| (name.to_string(), part.clone()));
        let directory = tempfile::tempdir().unwrap();
        let elaborated = Elaborated { directory, parts: BTreeMap::from(names), names: BTreeMap::new() };
        assert_eq!(elaborated.instances(&part), ["each[9].bank", "each[10].bank"]);
    }
}
