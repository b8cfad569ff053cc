//! From units of the catalogue to Verilog modules.

use crate::error::Result;
use crate::ir::{Memory, Port};
use crate::merge::Library;
use crate::{print, walk};
use hdl::catalog::Instance;
use rust_hdl::prelude::Block;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Elaborates one unit.
///
/// # Errors
/// A block that RustHDL rejects, or that has no Verilog of the same meaning, with its path and the reason.
pub fn elaborate(instance: &Instance) -> Result<Design> {
    let modules = elaborate_all(std::slice::from_ref(instance))?;
    Ok(Design::of(&modules, &instance.module))
}

/// Elaborates units together: a module that several have in common is there once, children stand before parents.
///
/// # Errors
/// As [`elaborate`]; and two units of one name or of one design.
pub fn elaborate_all(instances: &[Instance]) -> Result<Vec<Verilog>> {
    let unit = |i: &Instance| {
        let parameters = i.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        let about = About {
            unit: i.unit.into(),
            summary: i.description.into(),
            paper: if i.paper == "-" { String::new() } else { i.paper.into() },
            parameters,
        };
        (i.module.clone(), about, i.build())
    };
    elaborate_blocks(&instances.iter().map(unit).collect::<Vec<_>>())
}

/// What a unit's header and manifest entry say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct About {
    pub unit: String,
    pub summary: String,
    /// Paper and section; empty for units that belong to no paper.
    pub paper: String,
    pub parameters: BTreeMap<String, u64>,
}

/// A module as it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verilog {
    pub module: String,
    /// For the units of the catalogue.
    pub about: Option<About>,
    pub ports: Vec<Port>,
    /// Memory arrays of this module itself; its children have their own.
    pub memories: Vec<Memory>,
    pub children: Vec<Child>,
    #[serde(skip)]
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Child {
    pub instance: String,
    pub module: String,
}

/// A unit with everything below it. Children stand before their parents, the unit itself last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    pub modules: Vec<Verilog>,
}

impl Design {
    /// The module `top` of `modules` and everything below it.
    ///
    /// # Panics
    /// If there is no such module.
    pub fn of(modules: &[Verilog], top: &str) -> Design {
        let end = modules.iter().position(|m| m.module == top).expect("the top is one of the modules");
        let mut wanted = BTreeSet::from([top]);
        let mut design = Design { modules: vec![] };
        for module in modules[..=end].iter().rev() {
            if wanted.contains(module.module.as_str()) {
                wanted.extend(module.children.iter().map(|c| c.module.as_str()));
                design.modules.insert(0, module.clone());
            }
        }
        design
    }

    pub fn top(&self) -> &Verilog {
        self.modules.last().expect("a design has at least its top")
    }

    /// All modules as one text.
    pub fn verilog(&self) -> String {
        self.modules.iter().map(|m| m.text.as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// `entries = 32, lanes = 16`
pub fn parameter_list(parameters: &BTreeMap<String, u64>) -> String {
    parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// [`elaborate_all`] for blocks that are in no catalogue: module name, description, connected block.
pub fn elaborate_blocks(units: &[(String, About, Box<dyn Block>)]) -> Result<Vec<Verilog>> {
    let mut library = Library::default();
    for (name, _, block) in units {
        library.add(name, &walk::walk(name, &**block)?)?;
    }
    let names = library.names();
    let emit = |(place, module): (usize, &crate::ir::Module)| {
        let name = &names[place];
        let about = units.iter().find(|(n, _, _)| n == name).map(|(_, about, _)| about.clone());
        let body = print::module(name, module, |child| names[child].clone());
        let child = |i: &crate::ir::Instance| Child { instance: i.name.clone(), module: names[i.module].clone() };
        Verilog {
            text: header(name, about.as_ref(), &module.memories) + &body,
            module: name.clone(),
            about,
            ports: module.ports.clone(),
            memories: module.memories.clone(),
            children: module.instances.iter().map(child).collect(),
        }
    };
    Ok(library.modules.iter().enumerate().map(emit).collect())
}

fn header(name: &str, about: Option<&About>, memories: &[Memory]) -> String {
    let mut text = match about {
        Some(about) => {
            let mut text = format!("// {name}: {}\n//\n", about.summary);
            text += &format!("// Unit: {}.\n", about.unit);
            if !about.paper.is_empty() {
                text += &format!("// Paper: {}.\n", about.paper);
            }
            if !about.parameters.is_empty() {
                text += &format!("// Parameters: {}.\n", parameter_list(&about.parameters));
            }
            text
        }
        None => match memories {
            [m] => {
                format!("// {name}: memory, {} words of {} bits; an SRAM macro can take its place\n", m.depth, m.width)
            }
            _ => format!("// {name}\n"),
        },
    };
    text += "//\n// Generated by `unruly verilog`, do not edit.\n\n";
    text
}
