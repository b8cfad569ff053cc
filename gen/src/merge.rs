//! One module per distinct design. RustHDL has one block per instance; equal ones, bottom-up and across all units
//! of the catalogue, become one module here.

use crate::error::{Error, Result};
use crate::ir::Module;
use crate::names::{self, identifier};
use crate::walk::Node;
use crate::{build, connect, register};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub struct Library {
    /// Children stand before their parents.
    pub modules: Vec<Module>,
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
        let mut module = build::module(path, node, &children)?;
        connect::connect(&mut module);
        let key = format!("{module:?}");
        if let Some(place) = self.places.get(&key) {
            return Ok(*place);
        }
        self.modules.push(module);
        self.hints.push(path.rsplit('.').next().unwrap_or(path).to_string());
        self.places.insert(key, self.modules.len() - 1);
        Ok(self.modules.len() - 1)
    }

    /// A name for every module: the catalogue's for units, the shape for memories, else `<parent>_<instance>`.
    pub fn names(&self) -> Vec<String> {
        let mut names = vec![None; self.modules.len()];
        for (name, place) in &self.tops {
            names[*place] = Some(name.clone());
        }
        let mut taken: BTreeSet<String> = self.tops.iter().map(|(name, _)| name.clone()).collect();
        // Parents stand behind their children: from the back, a parent has its name before its children need it.
        for parent in (0..self.modules.len()).rev() {
            let parent_name = names[parent].clone().unwrap_or_else(|| format!("module_{parent}"));
            for child in self.modules[parent].instances.iter().map(|i| i.module) {
                if names[child].is_none() {
                    names[child] = Some(free(self.wanted(child, &parent_name), &mut taken));
                }
            }
        }
        names.into_iter().flatten().collect()
    }

    fn wanted(&self, place: usize, parent: &str) -> String {
        let module = &self.modules[place];
        match module.memories.as_slice() {
            [memory] if module.instances.is_empty() => {
                let reads = module.ports.iter().any(|p| p.name == "raddr" || p.name == "read_addr");
                names::memory(if reads { "1r1w" } else { "1rw" }, memory.depth, memory.width)
            }
            _ => {
                let hint = self.hints[place].trim_end_matches(|c: char| c.is_ascii_digit() || c == '$');
                format!("{parent}_{}", identifier(hint))
            }
        }
    }
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
