//! The units with parameters: one text for all sizes of a module that differ in numbers alone.
//!
//! | file | what it does |
//! |---|---|
//! | `words.rs` | a flat module's text in pieces and numbers |
//! | `formula.rs` | numbers as formulas over parameters |
//! | `group.rs` | sizes of one module, its parameters and their values |
//! | `condition.rs` | sizes as a condition on parameters |
//! | `header.rs` | a module's purpose, the meaning of its parameters, and its sizes |
//! | `parts.rs` | what each part of a unit does, in a sentence |
//! | `text.rs` | the text |

mod condition;
mod formula;
mod group;
mod header;
mod parts;
mod text;
mod words;

use crate::elaborate::Verilog;
use group::{Chosen, Library};
use hdl::catalog::{Catalog, Definition, Instance};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A module with parameters, and its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Module {
    pub module: String,
    pub unit: Option<String>,
    pub summary: String,
    /// Default values.
    pub parameters: BTreeMap<String, i64>,
    pub children: BTreeSet<String>,
    pub is_memory: bool,
    #[serde(skip)]
    pub file: String,
}

/// An instance of the catalogue as a module with values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    pub unit: String,
    /// The parameters of the unit.
    pub size: BTreeMap<String, u64>,
    /// Its module without parameters.
    pub flat: String,
    /// Nothing where a part of this size is not among the modules.
    pub module: Option<String>,
    /// Values of the module's parameters.
    pub parameters: BTreeMap<String, i64>,
    /// The command that writes its module without parameters, where it has no other here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_by: Option<&'static str>,
}

/// A flat module, whatever it is a part of, as a module with values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterpart {
    pub flat: String,
    pub module: String,
    pub parameters: BTreeMap<String, i64>,
}

/// Modules with parameters, and the sizes that they hold for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameterised {
    pub modules: Vec<Module>,
    pub sizes: Vec<Size>,
    /// The counterpart of each flat module of which all parts are among the modules.
    pub counterparts: Vec<Counterpart>,
}

impl Parameterised {
    /// The modules that the units `tops` need, among the flat modules of many sizes.
    ///
    /// # Panics
    /// If a text has a number that is no formula over the parameters: the groups are made so that each is one.
    pub fn of(flat: &[Verilog], tops: &[&str]) -> Self {
        Self::with_defaults(flat, tops, tops)
    }

    /// Default values of a module are those that it has below the first of `first` that needs it.
    fn with_defaults(flat: &[Verilog], tops: &[&str], first: &[&str]) -> Self {
        let library = Library::of(flat);
        let chosen = chosen(&library, tops, first);
        let mut modules: Vec<Module> = chosen.keys().map(|group| module(&library, *group, &chosen)).collect();
        modules.sort_by(|a, b| a.module.cmp(&b.module));
        let units = (0..flat.len()).filter(|place| flat[*place].about.is_some());
        Parameterised {
            modules,
            sizes: units.map(|place| size(&library, place, &chosen)).collect(),
            counterparts: (0..flat.len()).filter_map(|place| counterpart(&library, place, &chosen)).collect(),
        }
    }

    /// The modules of [`shipped`] among those of the catalogue.
    pub fn shipped(flat: &[Verilog]) -> Self {
        let (shipped, modes) = (shipped(), modes());
        Self::with_defaults(flat, &names(&shipped), &names(&modes))
    }

    /// The modules of all sizes, with the default values of [`Self::shipped`].
    pub fn of_every_size(flat: &[Verilog]) -> Self {
        let modes = modes();
        let units = flat.iter().filter(|module| module.about.is_some()).map(|module| module.module.as_str());
        Self::of(flat, &names(&modes).into_iter().chain(units).collect::<Vec<_>>())
    }
}

fn names(instances: &[Instance]) -> Vec<&str> {
    instances.iter().map(|instance| instance.module.as_str()).collect()
}

/// The count of numbers in flat modules that are formulas in parameters, each with the value of the flat text.
///
/// # Errors
/// The first module for which the text with the values of its parameters is not the flat one.
pub fn check(flat: &[Verilog]) -> std::result::Result<usize, String> {
    let library = Library::of(flat);
    let mut formulas = 0;
    for group in &library.groups {
        let widths = (0..flat[group.members[0]].ports.len()).map(|pin| library.widths(group, pin));
        for column in library.columns(group).into_iter().chain(widths) {
            let formula = group.formula(&column);
            formulas += usize::from(formula.as_ref().is_some_and(|f| f.as_constant().is_none()));
            for (m, wanted) in column.iter().enumerate() {
                if formula.as_ref().map(|f| f.value(&group.values[m])) != *wanted {
                    return Err(format!("{}: a number is not {wanted:?}", flat[group.members[m]].module));
                }
            }
        }
        let key = &library.words[group.members[0]].key;
        if let Some(other) = group.members.iter().find(|m| library.words[**m].key != *key) {
            return Err(format!("{}: another text than {}", flat[*other].module, group.sized));
        }
    }
    Ok(formulas)
}

fn values(library: &Library, group: usize, member: usize) -> BTreeMap<String, i64> {
    let group = &library.groups[group];
    group.parameters.iter().cloned().zip(group.values[member].iter().copied()).collect()
}

fn size(library: &Library, place: usize, chosen: &Chosen) -> Size {
    let flat = &library.modules[place];
    let about = flat.about.clone().expect("a unit says what it is");
    let found = counterpart(library, place, chosen);
    let written_by = found.is_none().then_some("unruly verilog --flat --out DIR");
    let (module, parameters) = found.map(|found| (found.module, found.parameters)).unzip();
    Size {
        unit: about.unit,
        size: about.parameters,
        flat: flat.module.clone(),
        module,
        parameters: parameters.unwrap_or_default(),
        written_by,
    }
}

fn counterpart(library: &Library, place: usize, chosen: &Chosen) -> Option<Counterpart> {
    let (group, member) = library.places[place];
    let (module, _) = chosen.get(&group).filter(|_| library.is_whole(place, chosen))?;
    Some(Counterpart {
        flat: library.modules[place].module.clone(),
        module: module.clone(),
        parameters: values(library, group, member),
    })
}

fn module(library: &Library, group: usize, chosen: &Chosen) -> Module {
    let (name, member) = &chosen[&group];
    let of = &library.groups[group];
    let flat = &library.modules[of.members[*member]];
    let about =
        of.members.iter().find_map(|m| library.modules[*m].about.clone().filter(|a| Some(&a.unit) == of.unit.as_ref()));
    let summary = match &about {
        Some(about) => about.summary.clone(),
        None => parts::sentence(&of.base).unwrap_or_else(|| panic!("no sentence says what {} does", of.base)).into(),
    };
    let header = header::header(library, of, name, &summary, about.as_ref(), chosen);
    let text = text::module(library, group, chosen);
    let children = of.members.iter().flat_map(|m| library.children(*m));
    Module {
        module: name.clone(),
        unit: of.unit.clone(),
        summary,
        parameters: values(library, group, *member),
        children: children.filter_map(|child| Some(chosen.get(&child)?.0.clone())).collect(),
        is_memory: flat.is_memory(),
        file: flat.file_of(&format!("{header}\n`default_nettype none\n\n{text}\n`default_nettype wire\n")),
    }
}

fn chosen(library: &Library, tops: &[&str], first: &[&str]) -> Chosen {
    let members = |tops: &[&str]| {
        let mut found: BTreeMap<usize, usize> = BTreeMap::new();
        for module in tops.iter().flat_map(|top| library.below(library.module(top))) {
            let (group, member) = library.places[module];
            found.entry(group).or_insert(member);
        }
        found
    };
    let (mut found, first) = (members(tops), members(first));
    for (group, member) in &mut found {
        *member = first.get(group).copied().unwrap_or(*member);
    }
    let alone = |base: &str| library.groups.iter().filter(|group| group.base == base).count() == 1;
    let name = |(group, member): (usize, usize)| {
        let of = &library.groups[group];
        let name = if alone(&of.base) { of.base.clone() } else { sized_name(library, group) };
        (group, (name, member))
    };
    found.into_iter().map(name).collect()
}

/// A name for a text of one size: behind the words that it has in common with other sizes, the value of the one parameter
/// of its parent that tells them apart; else the words of its own name.
fn sized_name(library: &Library, group: usize) -> String {
    let of = &library.groups[group];
    let is_part = of.members.iter().all(|m| library.modules[*m].about.is_none());
    let mut parents =
        library.groups.iter().filter(|g| g.members.iter().any(|m| library.children(*m).any(|c| c == group)));
    let (Some(parent), None, true) = (parents.next(), parents.next(), is_part) else { return of.sized.clone() };
    let values = |wanted: usize, p: usize| -> BTreeSet<i64> {
        let has = |m: &usize| library.children(*m).any(|child| child == wanted);
        parent.members.iter().zip(&parent.values).filter(|(m, _)| has(m)).map(|(_, values)| values[p]).collect()
    };
    let rivals: Vec<usize> =
        (0..library.groups.len()).filter(|g| *g != group && library.groups[*g].base == of.base).collect();
    let value = |p: usize| {
        let own = values(group, p);
        let others: BTreeSet<i64> = rivals.iter().flat_map(|g| values(*g, p)).collect();
        let tells = own.len() == 1 && !others.is_empty() && own.is_disjoint(&others);
        tells.then(|| own.into_iter().next()).flatten()
    };
    match (0..parent.parameters.len()).find_map(value) {
        Some(value) => format!("{}_{value}", of.base),
        None => of.sized.clone(),
    }
}

/// Parameters that choose among modules, and are no sizes.
const MODES: [&str; 4] = ["scheme", "bins", "hash", WAYS];
/// Stages of the ways between parts of a unit.
const WAYS: &str = "link";

/// The sizes of `verilog-out`: those of [`modes`], without what another one is with longer ways.
pub fn shipped() -> Vec<Instance> {
    let modes = modes();
    let has_longer = |instance: &&Instance| modes.iter().any(|other| has_longer_ways(other, instance));
    modes.iter().filter(|instance| !has_longer(instance)).cloned().collect()
}

/// Default size of each unit, in each of its modes, the default one first.
fn modes() -> Vec<Instance> {
    let catalog = Catalog::ours();
    let instances = catalog.instances();
    let of = |definition: &&Definition| {
        let default = definition.find(&[]).ok();
        let differs = |instance: &Instance, (name, value): &(&str, u64)| {
            !MODES.contains(name) && instance.parameter(name) != Some(*value)
        };
        let mut sizes: Vec<Instance> = instances.iter().filter(|i| i.unit == definition.unit.name).cloned().collect();
        sizes.retain(|i| default.as_ref().is_none_or(|d| d.parameters.iter().all(|p| !differs(i, p))));
        sizes.sort_by_key(|i| Some(&i.module) != default.as_ref().map(|d| &d.module));
        sizes
    };
    catalog.definitions().iter().flat_map(of).collect()
}

/// True if `one` is `other` but for its ways, which are longer.
fn has_longer_ways(one: &Instance, other: &Instance) -> bool {
    let is_like = |(name, value): &(&str, u64)| *name == WAYS || other.parameter(name) == Some(*value);
    one.unit == other.unit && one.parameter(WAYS) > other.parameter(WAYS) && one.parameters.iter().all(is_like)
}
