//! One module per distinct design. RustHDL has one block per instance; equal ones, bottom-up and across all units
//! of the catalogue, become one module here.

use crate::error::{Error, Result};
use crate::ir::Module;
use crate::names::{self, identifier};
use crate::walk::Node;
use crate::{build, connect, register, select, vector};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub struct Library {
    /// Children stand before their parents.
    pub modules: Vec<Module>,
    /// By all that a module is made from: equal blocks are lowered once.
    blocks: BTreeMap<String, usize>,
    /// By the module.
    places: BTreeMap<String, usize>,
    /// What the first parent calls the module.
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
        let mut children = vec![];
        for child in &node.children {
            let place = match register::recognise(child) {
                Some(_) => None,
                None => Some(self.node(&format!("{path}.{}", child.name), child)?),
            };
            children.push((child, place));
        }
        let block = block(node, &children);
        if let Some(place) = self.blocks.get(&block) {
            return Ok(*place);
        }
        let place = self.place(path, build::module(path, node, &children)?);
        self.blocks.insert(block, place);
        Ok(place)
    }

    fn place(&mut self, path: &str, mut module: Module) -> usize {
        vector::vector(&mut module);
        select::select(&mut module);
        connect::connect(&mut module);
        let key = format!("{module:?}");
        if let Some(place) = self.places.get(&key) {
            return *place;
        }
        self.modules.push(module);
        self.hints.push(path.rsplit('.').next().unwrap_or(path).to_string());
        self.places.insert(key, self.modules.len() - 1);
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
                let contains = |m: &&Module| m.instances.iter().any(|i| i.module == place);
                let parents = self.modules.iter().zip(&names).filter(|(m, _)| contains(m));
                let parents = parents.filter_map(|(_, name)| name.as_deref());
                names[place] = Some(free(self.wanted(place, parents), &mut taken));
            }
        }
        names.into_iter().flatten().collect()
    }

    /// Of each module, whether it is one of the units that `wanted` accepts by their names, or below one of them.
    pub fn held_by(&self, wanted: impl Fn(&str) -> bool) -> Vec<bool> {
        let mut held = vec![false; self.modules.len()];
        self.tops.iter().for_each(|(name, place)| held[*place] = wanted(name));
        for place in (0..self.modules.len()).rev() {
            if held[place] {
                self.modules[place].instances.iter().for_each(|child| held[child.module] = true);
            }
        }
        held
    }

    fn wanted<'a>(&self, place: usize, parents: impl Iterator<Item = &'a str>) -> String {
        let module = &self.modules[place];
        match module.memories.as_slice() {
            [memory] if module.instances.is_empty() => {
                let read_port = module.ports.iter().any(|p| p.name == "read_addr");
                names::memory(memory.depth, memory.width, read_port)
            }
            _ => {
                let hint = self.hints[place].trim_end_matches(|c: char| c.is_ascii_digit() || c == '$');
                let mut words = common_words(parents);
                words.push(identifier(hint));
                words.join("_")
            }
        }
    }
}

/// All that a block's module is made from. A child is a module at a place, or a register with code of its own.
fn block(node: &Node, children: &[(&Node, Option<usize>)]) -> String {
    let mut text = format!("{:?} {:?}", node.atoms, node.code);
    for (child, place) in children {
        let code = place.is_none().then_some(&child.code);
        text += &format!(" {} {:?} {place:?} {code:?}", child.name, child.atoms);
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
