//! The timing exceptions of a design: those of its top, and those of registers in the units below it.

use crate::boundary;
use crate::elaborate::{Design, Verilog};
use spec::exceptions::{exceptions_of, Exception, From, Time};
use std::collections::BTreeMap;

/// An exception at its place in a design.
pub struct Placed {
    pub exception: &'static Exception,
    /// Pins of the top, or registers with the path of instances to them, separated by dots.
    pub from: Vec<String>,
}

/// The exceptions of a design, those of the top first.
pub fn of(design: &Design) -> Vec<Placed> {
    let modules = design.modules.iter().map(|module| (module.module.as_str(), module)).collect();
    let mut found = vec![];
    below(design.top(), "", &modules, &mut found);
    found
}

fn below(module: &Verilog, path: &str, modules: &BTreeMap<&str, &Verilog>, found: &mut Vec<Placed>) {
    let unit = module.about.as_ref().map_or("", |about| about.unit.as_str());
    for exception in exceptions_of(unit) {
        let from: Vec<String> = match exception.from {
            From::Pins(pins) if path.is_empty() => pins.iter().map(|pin| pin.to_string()).collect(),
            From::Pins(_) => continue,
            // The user's own Verilog in the place of a unit has other registers.
            From::Registers(_) if module.tree.is_none() => continue,
            From::Registers(registers) => registers.iter().map(|register| format!("{path}{register}")).collect(),
        };
        found.push(Placed { exception, from });
    }
    for child in &module.children {
        below(modules[child.module.as_str()], &format!("{path}{}.", child.instance), modules, found);
    }
}

impl Placed {
    /// A regular expression of Tcl for the flip-flops at which its paths begin, between the neighbours of the unit.
    fn flip_flops(&self) -> String {
        let one = |name: &String| {
            let name = name.replace('[', "\\[").replace(']', "\\]");
            match self.exception.from {
                From::Pins(_) => name,
                // A part that is mapped by itself is below `/`, one that dissolved is below `.`.
                From::Registers(_) => format!("{}/{}", boundary::UNIT, name.replace('.', "[./]")),
            }
        };
        format!("^({})(\\[[0-9]+\\])?\\$_", self.from.iter().map(one).collect::<Vec<_>>().join("|"))
    }

    /// Cycles that a path may take; `None`: any number.
    pub fn cycles(&self) -> Option<u32> {
        match self.exception.time {
            Time::Any => None,
            Time::Cycles(cycles) => Some(cycles),
        }
    }

    /// Commands of OpenSTA that print the longest path as `from_N`, `to_N` and `slack_N` if it has a limit, and then take the
    /// exception's paths out of the analysis. Tcl ends with an error if no register has the name.
    pub fn tcl(&self, number: usize) -> String {
        let ask = match self.cycles() {
            None => String::new(),
            Some(_) => format!(
                "foreach path [find_timing_paths -from $starts -path_delay max] {{\n\
                 puts \"from_{number} [get_property [get_property $path startpoint] full_name]\"\n\
                 puts \"to_{number} [get_property [get_property $path endpoint] full_name]\"\n\
                 puts \"slack_{number} [get_property $path slack]\"\n}}\n"
            ),
        };
        format!(
            "set starts {{}}\n\
             foreach cell [all_registers -cells] {{\n\
             if {{[regexp {{{}}} [get_property $cell full_name]]}} {{ lappend starts $cell }}\n}}\n\
             if {{$starts == {{}}}} {{ error \"no register {}\" }}\n\
             {ask}set_false_path -from $starts\n",
            self.flip_flops(),
            self.from.join(" "),
        )
    }
}
