//! One module per distinct design. RustHDL has one block per instance; equal ones, bottom-up and across all units
//! of the catalogue, become one module here.

use crate::build::{self, Place};
use crate::error::{Error, Result};
use crate::names;
use crate::walk::Node;
use rust_hdl::prelude::Verilog;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verilog::description::Description;
use verilog::names::identifier;
use verilog::tree::{Access, Item, Memory, Module};

/// A module whose instances are of modules that have no names yet.
#[derive(PartialEq)]
pub struct Part {
    module: Module,
    /// The place of each instance's module.
    pub children: Vec<usize>,
}

impl Part {
    /// The module with its name and those of its children.
    pub fn named(&self, name: &str, names: &[String]) -> Module {
        let mut module = Module { name: name.into(), ..self.module.clone() };
        let mut children = self.children.iter();
        for item in &mut module.items {
            if let (Item::Instance { module, .. }, Some(place)) = (item, children.next()) {
                module.clone_from(&names[*place]);
            }
        }
        module
    }

    fn memory(&self) -> Option<(&Memory, Access)> {
        self.module.items.iter().find_map(|item| match item {
            Item::Memory(memory, access) => Some((memory, *access)),
            _ => None,
        })
    }
}

#[derive(Default)]
pub struct Library {
    /// Children stand before their parents.
    pub modules: Vec<Part>,
    /// Descriptions by their texts.
    descriptions: BTreeMap<String, Rc<Description>>,
    /// By all that a module is made from: equal blocks are lowered once.
    blocks: BTreeMap<String, usize>,
    /// The name that the first parent gives to the module.
    hints: Vec<String>,
    /// Units: name and place.
    pub tops: Vec<(String, usize)>,
}

impl Library {
    /// Adds a design; its top module is called `name`.
    pub fn add(&mut self, name: &str, top: &Node) -> Result<usize> {
        let place = self.node(name, top)?;
        if let Some((other, _)) = self.tops.iter().find(|(_, p)| *p == place) {
            return Err(Error::Name { name: name.into(), problem: format!("is the same design as {other}") });
        }
        if self.tops.iter().any(|(other, _)| other == name) {
            return Err(Error::Name { name: name.into(), problem: "stands for two units".into() });
        }
        self.tops.push((name.into(), place));
        Ok(place)
    }

    fn node(&mut self, path: &str, node: &Node) -> Result<usize> {
        let description = self.description(path, node)?;
        let mut children = vec![];
        for child in &node.children {
            let path = format!("{path}.{}", child.name);
            let place = match self.description(&path, child)?.as_deref() {
                Some(Description::Register { reset_value }) => Place::Register(reset_value.clone()),
                _ => Place::Module(self.node(&path, child)?),
            };
            children.push((child, place));
        }
        let block = block(node, &children);
        if let Some(place) = self.blocks.get(&block) {
            return Ok(*place);
        }
        let part = match description.as_deref() {
            Some(Description::Body(body)) => Part { module: build::described(path, node, body)?, children: vec![] },
            Some(Description::Register { .. }) => return Err(Error::design(path, "a register alone is no module")),
            None => {
                let (module, children) = build::module(path, node, &children)?;
                Part { module, children }
            }
        };
        let place = self.place(path, part);
        self.blocks.insert(block, place);
        Ok(place)
    }

    /// The description of a block that is no kernel.
    fn description(&mut self, path: &str, node: &Node) -> Result<Option<Rc<Description>>> {
        let text = match &node.code {
            Verilog::Custom(text) => text,
            Verilog::Combinatorial(_) | Verilog::Empty => return Ok(None),
            Verilog::Blackbox(_) | Verilog::Wrapper(_) => {
                return Err(Error::design(path, "black boxes and wrappers are not supported"));
            }
        };
        if !self.descriptions.contains_key(text) {
            let description = Description::from_json(text).map_err(|problem| Error::design(path, problem))?;
            self.descriptions.insert(text.clone(), Rc::new(description));
        }
        Ok(self.descriptions.get(text).cloned())
    }

    fn place(&mut self, path: &str, part: Part) -> usize {
        if let Some(place) = self.modules.iter().position(|other| *other == part) {
            return place;
        }
        self.modules.push(part);
        self.hints.push(path.rsplit('.').next().unwrap_or(path).to_string());
        self.modules.len() - 1
    }

    /// A name for every module: the catalogue's for units, the shape for memories, else `<parents>_<instance>`, where
    /// `<parents>` is what the names of all modules that contain it have in common: `wru_sorting_l16_e32_pairing`,
    /// `wru_l16_mover`, `wru_interval`.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<Option<String>> = vec![None; self.modules.len()];
        for (name, place) in &self.tops {
            names[*place] = Some(name.clone());
        }
        let mut taken: BTreeSet<String> = self.tops.iter().map(|(name, _)| name.clone()).collect();
        // Parents stand behind their children: from the back, they have their names before their children need them.
        for place in (0..self.modules.len()).rev() {
            if names[place].is_none() {
                let parents = self.modules.iter().zip(&names).filter(|(part, _)| part.children.contains(&place));
                let parents = parents.filter_map(|(_, name)| name.as_deref());
                names[place] = Some(free(self.wanted(place, parents), &mut taken));
            }
        }
        names.into_iter().flatten().collect()
    }

    /// A flag for each module: it is one of the units that `wanted` accepts by their names, or below one of them.
    pub fn held_by(&self, wanted: impl Fn(&str) -> bool) -> Vec<bool> {
        let mut held = vec![false; self.modules.len()];
        self.tops.iter().for_each(|(name, place)| held[*place] = wanted(name));
        for place in (0..self.modules.len()).rev() {
            if held[place] {
                self.modules[place].children.iter().for_each(|child| held[*child] = true);
            }
        }
        held
    }

    fn wanted<'a>(&self, place: usize, parents: impl Iterator<Item = &'a str>) -> String {
        match self.modules[place].memory() {
            Some((memory, access)) => names::memory(memory, access),
            None => {
                let hint = self.hints[place].trim_end_matches(|c: char| c.is_ascii_digit() || c == '$');
                let mut words = common_words(parents);
                words.push(identifier(hint));
                words.join("_")
            }
        }
    }
}

/// Everything from which a block's module is made. A child is a module at a place, or a register with code of its own.
fn block(node: &Node, children: &[(&Node, Place)]) -> String {
    let code = |node: &Node| match &node.code {
        Verilog::Custom(text) => text.clone(),
        code => format!("{code:?}"),
    };
    let mut text = format!("{:?} {}", node.atoms, code(node));
    for (child, place) in children {
        let place = match place {
            Place::Module(place) => place.to_string(),
            Place::Register(_) => code(child),
        };
        text += &format!(" {} {:?} {place}", child.name, child.atoms);
    }
    text
}

/// The words that all names have, in the order of the first.
pub(crate) fn common_words<'a>(mut names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let first = names.next().map(|name| name.split('_').map(String::from).collect::<Vec<_>>()).unwrap_or_default();
    names.fold(first, |mut common, name| {
        common.retain(|word| name.split('_').any(|w| w == word));
        common
    })
}

fn free(wanted: String, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.clone();
    let mut n = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}_{n}");
        n += 1;
    }
    name
}
