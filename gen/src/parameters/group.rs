//! Modules of one kind in all their sizes: which parameters they have, and their values in each size.

use super::formula::{fit, Formula};
use super::words::{words, Words};
use crate::elaborate::Verilog;
use crate::merge::common_words;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Modules whose texts differ in numbers alone.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The common part of their names, without sizes; and with them.
    pub base: String,
    pub sized: String,
    /// The unit that they are, if some are one.
    pub unit: Option<String>,
    /// Places in [`Library::modules`].
    pub members: Vec<usize>,
    pub parameters: Vec<String>,
    /// Values of the parameters of each member.
    pub values: Vec<Vec<i64>>,
}

impl Group {
    /// The formula over the parameters that gives each wanted value.
    pub fn formula(&self, wanted: &[Option<i64>]) -> Option<Formula> {
        let sizes: Vec<_> = self.values.iter().cloned().map(Some).collect();
        fit(wanted, &sizes)
    }
}

/// The flat modules and the groups that they are in.
pub struct Library<'a> {
    pub modules: &'a [Verilog],
    /// Their texts, in which a broken rule is what any tool can say of it.
    pub texts: Vec<String>,
    pub words: Vec<Words>,
    pub groups: Vec<Group>,
    /// Group and member of each module.
    pub places: Vec<(usize, usize)>,
    by_name: BTreeMap<&'a str, usize>,
}

/// Values over the members of a group; nothing where a member does not have it.
pub type Column = Vec<Option<i64>>;

/// Names of the modules that are written, and the member whose numbers are the default values, by group.
pub type Chosen = BTreeMap<usize, (String, usize)>;

impl<'a> Library<'a> {
    pub fn of(modules: &'a [Verilog]) -> Self {
        let by_name: BTreeMap<&str, usize> =
            modules.iter().enumerate().map(|(i, module)| (module.module.as_str(), i)).collect();
        let texts: Vec<String> = modules.iter().map(Verilog::readable).collect();
        let words = modules.iter().zip(&texts).map(|(module, text)| {
            let ports = module.ports.iter().map(|port| port.name.as_str()).collect();
            words(body(text), &ports, &module.children.iter().map(|child| child.module.as_str()).collect())
        });
        let mut library = Library { modules, words: words.collect(), texts, groups: vec![], places: vec![], by_name };
        let environments = library.environments();
        let mut alone = BTreeSet::new();
        while !library.try_groups(&environments, &mut alone) {}
        library
    }

    pub fn module(&self, name: &str) -> usize {
        self.by_name[name]
    }

    /// Group and member of the module that is child `place` of a module.
    pub fn child(&self, module: usize, place: usize) -> (usize, usize) {
        self.places[self.module(&self.words[module].children[place].module)]
    }

    /// The groups of a module's children.
    pub fn children(&self, module: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.words[module].children.len()).map(move |place| self.child(module, place).0)
    }

    /// Parameters of the units above each module; nothing for one with several values.
    fn environments(&self) -> Vec<Environment> {
        let mut all = vec![Environment::new(); self.modules.len()];
        for (top, module) in self.modules.iter().enumerate() {
            let Some(about) = &module.about else { continue };
            for below in self.parts(top) {
                for (name, value) in &about.parameters {
                    let value = Some(*value as i64);
                    let known = all[below].entry(name.clone()).or_insert(value);
                    if *known != value {
                        *known = None;
                    }
                }
            }
        }
        all
    }

    /// A unit and its parts that are in no unit within it.
    fn parts(&self, top: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([top]);
        let mut open = vec![top];
        while let Some(module) = open.pop() {
            let children = self.modules[module].children.iter().map(|child| self.module(&child.module));
            open.extend(children.filter(|child| self.modules[*child].about.is_none() && found.insert(*child)));
        }
        found
    }

    /// The units that a module is, or is a part of.
    pub fn units_of(&self, module: usize) -> impl Iterator<Item = usize> + '_ {
        let is_unit = |top: &usize| self.modules[*top].about.is_some();
        (0..self.modules.len()).filter(is_unit).filter(move |top| self.parts(*top).contains(&module))
    }

    /// A module and everything below it.
    pub fn below(&self, top: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([top]);
        let mut open = vec![top];
        while let Some(module) = open.pop() {
            let children = self.modules[module].children.iter().map(|child| self.module(&child.module));
            open.extend(children.filter(|child| found.insert(*child)));
        }
        found
    }

    /// The module and all below it are among the chosen.
    pub fn is_whole(&self, module: usize, chosen: &Chosen) -> bool {
        self.below(module).into_iter().all(|below| chosen.contains_key(&self.places[below].0))
    }

    /// Members all of whose parts are among the chosen.
    pub fn in_use(&self, group: &Group, chosen: &Chosen) -> Vec<usize> {
        (0..group.members.len()).filter(|m| self.is_whole(group.members[*m], chosen)).collect()
    }

    /// Parameters were found for all groups; otherwise `alone` has more modules than before: texts that a try put
    /// together, and for which there are none.
    fn try_groups(&mut self, environments: &[Environment], alone: &mut BTreeSet<usize>) -> bool {
        self.make_groups(alone);
        let mut done = vec![false; self.groups.len()];
        (0..self.groups.len()).all(|group| self.resolve(group, environments, alone, &mut done))
    }

    fn make_groups(&mut self, alone: &BTreeSet<usize>) {
        self.groups.clear();
        self.places = vec![(0, 0); self.modules.len()];
        let mut keys: HashMap<String, usize> = HashMap::new();
        for (place, module) in self.modules.iter().enumerate() {
            let name = if alone.contains(&place) { module.module.as_str() } else { "" };
            let key = format!("{}{name} {}", pins(module), self.words[place].key);
            let group = *keys.entry(key).or_insert(self.groups.len());
            self.groups.resize(self.groups.len().max(group + 1), Group::default());
            self.places[place] = (group, self.groups[group].members.len());
            self.groups[group].members.push(place);
        }
        for group in 0..self.groups.len() {
            let (unit, base) = self.name(&self.groups[group].members, false);
            let sized = self.name(&self.groups[group].members, true).1;
            let named = |name: String| match name.strip_prefix("queue") {
                Some("_element_port") => "element_port".into(),
                Some("") if unit.is_none() => "element_queue".into(),
                _ => name,
            };
            let (base, sized) = (named(base), named(sized));
            self.groups[group] = Group { unit, base, sized, ..std::mem::take(&mut self.groups[group]) };
        }
    }

    /// The unit and the words that the names have in common, without sizes unless asked for.
    fn name(&self, members: &[usize], sizes: bool) -> (Option<String>, String) {
        let unit_of = |m: &usize| self.modules[*m].about.as_ref().map(|about| about.unit.clone());
        let unit = members.iter().find_map(unit_of);
        let named = members.iter().filter(|m| unit.is_none() || unit_of(m) == unit);
        let mut words = common_words(named.map(|m| self.modules[*m].module.as_str()));
        words.retain(|word| sizes || !is_size(word));
        (unit, words.join("_"))
    }

    fn resolve(
        &mut self,
        group: usize,
        environments: &[Environment],
        alone: &mut BTreeSet<usize>,
        done: &mut [bool],
    ) -> bool {
        if std::mem::replace(&mut done[group], true) {
            return true;
        }
        let members = self.groups[group].members.clone();
        for member in &members {
            for place in 0..self.words[*member].children.len() {
                if !self.resolve(self.child(*member, place).0, environments, alone, done) {
                    return false;
                }
            }
        }
        match Search::of(self, group, environments).parameters() {
            Ok((names, values)) => {
                self.groups[group].parameters = names;
                self.groups[group].values = values;
                true
            }
            Err(places) => {
                let is_new = places.into_iter().filter(|place| alone.insert(members[*place])).count() > 0;
                assert!(is_new, "{}: a text of one size needs no parameters", self.groups[group].sized);
                false
            }
        }
    }

    /// Numbers by their places in the text, each over all members of a group.
    pub fn columns(&self, group: &Group) -> Vec<Column> {
        let column = |place: usize| group.members.iter().map(|m| Some(self.words[*m].numbers[place])).collect();
        (0..self.words[group.members[0]].numbers.len()).map(column).collect()
    }

    /// Widths of a pin.
    pub fn widths(&self, group: &Group, pin: usize) -> Column {
        group.members.iter().map(|m| Some(self.modules[*m].ports[pin].width as i64)).collect()
    }

    /// Values of the parameters of child `place` where that child is of group `child`.
    pub fn child_columns(&self, group: &Group, place: usize, child: usize) -> Vec<Column> {
        let column = |parameter: usize| {
            let value = |module: &usize| {
                let (found, member) = self.child(*module, place);
                (found == child).then(|| self.groups[child].values[member][parameter])
            };
            group.members.iter().map(value).collect()
        };
        (0..self.groups[child].parameters.len()).map(column).collect()
    }
}

/// Parameters of the units that a module is, or is a part of; nothing for one with several values.
type Environment = BTreeMap<String, Option<i64>>;

/// Members that do not fit the others.
type Misfits = Vec<usize>;

struct Search<'l, 'a> {
    library: &'l Library<'a>,
    group: &'l Group,
    environments: Vec<&'l Environment>,
    /// Parameters of the units: name, and the values of the members for which they are known.
    names: Vec<String>,
    sizes: Vec<Option<Vec<i64>>>,
    /// Columns that have to be formulas.
    wanted: Vec<Column>,
}

impl<'l, 'a> Search<'l, 'a> {
    fn of(library: &'l Library<'a>, group: usize, all: &'l [Environment]) -> Self {
        let group = &library.groups[group];
        let environments: Vec<_> = group.members.iter().map(|m| &all[*m]).collect();
        let mut search = Search { library, group, environments, names: vec![], sizes: vec![], wanted: vec![] };
        search.candidates();
        search.collect();
        search
    }

    fn candidates(&mut self) {
        let is_own = |m: usize| {
            let about = self.library.modules[self.group.members[m]].about.as_ref();
            about.is_some_and(|about| Some(&about.unit) == self.group.unit.as_ref())
        };
        let members = 0..self.group.members.len();
        let own = members.clone().find(|m| is_own(*m));
        let all_names: BTreeSet<&String> = match own {
            Some(m) => self.environments[m].keys().collect(),
            None => self.environments.iter().flat_map(|e| e.keys()).collect(),
        };
        let value = |m: usize, name: &str| self.environments[m].get(name).copied().flatten();
        let is_unit = |m: usize| self.library.modules[self.group.members[m]].about.is_some();
        let known = |m: usize| match own {
            Some(_) => is_own(m) || (!is_unit(m) && all_names.iter().all(|name| value(m, name).is_some())),
            None => true,
        };
        let varies = |name: &&&String| {
            let mut values = members.clone().filter(|m| known(*m)).map(|m| value(m, name));
            let first = values.next().flatten();
            let rest: Vec<_> = values.collect();
            first.is_some() && rest.iter().all(Option::is_some) && rest.iter().any(|v| *v != first)
        };
        let names: Vec<String> = all_names.iter().filter(varies).map(|name| name.to_string()).collect();
        let size = |m: usize| names.iter().map(|name| value(m, name)).collect::<Option<Vec<i64>>>();
        self.sizes = members.clone().map(|m| known(m).then(|| size(m)).flatten()).collect();
        self.names = names;
    }

    fn collect(&mut self) {
        let (library, group) = (self.library, self.group);
        let pins = library.modules[group.members[0]].ports.len();
        let mut seen = BTreeSet::new();
        let mut wanted = vec![];
        let mut add = |column: Column| {
            let mut values = column.iter().flatten();
            let first = values.next();
            if values.any(|value| Some(value) != first) && seen.insert(column.clone()) {
                wanted.push(column);
            }
        };
        (0..pins).for_each(|pin| add(library.widths(group, pin)));
        for place in 0..library.words[group.members[0]].children.len() {
            let children: BTreeSet<usize> = group.members.iter().map(|m| library.child(*m, place).0).collect();
            children.into_iter().flat_map(|child| library.child_columns(group, place, child)).for_each(&mut add);
        }
        library.columns(group).into_iter().for_each(add);
        self.wanted = wanted;
    }

    fn parameters(mut self) -> Result<(Vec<String>, Vec<Vec<i64>>), Misfits> {
        let all = || (0..self.group.members.len()).collect::<Misfits>();
        // Over fewer sizes than that, any number is a formula over any parameter.
        if all().len() > 1 && all().len() <= self.names.len() {
            return Err(all());
        }
        let mut formulas: Vec<Option<Formula>> = self.wanted.iter().map(|c| fit(c, &self.sizes)).collect();
        while formulas.iter().any(Option::is_none) {
            self.add_parameter(&formulas)?;
            for (formula, column) in formulas.iter_mut().zip(&self.wanted) {
                *formula = formula.take().or_else(|| fit(column, &self.sizes));
            }
        }
        self.prune(&mut formulas);
        let mut used: BTreeSet<usize> = used(&formulas).into_keys().collect();
        self.solve_unknown(&used, &formulas)?;
        for place in 0..self.library.words[self.group.members[0]].children.len() {
            let labels: Vec<usize> = self.group.members.iter().map(|m| self.library.child(*m, place).0).collect();
            let separators = self.separators(&labels, &used);
            used.extend(separators.ok_or_else(|| (0..self.group.members.len()).collect::<Misfits>())?);
        }
        let names = self.final_names(&used).ok_or_else(|| (0..self.group.members.len()).collect::<Misfits>())?;
        let size = |size: &Option<Vec<i64>>| {
            used.iter().map(|p| size.as_ref().expect("every size is known by now")[*p]).collect()
        };
        Ok((names, self.sizes.iter().map(size).collect()))
    }

    /// A number of the modules that explains most of what nothing explains yet becomes a parameter.
    fn add_parameter(&mut self, formulas: &[Option<Formula>]) -> Result<(), Misfits> {
        let open: Vec<&Column> =
            self.wanted.iter().zip(formulas).filter(|(_, f)| f.is_none()).map(|(w, _)| w).collect();
        let with = |column: &Column| -> Vec<Option<Vec<i64>>> {
            let extended = |(size, value): (&Option<Vec<i64>>, &Option<i64>)| {
                let mut size = size.clone()?;
                size.push((*value)?);
                Some(size)
            };
            self.sizes.iter().zip(column).map(extended).collect()
        };
        let explained = |column: &&&Column| {
            let sizes = with(column);
            open.iter().filter(|c| fit(c, &sizes).is_some()).count()
        };
        let total = open.iter().filter(|column| column.iter().all(Option::is_some));
        // The best of equals is most often a parameter of a unit, then a pin.
        let rank = |open: &&&Column| (explained(open), self.agreement(open).map(|(count, _)| count));
        let best = total.rev().max_by_key(rank).map(|column| (*column).clone());
        let Some(column) = best.filter(|column| fit(column, &with(column)).is_some()) else {
            return Err((0..self.group.members.len()).collect());
        };
        self.sizes = with(&column);
        self.names.push(String::new());
        Ok(())
    }

    /// Leaves out parameters that the formulas can do without, the least used first.
    fn prune(&self, formulas: &mut Vec<Option<Formula>>) {
        let mut kept: BTreeMap<usize, usize> = used(formulas);
        let mut order: Vec<usize> = kept.keys().copied().collect();
        order.sort_by_key(|p| kept[p]);
        for p in order {
            let hidden = |size: &Option<Vec<i64>>| {
                let value = |(i, value): (usize, &i64)| if i != p && kept.contains_key(&i) { *value } else { 0 };
                size.as_ref().map(|size| size.iter().enumerate().map(value).collect::<Vec<i64>>())
            };
            let sizes: Vec<_> = self.sizes.iter().map(hidden).collect();
            let without: Vec<Option<Formula>> = self.wanted.iter().map(|column| fit(column, &sizes)).collect();
            if without.iter().all(Option::is_some) {
                *formulas = without;
                kept.remove(&p);
            }
        }
    }

    /// Names in the order of the parameters; those that come from a number get one here.
    fn final_names(&self, used: &BTreeSet<usize>) -> Option<Vec<String>> {
        let mut names: Vec<String> = vec![];
        for p in used {
            let column: Column = self.sizes.iter().map(|size| size.as_ref().map(|size| size[*p])).collect();
            let taken: Vec<String> = used.iter().map(|p| self.names[*p].clone()).chain(names.iter().cloned()).collect();
            let name = if self.names[*p].is_empty() { self.name_of(&column, &taken)? } else { self.names[*p].clone() };
            names.push(name);
        }
        Some(names.iter().map(|name| name.to_uppercase()).collect())
    }

    /// The count of members that have these numbers as a parameter of a unit above, and its name.
    fn agreement(&self, column: &Column) -> Option<(usize, String)> {
        let names: BTreeSet<&String> = self.environments.iter().flat_map(|e| e.keys()).collect();
        let agrees = |name: &String| {
            let same = |(e, value): &(&&Environment, &Option<i64>)| {
                value.is_some() && e.get(name).copied().flatten() == **value
            };
            self.environments.iter().zip(column).filter(same).count()
        };
        names.into_iter().map(|name| (agrees(name), name.clone())).max_by_key(|(count, _)| *count)
    }

    /// A name for a number: the parameter of a unit above that it is most often, of a child, or the pin of that width.
    fn name_of(&self, column: &Column, taken: &[String]) -> Option<String> {
        let free = |name: &String| !taken.contains(name) && !taken.contains(&name.to_lowercase());
        let above = self.agreement(column).filter(|(count, name)| 2 * count > column.len() && free(name));
        if let Some((_, name)) = above {
            return Some(name);
        }
        let first = self.group.members[0];
        let pins = &self.library.modules[first].ports;
        let pin = (0..pins.len()).find(|pin| self.library.widths(self.group, *pin) == *column);
        let children = (0..self.library.words[first].children.len()).flat_map(|place| {
            let child = self.library.child(first, place).0;
            let columns = self.library.child_columns(self.group, place, child);
            self.library.groups[child].parameters.iter().cloned().zip(columns).collect::<Vec<_>>()
        });
        let child = children.into_iter().find(|(name, c)| c == column && free(name));
        match (child, pin) {
            (Some((name, _)), _) => Some(name),
            (None, pin) => pin.map(|pin| format!("{}_width", pins[pin].name)),
        }
    }

    /// Parameters of members for which no unit says them: the values that give their numbers.
    fn solve_unknown(&mut self, used: &BTreeSet<usize>, formulas: &[Option<Formula>]) -> Result<(), Misfits> {
        let mut faults = vec![];
        for member in 0..self.sizes.len() {
            if self.sizes[member].is_some() {
                continue;
            }
            let mut size = vec![0; self.names.len()];
            let holds = |size: &[i64], only: Option<usize>| {
                self.wanted.iter().zip(formulas).all(|(column, formula)| {
                    let (Some(value), Some(formula)) = (column[member], formula) else { return true };
                    let about = only.is_none_or(|p| formula.atoms().iter().all(|atom| atom.parameter() == p));
                    !about || formula.value(size) == value
                })
            };
            let own = self.wanted.iter().filter_map(|column| column[member]).flat_map(|value| [value, value + 1]);
            let values: BTreeSet<i64> = (1..=256).chain((9..=16).map(|bits| 1 << bits)).chain(own).collect();
            for p in used {
                let fits = |value: &i64| {
                    let mut size = size.clone();
                    size[*p] = *value;
                    holds(&size, Some(*p))
                };
                size[*p] = values.iter().copied().find(fits).unwrap_or(0);
            }
            match holds(&size, None) {
                true => self.sizes[member] = Some(size),
                false => faults.push(member),
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults)
        }
    }

    /// The fewest parameters that tell the labels apart, those in use first.
    fn separators(&self, labels: &[usize], used: &BTreeSet<usize>) -> Option<Vec<usize>> {
        let is_name = |p: &usize| !used.contains(p) && !self.names[*p].is_empty();
        let order: Vec<usize> = used.iter().copied().chain((0..self.names.len()).filter(is_name)).collect();
        let tells = |chosen: &[usize]| {
            let mut seen: BTreeMap<Vec<i64>, usize> = BTreeMap::new();
            self.sizes.iter().zip(labels).all(|(size, label)| {
                let Some(size) = size else { return true };
                let key = chosen.iter().map(|p| size[*p]).collect();
                *seen.entry(key).or_insert(*label) == *label
            })
        };
        (0..=order.len().min(3)).find_map(|count| subsets(&order, count).into_iter().find(|chosen| tells(chosen)))
    }
}

/// One count per parameter: its uses in formulas.
fn used(formulas: &[Option<Formula>]) -> BTreeMap<usize, usize> {
    let mut used = BTreeMap::new();
    for atom in formulas.iter().flatten().flat_map(Formula::atoms) {
        *used.entry(atom.parameter()).or_default() += 1;
    }
    used
}

/// Subsets of so many, those with the first ones first.
pub(super) fn subsets(all: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![vec![]];
    }
    let with = |i: usize| subsets(&all[i + 1..], count - 1).into_iter().map(move |rest| (i, rest));
    let joined = |(i, rest): (usize, Vec<usize>)| [vec![all[i]], rest].concat();
    (0..all.len()).flat_map(with).map(joined).collect()
}

/// A word of a name that is a size: `l16`, `4x2`, `3`.
fn is_size(word: &str) -> bool {
    let digits = word.strip_prefix(|c: char| c.is_ascii_lowercase()).unwrap_or(word);
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    // `b32` is the baseline of 32-wide warps.
    word != "b32" && digits.split('x').all(number)
}

/// The text between ports and end.
pub fn body(text: &str) -> &str {
    let start = text.find("\n);\n").map_or(0, |i| i + 4);
    let end = text.rfind("\nendmodule").unwrap_or(text.len());
    &text[start..end]
}

/// The lines of the ports.
pub fn header(module: &Verilog) -> &str {
    let start = module.text.find("\nmodule ").map_or(0, |i| i + 1);
    let end = module.text.find("\n);\n").unwrap_or(module.text.len());
    &module.text[start..end]
}

/// Names, directions and kinds of the ports.
fn pins(module: &Verilog) -> String {
    let regs: Vec<&str> = header(module).lines().filter(|line| line.trim().starts_with("output reg")).collect();
    let reg = |name: &str| regs.iter().any(|line| line.trim_end_matches(',').ends_with(&format!(" {name}")));
    module.ports.iter().map(|p| format!("{}{:?}{} ", p.name, p.direction, reg(&p.name))).collect()
}
